import { type Html, html } from "../../web/html/html.ts";
import { emailInput, textField } from "../../web/html/text_field.ts";
import type { PersonWords } from "../../web/words/words.ts";
import {
  type FirstPasskeyError,
  firstPasskey,
  firstPasskeyFailure,
} from "../authenticators/passkeys/first_passkey.view.ts";
import type { PasskeyQuestion } from "../authenticators/passkeys/passkey_form.view.ts";

export type NewAccountError = "name" | keyof typeof passwordErrors | FirstPasskeyError;

const passwordErrors = { too_short: "tooShort", too_long: "tooLong", too_common: "tooCommon" } as const;

type NewAccountFields = {
  email: string;
  name?: string | undefined;
  errors: readonly NewAccountError[];
  longest_name: number;
  shortest_password: number;
  passkey?: PasskeyQuestion | undefined;
  submit: string;
  words: PersonWords;
};

/** Renders the fields and buttons with which the reader of an email creates an account. */
export function newAccountFields(fields: NewAccountFields): Html {
  const { email, name, errors, longest_name, shortest_password, passkey, submit, words } = fields;
  const say = words.invitation;
  const inName = errors.includes("name");
  const ofPassword = errors.flatMap((error) =>
    error in passwordErrors ? [words.password[passwordErrors[error as keyof typeof passwordErrors]]] : [],
  );
  return html`${firstPasskeyFailure(errors, words)}
<div class="field">
<label for="email">${say.email}</label>
<input id="email" name="email" ${emailInput} value="${email}" autocomplete="username" readonly>
</div>
${textField({
  name: "name",
  label: say.name,
  type: "text",
  autocomplete: "name",
  value: name ?? "",
  error: inName ? words.frame.nameError(longest_name) : undefined,
  max_length: longest_name,
  required: true,
  autofocus: inName || ofPassword.length === 0,
})}
${textField({
  name: "password",
  label: say.password,
  type: "password",
  autocomplete: "new-password",
  help: words.password.passwordHint(shortest_password),
  error: ofPassword.length > 0 ? ofPassword.join(" ") : undefined,
  required: true,
  autofocus: !inName && ofPassword.length > 0,
})}
<button class="button primary" type="submit">${submit}</button>
${passkey && firstPasskey(passkey, words)}`;
}
