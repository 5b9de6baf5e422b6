import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { FieldError } from "../../errors/field_errors.ts";
import { formOf } from "../../http/form.ts";
import { localeOf } from "../../http/language.ts";
import { sendPage } from "../../http/page.ts";
import { originOf } from "../../http/request_origin.ts";
import { localRedirect } from "../../http/same_origin.ts";
import { queryOf } from "../../http/target.ts";
import { refuseRepeated } from "../../oauth/core/params.ts";
import { refuse } from "../../oauth/refusals/refuse.ts";
import { longestOf } from "../../records/definition/view.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";
import {
  credentialIn,
  firstPasskeyQuestion,
  notifyFirstPasskey,
} from "../authenticators/passkeys/first_passkey.http.ts";
import { shortestBy } from "../authenticators/password/new_password.ts";
import { enter } from "../core/enter.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { answerEntered, entranceOf } from "../core/pages/answer_entered.http.ts";
import {
  type BrowserState,
  csrfToken,
  findBrowserState,
  isOwnForm,
} from "../core/pages/browser_state.http.ts";
import { type SetupError, type SetupPage, setupPage } from "./setup.page.ts";
import { completeSetup, stateOfSetupLink } from "./setup.ts";

export function setupRoutes(app: FastifyInstance, context: HttpContext): void {
  const { identity, log } = context;

  function sendSetup(
    request: FastifyRequest,
    reply: FastifyReply,
    browser: BrowserState,
    page: Omit<SetupPage, "csrf_token" | "longest_name" | "shortest_password" | keyof PageLocale>,
    status = 200,
  ): FastifyReply {
    const csrf_token = csrfToken(browser, reply, context);
    const { token, email = "", done } = page;
    const here = `/setup?token=${encodeURIComponent(token)}`;
    const passkey = done ? undefined : firstPasskeyQuestion({ token, email, csrf_token }, here, context);
    const answer = setupPage({
      ...localeOf(request, here),
      ...page,
      longest_name: longestOf("users", "name"),
      shortest_password: shortestBy(identity.settings),
      csrf_token,
      passkey,
    });
    return sendPage(reply, answer, { status });
  }

  app.get("/setup", { config: { errorFormat: "page" } }, async (request, reply) => {
    const token = queryOf(request).get("token") ?? "";
    const state = await stateOfSetupLink(token, identity);
    // A visitor who typed the URL without the token is shown where to find the link.
    if (token === "" && state === "dead_link") return reply.redirect("/", 302);
    if (state === "dead_link") throw refuse("dead_setup_link");
    const browser = await findBrowserState(request, context);
    return sendSetup(request, reply, browser, { token, errors: [], done: state === "done" });
  });

  app.post("/setup", { config: { errorFormat: "page" } }, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const browser = await findBrowserState(request, context);
    const [token = "", name = "", email = ""] = ["token", "name", "email"].map(
      (field) => params.get(field) ?? "",
    );
    // After a double click, this form does not belong to the session that the first request has started.
    const isDone = (await stateOfSetupLink(token, identity)) === "done";
    if (!isDone && !isOwnForm(request, params, browser, context)) throw refuse("foreign_form");
    const credential = credentialIn(params, request, context);
    const outcome = await completeSetup(
      { token, name, email, origin: originOf(request), ...credential },
      identity,
    );
    switch (outcome.type) {
      case "made": {
        const { user, credential } = outcome;
        notifyFirstPasskey(credential?.passkey, user, { request, reply }, context);
        log.info({ request_id: request.id, user_id: user.id }, "the first administrator was created");
        const target = localRedirect("/console", context.server.issuer);
        const methods = credential === undefined ? [] : [credential.method];
        const entrance = { ...entranceOf(browser, target, request, reply, context), user, methods };
        return answerEntered(await enter(entrance, identity), { browser, target, request, reply }, context);
      }
      case "done":
        return sendSetup(request, reply, browser, { token: "", errors: [], done: true });
      case "dead_link":
        throw refuse("dead_setup_link");
      case "passkey_refused": {
        const passkey_error = outcome.error;
        return sendSetup(request, reply, browser, { token, name, email, errors: [], passkey_error }, 422);
      }
      case "refused": {
        const errors = [...new Set(outcome.errors.map(errorOf))];
        return sendSetup(request, reply, browser, { token, name, email, errors }, 422);
      }
      default:
        return outcome satisfies never;
    }
  });
}

function errorOf({ path, code }: FieldError): SetupError {
  if (path === "/name") return "name";
  if (path === "/email") return code === "belongs_to_user" ? "email_taken" : "email";
  if (code === "password_too_long") return "password_long";
  return code === "password_too_short" ? "password_short" : "password_common";
}
