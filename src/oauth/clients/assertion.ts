/**
 * What an assertion of a service account must say of itself, before anything is looked up (RFC 7523 3, H-13).
 */
import { type Assertion, readAssertion } from "../../crypto/assertions.ts";
import { keyAlgorithms } from "../../records/names.ts";
import { refuse } from "../refusals/refuse.ts";

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

/**
 * Reads an assertion for the server of this issuer. Throws `invalid_grant`, with a description of its own for
 * each fault.
 */
export function readCurrentAssertion(text: string, issuer: string, now: Date): CurrentAssertion {
  const assertion = readAssertion(text);
  if (assertion === undefined) throw refuse("assertion_not_jwt");
  return { ...assertion, ...readHeader(assertion.header), ...readClaims(assertion.claims, issuer, now) };
}

function readHeader(header: Assertion["header"]): { alg: string; kid: string } {
  const { alg, kid, typ, crit } = header;
  if (typeof alg !== "string" || !(keyAlgorithms as readonly string[]).includes(alg)) {
    throw refuse("assertion_alg", { received: alg });
  }
  if (crit !== undefined) throw refuse("assertion_crit", { received: crit });
  // An access token or an id_token with another signer is no assertion (RFC 8725 3.11).
  if (typ !== undefined && !["jwt", "authorization-grant+jwt"].includes(String(typ).toLowerCase())) {
    throw refuse("assertion_typ", { received: typ });
  }
  if (!isIdentifier(kid)) throw refuse("assertion_kid", { received: kid });
  return { alg, kid };
}

function readClaims(
  claims: Assertion["claims"],
  issuer: string,
  now: Date,
): Pick<CurrentAssertion, "account" | "jti" | "expires_at"> {
  const { iss, sub, aud, exp, nbf, iat, jti } = claims;
  const seconds = now.getTime() / 1000;
  if (!isIdentifier(iss)) throw refuse("assertion_iss", { received: iss });
  if (!isIdentifier(sub)) throw refuse("assertion_sub", { received: sub });
  if (iss !== sub) throw refuse("assertion_iss_not_sub", { received: sub, iss });
  const meant = [issuer, `${issuer}/oauth/token`];
  if (!isMeantFor(meant, aud)) throw refuse("assertion_aud", { received: aud, allowed: meant });
  const current = {
    received: exp,
    expected: `${Math.floor(seconds)} – ${Math.floor(seconds) + longestLife}`,
  };
  if (!isNumericDate(exp)) throw refuse("assertion_exp", current);
  if (exp <= seconds) throw refuse("assertion_expired", current);
  if (exp > seconds + longestLife) throw refuse("assertion_exp_far", current);
  const until = (ahead: number) => `≤ ${Math.floor(seconds) + ahead}`;
  if (nbf !== undefined) {
    const begun = { received: nbf, expected: until(aheadOfNbf) };
    if (!isNumericDate(nbf)) throw refuse("assertion_nbf", begun);
    if (nbf > seconds + aheadOfNbf) throw refuse("assertion_nbf_ahead", begun);
  }
  if (iat !== undefined) {
    const issued = { received: iat, expected: until(aheadOfIat) };
    if (!isNumericDate(iat)) throw refuse("assertion_iat", issued);
    if (iat > seconds + aheadOfIat) throw refuse("assertion_iat_ahead", issued);
  }
  if (!isIdentifier(jti)) throw refuse("assertion_jti");
  return { account: iss, jti, expires_at: new Date(exp * 1000) };
}

/** Another audience in the list could present the assertion here in the client's place. */
function isMeantFor(servers: readonly unknown[], aud: unknown): boolean {
  const audience = Array.isArray(aud) ? aud : [aud];
  return audience.length > 0 && audience.every((each) => servers.includes(each));
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
