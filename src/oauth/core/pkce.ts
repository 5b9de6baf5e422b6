/** Proof Key for Code Exchange (RFC 7636), S256 only (spec 4.1). */
import { equalBytes } from "../../crypto/credentials.ts";
import { sha256Base64url } from "../../crypto/digest.ts";
import { refuse } from "../refusals/refuse.ts";
import type { Params } from "./params.ts";

export const codeChallengeMethods: Readonly<Record<string, (verifier: string) => string>> = {
  S256: sha256Base64url,
};

/** The format of a code verifier and of a code challenge (RFC 7636 4.1, 4.2). */
const unreserved = /^[A-Za-z0-9._~-]{43,128}$/;

/**
 * Returns the challenge of an authorization request. Throws `invalid_request` for a malformed challenge or
 * another method than S256, and for a missing challenge if `mustHave` is set. A missing method is refused
 * too, because it would mean RFC 7636's default `plain`.
 */
export function readChallenge(params: Params, mustHave: boolean): string | undefined {
  const challenge = params.get("code_challenge");
  const method = params.get("code_challenge_method");
  if (challenge === undefined) {
    if (method !== undefined) throw refuse("challenge_missing");
    if (mustHave) throw refuse("pkce_required");
    return undefined;
  }
  const allowed = Object.keys(codeChallengeMethods);
  if (method === undefined) throw refuse("challenge_method_missing", { allowed });
  if (!allowed.includes(method)) throw refuse("challenge_method", { received: method, allowed });
  if (!unreserved.test(challenge)) throw refuse("challenge_malformed", { received: challenge });
  return challenge;
}

/**
 * Checks that the code verifier fits the challenge, so only the client that requested a code can redeem it
 * (RFC 7636 4.6, RFC 9700 4.8.2). Throws `invalid_grant`.
 */
export function verifyChallenge(
  challenge: string | null,
  method: string | null,
  verifier: string | undefined,
): void {
  if (challenge === null) {
    if (verifier !== undefined) throw refuse("verifier_not_asked_for");
    return;
  }
  if (verifier === undefined) throw refuse("verifier_missing", { method });
  const derive = codeChallengeMethods[method ?? ""];
  const isShaped = unreserved.test(verifier);
  if (derive === undefined || !isShaped || !equalBytes(derive(verifier), challenge)) {
    throw refuse("verifier_differs", { why: isShaped ? "differs" : "characters", verifier, method });
  }
}
