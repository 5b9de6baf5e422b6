import { purposes } from "../../../identity/proofs/purposes.ts";
import { askMailbox, isMailboxAsked, mayProveMailbox, proveMailbox } from "../../../identity/sudo_mailbox.ts";
import { sudoMail } from "../../../web/mails/sudo_mail.ts";
import { sudoMailboxPart } from "../../../web/pages/sudo_page.ts";
import { wordsOf } from "../../../web/words/words.ts";
import { languageOf } from "../../language.ts";
import { originOf } from "../../request_origin.ts";
import { browserMarks } from "../../sign_in/mark_browser.ts";
import type { SudoWay } from "../sudo_way.ts";

const { minutes } = purposes.sudo_mailbox;
const [code, send] = ["sudo_mail_code", "sudo_mail_send"] as const;

/** A code by mail, where the account's providers ask nobody anew and the browser is known for a day. */
export const mailboxWay: SudoWay = {
  kinds: ["mail_code"],
  fields: [code, send],
  guessable: true,
  async part({ signedIn, locale, request }, wrong, context) {
    const { identity, mail } = context;
    if (mail === undefined || !mayProveMailbox(signedIn, browserMarks(request, context), identity)) return;
    const asked = await isMailboxAsked(signedIn, identity);
    return sudoMailboxPart({ code, send, email: signedIn.user.email, minutes, asked, wrong }, locale);
  },
  isButton: async ({ signedIn }, { identity }) => !(await isMailboxAsked(signedIn, identity)),
  async prove({ signedIn, proof, request }, context) {
    const { identity, mail, server } = context;
    if (mail === undefined || !mayProveMailbox(signedIn, browserMarks(request, context), identity)) {
      return "wrong";
    }
    const typed = proof.get(code);
    if (typed !== undefined) return (await proveMailbox(signedIn, typed, identity)) ?? "wrong";
    const made = await askMailbox(signedIn, originOf(request), identity);
    if (made === undefined) return "wrong";
    const language = languageOf(request);
    const words = wordsOf(language);
    const server_name = new URL(server.issuer).host;
    const text = sudoMail({ words, language, server_name, code: made, minutes });
    mail.post(async () => ({ to: signedIn.user.email, ...text }));
    return "asked";
  },
};
