import type { FastifyReply, FastifyRequest } from "fastify";
import { clearCookie } from "../../../http/cookies.ts";
import { languageOf, storedLanguage } from "../../../http/language.ts";
import { originOf } from "../../../http/request_origin.ts";
import type { LocalRedirect } from "../../../http/same_origin.ts";
import { requestHash } from "../../../oauth/authorize/interaction.ts";
import { isPendingRequest } from "../../../oauth/authorize/pending_request.ts";
import { refuse } from "../../../oauth/refusals/refuse.ts";
import { type Acr, phishingResistantAcr } from "../../../records/names/sign_in_methods.ts";
import { codeOf } from "../../../web/words/language.ts";
import type { Entered, Entrance } from "../enter.ts";
import type { HttpContext } from "../http_context.http.ts";
import { setSessionCookie } from "../session_cookie.http.ts";
import { type BrowserState, formCookieOf } from "./browser_state.http.ts";
import { deviceFor } from "./device_cookie.http.ts";
import { rememberBrowser } from "./mark_browser.http.ts";

export const secondFactorPath = "/sign-in/second-factor";

/** Returns the path of the page on which a signed-in user reaches the level `acr`. */
export function stepUpPath(redirect: string, acr: Acr): string {
  // Only passkeys are phishing-resistant.
  const method = acr === phishingResistantAcr ? { method: "passkey" } : {};
  return `${secondFactorPath}?${new URLSearchParams({ ...method, redirect })}`;
}

/** Returns the fields of `Entrance` that come from the request, its browser and its target. */
export function entranceOf(
  browser: BrowserState,
  target: LocalRedirect,
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
): Omit<Entrance, "user" | "methods"> {
  const { url } = target;
  return {
    origin: originOf(request),
    browser: () => formCookieOf(browser, reply, context),
    device: deviceFor(target, request, context),
    request: url,
    previous: browser.signedIn,
    satisfied_request: isPendingRequest(url) ? requestHash(url, context.server.now()) : undefined,
  };
}

interface Answering {
  readonly browser: BrowserState;
  readonly target: LocalRedirect;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export async function takeSession(
  { cookie, session, user }: Omit<Extract<Entered, { type: "signed_in" }>, "type">,
  { browser, request, reply }: Omit<Answering, "target">,
  context: HttpContext,
): Promise<void> {
  setSessionCookie(reply, cookie, session, context);
  rememberBrowser(request, reply, user, context);
  // The form cookie identified the browser before the sign-in (L-6).
  if (browser.form_cookie !== undefined) clearCookie(reply, "form", context.secure);
  const spoken = languageOf(request);
  if (spoken !== storedLanguage(user, context)) {
    const language = codeOf(spoken);
    // Sends no change notice (`quiet`), because no in-memory state depends on the language.
    const { store } = context.identity;
    await store.transaction((tx) => tx.update("users", { id: user.id }, { language }), { quiet: true });
  }
}

export async function answerEntered(
  entered: Entered,
  { browser, target, request, reply }: Answering,
  context: HttpContext,
): Promise<FastifyReply> {
  switch (entered.type) {
    case "signed_in":
      await takeSession(entered, { browser, request, reply }, context);
      return reply.redirect(target.location, 302);
    case "second_factor":
      return reply.redirect(secondFactorPath, 302);
    case "refused":
      throw refuse("sign_in_ended");
    default:
      return entered satisfies never;
  }
}
