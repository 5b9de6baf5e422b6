/**
 * `/account/confirm`: resumes a form that was pending while its user reauthenticated at a provider (SU-6).
 */
import type { FastifyInstance } from "fastify";
import { readCookie } from "../../http/cookies.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { type PageContext, personPages } from "../core/pages/person_pages.http.ts";
import { findSavedForm } from "../core/saved_forms.ts";
import { findMissing, sendSudoPage, sudoReturnPath } from "../core/sudo/sudo_question.http.ts";

export function sudoReturnRoutes(app: FastifyInstance, context: HttpContext): void {
  const { identity, secure } = context;
  if (identity.provider_client === undefined) return;
  const pages = personPages<PageContext>(app, context, async (person) => person);

  pages.get(sudoReturnPath, async ({ signedIn, csrf_token }, request, reply) => {
    const browser = readCookie(request, "form", secure);
    const form = await findSavedForm({ signedIn, browser }, identity);
    if (form === undefined) return reply.redirect("/account", 302);
    const enrolled = await identity.store.enrolledMethods(signedIn.user);
    const requested = { signedIn, enrolled, passkeys_lost: form.passkeys_lost };
    const missing = await findMissing(requested, browser, context);
    return sendSudoPage({ ...requested, missing, form, csrf_token }, request, reply, context);
  });
}
