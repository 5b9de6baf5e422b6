/** The errors of an external provider, one kind for each cause (EP-16). */
import { textOfJson } from "../records/names/json_shapes.ts";

/** What the error concerns, and the rest of a sentence whose subject is the provider. */
const upstreamErrors = {
  timeout: ["connection", "did not respond in time"],
  unreachable: ["connection", "cannot be reached"],
  tls: ["certificate", "has a certificate that cannot be verified"],
  address_refused: ["address", "has a URL that this server does not connect to"],
  busy: ["connection", "has too many requests from this server in progress"],
  too_large: ["body", "sent a response that is too large"],
  encoded: ["content-encoding", "sent a compressed response although none was requested"],
  redirect: ["location", "returned a redirect"],
  status: ["status", "returned an unexpected status"],
  not_json: ["body", "sent a response that is not a JSON object"],
  metadata_issuer: ["issuer", "publishes metadata for a different issuer"],
  metadata_member: ["metadata", "publishes metadata with a missing or invalid endpoint"],
  keys: ["jwks_uri", "publishes no readable key set"],
  not_configured: ["provider", "has a record on this server that lacks a required setting"],
  other_provider: ["slug", "responded to a sign-in that began at another provider"],
  state: ["state", "sent a response with the wrong state"],
  response_iss: ["iss", "sent a response with the wrong issuer"],
  response_iss_missing: ["iss", "declares that it sends iss in every response, but sent none"],
  cancelled: ["error", "reported that the user canceled"],
  authorization_error: ["error", "refused the authorization request"],
  code_missing: ["code", "sent a response without a code"],
  token_error: ["error", "refused the token request"],
  access_token_missing: ["access_token", "returned no access token"],
  token_type: ["token_type", "returned a token of an unsupported type"],
  id_token_missing: ["id_token", "returned no ID token"],
  id_token_malformed: ["id_token", "returned an ID token that is not a JWT"],
  alg_none: ["alg", "returned an unsigned ID token"],
  alg_symmetric: ["alg", "returned an ID token signed with a shared secret"],
  alg: ["alg", "signed the ID token with an algorithm that this server does not accept from it"],
  kid_unknown: ["kid", "signed the ID token with a key that it does not publish"],
  signature: ["signature", "returned an ID token with an invalid signature"],
  key_issuer: ["issuer of the key", "signed the ID token with a key of another issuer"],
  iss: ["iss", "returned an ID token from another issuer"],
  aud: ["aud", "returned an ID token for another client"],
  azp: ["azp", "returned an ID token whose azp names another client"],
  exp: ["exp", "returned an expired ID token"],
  iat: ["iat", "returned an ID token whose iat is missing or in the future"],
  nbf: ["nbf", "returned an ID token that is not valid yet"],
  nonce: ["nonce", "returned an ID token for another sign-in"],
  at_hash: ["at_hash", "returned an access token that does not match the ID token"],
  c_hash: ["c_hash", "returned a code that does not match the ID token"],
  sub_missing: ["sub", "did not identify the user"],
  auth_time: ["auth_time", "did not reauthenticate the user although the request required it"],
  session_expiry: ["session_expiry", "returned a session_expiry that is not a time"],
  logout_typ: ["typ", "sent a logout token with the wrong typ"],
  logout_event: ["events", "sent a logout token without the back-channel logout event"],
  logout_nonce: ["nonce", "sent a logout token with a nonce"],
  logout_iat: [
    "iat",
    "sent a logout token whose iat is missing or differs from this server's clock by more than a minute",
  ],
  logout_exp: ["exp", "sent a logout token that is expired or has no time of expiry"],
  logout_jti: ["jti", "sent a logout token that has no jti or was already used"],
  logout_subject: ["sub", "sent a logout token that names neither user nor session"],
  userinfo_sub: ["sub at userinfo", "returned another user from its userinfo endpoint"],
  tenant: ["tenant", "signed in a user of a tenant that is not allowed"],
} as const;

export type UpstreamErrorKind = keyof typeof upstreamErrors;

const outages: readonly UpstreamErrorKind[] = ["timeout", "unreachable", "tls", "busy"];

/**
 * Returns whether the provider is currently unavailable, so that another sign-in method or a retry may help
 * (EP-17).
 */
export function isOutage({ kind, received }: Pick<UpstreamError, "kind" | "received">): boolean {
  return outages.includes(kind) || (kind === "status" && Number(received) >= 500);
}

const longest = 200;

/** Never includes a token or secret. */
interface ErrorFacts {
  readonly expected?: string | undefined;
  readonly received?: unknown;
}

/** Of the data that the provider sent, an error contains only the invalid value. */
export class UpstreamError extends Error {
  readonly kind: UpstreamErrorKind;
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

function shown(value: unknown): string {
  return textOfJson(value)
    .slice(0, longest)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\uFFFD");
}
