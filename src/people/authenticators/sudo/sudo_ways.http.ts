import { providerWay } from "../../providers/provider_sudo_way.http.ts";
import { passkeyWay } from "../passkeys/passkey_sudo_way.http.ts";
import { passwordWay } from "../password/password_sudo_way.http.ts";
import { recoveryCodeWay } from "../recovery_codes/recovery_code_sudo_way.http.ts";
import { totpWay } from "../totp/totp_sudo_way.http.ts";
import { mailboxWay } from "./mailbox_sudo_way.http.ts";
import type { SudoWay } from "./sudo_way.http.ts";

/** Every way to prove oneself before something sensitive, in the order in which the page shows them. */
export const allSudoWays: readonly SudoWay[] = [
  passkeyWay,
  passwordWay,
  providerWay,
  totpWay,
  recoveryCodeWay,
  mailboxWay,
];
