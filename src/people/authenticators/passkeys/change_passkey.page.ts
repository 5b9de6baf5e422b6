import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { textField } from "../../../web/html/text_field.ts";
import { durationText } from "../../../web/measure.ts";
import { type AccountLocale, accountFrame } from "../../core/pages/account_frame.view.ts";

type ChangePasskeyPage = AccountLocale & {
  id: string;
  name: string;
  csrf_token: string;
};

export function renamePasskeyPage({
  id,
  name,
  csrf_token,
  longest_name,
  wrong,
  ...frame
}: ChangePasskeyPage & { longest_name: number; wrong?: boolean | undefined }): Html {
  const { renaming, enrol } = frame.words.passkeys;
  const typed = { name: "name", label: enrol.name, type: "text", autocomplete: "off", value: name } as const;
  const error = wrong ? frame.words.frame.nameError(longest_name) : undefined;
  return accountFrame({
    ...frame,
    here: "security",
    title: renaming.title,
    body: html`<section class="card">
<form method="post" action="/account/passkeys/${id}/rename">
${hiddenFields({ csrf_token })}
${textField({ ...typed, help: enrol.nameHelp, max_length: longest_name, required: true, autofocus: true, error })}
<div class="actions"><button class="button primary" type="submit">${renaming.submit}</button></div>
</form>
</section>`,
  });
}

export function removePasskeyPage({
  id,
  name,
  csrf_token,
  refused,
  young_for,
  ...frame
}: ChangePasskeyPage & {
  refused?: "too_young" | "last_way" | undefined;
  /** Minimum age, in milliseconds, of a passkey that can confirm the removal. */
  young_for: number;
}): Html {
  const { removing, failures, tooYoung } = frame.words.passkeys;
  const message =
    refused === "too_young"
      ? tooYoung(durationText(young_for / 1000, frame.language))
      : refused && failures[refused];
  return accountFrame({
    ...frame,
    here: "security",
    title: removing.title(name),
    lead: removing.lead,
    body: html`<section class="card">
${message && notice("failure", html`<p>${message}</p>`)}
<form method="post" action="/account/passkeys/${id}/remove">
${hiddenFields({ csrf_token })}
<div class="decisions"><a class="button" href="/account/security">${frame.words.belongings.endings.keep}</a><button class="button danger primary" type="submit">${removing.submit}</button></div>
</form>
</section>`,
  });
}
