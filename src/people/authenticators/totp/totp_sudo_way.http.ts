import { totpField } from "../factors/second_factor.page.ts";
import type { SudoWay } from "../sudo/sudo_way.http.ts";
import { findTotp } from "./find_totp.ts";

const name = "sudo_totp";

/** The code of an authenticator app. */
export const totpWay: SudoWay = {
  kinds: ["totp"],
  fields: [name],
  guessable: true,
  part: async ({ locale }, wrong) => totpField(locale, { name, fault: wrong ? "wrong" : undefined }),
  async prove({ signedIn, proof }, { identity }) {
    const outcome = await findTotp(signedIn.user, proof.get(name) ?? "", identity);
    if (outcome.type !== "proved") return "wrong";
    const { method, spend } = outcome;
    return { method, ...(spend && { spend }) };
  },
};
