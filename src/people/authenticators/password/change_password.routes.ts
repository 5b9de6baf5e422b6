/** `/account/password`: changes the password, or sets the first one (design 6.8, SS-13). */
import type { FastifyInstance, FastifyReply } from "fastify";
import { updateRecord } from "../../../admin/manage/manage.ts";
import { users } from "../../../admin/resources/people.ts";
import { Problem } from "../../../errors.ts";
import { sendPage } from "../../../http/page.ts";
import { type LocalRedirect, localRedirect } from "../../../http/same_origin.ts";
import type { Params } from "../../../oauth/core/params.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { type AccountPerson, accountPages, backTo } from "../../core/pages/account_person.http.ts";
import { rememberAnew } from "../../core/pages/mark_browser.http.ts";
import {
  type ChangePasswordError,
  changePasswordPage,
  type ForeignPassword,
} from "./change_password.page.ts";
import { newPasswordError, shortestBy } from "./new_password.ts";

const path = "/account/password";

/**
 * Returns the page to change the password if another program hashed a weak one (MG-4, MG-5); otherwise
 * `target`.
 */
export function pastForeignPassword(
  target: LocalRedirect,
  weakness: ForeignPassword["weakness"] | undefined,
): LocalRedirect {
  if (weakness === undefined) return target;
  const query = new URLSearchParams({ weakness, redirect: target.location });
  const url = `${path}?${query.toString()}`;
  return { location: url, url };
}

export function changePasswordRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = accountPages(app, context);
  // Password managers find the page at this URL ("A Well-Known URL for Changing Passwords", W3C).
  app.get("/.well-known/change-password", { config: { errorFormat: "page" } }, async (_request, reply) =>
    reply.redirect(path, 302),
  );

  function foreignOf(params: Params): ForeignPassword | undefined {
    const weakness = params.get("weakness");
    if (weakness !== "common" && weakness !== "cut_short") return undefined;
    return { weakness, redirect: localRedirect(params.get("redirect"), context.server.issuer).location };
  }

  function send(
    { page, csrf_token, signedIn, done, params }: AccountPerson,
    reply: FastifyReply,
    status: number,
    error?: ChangePasswordError,
    retry_after?: number,
  ): FastifyReply {
    const { email, password_hash } = signedIn.user;
    const can_reset = context.mail !== undefined;
    const first = password_hash === null;
    const foreign = foreignOf(params);
    const form = {
      csrf_token,
      email,
      shortest_password: shortestBy(context.identity.settings),
      can_reset,
      first,
      foreign,
    };
    const answer = changePasswordPage({ ...page, ...form, error, retry_after, done });
    return sendPage(reply, answer, { status });
  }

  pages.get(path, async (person, _, reply) => send(person, reply, 200));

  pages.post(
    path,
    async (person, request, reply) => {
      const { admin, params, signedIn } = person;
      const first = signedIn.user.password_hash === null;
      const current_password = first ? undefined : params.get("current_password");
      const password = params.get("password") ?? "";
      if (!first && current_password === undefined) return send(person, reply, 422, "missing");
      const error = newPasswordError(
        password,
        params.get("password_again") ?? "",
        shortestBy(context.identity.settings),
      );
      if (error !== undefined) return send(person, reply, 422, error);
      try {
        await updateRecord(admin, users, signedIn.user.id, {
          password,
          ...(current_password !== undefined && { current_password }),
        });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (error.code === "throttled") {
          if (error.retry_after !== undefined) reply.header("retry-after", error.retry_after);
          return send(person, reply, 429, "throttled", error.retry_after);
        }
        if (error.code === "conflict") return send(person, reply, 409, "conflict");
        if (error.errors.some((each) => each.path === "/current_password")) {
          return send(person, reply, 422, "wrong");
        }
        throw error;
      }
      await rememberAnew(request, reply, signedIn.user, context, first ? undefined : signedIn.user);
      const foreign = foreignOf(params);
      return foreign === undefined
        ? backTo(reply, path, "password_changed")
        : reply.redirect(foreign.redirect, 303);
    },
    { return_to: path, sudo: { asks_password: true } },
  );
}
