import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { textField } from "../../../web/html/text_field.ts";
import { impactLines, type ShownImpact } from "../../../web/impact_lines.ts";
import { durationText } from "../../../web/measure.ts";
import { numberText } from "../../../web/number.ts";
import type { OwnAccountWords } from "../../../web/words/en/own_account.ts";
import { type AccountLocale, accountFrame } from "../../core/pages/account_frame.view.ts";

export type OwnDeletionPage = AccountLocale & {
  last_administrator: boolean;
  owned: readonly string[];
  handover: readonly { readonly organization: string; readonly count: number }[];
  /** How many records of each kind the deletion affects, each counted only up to `limit`. */
  impact: ShownImpact;
  limit: number;
  days: number;
  typed?: string | undefined;
  error?: keyof OwnAccountWords["deletion"]["errors"] | undefined;
  csrf_token: string;
};

/**
 * Renders the form that requests the deletion of the account. The last administrator and the last owner of an
 * organization get no form.
 */
export function ownDeletionPage(page: OwnDeletionPage): Html {
  const { handover, last_administrator, owned, impact, limit, days, typed, error, csrf_token, ...frame } =
    page;
  const words = frame.words.ownAccount.deletion;
  const own = { ...impact, people: 0 };
  const goes = impactLines({ ...frame, impact: own, limit, say: { members: words.memberships } });
  const figures = handover.map(
    ({ organization, count }) =>
      html`<li><bdi>${organization}</bdi>: ${numberText(count, frame.language)}</li>`,
  );
  const total = handover.reduce((sum, { count }) => sum + count, 0);
  const successor = html`<h2>${words.successorTitle}</h2>
<p>${words.successorLead(total)}</p>
<ul>${figures}</ul>
${textField({ name: "successor", label: words.successor, type: "email", value: typed, autocomplete: "off", help: words.successorHint, max_length: 320, required: true, error: error === "successor" ? words.errors.successor : undefined, autofocus: error === "successor" })}`;
  const { errors } = words;
  const first = [
    ...(last_administrator ? [html`<p>${errors.last_administrator}</p>`] : []),
    ...(owned.length > 0
      ? [html`<p>${errors.last_owner}</p><ul>${owned.map((name) => html`<li><bdi>${name}</bdi></li>`)}</ul>`]
      : []),
  ];
  const form = html`<form method="post" action="/account/deletion">
${hiddenFields({ csrf_token })}
${total > 0 && successor}
<div class="actions"><button class="button danger" type="submit">${words.submit}</button></div>
</form>`;
  return accountFrame({
    ...frame,
    here: "profile",
    title: words.title,
    lead: words.lead(durationText(days * 86_400, frame.language)),
    body: html`<section class="card">
${first.length > 0 && notice("caution", html`${first}`)}
${first.length === 0 && error !== undefined && error !== "successor" && notice("failure", html`<p>${errors[error]}</p>`)}
<h2>${words.goes}</h2>
<ul><li>${words.goesAlways}</li>${goes}</ul>
<p class="quiet">${words.stays}</p>
${first.length === 0 && form}
</section>`,
  });
}
