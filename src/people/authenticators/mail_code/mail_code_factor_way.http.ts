import { originOf } from "../../../http/request_origin.ts";
import { purposes } from "../../core/proofs/purposes.ts";
import type { FactorWay } from "../factors/factor_way.http.ts";
import { lostFactorsMail } from "../recovery/lost_factors.mail.ts";
import { mailCodeField } from "../recovery/lost_factors.page.ts";
import { makeLostFactorsCode, proveLostFactorsCode } from "../recovery/lost_factors_code.ts";
import { shownMailbox } from "./shown_mailbox.http.ts";

/** A code by mail, once after an administrator took the second factors. The page asks for it to be mailed. */
export const mailCodeWay: FactorWay = {
  kind: "mail_code",
  async part({ user, half, request, locale, fault }, { mail, identity, server }) {
    if (half === undefined || mail === undefined) return undefined;
    const made = await makeLostFactorsCode(half, originOf(request), identity);
    if (made.type === "made") {
      const { words, language } = locale;
      const server_name = new URL(server.issuer).host;
      const letter = lostFactorsMail({ words, language, server_name, code: made.code });
      mail.post(async () => ({ to: user.email, ...letter }));
    }
    const email = shownMailbox(half);
    const { minutes } = purposes.lost_factors;
    return mailCodeField(locale, { email, minutes, fault, throttled: made.type === "throttled" });
  },
  prove: async ({ half, params }, { identity }) =>
    half === undefined
      ? { type: "expired" }
      : proveLostFactorsCode(half, params.get("mail_code") ?? "", identity),
};
