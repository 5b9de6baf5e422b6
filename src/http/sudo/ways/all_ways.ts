import type { SudoWay } from "../sudo_way.ts";
import { mailboxWay } from "./mailbox_way.ts";
import { passkeyWay } from "./passkey_way.ts";
import { passwordWay } from "./password_way.ts";
import { providerWay } from "./provider_way.ts";
import { recoveryCodeWay } from "./recovery_code_way.ts";
import { totpWay } from "./totp_way.ts";

/** Every way to prove oneself before something sensitive, in the order in which the page shows them. */
export const allSudoWays: readonly SudoWay[] = [
  passkeyWay,
  passwordWay,
  providerWay,
  totpWay,
  recoveryCodeWay,
  mailboxWay,
];
