/** How a client proves which one it is (RFC 6749 2.3, spec 5). */
import type { HashingLane } from "../crypto/passwords.ts";
import { OAuthError } from "../errors.ts";
import { type ClientRecord, clientStands } from "../records/client_record.ts";
import type { OAuthApp, OAuthAppSecret } from "../records/definition.ts";
import { builtInClientId } from "../records/names.ts";
import { type Params, refuseRepeated } from "./params.ts";
import type { AuthenticatedClient, AuthorizationServer, EndpointRequest } from "./server.ts";

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
  /** What this method finds in the request, in the order in which it is tried; nothing when it is not used there. */
  present(request: EndpointRequest): readonly Reading[];
}

/** One answer for every failure: unknown, inactive and wrong must look alike (requirements C-4). */
function failed(cause?: string): OAuthError {
  return new OAuthError("invalid_client", "client authentication failed", { cause });
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
      );
    }
    return besideHeader(readingsOf(authorization), params);
  },
};

/** The credentials form-decoded, and as they stand where that makes a difference (design 6.19). */
function readingsOf(authorization: string): readonly Reading[] {
  const match = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(authorization);
  if (match === null) throw failed("the Authorization header is not Basic credentials");
  const text = Buffer.from(match[1] ?? "", "base64").toString();
  const colon = text.indexOf(":");
  if (colon === -1) throw failed("the Basic credentials hold no colon");
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

/** A `client_id` beside the header is fine when it is the same: the readings that it agrees with (requirements C-5). */
function besideHeader(readings: readonly Reading[], params: Params): readonly Reading[] {
  const client_id = params.get("client_id");
  if (client_id === undefined) return readings;
  const agreeing = readings.filter((reading) => reading.client_id === client_id);
  if (agreeing.length > 0) return agreeing;
  throw new OAuthError("invalid_request", "client_id differs from the client of the Authorization header");
}

const post: ClientAuthenticationMethod = {
  name: "client_secret_post",
  present({ params }) {
    const secret = params.get("client_secret");
    if (secret === undefined) return [];
    const client_id = params.get("client_id");
    if (client_id === undefined) throw failed("client_secret came without a client_id");
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
  throw failed("no client authentication in the request");
}

function isLive(secret: OAuthAppSecret, now: Date): boolean {
  return !secret.revoked && (secret.expires_at === null || secret.expires_at > now);
}

/** First uses of the same secret that come at once pay for one hash. */
const underWay = new WeakMap<AuthorizationServer, Map<string, Promise<boolean>>>();

async function verifySecret(
  secret: OAuthAppSecret,
  presented: string,
  server: AuthorizationServer,
  lane: HashingLane,
): Promise<boolean> {
  const { verifiedSecrets, passwords } = server;
  if (verifiedSecrets.has(secret.secret_hash, presented)) return true;
  const waiting = underWay.get(server) ?? new Map<string, Promise<boolean>>();
  underWay.set(server, waiting);
  const key = `${secret.id} ${lane} ${presented}`;
  let verification = waiting.get(key);
  if (verification === undefined) {
    verification = passwords.verify(secret.secret_hash, presented, lane).finally(() => waiting.delete(key));
    waiting.set(key, verification);
  }
  const right = await verification;
  if (right) verifiedSecrets.remember(secret.secret_hash, presented);
  return right;
}

/** The live secret that was presented; the whole cost is paid also when there is none (requirements C-4). */
async function matchingSecret(
  client: ClientRecord | undefined,
  presented: string,
  server: AuthorizationServer,
  lane: HashingLane,
): Promise<OAuthAppSecret | undefined> {
  const now = server.now();
  const candidates = (client?.secrets ?? []).filter(
    (secret) => isLive(secret, now) && presented.startsWith(secret.secret_prefix),
  );
  const known = candidates.find((secret) => server.verifiedSecrets.has(secret.secret_hash, presented));
  if (known !== undefined) return known;
  for (const secret of candidates) if (await verifySecret(secret, presented, server, lane)) return secret;
  if (candidates.length === 0) await server.passwords.verifyAgainstNothing(presented, lane);
  return undefined;
}

/** PostgreSQL takes no NUL in a text, and no client_id has one; the built-in app is nobody's to be. */
function isAnybodys(client_id: string): boolean {
  return !client_id.includes("\0") && client_id !== builtInClientId;
}

async function verify(
  { client_id, secret }: Reading,
  server: AuthorizationServer,
  lane: HashingLane,
): Promise<ClientRecord | undefined> {
  const client = isAnybodys(client_id) ? await server.store.findClient(client_id) : undefined;
  if (secret === undefined) {
    return client?.app.public && clientStands(client) ? client : undefined;
  }
  const usable = client !== undefined && !client.app.public && clientStands(client) ? client : undefined;
  const matched = await matchingSecret(usable, secret, server, lane);
  if (matched === undefined) return undefined;
  server.store.noteUse("oauth_app_secrets", matched.id, server.now());
  return usable;
}

/**
 * The client that sent the request. Throws `invalid_client` when it does not prove itself, and `invalid_request` when
 * it uses two methods at once. A public client is known by its `client_id` alone and never by a secret.
 */
export async function authenticateClient(
  request: EndpointRequest,
  server: AuthorizationServer,
  lane: HashingLane = "default",
): Promise<AuthenticatedClient> {
  refuseRepeated(request.params);
  const { readings, method } = reporting(request, server, () => presentedBy(request));
  for (const reading of readings) {
    const client = await verify(reading, server, lane);
    if (client !== undefined) return { ...client, method: reading.secret === undefined ? none.name : method };
  }
  reportFailure(request, server, readings[0]?.client_id);
  throw failed();
}

function reportFailure(
  { requester }: EndpointRequest,
  server: AuthorizationServer,
  client_id?: string,
): void {
  server.report({
    type: "client_authentication",
    outcome: "failure",
    actor: client_id === undefined ? { kind: "anonymous" } : { kind: "client", id: client_id.slice(0, 255) },
    requester,
  });
}

/** Credentials that cannot even be read are a failed authentication as well (requirements H-8). */
function reporting<T>(request: EndpointRequest, server: AuthorizationServer, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof OAuthError) reportFailure(request, server);
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
    reportFailure(request, server, client.app.client_id);
    throw failed("a public client has no credentials to present");
  }
  return client;
}

/** Whether the app's `allowed_grants` hold this word (spec 2.6). */
export function mayUse(app: OAuthApp, allowed_as: string): boolean {
  return app.allowed_grants.includes(allowed_as);
}
