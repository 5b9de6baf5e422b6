import { originOf } from "../../../http/request_origin.ts";
import { postNotice } from "../../account/account_notices.http.ts";
import { recoveryCodeField } from "../factors/second_factor.page.ts";
import type { SudoWay } from "../sudo/sudo_way.http.ts";
import { findRecoveryCode } from "./recovery_codes.ts";

const name = "sudo_recovery_code";

/** A recovery code in place of a second factor that was lost. */
export const recoveryCodeWay: SudoWay = {
  kinds: ["recovery_code"],
  fields: [name],
  guessable: true,
  part: async ({ locale }, wrong) => recoveryCodeField(locale, { name, fault: wrong ? "wrong" : undefined }),
  async prove({ signedIn, proof, request }, context) {
    const { user } = signedIn;
    const text = proof.get(name) ?? "";
    const found = await findRecoveryCode(user, text, originOf(request), context.identity);
    if (found.type !== "proved") return "wrong";
    const { method, spend, codes_left } = found;
    const told = () => postNotice(context, { kind: "recovery_code_used", user, request, codes_left });
    return { method, spend, told };
  },
};
