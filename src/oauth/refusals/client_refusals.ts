import { evidence, fact } from "../../records/evidence.ts";
import { keyAlgorithms } from "../../records/names.ts";
import {
  invalidClient,
  invalidGrant,
  invalidRequest,
  missing,
  type Pieces,
  refusalsOf,
  type Texts,
  unauthorizedClient,
} from "./catalogued.ts";

// One answer for every failure: unknown, inactive and wrong must look alike (C-4).
const failed = "client authentication failed";

const authentication = (received: string | null, expected?: readonly string[]) =>
  evidence("client_authentication", "client authentication", received, expected);

/** The header or parameter by which a request uses a method. */
interface Credential {
  readonly in: "header" | "form";
  readonly name: string;
}

function wordsFor(credential: Credential): string {
  return credential.in === "header" ? `the ${credential.name} header` : credential.name;
}

/** The evidence of a client that proves to be none, or not the one that it names. */
export type WhyUnproven =
  | "client_id"
  | "client_inactive"
  | "client_authentication"
  | WhySecretFailed
  // Of methods whose proof is a JWT (RFC 7523 2.2).
  | "assertion"
  | "assertion_key";

export type WhySecretFailed = "client_secret" | "client_secret_expired" | "client_secret_revoked";

interface Methods {
  /** The names of the methods that would do. */
  readonly methods: readonly string[];
}

/** Of how clients authenticate themselves (RFC 6749 2.3, 5.2). */
export const clientRefusals = {
  client_not_authenticated: invalidClient(failed, ({ methods }: Methods) => authentication(null, methods)),
  client_not_named: invalidClient(failed, missing("client_id")),
  header_not_basic: invalidClient(failed, () =>
    fact("authorization_header", "Authorization", "not_basic", "Basic"),
  ),
  header_without_colon: invalidClient(failed, () =>
    fact("authorization_header", "Authorization", "no_colon", "Basic"),
  ),
  client_public: invalidClient(failed, ({ method, methods }: Methods & Texts<"method">) =>
    authentication(method, methods),
  ),
  client_unproven: invalidClient(failed, ({ why }: { readonly why: () => Pieces<WhyUnproven> }) => why()),
  /** What the client was remembered as was true a moment ago. */
  client_ended: invalidClient(failed),
  client_may_not_be_left_out: invalidClient(
    "no client authentication in the request, and none may be left out",
    () => authentication(null),
  ),
  two_methods: invalidRequest(
    ({ credentials }: Methods & { readonly credentials: readonly Credential[] }) =>
      `the client authenticates both by ${credentials.map(wordsFor).join(" and by ")}`,
    ({ credentials, methods }) => evidence("two_methods", credentials[1]?.name ?? "", methods),
  ),
  client_id_differs: invalidRequest(
    "client_id differs from the client of the Authorization header",
    ({ client_id }: Texts<"client_id">) => evidence("client_id_differs", "client_id", client_id),
  ),
  /** RFC 6749 5.2 has no code for it; that of 4.1.2.1 says that a later try can succeed (RFC 6585 4). */
  client_throttled: refusalsOf("temporarily_unavailable", 429)(
    "too many wrong secrets; try again later",
    ({ retry_after }: { retry_after: number }) => evidence("throttled", "Retry-After", String(retry_after)),
    { retry_after: ({ retry_after }) => retry_after },
  ),
  client_credentials_of_none: unauthorizedClient(
    "a public client has no credentials to present",
    ({ method, methods }: Methods & Texts<"method">) => authentication(method, methods),
  ),
};

/** A claim or header parameter as it came: any JSON, or nothing. */
interface Claim {
  readonly received: unknown;
}

const claim = (name: string, received: unknown, expected?: string | readonly string[]) =>
  evidence("assertion", name, received === undefined ? null : JSON.stringify(received), expected);

/** A refusal of a claim that must be there in some form, whatever was expected. */
const claimed = (name: string, description: string) =>
  invalidGrant(description, ({ received }: Claim) => claim(name, received));

/** A refusal of a time: `expected` says from when to when it may be. */
const timed = (name: string, description: string) =>
  invalidGrant(description, ({ received, expected }: Claim & Texts<"expected">) =>
    claim(name, received, expected),
  );

// One sentence for an account and for a key that do not exist, and for a signature that is not the key's: it
// tells nobody which.
const unknown = "the assertion is not signed with a key of the service account that it names";

const keyIs = (why: "revoked" | "inactive" | "expired") => () => fact("assertion_key", "kid", why);

/** Of assertions and the service accounts behind them (RFC 7523 3, H-13). */
export const assertionRefusals = {
  assertion_not_jwt: invalidGrant("the assertion is not a signed JWT in compact form", () =>
    fact("assertion", "assertion", "not_a_jwt"),
  ),
  assertion_alg: invalidGrant(
    `the assertion must be signed with one of ${keyAlgorithms.join(", ")}`,
    ({ received }: Claim) => claim("alg", received, keyAlgorithms),
  ),
  assertion_crit: claimed("crit", "the assertion's header has crit, and no extension is understood here"),
  assertion_typ: invalidGrant("the assertion's typ must be JWT", ({ received }: Claim) =>
    claim("typ", received, "JWT"),
  ),
  assertion_kid: claimed("kid", "the assertion's header lacks kid, the key_id of the key that signed it"),
  assertion_iss: claimed("iss", "the assertion lacks iss, the service account"),
  assertion_sub: claimed("sub", "the assertion lacks sub, the service account"),
  assertion_iss_not_sub: invalidGrant(
    "the assertion's iss and sub must both be the service account",
    ({ received, iss }: Claim & Texts<"iss">) => claim("sub", received, iss),
  ),
  assertion_aud: invalidGrant(
    "the assertion's aud must be this server's issuer or token endpoint, and nobody else",
    ({ received, allowed }: Claim & { allowed: readonly string[] }) => claim("aud", received, allowed),
  ),
  assertion_exp: timed("exp", "the assertion lacks exp, a time in seconds"),
  assertion_expired: timed("exp", "the assertion has expired"),
  assertion_exp_far: timed("exp", "the assertion's exp must be at most 5 minutes away"),
  assertion_nbf: timed("nbf", "the assertion's nbf must be a time in seconds"),
  assertion_nbf_ahead: timed("nbf", "the assertion's nbf is in the future"),
  assertion_iat: timed("iat", "the assertion's iat must be a time in seconds"),
  assertion_iat_ahead: timed("iat", "the assertion's iat is in the future"),
  /** What came as `jti` is not shown. */
  assertion_jti: invalidGrant("the assertion lacks jti, which makes it usable once", () =>
    evidence("assertion", "jti"),
  ),
  assertion_used: invalidGrant("the assertion was already used", () => fact("assertion", "jti", "used")),
  assertion_unverified: invalidGrant(
    unknown,
    (given: { why: "no_such_account" | "no_such_key" | "unverified" } & Texts<"account" | "kid">) => [
      ...fact("assertion_key", "signature", given.why),
      ...evidence("assertion", "iss", given.account),
      ...evidence("assertion", "kid", given.kid),
    ],
  ),
  service_account_gone: invalidGrant(unknown, () => fact("assertion_key", "signature", "no_such_account")),
  assertion_key_unfit: invalidGrant(
    ({ algorithm }: Texts<"alg" | "algorithm">) =>
      `the key is registered for ${algorithm}, which a key of its kind cannot sign with`,
    ({ alg, algorithm }) => evidence("assertion", "alg", alg, algorithm),
  ),
  assertion_alg_not_of_key: invalidGrant(
    ({ alg, key_type, algorithm }: Texts<"alg" | "key_type" | "algorithm">) =>
      `the assertion's alg is ${alg}, and the key is of type ${key_type} and signs with ${algorithm} alone`,
    ({ alg, algorithm }) => evidence("assertion", "alg", alg, algorithm),
  ),
  assertion_key_revoked: invalidGrant("the key that signed the assertion was revoked", keyIs("revoked")),
  assertion_key_inactive: invalidGrant("the key that signed the assertion is not active", keyIs("inactive")),
  assertion_key_expired: invalidGrant("the key that signed the assertion has expired", keyIs("expired")),
  service_account_inactive: invalidGrant("the service account is not active", () =>
    fact("assertion_key", "iss", "inactive"),
  ),
  service_account_organization_inactive: invalidGrant(
    "the organization of the service account is not active",
    () => fact("assertion_key", "iss", "organization_inactive"),
  ),
};
