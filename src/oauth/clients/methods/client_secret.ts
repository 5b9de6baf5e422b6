/** Client secrets (RFC 6749 2.3.1), compared with stored hashes in constant time (spec 2.7, C-4). */

import type { OAuthAppSecret } from "../../../records/definition/definition.ts";
import { evidence, fact } from "../../../records/names/evidence.ts";
import { stateOfCredential } from "../../../records/names/liveness.ts";
import type { ClientRecord } from "../../../records/rules/client_record.ts";
import type { MachineProof } from "../../../storage/tokens/families.ts";
import { formDecoded } from "../../core/params.ts";
import type {
  AuthenticationAttempt,
  AuthorizationServer,
  ClientAuthenticationMethod,
  EndpointRequest,
  PresentedClient,
} from "../../core/server.ts";
import type { Pieces } from "../../refusals/catalogued.ts";
import type { WhySecretFailed } from "../../refusals/client_refusals.ts";
import { refuse } from "../../refusals/refuse.ts";

interface PresentedSecret extends PresentedClient {
  readonly secret: string;
}

async function verifySecret(
  presented: PresentedSecret,
  client: ClientRecord | undefined,
  attempt: AuthenticationAttempt,
  server: AuthorizationServer,
): Promise<MachineProof | undefined> {
  const matched = await matchingSecret(presented, client?.secrets ?? [], attempt, server);
  if (matched === undefined) return undefined;
  server.store.queueUse("oauth_app_secrets", matched.id, server.now());
  return { type: "secret", secret_id: matched.id };
}

/** Of the presented secret, the result reveals only whether it begins like one of the stored secrets. */
function whySecretFailed(
  { secret }: PresentedSecret,
  { secrets }: ClientRecord,
  now: Date,
): Pieces<WhySecretFailed> {
  const groups = { live: [], expired: [], revoked: [] } as Record<SecretState, string[]>;
  let begins: SecretState | "none" = "none";
  for (const each of secrets) {
    const { secret_prefix } = each;
    const known = stateOfCredential(each, now);
    const state = known === "active" ? "live" : known === "revoked" ? "revoked" : "expired";
    groups[state].push(`${secret_prefix}…`);
    if (secret_prefix !== "" && secret.startsWith(secret_prefix) && begins !== "live") begins = state;
  }
  return [
    ...fact("client_secret", "client_secret", `begins_like_${begins}`, groups.live),
    ...(groups.expired.length > 0
      ? evidence("client_secret_expired", "client_secret", null, groups.expired)
      : []),
    ...(groups.revoked.length > 0
      ? evidence("client_secret_revoked", "client_secret", null, groups.revoked)
      : []),
  ];
}

type SecretState = "live" | "expired" | "revoked";

function isActive(secret: OAuthAppSecret, now: Date): boolean {
  return stateOfCredential(secret, now) === "active";
}

/** If no stored secret has the prefix of the presented one, this takes as long as for a wrong secret (C-4). */
async function matchingSecret(
  presented: PresentedSecret,
  secrets: readonly OAuthAppSecret[],
  attempt: AuthenticationAttempt,
  server: AuthorizationServer,
): Promise<OAuthAppSecret | undefined> {
  const { client_id, secret: text } = presented;
  const now = server.now();
  const candidates = secrets.filter(
    (secret) => isActive(secret, now) && text.startsWith(secret.secret_prefix),
  );
  const known = candidates.find((secret) => server.verifiedSecrets.has(secret.secret_hash, text));
  if (known !== undefined) return known;
  // Concurrent first uses of the same secret share one hash computation.
  const waiting = server.memory.verifying;
  const ids = candidates.map(({ id }) => id);
  const key = JSON.stringify([attempt.queue, ids.length > 0 ? ids : client_id, text]);
  const joined = waiting.get(key);
  if (joined !== undefined) return joined;
  const verification = verifyAny(presented, candidates, attempt, server).finally(() => waiting.delete(key));
  waiting.set(key, verification);
  return verification;
}

async function verifyAny(
  { client_id, secret: text }: PresentedSecret,
  candidates: readonly OAuthAppSecret[],
  attempt: AuthenticationAttempt,
  { guesses, passwords, verifiedSecrets }: AuthorizationServer,
): Promise<OAuthAppSecret | undefined> {
  const { source, queue } = attempt;
  const counted = attempt.guess ?? guesses?.guess(client_id, source);
  if (counted !== undefined && "retry_after" in counted) throw refuse("client_throttled", counted);
  if (counted !== undefined) attempt.guess = counted;
  try {
    // A secret that begins like no active one is wrong. For a revocation, a pause takes as long as a hash but
    // occupies no hash slot.
    if (candidates.length === 0 && queue === "revocation") await passwords.pause();
    else if (candidates.length === 0) await passwords.verifyAgainstNothing(text, queue, source);
    for (const secret of candidates) {
      if (!(await passwords.verify(secret.secret_hash, text, queue, source))) continue;
      verifiedSecrets.remember(secret.secret_hash, text);
      counted?.forgive();
      return secret;
    }
    return undefined;
  } catch (error) {
    counted?.withdraw();
    throw error;
  }
}

export const clientSecretBasic: ClientAuthenticationMethod<PresentedSecret> = {
  name: "client_secret_basic",
  client_type: "confidential",
  credential: { in: "header", name: "Authorization" },
  present: (request) => readBasicCredentials(request).filter(({ secret }) => secret !== ""),
  verify: verifySecret,
  whyFailed: whySecretFailed,
};

/**
 * Returns the credentials of an `Authorization: Basic` header (RFC 7617), both form-decoded and as sent if
 * the two differ (design 6.19). A `client_id` in the form must be the same (C-5).
 */
export function readBasicCredentials({ authorization, params }: EndpointRequest): readonly PresentedSecret[] {
  if (authorization === undefined) return [];
  const readings = readingsOf(authorization);
  const client_id = params.get("client_id");
  if (client_id === undefined) return readings;
  const agreeing = readings.filter((reading) => reading.client_id === client_id);
  if (agreeing.length > 0) return agreeing;
  throw refuse("client_id_differs", { client_id });
}

function readingsOf(authorization: string): readonly PresentedSecret[] {
  const match = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(authorization);
  if (match === null) throw refuse("header_not_basic");
  const text = Buffer.from(match[1] ?? "", "base64").toString();
  const colon = text.indexOf(":");
  if (colon === -1) throw refuse("header_without_colon");
  const raw = { client_id: text.slice(0, colon), secret: text.slice(colon + 1) };
  // RFC 6749 2.3.1 requires clients to form-encode both values, but some clients do not.
  const client_id = formDecoded(raw.client_id);
  const secret = formDecoded(raw.secret);
  if (client_id === undefined || secret === undefined) return [raw];
  const differs = client_id !== raw.client_id || secret !== raw.secret;
  return differs ? [{ client_id, secret }, raw] : [raw];
}

export const clientSecretPost: ClientAuthenticationMethod<PresentedSecret> = {
  name: "client_secret_post",
  client_type: "confidential",
  credential: { in: "form", name: "client_secret" },
  present({ params }) {
    const secret = params.get("client_secret");
    if (secret === undefined) return [];
    const client_id = params.get("client_id");
    if (client_id === undefined) throw refuse("client_not_named");
    return [{ client_id, secret }];
  },
  verify: verifySecret,
  whyFailed: whySecretFailed,
};
