import type { FactorKind } from "../../../records/definition/factor_kinds.ts";
import { mailCodeWay } from "../mail_code/mail_code_factor_way.http.ts";
import { passkeyWay } from "../passkeys/passkey_factor_way.http.ts";
import { recoveryCodeWay } from "../recovery_codes/recovery_code_factor_way.http.ts";
import { totpWay } from "../totp/totp_factor_way.http.ts";
import type { FactorWay } from "./factor_way.http.ts";

export const factorWays: Readonly<Record<FactorKind, FactorWay>> = {
  passkey: passkeyWay,
  totp: totpWay,
  recovery_code: recoveryCodeWay,
  mail_code: mailCodeWay,
};
