/**
 * A mailed code. A user without a second factor needs it on a new device to add one or to change the email
 * address (MF-12).
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { sendPage } from "../../../http/page.ts";
import { originOf } from "../../../http/request_origin.ts";
import { knownAfter } from "../../core/browser_marks.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { postCode } from "../../core/notices/post_code.http.ts";
import type { AccountPerson, accountPages } from "../../core/pages/account_person.http.ts";
import { setSessionCookie } from "../../core/session_cookie.http.ts";
import { addMethods } from "../../core/sessions.ts";
import { mailboxPage, newDevicePage } from "./mailbox.pages.ts";
import {
  hasMailboxCode,
  needsMailbox,
  newMailboxCode,
  proveMailboxCode,
  waitInBrowser,
} from "./mailbox_code.ts";

interface MailboxStep {
  readonly code_purpose: "factor" | "email";
  readonly back_href: string;
  readonly path: string;
  readonly carried: (person: AccountPerson) => Readonly<Record<string, string>>;
  readonly goOn: (person: AccountPerson, reply: FastifyReply) => Promise<FastifyReply>;
}

/**
 * Registers the routes of the form for the code. Returns a handler that starts this step, or calls `goOn` if
 * no code is needed.
 */
export function mailboxStep(
  pages: ReturnType<typeof accountPages>,
  { path, code_purpose, back_href, carried, goOn }: MailboxStep,
  context: HttpContext,
) {
  const { identity, mail } = context;

  function sendMailbox(
    person: AccountPerson,
    reply: FastifyReply,
    error?: "wrong" | "ended" | "too_many",
  ): FastifyReply {
    const status = error === undefined ? 200 : error === "too_many" ? 429 : 422;
    const { page, csrf_token, signedIn } = person;
    const fields = { csrf_token, ...carried(person) };
    const form = { email: signedIn.user.email, action: path, back_href, fields, error };
    return sendPage(reply, mailboxPage({ ...page, known_after: knownAfter, ...form }), { status });
  }

  pages.get(path, async (person, _, reply) =>
    (await hasMailboxCode(person.signedIn, identity))
      ? sendMailbox(person, reply)
      : reply.redirect(back_href, 303),
  );

  pages.post(
    path,
    async (person, _, reply) => {
      const proved = await proveMailboxCode(person.signedIn, person.params.get("code") ?? "", identity);
      if (typeof proved === "string") return sendMailbox(person, reply, proved);
      const added = await addMethods(person.signedIn, [proved], identity);
      if (added === undefined) return reply.redirect(back_href, 303);
      setSessionCookie(reply, added.cookie, added.signedIn.session, context);
      return goOn({ ...person, signedIn: added.signedIn }, reply);
    },
    { sudo: true, return_to: path },
  );

  return async (
    person: AccountPerson,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const { signedIn, page, browser_marks } = person;
    if (!(await needsMailbox(signedIn, browser_marks, identity))) return goOn(person, reply);
    if (mail === undefined) {
      const wait = waitInBrowser(signedIn, browser_marks, identity);
      return sendPage(reply, newDevicePage({ ...page, wait, back_href }), { status: 403 });
    }
    const code = await newMailboxCode(signedIn, originOf(request), identity);
    if (code === undefined) return sendMailbox(person, reply, "too_many");
    postCode(code_purpose, { user: signedIn.user, code, locale: page }, context);
    const query = new URLSearchParams(carried(person)).toString();
    return reply.redirect(query === "" ? path : `${path}?${query}`, 303);
  };
}
