import { findRecoveryCode } from "../../../../identity/second_factors/recovery_codes.ts";
import { recoveryCodeField } from "../../../../web/pages/second_factor_page.ts";
import { originOf } from "../../../request_origin.ts";
import type { FactorWay } from "../factor_way.ts";

/** One of the codes that the person stored. */
export const recoveryCodeWay: FactorWay = {
  kind: "recovery_code",
  part: async ({ locale, fault }) =>
    recoveryCodeField(locale, { name: "recovery_code", fault, required: true }),
  prove: ({ user, params, request }, { identity }) =>
    findRecoveryCode(user, params.get("recovery_code") ?? "", originOf(request), identity),
};
