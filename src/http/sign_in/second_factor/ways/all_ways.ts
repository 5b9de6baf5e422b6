import type { FactorKind } from "../../../../records/factor_kinds.ts";
import type { FactorWay } from "../factor_way.ts";
import { mailCodeWay } from "./mail_code_way.ts";
import { passkeyWay } from "./passkey_way.ts";
import { recoveryCodeWay } from "./recovery_code_way.ts";
import { totpWay } from "./totp_way.ts";

export const factorWays: Readonly<Record<FactorKind, FactorWay>> = {
  passkey: passkeyWay,
  totp: totpWay,
  recovery_code: recoveryCodeWay,
  mail_code: mailCodeWay,
};
