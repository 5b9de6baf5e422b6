/** Proof Key for Code Exchange (RFC 7636), S256 only (spec 4.1). */
import { equalBytes } from "../crypto/credentials.ts";
import { challengeOf } from "../crypto/digest.ts";
import { OAuthError } from "../errors.ts";
import { evidence, fact } from "./evidence.ts";
import type { Params } from "./params.ts";

/** What a challenge is made from a verifier with. */
export const codeChallengeMethods: Readonly<Record<string, (verifier: string) => string>> = {
  S256: challengeOf,
};

/** RFC 7636 4.1 and 4.2: 43 to 128 unreserved characters. */
const unreserved = /^[A-Za-z0-9._~-]{43,128}$/;
const lengths = ["43", "128"];

/**
 * The challenge of an authorization request; undefined when there is none and none is needed. Throws
 * `invalid_request`: RFC 7636's default method `plain` never comes in by silence.
 */
export function readChallenge(params: Params, mustHave: boolean): string | undefined {
  const challenge = params.get("code_challenge");
  const method = params.get("code_challenge_method");
  if (challenge === undefined) {
    if (method !== undefined) {
      throw new OAuthError("invalid_request", "code_challenge_method came without a code_challenge", {
        evidence: evidence("missing", "code_challenge"),
      });
    }
    if (mustHave) {
      throw new OAuthError(
        "invalid_request",
        "the parameter code_challenge is missing: a public client must use PKCE",
        { evidence: evidence("pkce_required", "code_challenge") },
      );
    }
    return undefined;
  }
  const methods = Object.keys(codeChallengeMethods);
  if (method === undefined) {
    throw new OAuthError(
      "invalid_request",
      "the parameter code_challenge_method is missing; it must be S256",
      { evidence: evidence("pkce_method", "code_challenge_method", null, methods) },
    );
  }
  if (!methods.includes(method)) {
    throw new OAuthError("invalid_request", "code_challenge_method must be S256", {
      evidence: evidence("pkce_method", "code_challenge_method", method, methods),
    });
  }
  if (!unreserved.test(challenge)) {
    throw new OAuthError(
      "invalid_request",
      "code_challenge must be 43 to 128 characters out of A-Z a-z 0-9 - . _ ~",
      { evidence: evidence("pkce_challenge", "code_challenge", String(challenge.length), lengths) },
    );
  }
  return challenge;
}

/**
 * Proves that who redeems the code is who asked for it (RFC 7636 4.6, RFC 9700 4.8.2). Throws
 * `invalid_grant`.
 */
export function verifyChallenge(
  challenge: string | null,
  method: string | null,
  verifier: string | undefined,
): void {
  if (challenge === null) {
    if (verifier !== undefined) {
      throw new OAuthError(
        "invalid_grant",
        "a code_verifier came for a code that was asked for without a code_challenge",
        { evidence: fact("pkce_verifier", "code_verifier", "not_asked_for") },
      );
    }
    return;
  }
  if (verifier === undefined) {
    throw new OAuthError("invalid_grant", "the parameter code_verifier is missing", {
      evidence: fact("pkce_verifier", "code_verifier", "absent", method),
    });
  }
  const derive = codeChallengeMethods[method ?? ""];
  if (derive === undefined || !unreserved.test(verifier) || !equalBytes(derive(verifier), challenge)) {
    throw new OAuthError("invalid_grant", "the code_verifier does not match the code_challenge", {
      evidence: [
        ...fact(
          "pkce_verifier",
          "code_verifier",
          unreserved.test(verifier) ? "differs" : "characters",
          method,
        ),
        ...evidence("length", "code_verifier", String(verifier.length), lengths),
      ],
    });
  }
}
