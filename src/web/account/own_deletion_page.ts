import { hiddenFields } from "../hidden_fields.ts";
import { type Html, html } from "../html.ts";
import { notice } from "../notice.ts";
import { textField } from "../text_field.ts";
import type { OwnAccountWords } from "../words/en/own_account.ts";
import { type AccountLocale, accountFrame } from "./account_frame.ts";

export type OwnDeletionPage = AccountLocale & {
  /** Apps and service accounts of organizations that somebody has to take over. */
  handover: number;
  /** The successor as it was typed. */
  typed?: string | undefined;
  fault?: keyof OwnAccountWords["deletion"]["errors"] | undefined;
  csrf_token: string;
};

/** Says what goes with the account, asks who takes over, and deletes it. */
export function ownDeletionPage({ handover, typed, fault, csrf_token, ...frame }: OwnDeletionPage): Html {
  const words = frame.words.ownAccount.deletion;
  const successor = html`<h2>${words.successorTitle}</h2>
<p>${words.successorLead(handover)}</p>
${textField({ name: "successor", label: words.successor, type: "email", value: typed, autocomplete: "off", help: words.successorHint, max_length: 320, required: true, fault: fault === "successor" ? words.errors.successor : undefined, autofocus: fault === "successor" })}`;
  return accountFrame({
    ...frame,
    here: "profile",
    title: words.title,
    lead: words.lead,
    body: html`<section class="card">
${fault !== undefined && fault !== "successor" && notice("failure", html`<p>${words.errors[fault]}</p>`)}
<h2>${words.goes}</h2>
<p>${words.goesList}</p>
<p class="quiet">${words.stays}</p>
<form method="post" action="/account/deletion">
${hiddenFields({ csrf_token })}
${handover > 0 && successor}
<div class="actions"><button class="button danger" type="submit">${words.submit}</button></div>
</form>
</section>`,
  });
}
