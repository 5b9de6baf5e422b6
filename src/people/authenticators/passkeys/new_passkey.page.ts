import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { textField } from "../../../web/html/text_field.ts";
import { type AccountLocale, accountFrame } from "../../core/pages/account_frame.view.ts";
import { type PasskeyFailure, type PasskeyForm, passkeyForm, passkeysUnable } from "./passkey_form.view.ts";

export type NewPasskeyError = "name" | PasskeyFailure;

type NewPasskeyPage = AccountLocale & {
  kind: "passkey" | "security_key";
  form: PasskeyForm;
  name?: string | undefined;
  longest_name: number;
  failure?: NewPasskeyError | undefined;
};

export function newPasskeyPage(page: NewPasskeyPage): Html {
  const { kind, form, name, longest_name, failure, ...frame } = page;
  const { enrol, failures, anotherWay } = frame.words.passkeys;
  const alone = kind === "passkey";
  const visible = textField({
    name: "name",
    label: enrol.name,
    type: "text",
    autocomplete: "off",
    value: name ?? (alone ? enrol.suggested : enrol.suggestedKey),
    help: enrol.nameHelp,
    max_length: longest_name,
    required: true,
    error: failure === "name" ? frame.words.frame.nameError(longest_name) : undefined,
  });
  return accountFrame({
    ...frame,
    here: "security",
    title: alone ? enrol.title : enrol.keyTitle,
    lead: alone ? enrol.lead : enrol.keyLead,
    body: html`<section class="card">
${failure !== undefined && failure !== "name" && notice("failure", html`<p>${failures[failure]}</p>`)}
${passkeysUnable(frame)}
${passkeyForm(form, frame, { visible, label: alone ? enrol.submit : enrol.submitKey })}
<p><a href="/account/security">${anotherWay}</a></p>
</section>`,
  });
}
