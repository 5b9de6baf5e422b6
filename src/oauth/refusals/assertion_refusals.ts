import { evidence, fact } from "../../records/names/evidence.ts";
import { failed, invalidClient, invalidGrant, type refusalsOf, type Texts } from "./catalogued.ts";

export interface Claim {
  readonly received: unknown;
}

interface KindOfAssertion<Kind extends "assertion" | "client_assertion"> {
  readonly evidence: Kind;
  readonly subject: string;
  readonly kid: string;
  readonly typ: string;
  readonly audience: string;
}

/** Refusals for the header and the claims of an assertion (RFC 7523 3, H-13, PR-33 to PR-36). */
function refusalsOfClaims<Kind extends "assertion" | "client_assertion">(
  invalid: ReturnType<typeof refusalsOf>,
  { evidence: kind, subject, kid, typ, audience }: KindOfAssertion<Kind>,
) {
  const claim = (name: string, received: unknown, expected?: string | readonly string[]) =>
    evidence(kind, name, received === undefined ? null : JSON.stringify(received), expected);
  const claimed = (name: string, description: string) =>
    invalid(description, ({ received }: Claim) => claim(name, received));
  const timed = (name: string, description: string) =>
    invalid(description, ({ received, expected }: Claim & Texts<"expected">) =>
      claim(name, received, expected),
    );
  return {
    not_jwt: invalid("the assertion is not a signed JWT in compact serialization", () =>
      fact(kind, "assertion", "not_a_jwt"),
    ),
    alg: invalid(
      ({ allowed }: Claim & { allowed: readonly string[] }) =>
        `the assertion must be signed with one of ${allowed.join(", ")}`,
      ({ received, allowed }) => claim("alg", received, allowed),
    ),
    crit: claimed(
      "crit",
      "the assertion's header has crit, but this server supports no critical extensions; remove crit",
    ),
    typ: invalid(`the assertion's typ must be ${typ}`, ({ received }: Claim) => claim("typ", received, typ)),
    kid: claimed("kid", kid),
    iss: claimed("iss", `the assertion must have iss, set to ${subject}`),
    sub: claimed("sub", `the assertion must have sub, set to ${subject}`),
    iss_not_sub: invalid(
      `the assertion's iss and sub must both be ${subject}`,
      ({ received, iss }: Claim & Texts<"iss">) => claim("sub", received, iss),
    ),
    aud: invalid(
      ({ allowed }: Claim & { allowed: readonly string[] }) =>
        `the assertion's aud must be ${allowed.join(" or ")}, ${audience}`,
      ({ received, allowed }) => claim("aud", received, allowed),
    ),
    exp: timed("exp", "the assertion must have exp, a Unix time in seconds"),
    expired: timed("exp", "the assertion has expired"),
    exp_far: invalid(
      ({ ahead, most }: Claim & Texts<"expected"> & Readonly<Record<"ahead" | "most", number>>) =>
        `the assertion's exp is ${ahead} seconds in the future; the maximum is ${most}`,
      ({ received, expected }) => claim("exp", received, expected),
    ),
    nbf: timed("nbf", "the assertion's nbf must be a Unix time in seconds"),
    nbf_ahead: timed("nbf", "the assertion's nbf is in the future"),
    iat: timed("iat", "the assertion's iat must be a Unix time in seconds"),
    iat_ahead: timed("iat", "the assertion's iat is in the future"),
    jti: invalid("the assertion must have jti, a unique value", () => evidence(kind, "jti")),
    used: invalid("the assertion was already used; create a new one for each request", () =>
      fact(kind, "jti", "used"),
    ),
  };
}

type Named<Prefix extends string, Refusals> = {
  readonly [Name in keyof Refusals & string as `${Prefix}_${Name}`]: Refusals[Name];
};

function named<Prefix extends string, Refusals extends object>(
  prefix: Prefix,
  refusals: Refusals,
): Named<Prefix, Refusals> {
  const entries = Object.entries(refusals).map(([name, refusal]) => [`${prefix}_${name}`, refusal]);
  return Object.fromEntries(entries) as Named<Prefix, Refusals>;
}

// An unknown service account, an unknown key and a wrong signature have the same description, so the caller
// cannot distinguish them.
const unknown = "the assertion is not signed with a key of the service account it names";

const keyIs = (why: "revoked" | "inactive" | "expired") => () => fact("assertion_key", "kid", why);

/** Refusals of assertions by service accounts (RFC 7523 3, H-13). */
export const assertionRefusals = {
  ...named(
    "assertion",
    refusalsOfClaims(invalidGrant, {
      evidence: "assertion",
      subject: "the ID or email address of the service account",
      kid: "the assertion must have kid, the key_id of the key that signed it",
      typ: "authorization-grant+jwt or JWT",
      audience: "with no other audience",
    }),
  ),
  assertion_unverified: invalidGrant(
    unknown,
    (input: { why: "no_such_account" | "no_such_key" | "unverified" } & Texts<"account" | "kid">) => [
      ...fact("assertion_key", "signature", input.why),
      ...evidence("assertion", "iss", input.account),
      ...evidence("assertion", "kid", input.kid),
    ],
  ),
  service_account_gone: invalidGrant(unknown, () => fact("assertion_key", "signature", "no_such_account")),
  assertion_key_unfit: invalidGrant(
    ({ algorithm }: Texts<"alg" | "algorithm">) =>
      `the key is registered for ${algorithm}, which its key type does not support`,
    ({ alg, algorithm }) => evidence("assertion", "alg", alg, algorithm),
  ),
  assertion_alg_not_of_key: invalidGrant(
    ({ alg, key_type, algorithm }: Texts<"alg" | "key_type" | "algorithm">) =>
      `the assertion's alg is ${alg}, but the key has type ${key_type} and is registered for ${algorithm} only`,
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

export type WhyClientUnverified = "no_key_fits" | "unverified" | "keys_unreachable";

/** Refusals of client assertions (RFC 7523 2.2, PR-33 to PR-39). */
export const clientAssertionRefusals = {
  ...named(
    "client_assertion",
    refusalsOfClaims(invalidClient, {
      evidence: "client_assertion",
      subject: "the client_id",
      kid: "the assertion's kid must be a non-empty string",
      typ: "client-authentication+jwt or JWT",
      audience: "as a single string",
    }),
  ),
  client_assertion_type: invalidClient(
    ({ expected }: Texts<"expected">) => `client_assertion_type must be ${expected}`,
    ({ received, expected }: Claim & Texts<"expected">) =>
      evidence("one_of", "client_assertion_type", received === undefined ? null : String(received), [
        expected,
      ]),
  ),
  client_assertion_of_other: invalidClient(
    "client_id does not match the client named in the assertion",
    ({ client_id }: Texts<"client_id">) => evidence("client_id_differs", "client_id", client_id),
  ),
  /** The description is the same as for an unknown client (C-4). */
  client_assertion_unverified: invalidClient(
    failed,
    ({ why, kid }: { readonly why: WhyClientUnverified; readonly kid: string | undefined }) => [
      ...fact("client_assertion_key", "signature", why),
      ...evidence("client_assertion", "kid", kid),
    ],
  ),
  client_assertion_alg_not_of_app: invalidClient(
    ({ received, allowed }: { readonly received: string; readonly allowed: readonly string[] }) =>
      `the assertion's alg is ${received}, but this client may use only ${allowed.join(" or ")}`,
    ({ received, allowed }) => evidence("client_assertion", "alg", received, allowed),
  ),
  client_assertion_alg_not_of_key: invalidClient(
    ({ alg, algorithms }: Texts<"alg"> & { readonly algorithms: readonly string[] }) =>
      `the assertion's alg is ${alg}, but the key supports only ${algorithms.join(" or ")}`,
    ({ alg, algorithms }) => evidence("client_assertion", "alg", alg, algorithms),
  ),
};
