import type { Authenticator } from "../core/http_context.http.ts";
import { providerAuthenticator } from "../providers/provider_authenticator.http.ts";
import { mailCodeAuthenticator } from "./mail_code/mail_code_authenticator.http.ts";
import { passkeyAuthenticator } from "./passkeys/passkey_authenticator.http.ts";
import { passwordAuthenticator } from "./password/password_authenticator.http.ts";
import { recoveryCodeAuthenticator } from "./recovery_codes/recovery_code_authenticator.http.ts";
import { totpAuthenticator } from "./totp/totp_authenticator.http.ts";

/** Pages list the kinds in this order. */
export const allAuthenticators: readonly Authenticator[] = [
  passwordAuthenticator,
  passkeyAuthenticator,
  providerAuthenticator,
  totpAuthenticator,
  recoveryCodeAuthenticator,
  mailCodeAuthenticator,
];
