/** The claims of a provider that set attributes when users sign in through it (OC-7). */
import { type FieldError, fieldError, pointerStep, type Reason, reason } from "../../errors/field_errors.ts";
import { isAttributeName, longestClaimName } from "../names/attributes.ts";

const mostWritten = 50;

/**
 * Claims that cannot set an attribute. Claims about the token or the client say nothing about the user, and
 * email claims take effect only as `email_trust` allows.
 */
const refused: readonly string[] = [
  ...["iss", "aud", "exp", "nbf", "iat", "jti", "nonce", "azp", "at_hash", "c_hash", "s_hash", "sid"],
  ...["acr", "amr", "auth_time", "session_expiry", "cnf", "act", "may_act", "events", "_claim_names"],
  ...["_claim_sources", "email", "email_verified", "xms_edov"],
];

const shape = /^[\x21-\x7E]+$/;

function sourceReason(claim: unknown): Reason | undefined {
  if (typeof claim !== "string" || !shape.test(claim) || claim.length > longestClaimName)
    return reason("not_claim_name");
  return refused.includes(claim) ? reason("claim_of_protocol", { claim }) : undefined;
}

/** Returns the errors of `attribute_claims`, which maps names of attributes to names of claims. */
export function attributeClaimsErrors(claims: Readonly<Record<string, unknown>>): FieldError[] {
  const names = Object.keys(claims);
  if (names.length > mostWritten)
    return [fieldError("/attribute_claims", "more_than_quota", { max: mostWritten })];
  return names.flatMap((name): FieldError[] => {
    const why = isAttributeName(name) ? sourceReason(claims[name]) : reason("not_attribute_name");
    return why === undefined ? [] : [{ path: `/attribute_claims/${pointerStep(name)}`, ...why }];
  });
}
