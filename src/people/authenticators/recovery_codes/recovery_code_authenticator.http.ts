import { originOf } from "../../../http/request_origin.ts";
import { hasSecondFactor } from "../../../records/names/sign_in_methods.ts";
import { recoveryDelay } from "../../core/delayed_recovery.ts";
import type { Authenticator } from "../../core/http_context.http.ts";
import { recoveryCodeField, recoveryCodesCard } from "./recovery_codes.card.ts";
import { findRecoveryCode, recoveryCodesOf } from "./recovery_codes.ts";

const fields = { sign_in: "recovery_code", sudo: "sudo_recovery_code" } as const;

export const recoveryCodeAuthenticator: Authenticator = {
  kind: "recovery_code",
  fields,
  guessable: true,
  part: async ({ at, locale, error }) => ({
    html: recoveryCodeField(locale, { name: fields[at], error, required: at === "sign_in" }),
  }),
  prove: ({ user, answer = "", request }, { identity }) =>
    findRecoveryCode(user, answer, originOf(request), identity),
  async card({ signedIn, page, csrf_token }, { identity }) {
    const { user } = signedIn;
    const codes = await recoveryCodesOf(user, identity);
    const factors = await identity.store.secondFactorsOf(user.id);
    const none = { password: false, recovery_codes: 0, providers: [] };
    if (codes === undefined && !hasSecondFactor({ ...factors, ...none })) return undefined;
    const left = codes?.left ?? 0;
    // With delayed recovery, the mailbox is a recovery method as well (MF-10).
    const has_wait = !user.is_platform_admin && recoveryDelay(identity) > 0;
    const count = factors.passkeys.length + factors.security_keys.length + factors.totp.length;
    const is_alone = count === 1 && left === 0 && !has_wait;
    return recoveryCodesCard({ ...page, left, made_at: codes?.made_at, is_alone, csrf_token });
  },
};
