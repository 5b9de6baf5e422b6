/** The page behind the one-time link of the first start. */
import type { FastifyInstance, FastifyReply } from "fastify";
import { OAuthError } from "../errors.ts";
import { completeSetup, stateOfSetupLink } from "../identity/setup.ts";
import { refuseRepeated } from "../oauth/params.ts";
import { type SetupPage, setupPage } from "../web/setup_page.ts";
import type { HttpContext } from "./context.ts";
import { formOf } from "./form.ts";
import { sendPage } from "./page.ts";
import { requesterOf } from "./requester.ts";
import { queryOf } from "./target.ts";
import { csrfToken, findVisitor, foreignForm, isOwnForm, type Visitor } from "./visitor.ts";

export function setupRoutes(app: FastifyInstance, context: HttpContext): void {
  const { identity, log } = context;

  function sendSetup(
    reply: FastifyReply,
    visitor: Visitor,
    page: Omit<SetupPage, "csrf_token">,
    status = 200,
  ): FastifyReply {
    const csrf_token = csrfToken(visitor, reply, context);
    return sendPage(reply, setupPage({ ...page, csrf_token }), { status });
  }

  app.get("/setup", { config: { face: "page" } }, async (request, reply) => {
    const token = queryOf(request).get("token") ?? "";
    const state = await stateOfSetupLink(token, identity);
    if (state === "dead_link") throw deadLink();
    const visitor = await findVisitor(request, context);
    return sendSetup(reply, visitor, { token, errors: [], done: state === "done" });
  });

  app.post("/setup", { config: { face: "page" } }, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const visitor = await findVisitor(request, context);
    if (!isOwnForm(request, params, visitor, context)) throw foreignForm();
    const [token, name, email, password] = (["token", "name", "email", "password"] as const).map(
      (field) => params.get(field) ?? "",
    ) as [string, string, string, string];
    const requester = requesterOf(request);
    const outcome = await completeSetup({ token, name, email, password, requester }, identity);
    switch (outcome.type) {
      case "made":
        log.info({ request_id: request.id, user_id: outcome.user.id }, "the first administrator was made");
        return sendSetup(reply, visitor, { token: "", errors: [], done: true });
      case "done":
        return sendSetup(reply, visitor, { token: "", errors: [], done: true });
      case "dead_link":
        throw deadLink();
      case "refused": {
        const errors = outcome.errors.map(({ path, message }) => {
          const field = path.slice(1);
          return { field, message: `This ${field === "email" ? "e-mail" : field} ${message}.` };
        });
        return sendSetup(reply, visitor, { token, name, email, errors }, 422);
      }
      default:
        return outcome satisfies never;
    }
  });
}

function deadLink(): OAuthError {
  return new OAuthError(
    "invalid_request",
    "this setup link is used or too old; starting the server again prints another",
    {
      status: 404,
    },
  );
}
