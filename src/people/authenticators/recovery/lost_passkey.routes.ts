/**
 * `/account/lost-passkey`: removes, after a waiting time, a lost passkey that sensitive actions require
 * (MF-15).
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendPage } from "../../../http/page.ts";
import { hasRecovery, recoveryDelay } from "../../core/delayed_recovery.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { type AccountPerson, accountPages, securityPath } from "../../core/pages/account_person.http.ts";
import { purposes } from "../../core/proofs/purposes.ts";
import { lostPasskeyPath } from "../../core/sudo/sudo_question.http.ts";
import { beginToRecover, requestRecovery } from "./begin_recovery.http.ts";
import { lostPasskeyPage } from "./lost_passkey.page.ts";
import type { RecoveryError } from "./recovery_form.view.ts";
import { isRecoveryMailboxChallenged } from "./recovery_mailbox.ts";
import { type LostPasskeysState, lostPasskeysState } from "./remove_lost_passkeys.ts";

interface PageState {
  readonly status?: number;
  readonly requested?: boolean;
  readonly error?: RecoveryError;
}

export function lostPasskeyRoutes(app: FastifyInstance, context: HttpContext): void {
  const { identity } = context;
  if (!hasRecovery(identity)) return;
  const pages = accountPages(app, context);

  function send(
    { page, csrf_token, signedIn }: AccountPerson,
    state: LostPasskeysState,
    reply: FastifyReply,
    { status = 200, requested = false, error }: PageState = {},
  ): FastifyReply {
    const hours = recoveryDelay(identity);
    if (state.type === "none_lost" || hours === 0) return reply.redirect(securityPath, 303);
    const answer = lostPasskeyPage({
      ...page,
      // The banner is omitted, because the page itself reports the recovery.
      recovery: undefined,
      state: state.type === "possible" && requested ? "requested" : state.type,
      email: signedIn.user.email,
      names: state.type === "possible" ? state.names : [],
      due_at: state.type === "waiting" ? state.recovery.due_at : undefined,
      hours,
      minutes: purposes.recovery_mailbox.minutes,
      csrf_token,
      error,
    });
    return sendPage(reply, answer, { status });
  }

  pages.get(lostPasskeyPath, async (person, _, reply) => {
    const { signedIn, params } = person;
    const requested =
      params.get("step") === "code" && (await isRecoveryMailboxChallenged(signedIn, identity));
    return send(person, await lostPasskeysState(signedIn, identity), reply, { requested });
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
      // A platform administrator is not asked for a proof, because none suffices: another administrator has
      // to remove the passkey.
      sudo: { passkeys_lost: true, when: (_, { user }) => !user.is_platform_admin },
    },
  );

  async function ask(
    person: AccountPerson,
    state: LostPasskeysState,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    if (!(await requestRecovery("passkeys", person.signedIn, request, context))) {
      return send(person, state, reply, { status: 429, error: "throttled" });
    }
    // Redirects, because reloading this response would send a second email (RFC 9110, section 15.4.4).
    return reply.redirect(`${lostPasskeyPath}?step=code`, 303);
  }

  async function begin(
    person: AccountPerson,
    state: LostPasskeysState,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { signedIn, params } = person;
    const code = params.get("code") ?? "";
    const { type } = await beginToRecover("passkeys", { ...signedIn, code }, request, context);
    if (type === "expired") return send(person, state, reply, { status: 409, error: "expired" });
    if (type === "wrong") return send(person, state, reply, { status: 401, requested: true, error: "wrong" });
    return reply.redirect(lostPasskeyPath, 303);
  }
}
