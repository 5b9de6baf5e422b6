import { keyAlgorithms } from "../../records/names.ts";
import {
  type AssertionProfile,
  type CurrentClaims,
  type HeadedAssertion,
  readAssertionClaims,
  readAssertionHeader,
  readAssertionKid,
  readAssertionSubject,
} from "./read_assertion.ts";

/** The assertion by which a service account asks for a token (RFC 7523 2.1, H-13). */
const profile: AssertionProfile = {
  refusals: "assertion",
  typ: ["jwt", "authorization-grant+jwt"],
  algorithms: keyAlgorithms,
  lists_audience: true,
};

/** An assertion that is well-formed, meant for this server and current; by whom it is, is not yet known. */
export interface GrantAssertion extends HeadedAssertion, CurrentClaims {
  readonly kid: string;
  /** The service account that it says it is: `iss` and `sub`. */
  readonly account: string;
}

/**
 * Reads an assertion for the server of this issuer. Throws `invalid_grant`, with a description of its own for
 * each fault.
 */
export function readGrantAssertion(text: string, issuer: string, now: Date): GrantAssertion {
  const assertion = readAssertionHeader(text, profile);
  const kid = readAssertionKid(assertion, profile);
  const account = readAssertionSubject(assertion, profile);
  const claims = readAssertionClaims(assertion, profile, [issuer, `${issuer}/oauth/token`], now);
  return { ...assertion, ...claims, kid, account };
}
