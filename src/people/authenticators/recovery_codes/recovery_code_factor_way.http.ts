import { originOf } from "../../../http/request_origin.ts";
import type { FactorWay } from "../factors/factor_way.http.ts";
import { recoveryCodeField } from "../factors/second_factor.page.ts";
import { findRecoveryCode } from "./recovery_codes.ts";

/** One of the codes that the person stored. */
export const recoveryCodeWay: FactorWay = {
  kind: "recovery_code",
  part: async ({ locale, fault }) =>
    recoveryCodeField(locale, { name: "recovery_code", fault, required: true }),
  prove: ({ user, params, request }, { identity }) =>
    findRecoveryCode(user, params.get("recovery_code") ?? "", originOf(request), identity),
};
