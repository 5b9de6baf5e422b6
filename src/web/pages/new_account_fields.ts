import { type Html, html } from "../html.ts";
import { textField } from "../text_field.ts";
import type { Words } from "../words/words.ts";

export type NewAccountFault = "name" | "too_short" | "too_long" | "too_common";

export type NewAccountFields = {
  /** The address of the account, which cannot be edited. */
  email: string;
  /** As it was typed. */
  name?: string | undefined;
  errors: readonly NewAccountFault[];
  words: Words;
};

/** The fields by which a person who opened a mail makes their account. */
export function newAccountFields({ email, name, errors, words }: NewAccountFields): Html {
  const say = words.invitation;
  const { tooShort, tooLong, tooCommon, passwordHint } = words.password;
  const told = { name: say.nameFault, too_short: tooShort, too_long: tooLong, too_common: tooCommon };
  const inName = errors.includes("name");
  const ofPassword = errors.filter((fault) => fault !== "name").map((fault) => told[fault]);
  return html`<div class="field">
<label for="email">${say.email}</label>
<input id="email" name="email" type="email" value="${email}" autocomplete="username" readonly>
</div>
${textField({
  name: "name",
  label: say.name,
  type: "text",
  autocomplete: "name",
  value: name ?? "",
  fault: inName ? told.name : undefined,
  required: true,
  autofocus: inName || ofPassword.length === 0,
})}
${textField({
  name: "password",
  label: say.password,
  type: "password",
  autocomplete: "new-password",
  help: passwordHint,
  fault: ofPassword.length > 0 ? ofPassword.join(" ") : undefined,
  required: true,
  autofocus: !inName && ofPassword.length > 0,
})}`;
}
