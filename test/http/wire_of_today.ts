/**
 * The responses of a server with every switch off, as the text of `wire_of_today.txt`.
 * `write_wire_of_today.ts` rewrites it when the default wire format is meant to change.
 */
import type { InjectOptions } from "fastify";
import { aPerson, signInAs, type TestApp, testApp, testBrowser } from "../support/app.ts";
import { anApp } from "../support/builders.ts";
import { authorizeParameters, credentialsOf, formOf, type Parameters } from "../support/flows.ts";

/** Values that differ between runs, or that are not part of the wire format. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/"error_uri":"[^"]*"/g, '"error_uri":"…"'],
  [/error_uri="[^"]*"/g, 'error_uri="…"'],
  [/error_uri=[^&\s]*/g, "error_uri=…"],
  [/"request_id":"[^"]*"/g, '"request_id":"…"'],
  [/"(access_token|refresh_token|id_token|kid|n)":"[^"]*"/g, '"$1":"…"'],
  [/\bcode=[^&\s]*/g, "code=…"],
  [/cookie: .*/g, "cookie: …"],
  [/[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}/g, "…"],
];
const unsaid = new Set([
  "date",
  "connection",
  "content-length",
  "etag",
  "content-security-policy",
  "set-cookie",
]);

const foreign = { origin: "https://elsewhere.example" };

/** Every request, in the order of the text. */
async function requests(it: TestApp): Promise<readonly (InjectOptions & { readonly url: string })[]> {
  const web = await anApp(it.store, { client_id: "web", first_party: true });
  const machine = await anApp(it.store, {
    client_id: "machine",
    allowed_grants: ["client_credentials"],
    allowed_scopes: ["orders:read"],
  });
  const authorization = String(await credentialsOf(it, machine));
  const form = "application/x-www-form-urlencoded";
  const post = (url: string, parameters: Parameters, headers: Record<string, string> = {}) => ({
    method: "POST" as const,
    url,
    headers: { "content-type": form, ...foreign, ...headers },
    payload: formOf(parameters),
  });
  const get = (url: string, headers: Record<string, string> = {}) => ({
    url,
    headers: { ...foreign, ...headers },
  });
  const json = (url: string) => ({
    method: "POST" as const,
    url,
    headers: { "content-type": "application/json", ...foreign },
    payload: '{"redirect_uris":["https://client.example/cb"]}',
  });
  const preflight = (url: string) => ({
    method: "OPTIONS" as const,
    url,
    headers: {
      ...foreign,
      "access-control-request-method": "POST",
      "access-control-request-headers": "accept,authorization,content-type,dpop,mcp-protocol-version",
    },
  });
  const credentials = { grant_type: "client_credentials", scope: "orders:read" };
  const document = "https://client.example/client.json";
  const browser = testBrowser(it.app);
  await signInAs(browser, await aPerson(it));
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const requested = (input: Parameters) =>
    get(`/oauth/authorize?${formOf(authorizeParameters(web, input))}`, { cookie });
  return [
    get("/.well-known/openid-configuration"),
    get("/.well-known/oauth-authorization-server"),
    get("/.well-known/oauth-authorization-server/api/v1"),
    get("/.well-known/oauth-protected-resource"),
    get("/.well-known/oauth-protected-resource/api/v1"),
    get("/.well-known/jwks.json"),
    ...[
      "/.well-known/openid-configuration",
      "/.well-known/oauth-authorization-server",
      "/.well-known/oauth-protected-resource",
      "/.well-known/jwks.json",
      "/oauth/authorize",
      "/oauth/token",
      "/oauth/introspect",
      "/oauth/revoke",
      "/oauth/userinfo",
      "/oauth/par",
      "/oauth/register",
      "/oauth/device",
      "/oauth/logout",
      "/api/v1/me",
    ].map(preflight),
    get("/oauth/token"),
    get("/oauth/nothing"),
    json("/oauth/register"),
    json("/oauth/token"),
    post("/oauth/par", { client_id: "web" }, { authorization }),
    post("/oauth/device", { client_id: "web" }),
    post("/oauth/token", credentials, { authorization }),
    post("/oauth/token", credentials, { authorization, dpop: "nonsense" }),
    post("/oauth/token", { ...credentials, resource: "https://api.example" }, { authorization }),
    post("/oauth/token", credentials, { authorization: "Basic d2ViOndyb25n" }),
    post("/oauth/token", { ...credentials, client_id: document }),
    post("/oauth/token", { ...credentials, client_assertion: "a.b.c", client_assertion_type: "x" }),
    post("/oauth/token", { grant_type: "refresh_token", refresh_token: "x" }, { authorization }),
    post("/oauth/token", { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion: "a.b.c" }),
    post("/oauth/introspect", { token: "x" }, { authorization }),
    post("/oauth/revoke", { token: "x" }),
    get("/oauth/userinfo"),
    get("/oauth/userinfo", { authorization: "Bearer x" }),
    get("/oauth/userinfo", { authorization: "DPoP x", dpop: "nonsense" }),
    get("/api/v1/me"),
    get("/api/v1/me", { authorization: "Bearer x" }),
    get("/api/v1/me", { authorization: "DPoP x", dpop: "nonsense" }),
    requested({}),
    requested({ dpop_jkt: "nonsense" }),
    requested({ scope: undefined }),
    requested({ scope: "openid unknown" }),
    requested({ resource: "https://api.example/" }),
    requested({ request: "a.b.c" }),
    requested({ request_uri: "urn:ietf:params:oauth:request_uri:x" }),
    requested({ response_mode: "form_post" }),
    requested({ client_id: document }),
    requested({ redirect_uri: "http://localhost:1234/cb" }),
  ];
}

/** Returns the text of all requests and responses. */
export async function wireOfToday(): Promise<string> {
  const it = await testApp({ throttle: false });
  const parts: string[] = [];
  for (const request of await requests(it)) {
    const { method = "GET", url, headers } = request;
    const answer = await it.app.inject(request);
    const shown = (list: Readonly<Record<string, unknown>>) =>
      Object.entries(list)
        .filter(([name]) => !unsaid.has(name))
        .map(([name, value]) => `${name}: ${value}`);
    const isPage = String(answer.headers["content-type"]).startsWith("text/html");
    const said = [
      `> ${method} ${url}`,
      ...shown(headers as Record<string, unknown>).map((line) => `> ${line}`),
      ...(typeof request.payload === "string" ? [`> ${request.payload}`] : []),
      `${answer.statusCode}`,
      ...shown(answer.headers),
      isPage ? "(a page)" : answer.body,
    ];
    parts.push(said.join("\n"));
  }
  await it.app.close();
  return `${varying.reduce((text, [what, by]) => text.replace(what, by), parts.join("\n\n"))}\n`;
}

export const recordedWire = new URL("wire_of_today.txt", import.meta.url);
