/**
 * The floor as a process: FloorInput as JSON on standard input, and the line with its address on standard
 * output. It authenticates a client with one hash of the secret, and issues a token with one signature
 * and one row; a response waits until its commit is on disk. Because it has no validation, no limits and
 * no log, it is a measure and not an example.
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { FloorInput } from "./floor.ts";
import { floorKeys, type Key } from "./floor_keys.ts";
import { floorStore, newId } from "./floor_store.ts";

const input = JSON.parse(await text(process.stdin)) as FloorInput;
const { scope, access_token_ttl, redirect_uri, clients } = input;
const hash = (value: string) => createHash("sha256").update(value).digest();
const secrets = new Map(
  clients.map(({ client_id, client_secret }) => [client_id, hash(client_secret).toString("hex")]),
);
const keys = floorKeys();
const store = floorStore(
  input.database,
  input.sessions.map((cookie) => hash(cookie)),
);

const server = createServer().listen(0, "127.0.0.1");
await once(server, "listening");
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const metadata = JSON.stringify({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  introspection_endpoint: `${issuer}/introspect`,
  revocation_endpoint: `${issuer}/revoke`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
});
server.on("request", answer);
process.stdout.write(`${JSON.stringify({ msg: "listening", url: issuer })}\n`);
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
  void store.close();
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === "GET") {
    read(request, response);
    return;
  }
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (part) => {
    body += part;
  });
  request.on("end", () => write(request, response, new URLSearchParams(body)));
}

function read(request: IncomingMessage, response: ServerResponse): void {
  const { url = "", headers } = request;
  if (url.startsWith("/authorize?")) void authorize(url, headers.cookie ?? "", response);
  else if (url === "/jwks") send(response, keys.document);
  else if (url === "/userinfo") {
    const user = store.findUser(hash((headers.authorization ?? "").slice("Bearer ".length)));
    if (user === undefined) refuse(response);
    else send(response, JSON.stringify({ sub: user.id }));
  } else send(response, metadata);
}

function write({ url, headers }: IncomingMessage, response: ServerResponse, params: URLSearchParams): void {
  const [client_id = "", secret = ""] = Buffer.from(
    (headers.authorization ?? "").slice("Basic ".length),
    "base64",
  )
    .toString()
    .split(":");
  if (hash(secret).toString("hex") !== secrets.get(client_id)) refuse(response);
  else if (url === "/introspect") introspect(response, params);
  else if (url === "/revoke") void revoke(response, params);
  else if (params.has("code")) void redeemCode(response, params, client_id);
  else if (params.has("refresh_token")) void refresh(response, params, client_id);
  else void clientCredentials(response, params, client_id);
}

function send(response: ServerResponse, body: string): void {
  response.writeHead(200, {
    "content-type": "application/json",
    "cache-control": "no-store",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
}

function refuse(response: ServerResponse): void {
  response.writeHead(401, { "content-length": 0 });
  response.end();
}

function keyOf(params: URLSearchParams): Key {
  return keys.by[input.algorithms[params.get("resource") ?? ""] ?? "RS256"];
}

const seconds = () => Math.floor(Date.now() / 1000);
const secret = () => randomBytes(32).toString("base64url");

function accessToken(key: Key, sub: string, client_id: string, now: number): Promise<string> | string {
  const lasting = { iat: now, exp: now + access_token_ttl };
  return key.sign("at+jwt", {
    iss: issuer,
    sub,
    aud: issuer,
    ...lasting,
    jti: randomUUID(),
    client_id,
    scope,
  });
}

async function clientCredentials(response: ServerResponse, params: URLSearchParams, client_id: string) {
  const now = seconds();
  const access_token = await accessToken(keyOf(params), client_id, client_id, now);
  const row = {
    id: newId(),
    access: hash(access_token),
    refresh: null,
    client_id,
    user_id: null,
    nonce: null,
  };
  await store.commit(() => store.addToken({ ...row, expires_at: now + access_token_ttl, scope }));
  send(response, JSON.stringify({ access_token, token_type: "Bearer", expires_in: access_token_ttl, scope }));
}

function introspect(response: ServerResponse, params: URLSearchParams): void {
  const found = store.findToken(hash(params.get("token") ?? ""));
  if (found === undefined) {
    send(response, '{"active":false}');
    return;
  }
  const { client_id, expires_at: exp, scope } = found;
  send(response, JSON.stringify({ active: true, client_id, exp, token_type: "Bearer", scope }));
}

async function revoke(response: ServerResponse, params: URLSearchParams): Promise<void> {
  const access = hash(params.get("token") ?? "");
  await store.commit(() => store.revoke(access));
  response.writeHead(200, { "content-length": 0 });
  response.end();
}

async function authorize(url: string, cookie: string, response: ServerResponse): Promise<void> {
  const params = new URLSearchParams(url.slice(url.indexOf("?")));
  const session = store.findSession(hash(cookie.slice("session=".length)));
  if (session === undefined) return refuse(response);
  const code = secret();
  const row = { id: newId(), code: hash(code), user_id: session.user_id, nonce: params.get("nonce") };
  await store.commit(() => store.addCode({ ...row, expires_at: seconds() + 60 }));
  const query = new URLSearchParams({ code, state: params.get("state") ?? "" });
  response.writeHead(302, { location: `${redirect_uri}?${query}`, "content-length": 0 });
  response.end();
}

async function redeemCode(response: ServerResponse, params: URLSearchParams, client_id: string) {
  const code = hash(params.get("code") ?? "");
  const found = store.findCode(code);
  if (found === undefined) return refuse(response);
  await issue(response, keyOf(params), { client_id, ...found }, () => store.useCode(code));
}

async function refresh(response: ServerResponse, params: URLSearchParams, client_id: string) {
  const before = hash(params.get("refresh_token") ?? "");
  const found = store.findRefresh(before);
  if (found === undefined) return refuse(response);
  await issue(response, keyOf(params), { client_id, ...found }, () => store.rotate(before));
}

/**
 * Signs the access token and the id_token. One commit writes the row of the tokens and marks the code or
 * refresh token as used.
 */
async function issue(
  response: ServerResponse,
  key: Key,
  { client_id, user_id, nonce }: { client_id: string; user_id: string; nonce: string | null },
  spend: () => boolean,
): Promise<void> {
  const now = seconds();
  const exp = now + access_token_ttl;
  const access_token = await accessToken(key, user_id, client_id, now);
  const at_hash = createHash("sha256").update(access_token).digest().subarray(0, 16).toString("base64url");
  const claims = { iss: issuer, sub: user_id, aud: client_id, exp, iat: now, nonce, at_hash };
  const id_token = await key.sign("JWT", claims);
  const refresh_token = secret();
  const row = { id: newId(), access: hash(access_token), refresh: hash(refresh_token), client_id, user_id };
  const spent = await store.commit(() => {
    if (!spend()) return false;
    store.addToken({ ...row, nonce, expires_at: exp, scope });
    return true;
  });
  if (!spent) return refuse(response);
  const lasting = { token_type: "Bearer", expires_in: access_token_ttl, scope: `openid ${scope}` };
  send(response, JSON.stringify({ access_token, ...lasting, refresh_token, id_token }));
}
