/** The names that claims of attributes may have (OC-7). */
import { type Reason, reason } from "../../errors/field_errors.ts";
import { longestClaimName } from "../names/attributes.ts";
import { skeletonOf } from "../names/look_alikes.ts";

/**
 * Claims and response fields that already have a meaning for clients and APIs. Many are defined in RFC 7519,
 * 7662, 7800, 8417, 8693, 9068 or OpenID Connect. The names from `__proto__` on have a meaning in JavaScript.
 */
const reserved: readonly string[] = [
  ...["iss", "sub", "aud", "exp", "nbf", "iat", "jti", "typ", "alg", "kid", "cty", "crit"],
  ...["acr", "amr", "auth_time", "nonce", "azp", "at_hash", "c_hash", "s_hash", "sid", "session_expiry"],
  ...["act", "may_act", "cnf", "client_id", "scope", "scp", "scopes", "sub_jwk", "sub_id", "toe", "txn"],
  ...["active", "username", "token_type", "token", "access_token", "refresh_token", "id_token", "expires_in"],
  ...["error", "error_description", "error_uri", "code", "state", "authorization_details"],
  ...["name", "picture", "updated_at", "email", "email_verified", "phone_number_verified"],
  ...["organization", "roles", "groups", "entitlements", "permissions"],
  ...["events", "tenant", "tenant_id", "tid", "org_id", "org_name", "realm_access", "resource_access"],
  ...["_claim_names", "_claim_sources", "verified_claims"],
  ...["__proto__", "constructor", "prototype", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable"],
  ...["toString", "toLocaleString", "valueOf", "toJSON", "__defineGetter__", "__defineSetter__"],
  ...["__lookupGetter__", "__lookupSetter__"],
];

const reservedParts = [/^email/i, /^postern/i, /_overage$/i];

/**
 * Only ASCII, because letters of other scripts can look like Latin ones. URLs are valid claim names too (RFC
 * 7519 4.2).
 */
const shape = /^[A-Za-z][A-Za-z0-9_.:/-]*$/;

/** A claim may have one of these names, but no other name that looks like one of them. */
const standardClaims: ReadonlySet<string> = new Set([
  ...["given_name", "family_name", "preferred_username", "locale", "zoneinfo", "phone_number"],
]);

/** Returns why an attribute's claim cannot have this name; undefined if it can. */
export function claimNameReason(text: string): Reason | undefined {
  if (!shape.test(text) || text.length > longestClaimName) return reason("not_claim_name");
  if (standardClaims.has(text)) return undefined;
  const skeleton = skeletonOf(text);
  const taken = [...reserved, ...standardClaims].find((name) => skeletonOf(name) === skeleton);
  if (taken !== undefined) return reason("reserved_claim", { claim: taken });
  const part = reservedParts.find((each) => each.test(text));
  return part === undefined ? undefined : reason("reserved_claim", { claim: text });
}
