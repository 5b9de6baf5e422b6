/** Checks the header and the claims of assertions, but not their signatures (RFC 7523 3). */
import { type Assertion, readAssertion } from "../../crypto/assertions.ts";
import { sha256 } from "../../crypto/digest.ts";
import { longestIdentifier } from "../client_metadata/client_identifier.ts";
import { refuse } from "../refusals/refuse.ts";

/** The rules for client assertions and for assertions used as grants (PR-34). */
export interface AssertionProfile {
  readonly refusals: "assertion" | "client_assertion";
  /** The values are in lower case; a header without `typ` is accepted too. */
  readonly typ: readonly string[];
  readonly algorithms: readonly string[];
  /** `one`: a string or a list with one entry. `all`: a string or a non-empty list. */
  readonly audience: "string" | "one" | "all";
}

/** The longest remaining lifetime of an accepted assertion, in seconds. */
export const longestLife = 300;

/** Seconds by which `nbf` and `iat` may be in the future. */
const aheadOfNbf = 10;
const aheadOfIat = 60;

/**
 * A used assertion is remembered for these milliseconds after its expiry, because the clocks of the server's
 * processes differ.
 */
const markOutlives = 60_000;

/** `kid` and `jti` have at most this many characters; `iss` and `sub` may be as long as a client_id. */
const longestText = 320;

/** The header is checked; the claims and the signature are not yet. */
export interface HeadedAssertion extends Assertion {
  readonly alg: string;
}

export interface CurrentClaims {
  readonly jti: string;
  readonly expires_at: Date;
}

/** Parses an assertion, and checks `alg`, `crit` and `typ` of its header. */
export function readAssertionHeader(text: string, profile: AssertionProfile): HeadedAssertion {
  const { refusals, typ: kinds, algorithms } = profile;
  const assertion = readAssertion(text);
  if (assertion === undefined) throw refuse(`${refusals}_not_jwt`);
  const { alg, typ, crit } = assertion.header;
  if (typeof alg !== "string" || !algorithms.includes(alg)) {
    throw refuse(`${refusals}_alg`, { received: alg, allowed: algorithms });
  }
  if (crit !== undefined) throw refuse(`${refusals}_crit`, { received: crit });
  if (typ !== undefined && (typeof typ !== "string" || !kinds.includes(typ.toLowerCase()))) {
    throw refuse(`${refusals}_typ`, { received: typ });
  }
  return { ...assertion, alg };
}

export function readAssertionKid({ header: { kid } }: Assertion, { refusals }: AssertionProfile): string {
  if (!isIdentifier(kid)) throw refuse(`${refusals}_kid`, { received: kid });
  return kid;
}

/** Returns the issuer of an assertion, which is also its subject. */
export function readAssertionSubject(
  { claims: { iss, sub } }: Assertion,
  { refusals }: AssertionProfile,
): string {
  if (!isIdentifier(iss, longestIdentifier)) throw refuse(`${refusals}_iss`, { received: iss });
  if (!isIdentifier(sub, longestIdentifier)) throw refuse(`${refusals}_sub`, { received: sub });
  if (iss !== sub) throw refuse(`${refusals}_iss_not_sub`, { received: sub, iss });
  return iss;
}

/** Checks the claims at the time `now`; `audiences` are the values of `aud` that name this server. */
export function readAssertionClaims(
  { claims: { aud, exp, nbf, iat, jti } }: Assertion,
  { refusals, audience }: AssertionProfile,
  audiences: readonly string[],
  now: Date,
): CurrentClaims {
  const seconds = now.getTime() / 1000;
  if (!isMeantFor(audiences, aud, audience))
    throw refuse(`${refusals}_aud`, { received: aud, allowed: audiences });
  const current = {
    received: exp,
    expected: `${Math.floor(seconds)} – ${Math.floor(seconds) + longestLife}`,
  };
  if (!isNumericDate(exp)) throw refuse(`${refusals}_exp`, current);
  if (exp <= seconds) throw refuse(`${refusals}_expired`, current);
  if (exp > seconds + longestLife) {
    throw refuse(`${refusals}_exp_far`, { ...current, ahead: Math.ceil(exp - seconds), most: longestLife });
  }
  const until = (ahead: number) => `≤ ${Math.floor(seconds) + ahead}`;
  if (nbf !== undefined) {
    const begun = { received: nbf, expected: until(aheadOfNbf) };
    if (!isNumericDate(nbf)) throw refuse(`${refusals}_nbf`, begun);
    if (nbf > seconds + aheadOfNbf) throw refuse(`${refusals}_nbf_ahead`, begun);
  }
  if (iat !== undefined) {
    const issued = { received: iat, expected: until(aheadOfIat) };
    if (!isNumericDate(iat)) throw refuse(`${refusals}_iat`, issued);
    if (iat > seconds + aheadOfIat) throw refuse(`${refusals}_iat_ahead`, issued);
  }
  if (!isIdentifier(jti)) throw refuse(`${refusals}_jti`);
  return { jti, expires_at: new Date(exp * 1000) };
}

/**
 * Returns the database key under which a used assertion is remembered, and until when. `subject_id` is the ID
 * of the client or service account that signed the assertion.
 */
export function onceKeyOfAssertion(
  subject_id: string,
  { jti, expires_at }: CurrentClaims,
): { readonly once_key: Buffer; readonly once_ends_at: Date } {
  return {
    once_key: sha256(JSON.stringify([subject_id, jti])),
    once_ends_at: new Date(expires_at.getTime() + markOutlives),
  };
}

/**
 * An assertion that also names another audience is refused, because that audience could present it here and
 * impersonate the issuer of the assertion.
 */
function isMeantFor(servers: readonly unknown[], aud: unknown, form: AssertionProfile["audience"]): boolean {
  if (form === "string" && Array.isArray(aud)) return false;
  const audience: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  return (
    audience.length > 0 &&
    (form === "all" || audience.length === 1) &&
    audience.every((each) => servers.includes(each))
  );
}

function isNumericDate(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** PostgreSQL stores neither NUL nor an unpaired surrogate, so no record's identifier contains one. */
function isIdentifier(value: unknown, longest = longestText): value is string {
  return (
    typeof value === "string" &&
    value !== "" &&
    value.length <= longest &&
    !value.includes("\0") &&
    value.isWellFormed()
  );
}
