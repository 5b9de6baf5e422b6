import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AdminContext } from "../../../admin/access/actor.ts";
import { detail } from "../../../errors/details.ts";
import { Problem } from "../../../errors.ts";
import { formOf, uploadOf } from "../../../http/form.ts";
import { getAndHead } from "../../../http/get_and_head.ts";
import { localeOf } from "../../../http/language.ts";
import { leadOnTo } from "../../../http/lead_on_to.ts";
import { queryOf, targetOf } from "../../../http/target.ts";
import type { Params } from "../../../oauth/core/params.ts";
import { refuse } from "../../../oauth/refusals/refuse.ts";
import type { User } from "../../../records/definition/definition.ts";
import type { SignedIn } from "../../../records/definition/request_origin.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import type { HttpContext } from "../http_context.http.ts";
import { requireSudo, type SudoRequirement } from "../sudo/require_sudo.http.ts";
import { csrfToken, findBrowserState, isOwnForm } from "./browser_state.http.ts";
import { managementBy } from "./caller.http.ts";
import { loginHref } from "./login_href.view.ts";

export interface PageContext {
  readonly signedIn: SignedIn;
  readonly admin: AdminContext;
  readonly locale: PageLocale;
  readonly csrf_token: string;
  readonly params: Params;
  readonly id: string;
}

export type PageAnswer<P> = (
  person: P,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

export interface GetOptions {
  readonly onHead?: boolean;
}

export interface PostOptions {
  readonly return_to?: string;
  /** Absent if the POST needs no recent proof of identity (SU-6). */
  readonly sudo?: SudoRequirement;
  /** The default is 100 form fields (T-5). */
  readonly most_fields?: number;
  /** `allows` is called before the body is read, so that users without permission cannot send a large one. */
  readonly upload?: { readonly most_bytes: number; allows(user: User): boolean };
}

/**
 * Returns functions that register the routes of pages for signed-in users, with their protection against
 * forged forms (L-5).
 */
export function personPages<P>(
  app: FastifyInstance,
  context: HttpContext,
  personOf: (person: PageContext, request: FastifyRequest, return_to?: string) => Promise<P>,
) {
  const config = { errorFormat: "page" as const };
  const answerWith =
    (answer: PageAnswer<P>, { return_to, sudo, most_fields, upload }: PostOptions = {}) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const posted = request.method === "POST";
      const { url, path } = targetOf(request);
      const browser = await findBrowserState(request, context);
      if (browser.signedIn === undefined) {
        const back = posted ? `/${path.split("/")[1]}` : url;
        return reply.redirect(loginHref(context.server.issuer + back), 302);
      }
      const form = () => (upload ? uploadOf(request) : formOf(request, undefined, most_fields));
      const sent = posted ? await form() : queryOf(request);
      if (posted && !isOwnForm(request, sent, browser, context)) throw refuse("foreign_form");
      const redirect = sent.get("redirect");
      if (redirect !== undefined) await leadOnTo(redirect, reply, context);
      const csrf_token = csrfToken(browser, reply, context);
      const asking = { signedIn: browser.signedIn, params: sent };
      const passed =
        sudo === undefined
          ? asking
          : await requireSudo(
              { ...asking, csrf_token, requirement: sudo, return_to },
              request,
              reply,
              context,
            );
      if (passed === undefined) return reply;
      const { signedIn, params } = passed;
      const kept = params === sent ? undefined : params.get("redirect");
      if (kept !== undefined) await leadOnTo(kept, reply, context);
      const { user, session } = signedIn;
      const admin = managementBy({ kind: "user", user, session_id: session.id }, request, context);
      const { id = "" } = request.params as { readonly id?: string };
      const person = {
        ...{ signedIn, admin, csrf_token, params, id },
        // A form answered with a redirect needs no language.
        get locale() {
          return localeOf(request);
        },
      };
      return answer(await personOf(person, request, return_to), request, reply);
    };
  return {
    get(path: string, answer: PageAnswer<P>, { onHead = true }: GetOptions = {}): void {
      if (onHead) getAndHead(app, path, { config }, answerWith(answer));
      else app.get(path, { config }, answerWith(answer));
    },
    post(path: string, answer: PageAnswer<P>, options: PostOptions = {}): void {
      const { upload } = options;
      if (upload === undefined) {
        app.post(path, { config }, answerWith(answer, options));
        return;
      }
      const preParsing = async (request: FastifyRequest) => {
        const { signedIn } = await findBrowserState(request, context);
        if (!signedIn || !upload.allows(signedIn.user))
          throw new Problem("forbidden", detail("platform_only"));
      };
      const { most_bytes: bodyLimit } = upload;
      const large = { config: { ...config, most_body: bodyLimit }, bodyLimit, preParsing };
      app.post(path, large, answerWith(answer, options));
    },
  };
}
