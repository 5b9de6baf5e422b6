import { findTotp } from "../../../../identity/second_factors/find_totp.ts";
import { totpField } from "../../../../web/pages/second_factor_page.ts";
import type { FactorWay } from "../factor_way.ts";

/** The code of an authenticator app. */
export const totpWay: FactorWay = {
  kind: "totp",
  part: async ({ locale, fault }) => totpField(locale, { name: "code", fault, required: true }),
  prove: ({ user, params }, { identity }) => findTotp(user, params.get("code") ?? "", identity),
};
