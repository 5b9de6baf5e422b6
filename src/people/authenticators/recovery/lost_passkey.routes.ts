/**
 * `/account/lost-passkey`: for a person who is signed in and no longer has the passkey that sudo asks for.
 * They give two other factors and a code by mail, and the passkey is removed after a wait (MF-15).
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { languageOf } from "../../../http/language.ts";
import { sendPage } from "../../../http/page.ts";
import { originOf } from "../../../http/request_origin.ts";
import { codeOf } from "../../../web/words/language.ts";
import {
  beginRecovery,
  hasRecovery,
  type KeepRecoveryMail,
  recoveryDelay,
} from "../../core/delayed_recovery.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { sendKept } from "../../core/notices/account_notices.http.ts";
import { type AccountPerson, accountPages, securityPath } from "../../core/pages/account_person.http.ts";
import { purposes } from "../../core/proofs/purposes.ts";
import { lostPasskeyPath } from "../../core/sudo/sudo_question.http.ts";
import { type LostPasskeyFault, lostPasskeyPage } from "./lost_passkey.page.ts";
import { recoveryMailboxMail } from "./recovery_mailbox.mail.ts";
import { askRecoveryMailbox, isRecoveryMailboxAsked, proveRecoveryMailbox } from "./recovery_mailbox.ts";
import { keepRecoveryNotice } from "./recovery_notices.http.ts";
import { type LostPasskeysState, lostPasskeysState } from "./remove_lost_passkeys.ts";

interface Told {
  readonly status?: number;
  /** A code is on its way to the mailbox. */
  readonly asked?: boolean;
  readonly fault?: LostPasskeyFault;
}

export function lostPasskeyRoutes(app: FastifyInstance, context: HttpContext): void {
  const { identity, mail, server } = context;
  if (!hasRecovery(identity)) return;
  const pages = accountPages(app, context);

  function send(
    { page, csrf_token, signedIn }: AccountPerson,
    state: LostPasskeysState,
    reply: FastifyReply,
    { status = 200, asked = false, fault }: Told = {},
  ): FastifyReply {
    const hours = recoveryDelay(identity);
    if (state.type === "none_lost" || hours === 0) return reply.redirect(securityPath, 303);
    const answer = lostPasskeyPage({
      ...page,
      // The page says the same.
      recovery: undefined,
      state: state.type === "possible" && asked ? "asked" : state.type,
      email: signedIn.user.email,
      names: state.type === "possible" ? state.names : [],
      due_at: state.type === "waiting" ? state.recovery.due_at : undefined,
      hours,
      minutes: purposes.recovery_mailbox.minutes,
      csrf_token,
      fault,
    });
    return sendPage(reply, answer, { status });
  }

  pages.get(lostPasskeyPath, async (person, _, reply) => {
    const { signedIn, params } = person;
    const asked = params.get("step") === "code" && (await isRecoveryMailboxAsked(signedIn, identity));
    return send(person, await lostPasskeysState(signedIn, identity), reply, { asked });
  });

  pages.post(
    lostPasskeyPath,
    async (person, request, reply) => {
      const state = await lostPasskeysState(person.signedIn, identity);
      if (state.type !== "possible") return send(person, state, reply);
      switch (person.params.get("step")) {
        case "ask":
          return ask(person, state, request, reply);
        case "code":
          return begin(person, state, request, reply);
        default:
          return send(person, state, reply);
      }
    },
    {
      return_to: lostPasskeyPath,
      // Another administrator helps these, whatever they prove.
      sudo: { passkeys_lost: true, when: (_, { user }) => !user.is_platform_admin },
    },
  );

  async function ask(
    person: AccountPerson,
    state: LostPasskeysState,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { signedIn, page } = person;
    const code = await askRecoveryMailbox(signedIn, originOf(request), identity);
    if (code === undefined) return send(person, state, reply, { status: 429, fault: "throttled" });
    const { words, language } = page;
    const server_name = new URL(server.issuer).host;
    const letter = recoveryMailboxMail({ words, language, server_name, code, lost: "passkeys" });
    mail?.post(async () => ({ to: signedIn.user.email, ...letter }));
    // Another page, so that reloading it sends no second mail (RFC 9110 15.4.4).
    return reply.redirect(`${lostPasskeyPath}?step=code`, 303);
  }

  async function begin(
    person: AccountPerson,
    state: LostPasskeysState,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { signedIn, params } = person;
    const { user } = signedIn;
    const proved = await proveRecoveryMailbox(signedIn, params.get("code") ?? "", identity);
    if (proved === "expired") return send(person, state, reply, { status: 409, fault: "expired" });
    if (proved === "wrong") {
      return send(person, state, reply, { status: 401, asked: true, fault: "wrong" });
    }
    const asked = {
      lost: "passkeys",
      origin: originOf(request),
      language: codeOf(languageOf(request)),
    } as const;
    const keep: KeepRecoveryMail = (tx, recovery) =>
      keepRecoveryNotice(tx, { stage: "started", recovery, user, request }, context);
    await beginRecovery(user, { ...asked, keep }, identity);
    sendKept(context);
    return reply.redirect(lostPasskeyPath, 303);
  }
}
