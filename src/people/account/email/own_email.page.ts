import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { textField } from "../../../web/html/text_field.ts";
import { durationText } from "../../../web/measure.ts";
import { moment } from "../../../web/moment.ts";
import type { OwnAccountWords } from "../../../web/words/en/own_account.ts";
import { type AccountDone, type AccountLocale, accountFrame } from "../../core/pages/account_frame.view.ts";

/** `too_young`: the user reauthenticated with a passkey that was added too recently (PK-11). */
type OwnEmailError = keyof OwnAccountWords["email"]["errors"] | "too_young";

export type OwnEmailPage = AccountLocale & {
  email: string;
  pending?: string | undefined;
  locked_until?: Date | undefined;
  has_mail: boolean;
  /** Minimum age, in milliseconds, of a passkey that can confirm this change. */
  young_for: number;
  typed?: string | undefined;
  error?: OwnEmailError | undefined;
  csrf_token: string;
  done?: AccountDone | undefined;
};

export function ownEmailPage(page: OwnEmailPage): Html {
  const { email, pending, locked_until, has_mail, young_for, typed, error, csrf_token, ...frame } = page;
  const words = frame.words.ownAccount.email;
  const said =
    error === "too_young"
      ? frame.words.passkeys.tooYoung(durationText(young_for / 1000, frame.language))
      : error && words.errors[error];
  const form = html`<form method="post" action="/account/email">
${hiddenFields({ csrf_token })}
${textField({ name: "email", label: words.next, type: "email", value: typed, autocomplete: "email", max_length: 320, required: true, error: said, autofocus: error !== undefined })}
<div class="actions"><button class="button primary" type="submit">${words.submit}</button></div>
</form>`;
  const blocked = locked_until
    ? html`<p>${words.locked(moment(locked_until, "minute", frame.language))}</p>`
    : !has_mail && html`<p>${words.noMail}</p>`;
  return accountFrame({
    ...frame,
    here: "profile",
    title: words.title,
    lead: words.lead,
    body: html`<section class="card">
<dl class="facts"><div><dt>${words.now}</dt><dd><bdi>${email}</bdi></dd></div></dl>
${
  pending !== undefined &&
  html`<div class="notice notice-caution"><p>${words.waits(html`<bdi>${pending}</bdi>`)}</p><p>${words.waitsHint}</p></div>
<form method="post" action="/account/email/cancel">${hiddenFields({ csrf_token })}<button class="button" type="submit">${words.cancel}</button></form>`
}
${blocked ? notice("caution", blocked) : form}
</section>`,
  });
}

type ConfirmEmailPage = AccountLocale & { email: string; token: string; csrf_token: string };

/** Renders the page on which a user confirms a new email address. */
export function confirmEmailPage({ email, token, csrf_token, ...frame }: ConfirmEmailPage): Html {
  const words = frame.words.ownAccount.email;
  return accountFrame({
    ...frame,
    here: "profile",
    title: words.confirmTitle,
    lead: words.confirmLead(html`<bdi>${email}</bdi>`),
    body: html`<section class="card"><form method="post" action="/account/email/confirm">
${hiddenFields({ token, csrf_token })}
<div class="actions"><button class="button primary" type="submit">${words.confirm}</button><a class="button" href="/account/email">${words.cancel}</a></div>
</form></section>`,
  });
}
