/** How a client proves which one it is (RFC 6749 2.3, spec 5). */

import type { Guess } from "../../crypto/guess_limits.ts";
import type { HashingLane } from "../../crypto/hash_pool.ts";
import { type Evidence, OAuthError, type OAuthErrorOptions } from "../../errors.ts";
import { type ClientRecord, isUsable, stateOfClient } from "../../records/client_record.ts";
import type { OAuthApp, OAuthAppSecret } from "../../records/definition.ts";
import { stateOfCredential } from "../../records/liveness.ts";
import { type AllowedGrant, builtInClientId, grantNames } from "../../records/names.ts";
import { sourceOf } from "../../records/source.ts";
import { evidence, fact } from "../evidence.ts";
import { type Params, refuseRepeated } from "../params.ts";
import type { AuthenticatedClient, AuthorizationServer, EndpointRequest } from "../server.ts";

/** One way to read what a request offers as proof. */
interface Reading {
  readonly client_id: string;
  /** Undefined where the client says it has none. */
  readonly secret: string | undefined;
}

/** A client authentication method: a plain object in the list below. */
interface ClientAuthenticationMethod {
  /** The name in `token_endpoint_auth_methods_supported`. */
  readonly name: string;
  /**
   * What this method finds in the request, in the order in which it is tried; nothing when it is not used
   * there.
   */
  present(request: EndpointRequest): readonly Reading[];
}

/** One answer for every failure: unknown, inactive and wrong must look alike (C-4). */
function failed(options: OAuthErrorOptions): OAuthError {
  return new OAuthError("invalid_client", "client authentication failed", options);
}

/** Form-decoding of RFC 6749 2.3.1; undefined when the text is not form-encoded. */
function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

const basic: ClientAuthenticationMethod = {
  name: "client_secret_basic",
  present({ authorization, params }) {
    if (authorization === undefined) return [];
    // RFC 6749 2.3: one method in each request.
    if (params.get("client_secret") !== undefined) {
      throw new OAuthError(
        "invalid_request",
        "the client authenticates both by the Authorization header and by client_secret",
        { evidence: evidence("two_methods", "client_secret", [basic.name, post.name]) },
      );
    }
    return besideHeader(readingsOf(authorization), params);
  },
};

/** The credentials form-decoded, and as they stand where that makes a difference (design 6.19). */
function readingsOf(authorization: string): readonly Reading[] {
  const match = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(authorization);
  if (match === null) {
    const cause = "the Authorization header is not Basic credentials";
    throw failed({ cause, evidence: fact("authorization_header", "Authorization", "not_basic", "Basic") });
  }
  const text = Buffer.from(match[1] ?? "", "base64").toString();
  const colon = text.indexOf(":");
  if (colon === -1) {
    const cause = "the Basic credentials hold no colon";
    throw failed({ cause, evidence: fact("authorization_header", "Authorization", "no_colon", "Basic") });
  }
  const raw = { client_id: text.slice(0, colon), secret: text.slice(colon + 1) };
  const client_id = formDecoded(raw.client_id);
  const secret = formDecoded(raw.secret);
  if (client_id === undefined || secret === undefined) return [emptySecretIsNone(raw)];
  const differs = client_id !== raw.client_id || secret !== raw.secret;
  return (differs ? [{ client_id, secret }, raw] : [raw]).map(emptySecretIsNone);
}

/** `client_id:` with nothing behind the colon is how some libraries spell a public client. */
function emptySecretIsNone({ client_id, secret }: { client_id: string; secret: string }): Reading {
  return { client_id, secret: secret === "" ? undefined : secret };
}

/** A `client_id` beside the header is fine when it is the same: the readings that it agrees with (C-5). */
function besideHeader(readings: readonly Reading[], params: Params): readonly Reading[] {
  const client_id = params.get("client_id");
  if (client_id === undefined) return readings;
  const agreeing = readings.filter((reading) => reading.client_id === client_id);
  if (agreeing.length > 0) return agreeing;
  throw new OAuthError("invalid_request", "client_id differs from the client of the Authorization header", {
    evidence: evidence("client_id_differs", "client_id", client_id),
  });
}

const post: ClientAuthenticationMethod = {
  name: "client_secret_post",
  present({ params }) {
    const secret = params.get("client_secret");
    if (secret === undefined) return [];
    const client_id = params.get("client_id");
    if (client_id === undefined) {
      const cause = "client_secret came without a client_id";
      throw failed({ cause, evidence: evidence("missing", "client_id") });
    }
    return [{ client_id, secret }];
  },
};

const none: ClientAuthenticationMethod = {
  name: "none",
  present({ params }) {
    const client_id = params.get("client_id");
    return client_id === undefined ? [] : [{ client_id, secret: undefined }];
  },
};

/** Spec 4.5 `token_endpoint_auth_methods_supported`, in its order. */
export const clientAuthenticationMethods: readonly ClientAuthenticationMethod[] = [basic, post, none];

function presentedBy(request: EndpointRequest): { readings: readonly Reading[]; method: string } {
  for (const method of clientAuthenticationMethods) {
    const readings = method.present(request);
    if (readings.length > 0) return { readings, method: method.name };
  }
  const cause = "no client authentication in the request";
  const methods = clientAuthenticationMethods.map(({ name }) => name);
  throw failed({
    cause,
    evidence: evidence("client_authentication", "client authentication", null, methods),
  });
}

function isLive(secret: OAuthAppSecret, now: Date): boolean {
  return stateOfCredential(secret, now) === "active";
}

/** First uses of the same secret that come at once pay for one hash. */
const underWay = new WeakMap<AuthorizationServer, Map<string, Promise<OAuthAppSecret | undefined>>>();

/** Where a secret is presented: what for, by whom and from where. */
interface Presented {
  readonly client_id: string;
  readonly secret: string;
  readonly from: Origin;
}

interface Origin {
  readonly source: string;
  readonly lane: HashingLane;
  /** One request is one guess, however many readings its header has. */
  guess?: Guess;
}

/** The live secret that was presented; the whole cost is paid also when there is none (C-4). */
async function matchingSecret(
  client: ClientRecord | undefined,
  presented: Presented,
  server: AuthorizationServer,
): Promise<OAuthAppSecret | undefined> {
  const { client_id, secret: text } = presented;
  const now = server.now();
  const candidates = (client?.secrets ?? []).filter(
    (secret) => isLive(secret, now) && text.startsWith(secret.secret_prefix),
  );
  const known = candidates.find((secret) => server.verifiedSecrets.has(secret.secret_hash, text));
  if (known !== undefined) return known;
  const waiting = underWay.get(server) ?? new Map<string, Promise<OAuthAppSecret | undefined>>();
  underWay.set(server, waiting);
  const ids = candidates.map(({ id }) => id);
  const key = JSON.stringify([presented.from.lane, ids.length > 0 ? ids : client_id, text]);
  const joined = waiting.get(key);
  if (joined !== undefined) return joined;
  const verification = verifyAny(candidates, presented, server).finally(() => waiting.delete(key));
  waiting.set(key, verification);
  return verification;
}

/** Counted as a guess before the slow hash, and forgiven when it is right. */
async function verifyAny(
  candidates: readonly OAuthAppSecret[],
  { client_id, secret: text, from }: Presented,
  { guesses, passwords, verifiedSecrets }: AuthorizationServer,
): Promise<OAuthAppSecret | undefined> {
  const { source, lane } = from;
  const counted = from.guess ?? guesses?.guess(client_id, source);
  if (counted !== undefined && "retry_after" in counted) throw throttled(counted.retry_after);
  if (counted !== undefined) from.guess = counted;
  try {
    // With no secret that begins so nothing can be revoked, and the answer is the same: no hash is worth its
    // slot.
    if (candidates.length === 0 && lane === "revocation") await passwords.pause();
    else if (candidates.length === 0) await passwords.verifyAgainstNothing(text, lane, source);
    for (const secret of candidates) {
      if (!(await passwords.verify(secret.secret_hash, text, lane, source))) continue;
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

/** RFC 6749 5.2 has no code for it; the one of 4.1.2.1 says that a later try can succeed, RFC 6585 4 when. */
function throttled(retry_after: number): OAuthError {
  return new OAuthError("temporarily_unavailable", "too many wrong secrets; try again later", {
    status: 429,
    retry_after,
    evidence: evidence("throttled", "Retry-After", String(retry_after)),
  });
}

/** PostgreSQL takes no NUL in a text, and no client_id has one; the built-in app is nobody's to be. */
function mayBeClientId(client_id: string): boolean {
  return !client_id.includes("\0") && client_id !== builtInClientId;
}

/** A client with the secret that proved it, where it has one. */
type Proven = ClientRecord & Pick<AuthenticatedClient, "secret_id">;

/** The client that a request names, whether or not it proves to be that. */
interface Named {
  client?: ClientRecord;
}

async function verify(
  { client_id, secret }: Reading,
  server: AuthorizationServer,
  from: Origin,
  named: Named,
): Promise<Proven | undefined> {
  const client = mayBeClientId(client_id) ? await server.store.findClient(client_id) : undefined;
  if (client !== undefined) named.client = client;
  if (secret === undefined) {
    return client?.app.public && isUsable(client) ? client : undefined;
  }
  const usable = client !== undefined && !client.app.public && isUsable(client) ? client : undefined;
  const matched = await matchingSecret(usable, { client_id, secret, from }, server);
  if (matched === undefined) return undefined;
  server.store.queueUse("oauth_app_secrets", matched.id, server.now());
  return usable && { ...usable, secret_id: matched.id };
}

/**
 * The client that sent the request. Throws `invalid_client` when it does not prove itself, and
 * `invalid_request` when it uses two methods at once, `temporarily_unavailable` (429) after too many wrong
 * secrets. A public client is known by its `client_id` alone and never by a secret.
 */
export async function authenticateClient(
  request: EndpointRequest,
  server: AuthorizationServer,
  lane: HashingLane = "client_authentication",
): Promise<AuthenticatedClient> {
  refuseRepeated(request.params);
  const report = reporterOf(request, server, lane);
  const { readings, method } = reporting(report, () => presentedBy(request));
  const from: Origin = { source: sourceOf(request.requester.client_ip), lane };
  const named: Named = {};
  for (const reading of readings) {
    const client = await verify(reading, server, from, named);
    if (client !== undefined) return { ...client, method: reading.secret === undefined ? none.name : method };
  }
  const [first] = readings;
  report(named.client);
  throw failed({
    app: named.client?.app,
    evidence: () => whyFailed({ ...first, method }, named.client, server.now()),
  });
}

/**
 * Of what was presented nothing is told but the `client_id` of a form, and whether a secret begins as one
 * that is known.
 */
function whyFailed(
  { client_id, secret, method }: Partial<Reading> & { method: string },
  client: ClientRecord | undefined,
  now: Date,
): readonly Evidence[] {
  // Somebody may have put the secret where a header holds the client_id.
  if (client === undefined)
    return evidence("client_id", "client_id", method === basic.name ? null : client_id);
  if (!isUsable(client)) return inactiveClient(client);
  const used = secret === undefined ? none.name : method;
  if (client.app.public || secret === undefined) {
    const usable = client.app.public ? [none.name] : [basic.name, post.name];
    return evidence("client_authentication", "client authentication", used, usable);
  }
  const groups = { live: [], expired: [], revoked: [] } as Record<SecretState, string[]>;
  let begins: SecretState | "none" = "none";
  for (const each of client.secrets) {
    const { secret_prefix } = each;
    const state = each.revoked ? "revoked" : isLive(each, now) ? "live" : "expired";
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

const inactiveFacts = {
  revoked: "app_revoked",
  inactive: "app_inactive",
  organization_inactive: "organization_inactive",
  active: "organization_inactive",
} as const;

/** Why a client is not usable. */
export function inactiveClient(client: ClientRecord): readonly Evidence[] {
  return fact("client_inactive", "client_id", inactiveFacts[stateOfClient(client)]);
}

/**
 * Tells of a failure, by the name of a client that there is: any other name is a text of nobody's, at any
 * length. A revocation that fails is an event already, so that its client authentication is none beside it.
 */
function reporterOf({ requester }: EndpointRequest, server: AuthorizationServer, lane: HashingLane) {
  return (client?: ClientRecord): void => {
    if (lane === "revocation") return;
    server.report({
      type: "client_authentication",
      outcome: "failure",
      actor: client === undefined ? { kind: "anonymous" } : { kind: "client", id: client.app.client_id },
      requester,
    });
  };
}

/** Credentials that cannot even be read are a failed authentication as well (H-8). */
function reporting<T>(report: () => void, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof OAuthError) report();
    throw error;
  }
}

/** Whether the request says by any method which client it comes from. */
export function namesClient({ authorization, params }: EndpointRequest): boolean {
  return (
    authorization !== undefined ||
    params.pairs.some(
      ([name, value]) => value !== "" && ["client_id", "client_secret", "client_assertion"].includes(name),
    )
  );
}

/** The same for an endpoint that a public client may not use (spec 4.3). */
export async function authenticateConfidentialClient(
  request: EndpointRequest,
  server: AuthorizationServer,
): Promise<AuthenticatedClient> {
  const client = await authenticateClient(request, server);
  if (client.app.public) {
    reporterOf(request, server, "client_authentication")(client);
    const cause = "a public client has no credentials to present";
    throw failed({
      cause,
      app: client.app,
      evidence: evidence("client_authentication", "client authentication", none.name, [
        basic.name,
        post.name,
      ]),
    });
  }
  return client;
}

/** Whether the app's `allowed_grants` hold this word (spec 2.6). */
export function mayUse(app: OAuthApp, allowed_as: string): boolean {
  return app.allowed_grants.includes(allowed_as);
}

/** The grants that an app may use, by the names they have on the wire. */
export function grantTypesOf({ allowed_grants }: OAuthApp): string[] {
  return allowed_grants.map((word) => grantNames[word as AllowedGrant] ?? word);
}
