import { languageOf } from "../../../http/language.ts";
import { originOf } from "../../../http/request_origin.ts";
import { wordsOf } from "../../../web/words/words.ts";
import { purposes } from "../../core/proofs/purposes.ts";
import { browserMarks } from "../../entry/mark_browser.http.ts";
import { sudoMail } from "./sudo.mail.ts";
import { sudoMailboxPart } from "./sudo.page.ts";
import { askMailbox, isMailboxAsked, mayProveMailbox, proveMailbox } from "./sudo_mailbox.ts";
import type { SudoWay } from "./sudo_way.http.ts";

const { minutes } = purposes.sudo_mailbox;
const [code, send] = ["sudo_mail_code", "sudo_mail_send"] as const;

/** A code by mail, where the account's providers ask nobody anew and the browser is known for a day. */
export const mailboxWay: SudoWay = {
  kinds: ["mail_code"],
  fields: [code, send],
  guessable: true,
  async part({ signedIn, locale, request }, wrong, context) {
    const { identity, mail } = context;
    const mayProve = mayProveMailbox(signedIn, browserMarks(request, context), identity);
    if (mail === undefined || !(await mayProve)) return;
    const asked = await isMailboxAsked(signedIn, identity);
    return sudoMailboxPart({ code, send, email: signedIn.user.email, minutes, asked, wrong }, locale);
  },
  isButton: async ({ signedIn }, { identity }) => !(await isMailboxAsked(signedIn, identity)),
  async prove({ signedIn, proof, request }, context) {
    const { identity, mail, server } = context;
    const mayProve = mayProveMailbox(signedIn, browserMarks(request, context), identity);
    if (mail === undefined || !(await mayProve)) return "wrong";
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
