import type { FactorWay } from "../factors/factor_way.http.ts";
import { totpField } from "../factors/second_factor.page.ts";
import { findTotp } from "./find_totp.ts";

/** The code of an authenticator app. */
export const totpWay: FactorWay = {
  kind: "totp",
  part: async ({ locale, fault }) => totpField(locale, { name: "code", fault, required: true }),
  prove: ({ user, params }, { identity }) => findTotp(user, params.get("code") ?? "", identity),
};
