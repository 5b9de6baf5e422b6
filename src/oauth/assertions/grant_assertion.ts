import { keyAlgorithms } from "../../records/names/names.ts";
import { among } from "../../records/names/profiles.ts";
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

/** Assertions with which a service account requests a token (RFC 7523 2.1, H-13). */
const profile: AssertionProfile = {
  refusals: "assertion",
  typ: ["jwt", "authorization-grant+jwt"],
  algorithms: keyAlgorithms,
  audience: "all",
};

/** A well-formed and current assertion for this server, whose signature is not yet verified. */
export interface GrantAssertion extends HeadedAssertion, CurrentClaims {
  readonly kid: string;
  readonly account: string;
}

/**
 * Reads an assertion and checks its header and claims. Throws `invalid_grant`, with a separate description
 * for each error.
 */
export function readGrantAssertion(
  text: string,
  { client_algorithms, issuer_as_audience }: Pick<Rules, "client_algorithms" | "issuer_as_audience">,
  issuer: string,
  now: Date,
): GrantAssertion {
  const algorithms = among(profile.algorithms, client_algorithms);
  const assertion = readAssertionHeader(text, { ...profile, algorithms });
  const kid = readAssertionKid(assertion, profile);
  const account = readAssertionSubject(assertion, profile);
  const audiences = issuer_as_audience ? [issuer] : [issuer, `${issuer}/oauth/token`];
  const claims = readAssertionClaims(assertion, profile, audiences, now);
  return { ...assertion, ...claims, kid, account };
}
