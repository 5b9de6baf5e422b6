import { localeOf } from "../../../http/language.ts";
import { originOf } from "../../../http/request_origin.ts";
import type { Authenticator } from "../../core/http_context.http.ts";
import { postCode } from "../../core/notices/post_code.http.ts";
import { browserMarks } from "../../core/pages/mark_browser.http.ts";
import { purposes } from "../../core/proofs/purposes.ts";
import { makeLostFactorsCode, proveLostFactorsCode } from "./lost_factors_code.ts";
import { lostFactorsField, sudoMailboxPart } from "./mail_code.view.ts";
import { shownMailbox } from "./shown_mailbox.http.ts";
import { challengeMailbox, isMailboxChallenged, mayProveMailbox, proveMailbox } from "./sudo_mailbox.ts";

const fields = { sign_in: "mail_code", sudo: "sudo_mail_code" } as const;
const sends = "sudo_mail_send";

/**
 * After an administrator or a recovery removed a user's second factors, the next sign-in requires a mailed
 * code. Before a sensitive action (sudo), a mailed code replaces a provider that cannot reauthenticate the
 * user (`sudo_mailbox.ts`).
 */
export const mailCodeAuthenticator: Authenticator = {
  kind: "mail_code",
  fields,
  sends,
  guessable: true,
  async part({ user, half, signedIn, request, locale, error }, context) {
    const { mail, identity } = context;
    if (mail === undefined) return undefined;
    if (signedIn !== undefined) {
      if (!(await mayProveMailbox(signedIn, browserMarks(request, context), identity))) return undefined;
      const requested = await isMailboxChallenged(signedIn, identity);
      const { minutes } = purposes.sudo_mailbox;
      const shown = { code: fields.sudo, send: sends, email: user.email, minutes, requested };
      return { html: sudoMailboxPart({ ...shown, wrong: error === "wrong" }, locale), button: !requested };
    }
    if (half === undefined) return undefined;
    const made = await makeLostFactorsCode(half, originOf(request), identity);
    if (made.type === "made") postCode("lost_factors", { user, code: made.code, locale }, context);
    const { minutes } = purposes.lost_factors;
    const shown = { email: shownMailbox(half), minutes, error, throttled: made.type === "throttled" };
    return { html: lostFactorsField(locale, { name: fields.sign_in, ...shown }) };
  },
  async prove({ user, half, signedIn, answer, request }, context) {
    const { identity, mail } = context;
    if (half !== undefined) return proveLostFactorsCode(half, answer ?? "", identity);
    if (signedIn === undefined) return { type: "expired" };
    if (mail === undefined || !(await mayProveMailbox(signedIn, browserMarks(request, context), identity))) {
      return { type: "wrong" };
    }
    if (answer !== undefined) return proveMailbox(signedIn, answer, identity);
    // A repeated request, such as a reload, does not send a second email.
    if (await isMailboxChallenged(signedIn, identity)) return "asked";
    const code = await challengeMailbox(signedIn, originOf(request), identity);
    if (code === undefined) return { type: "wrong" };
    postCode("sudo", { user, code, locale: localeOf(request) }, context);
    return "asked";
  },
};
