/**
 * What an assertion of a service account must say of itself, before anything is looked up (RFC 7523 3, H-13).
 */
import { type Assertion, readAssertion } from "../../crypto/assertions.ts";
import { type Evidence, OAuthError } from "../../errors.ts";
import { keyAlgorithms } from "../../records/names.ts";
import { evidence, fact } from "../evidence.ts";

/** The longest time an assertion may still have to live, seconds. */
const longestLife = 300;

/**
 * How far a client's clock may be ahead of ours, seconds: for `nbf`, and for `iat`, which nothing depends on.
 */
const aheadOfNbf = 10;
const aheadOfIat = 60;

/** An identifier in an assertion: as long as a column that it may be compared with. */
const longestText = 320;

/** An assertion that is well-formed, meant for this server and current; by whom it is, is not yet known. */
export interface CurrentAssertion extends Assertion {
  readonly alg: string;
  readonly kid: string;
  /** The service account that it says it is: `iss` and `sub`. */
  readonly account: string;
  readonly jti: string;
  readonly expires_at: Date;
}

export function refused(description: string, proof: readonly Evidence[]): OAuthError {
  return new OAuthError("invalid_grant", description, { evidence: proof });
}

/** A claim or header parameter as it came, beside what it must be. */
function wrong(name: string, received: unknown, expected?: string | readonly string[]): readonly Evidence[] {
  return evidence("assertion", name, received === undefined ? null : JSON.stringify(received), expected);
}

/**
 * Reads an assertion for the server of this issuer. Throws `invalid_grant`, with a description of its own for
 * each fault.
 */
export function readCurrentAssertion(text: string, issuer: string, now: Date): CurrentAssertion {
  const assertion = readAssertion(text);
  if (assertion === undefined) {
    throw refused(
      "the assertion is not a signed JWT in compact form",
      fact("assertion", "assertion", "not_a_jwt"),
    );
  }
  return { ...assertion, ...readHeader(assertion.header), ...readClaims(assertion.claims, issuer, now) };
}

function readHeader(header: Assertion["header"]): { alg: string; kid: string } {
  const { alg, kid, typ, crit } = header;
  if (typeof alg !== "string" || !(keyAlgorithms as readonly string[]).includes(alg)) {
    throw refused(
      `the assertion must be signed with one of ${keyAlgorithms.join(", ")}`,
      wrong("alg", alg, keyAlgorithms),
    );
  }
  if (crit !== undefined) {
    throw refused(
      "the assertion's header has crit, and no extension is understood here",
      wrong("crit", crit),
    );
  }
  // An access token or an id_token that somebody else signed is no assertion (RFC 8725 3.11).
  if (typ !== undefined && !["jwt", "authorization-grant+jwt"].includes(String(typ).toLowerCase())) {
    throw refused("the assertion's typ must be JWT", wrong("typ", typ, "JWT"));
  }
  if (!isIdentifier(kid)) {
    const lacking = "the assertion's header lacks kid, the key_id of the key that signed it";
    throw refused(lacking, wrong("kid", kid));
  }
  return { alg, kid };
}

function readClaims(
  claims: Assertion["claims"],
  issuer: string,
  now: Date,
): Pick<CurrentAssertion, "account" | "jti" | "expires_at"> {
  const { iss, sub, aud, exp, nbf, iat, jti } = claims;
  const seconds = now.getTime() / 1000;
  const until = (ahead: number) => `≤ ${Math.floor(seconds) + ahead}`;
  if (!isIdentifier(iss)) throw refused("the assertion lacks iss, the service account", wrong("iss", iss));
  if (!isIdentifier(sub)) throw refused("the assertion lacks sub, the service account", wrong("sub", sub));
  if (iss !== sub) {
    throw refused("the assertion's iss and sub must both be the service account", wrong("sub", sub, iss));
  }
  if (!isMeantFor(issuer, aud)) {
    throw refused(
      "the assertion's aud must be this server's issuer or token endpoint, and nobody else",
      wrong("aud", aud, [issuer, `${issuer}/oauth/token`]),
    );
  }
  const current = `${Math.floor(seconds)} – ${Math.floor(seconds) + longestLife}`;
  if (!isNumericDate(exp)) {
    throw refused("the assertion lacks exp, a time in seconds", wrong("exp", exp, current));
  }
  if (exp <= seconds) throw refused("the assertion has expired", wrong("exp", exp, current));
  if (exp > seconds + longestLife) {
    throw refused("the assertion's exp must be at most 5 minutes away", wrong("exp", exp, current));
  }
  if (nbf !== undefined && !isNumericDate(nbf)) {
    throw refused("the assertion's nbf must be a time in seconds", wrong("nbf", nbf, until(aheadOfNbf)));
  }
  if (nbf !== undefined && nbf > seconds + aheadOfNbf) {
    throw refused("the assertion's nbf is in the future", wrong("nbf", nbf, until(aheadOfNbf)));
  }
  if (iat !== undefined && !isNumericDate(iat)) {
    throw refused("the assertion's iat must be a time in seconds", wrong("iat", iat, until(aheadOfIat)));
  }
  if (iat !== undefined && iat > seconds + aheadOfIat) {
    throw refused("the assertion's iat is in the future", wrong("iat", iat, until(aheadOfIat)));
  }
  if (!isIdentifier(jti)) {
    throw refused("the assertion lacks jti, which makes it usable once", evidence("assertion", "jti"));
  }
  return { account: iss, jti, expires_at: new Date(exp * 1000) };
}

/** Whoever else is named could present the assertion here in the client's place. */
function isMeantFor(issuer: string, aud: unknown): boolean {
  const audience = Array.isArray(aud) ? aud : [aud];
  return audience.length > 0 && audience.every((each) => each === issuer || each === `${issuer}/oauth/token`);
}

function isNumericDate(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** PostgreSQL stores neither NUL nor half a surrogate pair, so no record has them either. */
function isIdentifier(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value !== "" &&
    value.length <= longestText &&
    !value.includes("\0") &&
    value.isWellFormed()
  );
}
