/** `/account/email`: changes the email address of the user's own account, if enabled (SS-7). */
import type { FastifyInstance, FastifyReply } from "fastify";
import { sendPage } from "../../../http/page.ts";
import { originOf } from "../../../http/request_origin.ts";
import { lockOfEmail } from "../../../records/names/liveness.ts";
import { lately, sudoAge } from "../../../records/names/sign_in_methods.ts";
import { mailboxStep } from "../../authenticators/mail_code/mailbox_step.http.ts";
import { isProvedByOlder, youngFor } from "../../authenticators/passkeys/young_passkeys.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { enqueueNotice, flushOutbox, postNotice } from "../../core/notices/account_notices.http.ts";
import { type AccountPerson, accountPages, backTo } from "../../core/pages/account_person.http.ts";
import { purposes } from "../../core/proofs/purposes.ts";
import {
  confirmEmail,
  dropPendingEmail,
  emailOfLink,
  isFreeFor,
  type NotifyChanged,
  pendingEmail,
  refusalOf,
  requestEmailChange,
} from "./change_email.ts";
import { emailChangeMail } from "./email_change.mail.ts";
import { confirmEmailPage, type OwnEmailPage, ownEmailPage } from "./own_email.page.ts";
import { deadEmailLinkPage } from "./undo_email.page.ts";
import { undoEmailHref } from "./undo_email.routes.ts";

export const ownEmailPath = "/account/email";
const path = ownEmailPath;

export function mayChangeOwnEmail({ identity }: Pick<HttpContext, "identity">): boolean {
  return identity.settings?.self_service?.includes("email") ?? false;
}

type PageState = Pick<OwnEmailPage, "typed" | "error"> & { readonly status?: number };

export function ownEmailRoutes(app: FastifyInstance, context: HttpContext): void {
  if (!mayChangeOwnEmail(context)) return;
  const { identity, mail, server } = context;
  const pages = accountPages(app, context);

  async function send(
    { page, csrf_token, signedIn: { user }, done }: AccountPerson,
    reply: FastifyReply,
    { status = 200, ...pageState }: PageState = {},
  ): Promise<FastifyReply> {
    const pending = await pendingEmail(user, identity);
    const state = { email: user.email, pending, locked_until: lockOfEmail(user, identity.now()) };
    const answer = ownEmailPage({
      ...page,
      ...state,
      ...pageState,
      csrf_token,
      done,
      has_mail: mail !== undefined,
      young_for: youngFor,
    });
    return sendPage(reply, answer, { status });
  }

  pages.get(path, async (person, _, reply) => send(person, reply));

  async function ask(person: AccountPerson, reply: FastifyReply): Promise<FastifyReply> {
    if (mail === undefined) return send(person, reply);
    const { signedIn, params, page } = person;
    const typed = params.get("email") ?? "";
    const requested = await requestEmailChange(signedIn.user, typed, identity);
    switch (requested.type) {
      case "refused":
        return send(person, reply, { typed, error: requested.reason, status: 422 });
      case "throttled":
        reply.header("retry-after", requested.retry_after);
        return send(person, reply, { typed, error: "throttled", status: 429 });
      case "locked":
        return send(person, reply, { status: 409 });
      case "asked": {
        const { email: to, token } = requested;
        const link = `${server.issuer}${path}/confirm?token=${token}`;
        const server_name = new URL(server.issuer).host;
        const { minutes } = purposes.email_change;
        // The lookup runs only after the response, so timing does not reveal accounts (L-9).
        reply.raw.once("close", () =>
          mail.post(async () =>
            (await isFreeFor(signedIn.user, to, identity))
              ? { to, ...emailChangeMail({ ...page, server_name, link, minutes }) }
              : undefined,
          ),
        );
        return backTo(reply, path, "email_asked");
      }
      default:
        return requested satisfies never;
    }
  }

  const challengeMailbox = mailboxStep(
    pages,
    {
      path: `${path}/mailbox`,
      code_purpose: "email",
      back_href: path,
      carried: ({ params }) => ({ email: params.get("email") ?? "" }),
      goOn: ask,
    },
    context,
  );

  pages.post(
    path,
    async (person, request, reply) => {
      if (mail === undefined) return send(person, reply);
      const { signedIn, params } = person;
      const typed = params.get("email") ?? "";
      if (!(await isProvedByOlder(signedIn, lately(sudoAge, identity.now()), identity))) {
        return send(person, reply, { typed, error: "too_young", status: 409 });
      }
      const refused = refusalOf(signedIn.user, typed, identity);
      return refused === undefined ? challengeMailbox(person, request, reply) : ask(person, reply);
    },
    { return_to: path, sudo: true },
  );

  pages.post(`${path}/cancel`, async ({ signedIn }, _, reply) => {
    await dropPendingEmail(signedIn.user, identity);
    return backTo(reply, path, "email_kept");
  });

  pages.get(`${path}/confirm`, async ({ page, signedIn, csrf_token, params }, _, reply) => {
    const token = params.get("token") ?? "";
    const email = await emailOfLink(signedIn.user, token, identity);
    if (email === undefined) return sendPage(reply, deadEmailLinkPage(page), { status: 404 });
    return sendPage(reply, confirmEmailPage({ ...page, email, token, csrf_token }));
  });

  pages.post(`${path}/confirm`, async ({ page, signedIn, params }, request, reply) => {
    const token = params.get("token") ?? "";
    const { minutes } = purposes.email_undo;
    const days = minutes / (24 * 60);
    const notify: NotifyChanged = (tx, { before: user, undo_token }) =>
      enqueueNotice(
        tx,
        {
          kind: "email",
          user,
          request,
          more: ({ ownAccount }) => [ownAccount.email.mailUndo(days)],
          not_me_href: undoEmailHref(server.issuer, undo_token),
          minutes,
        },
        context,
      );
    const changed = await confirmEmail(signedIn, token, { origin: originOf(request), notify }, identity);
    if (changed === undefined) return sendPage(reply, deadEmailLinkPage(page), { status: 404 });
    const { before, email } = changed;
    flushOutbox(context);
    postNotice(context, { kind: "email_here", user: { id: before.id, email }, request });
    return backTo(reply, "/account", "email_changed");
  });
}
