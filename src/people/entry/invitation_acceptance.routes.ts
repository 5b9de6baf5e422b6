/** Accepting an invitation to an organization (docs/decisions/registration-and-invitations.md). */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { calledOf, isInviterActive } from "../../admin/changes/inviters.ts";
import { pageBrand } from "../../http/branding.ts";
import { formOf } from "../../http/form.ts";
import { getAndHead } from "../../http/get_and_head.ts";
import { localeOf } from "../../http/language.ts";
import { sendPage } from "../../http/page.ts";
import { shownPicture } from "../../http/pictures.ts";
import { originOf } from "../../http/request_origin.ts";
import { localRedirect } from "../../http/same_origin.ts";
import { queryOf } from "../../http/target.ts";
import { refuseRepeated } from "../../oauth/core/params.ts";
import { longestOf } from "../../records/definition/view.ts";
import {
  credentialIn,
  firstPasskeyQuestion,
  notifyFirstPasskey,
} from "../authenticators/passkeys/first_passkey.http.ts";
import { shortestBy } from "../authenticators/password/new_password.ts";
import { enter } from "../core/enter.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { answerEntered, entranceOf, takeSession } from "../core/pages/answer_entered.http.ts";
import {
  type BrowserState,
  csrfToken,
  findBrowserState,
  isOwnForm,
} from "../core/pages/browser_state.http.ts";
import { deadInvitationPage, type InvitationPage, invitationPage, joinedPage } from "./invitation.page.ts";
import {
  type AcceptOutcome,
  acceptAsNewUser,
  acceptInvitation,
  findInvitation,
  type Joined,
} from "./invitations.ts";

type PageState = Partial<Pick<InvitationPage, "name" | "errors" | "out_of_date">> & {
  readonly status?: number;
};

export function invitationAcceptanceRoutes(app: FastifyInstance, context: HttpContext): void {
  const { server, identity, log } = context;

  async function sendInvitation(
    request: FastifyRequest,
    reply: FastifyReply,
    browser: BrowserState,
    token: string,
    { name, errors = [], out_of_date, status = 200 }: PageState = {},
  ): Promise<FastifyReply> {
    const href = `/invitation?token=${encodeURIComponent(token.toWellFormed())}`;
    const locale = localeOf(request, href);
    const found = await findInvitation(token, isInviterActive, identity);
    if (found === undefined) return sendPage(reply, deadInvitationPage(locale), { status: 404 });
    const { invitation, organization, inviter, account, is_taken } = found;
    const user = browser.signedIn?.user;
    const own = user !== undefined && user.id === account?.id;
    const csrf_token = csrfToken(browser, reply, context);
    const page = invitationPage({
      ...locale,
      organization: { ...organization, logo_url: shownPicture(organization.logo_url, context) },
      role: invitation.role,
      further_roles: (await calledOf(identity.store, [invitation]))(invitation),
      inviter,
      email: invitation.email,
      token,
      csrf_token,
      way: own ? "join" : account !== undefined ? "sign_in" : is_taken ? "taken" : "make_account",
      someone_else: own ? undefined : user,
      href,
      name,
      errors,
      longest_name: longestOf("users", "name"),
      shortest_password: shortestBy(identity.settings),
      passkey: firstPasskeyQuestion({ token, email: invitation.email, csrf_token }, href, context),
      out_of_date,
      brand: pageBrand(organization, context),
    });
    return sendPage(reply, page, { status });
  }

  getAndHead(app, "/invitation", { config: { errorFormat: "page" } }, async (request, reply) => {
    const token = queryOf(request).get("token") ?? "";
    return sendInvitation(request, reply, await findBrowserState(request, context), token);
  });

  app.post("/invitation", { config: { errorFormat: "page" } }, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const token = params.get("token") ?? "";
    const browser = await findBrowserState(request, context);
    const { signedIn } = browser;
    const again = (pageState: PageState) => sendInvitation(request, reply, browser, token, pageState);
    const name = params.get("name");
    if (!isOwnForm(request, params, browser, context)) {
      return again({ name, out_of_date: true, status: 403 });
    }
    const acceptance = { token, origin: originOf(request) };
    if (["name", "password", "answer"].every((field) => params.get(field) === undefined)) {
      if (signedIn === undefined) return again({ status: 403 });
      const { user } = signedIn;
      const outcome = await acceptInvitation({ ...acceptance, user }, isInviterActive, identity);
      return outcome.type === "someone_else" ? again({ status: 403 }) : sendJoined(request, reply, outcome);
    }
    const outcome = await acceptAsNewUser(
      { ...acceptance, name: name ?? "", ...credentialIn(params, request, context) },
      isInviterActive,
      identity,
    );
    switch (outcome.type) {
      case "refused":
        return again({ name, errors: outcome.errors, status: 422 });
      case "account_exists":
        return again({ status: 409 });
      case "dead_link":
        return sendJoined(request, reply, outcome);
      case "joined": {
        const { user } = outcome;
        const { method, passkey } = outcome.credential;
        notifyFirstPasskey(passkey, user, { request, reply }, context);
        const target = localRedirect(undefined, server.issuer);
        const entrance = { ...entranceOf(browser, target, request, reply, context), user, methods: [method] };
        const entered = await enter(entrance, identity);
        if (entered.type !== "signed_in") {
          noteJoined(request, outcome);
          return answerEntered(entered, { browser, target, request, reply }, context);
        }
        await takeSession(entered, { browser, request, reply }, context);
        return sendJoined(request, reply, outcome);
      }
      default:
        return outcome satisfies never;
    }
  });

  function noteJoined(request: FastifyRequest, { user, organization }: Joined): void {
    const facts = { event: "invitation.accepted", user_id: user.id, organization_id: organization.id };
    log.info({ request_id: request.id, ...facts }, "an invitation was accepted");
  }

  async function sendJoined(
    request: FastifyRequest,
    reply: FastifyReply,
    outcome: AcceptOutcome,
  ): Promise<FastifyReply> {
    if (outcome.type === "dead_link") {
      return sendPage(reply, deadInvitationPage(localeOf(request, "/invitation")), { status: 404 });
    }
    noteJoined(request, outcome);
    const { invitation, organization, was_member } = outcome;
    const page = joinedPage({
      ...localeOf(request),
      organization,
      role: invitation.role,
      further_roles: (await calledOf(identity.store, [invitation]))(invitation),
      was_member,
      brand: pageBrand(organization, context),
    });
    return sendPage(reply, page);
  }
}
