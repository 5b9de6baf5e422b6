/**
 * What can go wrong at an external provider: one kind for each, so that a failure explains itself
 * (EP-16).
 */

/** Each with the member that it is about, and a sentence that goes on from the provider's name. */
const upstreamErrors = {
  // The request of ours.
  timeout: ["connection", "did not answer in time"],
  unreachable: ["connection", "cannot be reached"],
  tls: ["certificate", "has a certificate that cannot be verified"],
  address_refused: ["address", "has an address that this server does not connect to"],
  busy: ["connection", "has too many requests of this server under way"],
  too_large: ["body", "answered with too many bytes"],
  encoded: ["content-encoding", "packed its answer though nobody asked it to"],
  redirect: ["location", "answered with a redirect"],
  status: ["status", "answered with an unexpected status"],
  not_json: ["body", "answered with something else than a JSON object"],
  // What it publishes.
  metadata_issuer: ["issuer", "publishes a document of another issuer"],
  metadata_member: ["metadata", "publishes a document that lacks an address, or has a wrong one"],
  keys: ["jwks_uri", "publishes no key set that can be read"],
  not_configured: ["provider", "lacks a setting"],
  // The authorization response.
  other_provider: ["slug", "got the answer to a sign-in that began at another provider"],
  state: ["state", "sent a response with another state"],
  response_iss: ["iss", "sent a response of another issuer"],
  response_iss_missing: ["iss", "publishes that it sends an issuer with each response, and sent none"],
  cancelled: ["error", "says that the person cancelled"],
  authorization_error: ["error", "refused the authorization request"],
  code_missing: ["code", "sent a response without a code"],
  // The token response.
  token_error: ["error", "refused the token request"],
  access_token_missing: ["access_token", "gave no access token"],
  token_type: ["token_type", "gave a token of a type that this server cannot use"],
  id_token_missing: ["id_token", "gave no id_token"],
  // The id_token.
  id_token_malformed: ["id_token", "gave an id_token that is no JWT"],
  alg_none: ["alg", "gave an id_token that nobody signed"],
  alg_symmetric: ["alg", "gave an id_token signed by a shared secret"],
  alg: ["alg", "signed the id_token by an algorithm that is not accepted of it"],
  kid_unknown: ["kid", "signed the id_token by a key that it does not publish"],
  signature: ["signature", "gave an id_token with a wrong signature"],
  key_issuer: ["issuer of the key", "signed the id_token by a key of another issuer"],
  iss: ["iss", "gave an id_token of another issuer"],
  aud: ["aud", "gave an id_token for another client"],
  azp: ["azp", "gave an id_token that another client may use"],
  exp: ["exp", "gave an id_token that has expired"],
  iat: ["iat", "gave an id_token that was issued in the future, or never"],
  nbf: ["nbf", "gave an id_token that is not valid yet"],
  nonce: ["nonce", "gave an id_token that was made for another sign-in"],
  at_hash: ["at_hash", "gave an access token that does not belong to the id_token"],
  c_hash: ["c_hash", "gave a code that does not belong to the id_token"],
  sub_missing: ["sub", "says not who signed in"],
  auth_time: ["auth_time", "did not ask the person to sign in again, though it was asked to"],
  // What else it says of the person.
  userinfo_sub: ["sub at userinfo", "described another person at its userinfo endpoint"],
  tenant: ["tenant", "signed in somebody of a tenant that is not allowed"],
} as const;

export type UpstreamErrorKind = keyof typeof upstreamErrors;

const outages: readonly UpstreamErrorKind[] = ["timeout", "unreachable", "tls", "busy"];

/**
 * Whether the provider does not work now: another way to sign in helps, and so may another try (EP-17). Of
 * its answers those that say so themselves, 500 and above.
 */
export function isOutage({ kind, received }: Pick<UpstreamError, "kind" | "received">): boolean {
  return outages.includes(kind) || (kind === "status" && Number(received) >= 500);
}

/** Characters of a value in a fault. */
const longest = 200;

/** Facts for `explain` and the log: a value that a token or secret is in never gets here. */
export interface ErrorFacts {
  readonly expected?: string | undefined;
  readonly received?: unknown;
}

/** A leg to a provider that failed. Of what the provider sent, only the value that is wrong is in it. */
export class UpstreamError extends Error {
  readonly kind: UpstreamErrorKind;
  /** The member that is wrong, as the provider spells it. */
  readonly field: string;
  readonly expected: string | undefined;
  readonly received: string | undefined;

  constructor(kind: UpstreamErrorKind, { expected, received }: ErrorFacts = {}, cause?: unknown) {
    const [field, sentence] = upstreamErrors[kind];
    super(`the provider ${sentence}`, { cause });
    this.name = "UpstreamError";
    this.kind = kind;
    this.field = field;
    this.expected = expected;
    this.received = received === undefined ? undefined : shown(received);
  }
}

/** A value from outside on one line of bounded length. */
function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return text
    .slice(0, longest)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\uFFFD");
}
