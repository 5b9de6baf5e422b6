/** `/account/authenticator-apps`: users manage their authenticator apps (MF-1, MF-12, MF-14). */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound } from "../../../admin/access/errors.ts";
import { sendPage } from "../../../http/page.ts";
import { originOf } from "../../../http/request_origin.ts";
import { longestOf } from "../../../records/definition/view.ts";
import { isUuid } from "../../../records/formats/check.ts";
import { hasSecondFactor } from "../../../records/names/sign_in_methods.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { postNotice } from "../../core/notices/account_notices.http.ts";
import { disownLink } from "../../core/notices/disown_link.http.ts";
import {
  type AccountPerson,
  accountPages,
  backTo,
  securityPath,
} from "../../core/pages/account_person.http.ts";
import { purposes } from "../../core/proofs/purposes.ts";
import { mailboxStep } from "../mail_code/mailbox_step.http.ts";
import { enrollingOf, finishEnrolment } from "../recovery_codes/finish_enrolment.http.ts";
import { sendRecoveryCodes } from "../recovery_codes/send_recovery_codes.http.ts";
import {
  type NewAppError,
  newAppPage,
  qrCode,
  removeAppPage,
  renameAppPage,
} from "./authenticator_app.pages.ts";
import {
  type AuthenticatorApp,
  authenticatorAppsOf,
  isAppName,
  mostAuthenticatorApps,
  ownAuthenticatorApp,
  removeAuthenticatorApp,
  renameAuthenticatorApp,
} from "./authenticator_apps.ts";
import { beginTotpEnrolment, offersTotp, pendingTotp, proveNewTotp } from "./enrol_totp.ts";

const path = "/account/authenticator-apps";
const longest_name = longestOf("totp_authenticators", "name");
const sudo = { return_to: securityPath, sudo: true } as const;

export function authenticatorAppRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = accountPages(app, context);
  if (offersTotp(context.identity)) enrolmentRoutes(pages, context);
  changeRoutes(pages, context);
}

type Pages = ReturnType<typeof accountPages>;

function enrolmentRoutes(pages: Pages, context: HttpContext): void {
  const { server, identity } = context;
  const server_name = new URL(server.issuer).host;

  async function sendForm(
    { page, csrf_token, signedIn }: AccountPerson,
    reply: FastifyReply,
    { name = "", error }: { name?: string; error?: NewAppError } = {},
  ): Promise<FastifyReply> {
    const pending = await pendingTotp(signedIn, server_name, identity);
    if (pending === undefined) return reply.redirect(securityPath, 303);
    const qr = await qrCode(pending.uri, page.words.ownFactors.enrol.qr);
    const { minutes } = purposes.totp_enrolment;
    const form = { qr, name, longest_name, minutes, csrf_token, error };
    const answer = newAppPage({ ...page, ...pending, ...form, return_to: undefined });
    return sendPage(reply, answer, { status: error === undefined ? 200 : 422 });
  }

  async function unusedName({ page, signedIn }: AccountPerson): Promise<string> {
    const { suggested } = page.words.ownFactors.enrol;
    const taken = new Set((await authenticatorAppsOf(signedIn.user, identity)).map(({ name }) => name));
    let name = suggested;
    for (let number = 2; taken.has(name); number++) name = `${suggested} ${number}`;
    return name;
  }

  async function begin(person: AccountPerson, reply: FastifyReply): Promise<FastifyReply> {
    await beginTotpEnrolment(person.signedIn, identity);
    return reply.redirect(`${path}/new`, 303);
  }

  const challengeMailbox = mailboxStep(
    pages,
    {
      path: `${path}/mailbox`,
      code_purpose: "factor",
      back_href: securityPath,
      carried: () => ({}),
      goOn: begin,
    },
    context,
  );

  // A POST, because only POST requests can require reauthentication (sudo) before a secret is created.
  pages.post(
    `${path}/new`,
    async (person, request, reply) => {
      const has = await authenticatorAppsOf(person.signedIn.user, identity);
      if (has.length >= mostAuthenticatorApps) return backTo(reply, securityPath, "too_many_apps");
      return challengeMailbox(person, request, reply);
    },
    sudo,
  );

  pages.get(`${path}/new`, (person, _, reply) => sendForm(person, reply));

  pages.post(
    path,
    async (person, request, reply) => {
      const { params, signedIn } = person;
      const typed = (params.get("name") ?? "").trim();
      const name = typed === "" ? await unusedName(person) : typed;
      const input = { code: params.get("code") ?? "", name, ...enrollingOf(person, request, context) };
      const proved = await proveNewTotp(signedIn, input, identity);
      switch (proved.type) {
        case "enrolled":
          return finishEnrolment(proved.enrolled, person, { request, reply }, context);
        case "confirm":
          return sendRecoveryCodes(proved.codes, person, reply, context);
        case "gone":
          return backTo(reply, securityPath, "enrolment_over");
        case "refused":
          return sendForm(person, reply, { name: typed, error: "too_many" });
        default:
          return sendForm(person, reply, { name: typed, error: proved.type });
      }
    },
    sudo,
  );
}

function changeRoutes(pages: Pages, context: HttpContext): void {
  const { identity } = context;

  async function own({ signedIn, id }: AccountPerson): Promise<AuthenticatorApp> {
    const found = isUuid(id) ? await ownAuthenticatorApp(signedIn.user, id, identity) : undefined;
    if (found === undefined) throw notFound("totp_authenticators", id);
    return found;
  }

  pages.get(`${path}/:id/rename`, async (person, _, reply) => {
    const { id, name } = await own(person);
    return sendPage(
      reply,
      renameAppPage({ ...person.page, csrf_token: person.csrf_token, longest_name, id, name }),
    );
  });

  pages.post(
    `${path}/:id/rename`,
    async (person, request, reply) => {
      const found = await own(person);
      const name = (person.params.get("name") ?? "").trim();
      if (!isAppName(name)) {
        const { page, csrf_token } = person;
        const typed = { id: found.id, name, longest_name, csrf_token, wrong: true };
        return sendPage(reply, renameAppPage({ ...page, ...typed }), { status: 422 });
      }
      await renameAuthenticatorApp(found, name, originOf(request), identity);
      return backTo(reply, securityPath, "app_renamed");
    },
    sudo,
  );

  pages.get(`${path}/:id/remove`, async (person, _, reply) => {
    const { id, name } = await own(person);
    const { totp, ...others } = await identity.store.secondFactorsOf(person.signedIn.user.id);
    const left = { ...others, totp: totp.filter((each) => each !== id) };
    const last = !hasSecondFactor({ ...left, password: false, recovery_codes: 0, providers: [] });
    return sendPage(reply, removeAppPage({ ...person.page, csrf_token: person.csrf_token, id, name, last }));
  });

  // Reauthentication at the account's highest enrolled level is required (MF-14).
  pages.post(`${path}/:id/remove`, (person, request, reply) => remove(person, request, reply), sudo);

  async function remove(person: AccountPerson, request: FastifyRequest, reply: FastifyReply) {
    const found = await own(person);
    const { user, session } = person.signedIn;
    if (await removeAuthenticatorApp(found, originOf(request), identity)) {
      const not_me_href = disownLink({ user, since: session.created_at }, context);
      postNotice(context, { kind: "factor_removed", user, request, name: found.name, not_me_href });
    }
    return backTo(reply, securityPath, "app_removed");
  }
}
