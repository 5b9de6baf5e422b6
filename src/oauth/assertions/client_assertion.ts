/**
 * Client assertions: signed JWTs by which a client authenticates itself (RFC 7523 2.2, OpenID Connect Core
 * 9).
 */
import { clientKeyAlgorithms } from "../../records/names/names.ts";
import type { Rules } from "../core/rules.ts";
import {
  type AssertionProfile,
  type CurrentClaims,
  type HeadedAssertion,
  readAssertionClaims,
  readAssertionHeader,
  readAssertionKid,
  readAssertionSubject,
} from "./read_assertion.ts";

const profile: AssertionProfile = {
  refusals: "client_assertion",
  typ: ["client-authentication+jwt", "jwt"],
  algorithms: clientKeyAlgorithms,
  audience: "one",
};

/** The header, `iss` and `sub` are checked; the signature and the other claims are not yet. */
export interface ClientAssertion extends HeadedAssertion {
  readonly client_id: string;
  readonly kid: string | undefined;
}

export function readClientAssertion(text: string): ClientAssertion {
  const assertion = readAssertionHeader(text, profile);
  const kid = assertion.header.kid === undefined ? undefined : readAssertionKid(assertion, profile);
  return { ...assertion, kid, client_id: readAssertionSubject(assertion, profile) };
}

/**
 * Checks the audience, the times and the `jti` of an assertion whose signature is verified. Throws
 * `invalid_client`. Its description names the exact error, because only the holder of the signing key can
 * cause it (PR-39).
 */
export function readClientClaims(
  assertion: ClientAssertion,
  { token_endpoint_as_audience, audience_as_string }: Rules,
  issuer: string,
  now: Date,
): CurrentClaims {
  const audiences = token_endpoint_as_audience ? [issuer, `${issuer}/oauth/token`] : [issuer];
  const held: AssertionProfile = audience_as_string ? { ...profile, audience: "string" } : profile;
  return readAssertionClaims(assertion, held, audiences, now);
}
