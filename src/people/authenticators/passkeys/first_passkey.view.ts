import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import type { PersonWords } from "../../../web/words/words.ts";
import { type PasskeyQuestion, passkeyQuestion } from "./passkey_form.view.ts";

export type FirstPasskeyError = "passkey_refused" | "passkey_expired" | "passkey_taken";

/** Renders the button that gives a new account a passkey in place of a password. */
export function firstPasskey(question: PasskeyQuestion, words: PersonWords): Html {
  const { first } = words.passkeys;
  const above = html`<p class="divider">${words.providers.or}</p>
<p class="quiet">${first.lead}</p>
`;
  return passkeyQuestion(
    question,
    { words },
    { label: first.submit, primary: false, instead_of: "password", above },
  );
}

/** Renders why the passkey was not accepted. */
export function firstPasskeyFailure(errors: readonly string[], words: PersonWords): Html | undefined {
  const { failures } = words.passkeys;
  const message: Readonly<Record<FirstPasskeyError, string>> = {
    passkey_refused: failures.refused,
    passkey_expired: failures.expired,
    passkey_taken: failures.taken,
  };
  const found = errors.find((error): error is FirstPasskeyError => Object.hasOwn(message, error));
  return found && notice("failure", html`<p>${message[found]}</p>`, { alert: true });
}
