import { hiddenFields } from "../hidden_fields.ts";
import { type Html, html } from "../html.ts";
import { notice } from "../notice.ts";
import { textField } from "../text_field.ts";
import { type AccountLocale, accountFrame } from "./account_frame.ts";

export type ChangePasskeyPage = AccountLocale & {
  id: string;
  name: string;
  csrf_token: string;
};

/** Another name for a passkey. */
export function renamePasskeyPage({
  id,
  name,
  csrf_token,
  wrong,
  ...frame
}: ChangePasskeyPage & { wrong?: boolean | undefined }): Html {
  const { renaming, enrol, failures } = frame.words.passkeys;
  const typed = { name: "name", label: enrol.name, type: "text", autocomplete: "off", value: name } as const;
  const fault = wrong ? failures.name : undefined;
  return accountFrame({
    ...frame,
    here: "security",
    title: renaming.title,
    body: html`<section class="card">
<form method="post" action="/account/passkeys/${id}/rename">
${hiddenFields({ csrf_token })}
${textField({ ...typed, help: enrol.nameHelp, max_length: 64, required: true, autofocus: true, fault })}
<div class="actions"><button class="button primary" type="submit">${renaming.submit}</button></div>
</form>
</section>`,
  });
}

/** The page before a passkey is removed: it names the impact and asks once. */
export function removePasskeyPage({
  id,
  name,
  csrf_token,
  refused,
  ...frame
}: ChangePasskeyPage & { refused?: "too_young" | "last_way" | undefined }): Html {
  const { removing, failures } = frame.words.passkeys;
  return accountFrame({
    ...frame,
    here: "security",
    title: removing.title(name),
    lead: removing.lead,
    body: html`<section class="card">
${refused && notice("failure", html`<p>${failures[refused]}</p>`)}
<form method="post" action="/account/passkeys/${id}/remove">
${hiddenFields({ csrf_token })}
<div class="decisions"><a class="button" href="/account/security">${frame.words.belongings.endings.keep}</a><button class="button danger primary" type="submit">${removing.submit}</button></div>
</form>
</section>`,
  });
}
