/**
 * Requests that want the person to sign in anew (`prompt=login`, `max_age`), to choose an account, or to be
 * somebody in particular. The session remembers the request that it satisfied, so that nobody loops and
 * nobody passes unasked (design 6.2, A-29).
 */
import { equalBytes, signatureOf } from "../../crypto/credentials.ts";
import { verifyJwt } from "../../crypto/jwt.ts";
import { OAuthError } from "../../errors.ts";
import type { SignedIn } from "../../records/people.ts";
import { type Params, readForm } from "../params.ts";
import { refuse } from "../refusals/refuse.ts";
import type { AuthorizationServer } from "../server.ts";
import { readMaxAge, readPrompt } from "./authorization_request.ts";

/**
 * How long a sign-in satisfies the request that asked for it: the time a person takes over the consent page.
 */
const satisfactionLimit = 600_000;

/**
 * What the session remembers of the request it satisfied at this moment: 32 bytes, the time and a hash of the
 * path and query `url`.
 */
export function requestHash(url: string, now: Date): Buffer {
  return signatureOf(url, now.getTime());
}

/** What stands between this person and an answer. */
export type RequiredInteraction = "sign_in" | "select_account" | undefined;

/**
 * Whether this very request was satisfied, a short while ago, by a sign-in or an account choice of this
 * session.
 */
export function isSatisfied(url: string, { session }: SignedIn, now: Date): boolean {
  const remembered = session.satisfied_request;
  if (remembered === null) return false;
  const at = remembered.readUIntBE(0, 6);
  return now.getTime() - at <= satisfactionLimit && equalBytes(remembered, signatureOf(url, at));
}

/** What `prompt` and `max_age` demand. Throws `invalid_request` when they are malformed. */
export function requiredInteraction(
  params: Params,
  url: string,
  signedIn: SignedIn,
  now: Date,
): RequiredInteraction {
  const prompt = readPrompt(params);
  const max_age = readMaxAge(params);
  if (isSatisfied(url, signedIn, now)) return undefined;
  if (prompt.has("login")) return "sign_in";
  const age = (now.getTime() - signedIn.session.authenticated_at.getTime()) / 1000;
  if (max_age !== undefined && (max_age === 0 || age > max_age)) return "sign_in";
  return prompt.has("select_account") ? "select_account" : undefined;
}

/**
 * Whether somebody who is signed in has still something to do at the login page for this pending request.
 * `url` is its path and query.
 */
export function demandsFreshSignIn(url: string, signedIn: SignedIn, server: AuthorizationServer): boolean {
  try {
    return requiredInteraction(pendingParams(url), url, signedIn, server.now()) !== undefined;
  } catch (error) {
    // A malformed request is for the authorization endpoint to refuse.
    if (error instanceof OAuthError) return false;
    throw error;
  }
}

/** The parameters of a pending request that is carried as its URL. */
export function pendingParams(url: string): Params {
  const question = url.indexOf("?");
  return readForm(question === -1 ? "" : url.slice(question + 1));
}

/**
 * The user that `id_token_hint` names; undefined when there is no hint. An expired hint still names somebody.
 * Throws `invalid_request` when the hint is not an id_token of this server.
 */
export async function hintedUser(params: Params, server: AuthorizationServer): Promise<string | undefined> {
  const hint = params.get("id_token_hint");
  if (hint === undefined) return undefined;
  const claims = await verifyJwt(hint, await server.keys(), {
    typ: "JWT",
    issuer: server.issuer,
    now: server.now(),
    allowExpired: true,
  });
  if (typeof claims?.sub !== "string") throw refuse("id_token_hint");
  return claims.sub;
}
