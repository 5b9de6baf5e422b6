/** The client's side of OAuth, run against this server itself. */
import type { FastifyInstance } from "fastify";
import type { ProvenRequest } from "../crypto/made_proofs.ts";
import type { Exchange } from "../web/exchange.ts";
import type { FlowWords } from "../web/words/en/flow.ts";

export interface FlowClient {
  readonly client_id: string;
  readonly secret?: string | undefined;
}

/** Plain JSON, so it can be stored. */
export interface FlowRun {
  steps: Exchange[];
  verifier?: string;
  state?: string;
  code?: string;
  access_token?: string;
  /** The scheme of the access token (RFC 6749, section 7.1). */
  token_type?: string;
  refresh_token?: string;
  signs_in?: boolean;
}

interface FlowMarks {
  readonly verifier: string;
  readonly challenge: string;
  readonly state: string;
  readonly nonce: string;
}

export interface FlowContext {
  readonly app: FastifyInstance;
  readonly issuer: string;
  readonly redirect_uri: string;
  readonly client: FlowClient;
  readonly run: FlowRun;
  /** Whether authorization requests are pushed (RFC 9126). */
  readonly pushes?: boolean;
  /** Signs a DPoP proof for a request (RFC 9449); absent for bearer tokens. */
  readonly prove?: ((request: ProvenRequest) => string) | undefined;
  readonly shown?: (exchange: Exchange) => Exchange;
  readonly origin?: { readonly client_ip: string | null; readonly user_agent: string | null };
}

interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
  /** The nonce for the DPoP proof of the next request (RFC 9449, section 8). */
  readonly nonce: string | undefined;
}

/**
 * Restarts the run. Returns the path and query to redirect to; undefined if the server refused the pushed
 * request.
 */
export async function beginFlow(
  flow: FlowContext,
  requested: { readonly scope: string; readonly resource?: string | undefined },
  { verifier, challenge, state, nonce }: FlowMarks,
): Promise<string | undefined> {
  const { run, issuer, client, shown = asItIs } = flow;
  const parameters = {
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: flow.redirect_uri,
    scope: requested.scope,
    ...(requested.resource !== undefined && { resource: requested.resource }),
    state,
    nonce,
    code_challenge: challenge,
    code_challenge_method: "S256",
  };
  forgetTokens(run);
  run.steps = [];
  const query = await queryOf(parameters, flow);
  if (query === undefined) return undefined;
  const url = `/oauth/authorize?${query}`;
  Object.assign(run, { verifier, state, signs_in: true });
  run.steps.push(
    shown({ kind: "start", request: { method: "GET", url: issuer + url }, explained: namesIn(query) }),
  );
  return url;
}

async function queryOf(
  parameters: Readonly<Record<string, string>>,
  flow: FlowContext,
): Promise<URLSearchParams | undefined> {
  const { client, pushes = false } = flow;
  if (!pushes) return new URLSearchParams(parameters);
  const { json } = await send(flow, "push", "/oauth/par", parameters, basic(client));
  const { request_uri } = json;
  if (typeof request_uri !== "string") return undefined;
  return new URLSearchParams({ client_id: client.client_id, request_uri });
}

/**
 * Handles the callback; `url` is its path and query. Stores the code only if `state` and `iss` match the
 * request (RFC 6749, section 10.12; RFC 9207, section 2.4).
 */
export function handleCallback({ run, issuer, shown = asItIs }: FlowContext, url: string): void {
  const answer = new URL(url, issuer).searchParams;
  const code = answer.get("code");
  const isOurs = run.state !== undefined && answer.get("state") === run.state && answer.get("iss") === issuer;
  const kind = !isOurs ? "foreign" : code === null ? "refused" : "callback";
  // Any site can send the browser to the callback repeatedly. Of the callbacks that do not belong to this
  // run, only the latest is therefore kept.
  if (!isOurs) run.steps = run.steps.filter((step) => step.kind !== "foreign");
  run.steps.push(shown({ kind, request: { method: "GET", url: issuer + url }, explained: namesIn(answer) }));
  if (!isOurs) return;
  delete run.state;
  if (code !== null) run.code = code;
}

/** Redeems the received code, if there is one (RFC 6749, section 4.1.3). */
export async function exchangeCode(flow: FlowContext): Promise<void> {
  const { run, redirect_uri, client } = flow;
  const { code, verifier } = run;
  if (code === undefined || verifier === undefined) return;
  delete run.code;
  delete run.verifier;
  const form = { grant_type: "authorization_code", code, redirect_uri, code_verifier: verifier };
  storeTokens(
    run,
    await send(flow, "token", "/oauth/token", { ...form, ...identification(client) }, basic(client)),
  );
}

/** Restarts the run with a token for the client itself (RFC 6749, section 4.4). */
export async function requestClientCredentials(
  flow: FlowContext,
  requested: { readonly scope: string; readonly resource?: string | undefined },
): Promise<void> {
  const { run, client } = flow;
  forgetTokens(run);
  run.signs_in = false;
  run.steps = [];
  const form = {
    grant_type: "client_credentials",
    scope: requested.scope,
    ...(requested.resource !== undefined && { resource: requested.resource }),
  };
  storeTokens(run, await send(flow, "machine", "/oauth/token", form, basic(client)));
}

async function requestUserinfo(flow: FlowContext): Promise<void> {
  const { access_token, token_type = "Bearer" } = flow.run;
  if (access_token === undefined) return;
  const authorization = `${token_type} ${access_token}`;
  await send(flow, "userinfo", "/oauth/userinfo", undefined, { authorization });
}

async function introspectToken(flow: FlowContext): Promise<void> {
  const { access_token } = flow.run;
  if (access_token === undefined) return;
  await send(flow, "introspect", "/oauth/introspect", { token: access_token }, basic(flow.client));
}

async function refreshTokens(flow: FlowContext): Promise<void> {
  const { run, client } = flow;
  const { refresh_token } = run;
  if (refresh_token === undefined) return;
  const form = { grant_type: "refresh_token", refresh_token, ...identification(client) };
  storeTokens(run, await send(flow, "refresh", "/oauth/token", form, basic(client)));
}

/**
 * Revokes all tokens of the authorization (RFC 7009, section 2.1), or the access token if there is no refresh
 * token.
 */
export async function revokeTokens(flow: FlowContext): Promise<void> {
  const { run, client } = flow;
  const token = run.refresh_token ?? run.access_token;
  if (token === undefined) return;
  await send(flow, "revoke", "/oauth/revoke", { token, ...identification(client) }, basic(client));
}

export const tokenActions = {
  userinfo: requestUserinfo,
  introspect: introspectToken,
  refresh: refreshTokens,
  revoke: revokeTokens,
} as const;

export function forgetTokens(run: FlowRun): void {
  for (const name of ["verifier", "state", "code", "access_token", "token_type", "refresh_token"] as const)
    delete run[name];
}

function storeTokens(run: FlowRun, { json }: Answer): void {
  if (typeof json.access_token === "string") run.access_token = json.access_token;
  if (typeof json.token_type === "string") run.token_type = json.token_type;
  if (typeof json.refresh_token === "string") run.refresh_token = json.refresh_token;
}

/** RFC 6749, section 2.3.1: the client_id and the secret are form-encoded before they are joined. */
function basic({ client_id, secret }: FlowClient): Record<string, string> {
  if (secret === undefined) return {};
  const pair = [client_id, secret].map(encodeURIComponent).join(":");
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

function identification({ client_id, secret }: FlowClient): Record<string, string> {
  return secret === undefined ? { client_id } : {};
}

/** Endpoints at which a client proves possession of its key (RFC 9449, sections 5, 7.1 and 10.1). */
const proven: ReadonlySet<string> = new Set(["/oauth/par", "/oauth/token", "/oauth/userinfo"]);

/** Sends a request, and repeats it if the response requires a nonce in the proof (RFC 9449, section 8). */
async function send(
  flow: FlowContext,
  kind: Exchange["kind"],
  path: string,
  form: Readonly<Record<string, string>> | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { issuer, prove } = flow;
  const request = { kind, method: form === undefined ? "GET" : "POST", path, form };
  if (prove === undefined || !proven.has(path)) return sendOnce(flow, { ...request, headers });
  const proof = { method: request.method, url: issuer + path, access_token: bearerOf(headers) };
  const first = await sendOnce(flow, { ...request, headers: { ...headers, dpop: prove(proof) } });
  if (first.nonce === undefined || first.status < 400) return first;
  const dpop = prove({ ...proof, nonce: first.nonce });
  return sendOnce(flow, { ...request, headers: { ...headers, dpop } });
}

function bearerOf({ authorization = "" }: Readonly<Record<string, string>>): string | undefined {
  return /^(?:DPoP|Bearer) (.*)$/.exec(authorization)?.[1];
}

interface FlowRequest {
  readonly kind: Exchange["kind"];
  readonly method: string;
  readonly path: string;
  readonly form: Readonly<Record<string, string>> | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

async function sendOnce(
  { app, issuer, run, shown = asItIs, origin }: FlowContext,
  { kind, method, path, form, headers }: FlowRequest,
): Promise<Answer> {
  const query = form && new URLSearchParams(form);
  const body = query?.toString();
  const sent = {
    ...headers,
    ...(body !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
  };
  const response = await app.inject({
    method: body === undefined ? "GET" : "POST",
    url: path,
    headers: { ...sent, ...(origin?.user_agent && { "user-agent": origin.user_agent }) },
    ...(body !== undefined && { payload: body }),
    ...(origin?.client_ip && { remoteAddress: origin.client_ip }),
  });
  const json = response.json<Record<string, unknown>>();
  const nonce = response.headers["dpop-nonce"];
  run.steps.push(
    shown({
      kind,
      request: { method, url: issuer + path, headers: sent, body },
      response: {
        status: response.statusCode,
        headers: {
          "content-type": String(response.headers["content-type"]),
          ...(nonce !== undefined && { "dpop-nonce": String(nonce) }),
        },
        body: response.body,
      },
      decoded: decodedTokens(json),
      explained: kind === "push" && query !== undefined ? namesIn(query) : undefined,
    }),
  );
  return { status: response.statusCode, json, nonce: nonce === undefined ? undefined : String(nonce) };
}

function decodedTokens(json: Record<string, unknown>): NonNullable<Exchange["decoded"]> {
  const read = (["id_token", "access_token"] as const).flatMap((name) => {
    const claims = decodedJwt(json[name]);
    return claims === undefined ? [] : [[name, JSON.stringify(claims, undefined, 2)] as const];
  });
  return Object.fromEntries(read);
}

/** Returns the claims of a JWT of this server without verifying it. */
export function decodedJwt(token: unknown): Record<string, unknown> | undefined {
  const payload = typeof token === "string" ? token.split(".")[1] : undefined;
  if (payload === undefined) return undefined;
  return JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
}

const explainable: ReadonlySet<string> = new Set<keyof FlowWords["parameters"]>([
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "nonce",
  "code_challenge",
  "code_challenge_method",
  "request_uri",
  "resource",
  "code",
  "iss",
  "error",
  "error_description",
]);

function namesIn(query: URLSearchParams): (keyof FlowWords["parameters"])[] {
  const isExplainable = (name: string): name is keyof FlowWords["parameters"] => explainable.has(name);
  return [...new Set(query.keys())].filter(isExplainable);
}

function asItIs(exchange: Exchange): Exchange {
  return exchange;
}
