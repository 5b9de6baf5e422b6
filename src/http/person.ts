/**
 * Pages of somebody who is signed in: who they are, what they may do, and that the form they posted is one of
 * ours.
 */

import type { FastifyReply, FastifyRequest } from "fastify";
import type { AdminContext } from "../admin/access/actor.ts";
import type { Params } from "../oauth/params.ts";
import { refuse } from "../oauth/refusals/refuse.ts";
import type { SignedIn } from "../records/people.ts";
import type { PageLocale } from "../web/words/page_locale.ts";
import { managementBy } from "./api/caller.ts";
import type { HttpContext } from "./context.ts";
import { formOf } from "./form.ts";
import { readerOf } from "./language.ts";
import { queryOf, targetOf } from "./target.ts";
import { csrfToken, findBrowserState, isOwnForm } from "./visitor.ts";

export interface PageContext {
  readonly signedIn: SignedIn;
  /** What management needs, with this person as its actor. */
  readonly admin: AdminContext;
  readonly reader: PageLocale;
  /** For the forms of the page that answers. */
  readonly csrf_token: string;
  /**
   * The form of a POST, else the query. A name may stand in it more than once (`all`), as check boxes send
   * it.
   */
  readonly params: Params;
}

type Answer = (person: PageContext, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Answers a signed-in user with the result of `answer`. Nobody: off to sign in and, for a GET, back here. A
 * form that is not ours is refused (L-5).
 */
export function forPerson(context: HttpContext, answer: Answer) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const posted = request.method === "POST";
    const { url, path } = targetOf(request);
    const visitor = await findBrowserState(request, context);
    const { signedIn } = visitor;
    if (signedIn === undefined) {
      const back = posted ? `/${path.split("/")[1]}` : url;
      return reply.redirect(`/login?redirect=${encodeURIComponent(context.server.issuer + back)}`, 302);
    }
    const params = posted ? formOf(request) : queryOf(request);
    if (posted && !isOwnForm(request, params, visitor, context)) throw refuse("foreign_form");
    const { user, session } = signedIn;
    const admin = managementBy({ kind: "user", user, session_id: session.id }, request, context);
    const csrf_token = csrfToken(visitor, reply, context);
    return answer({ signedIn, admin, reader: readerOf(request), csrf_token, params }, request, reply);
  };
}
