/**
 * External providers on loopback: one fake with the quirks of each preset, as documented by the providers and
 * reported by authors of clients. Hooks change single values, for false answers.
 */
import { createHash, createPublicKey } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { CompactSign, exportJWK, generateKeyPair, type JWK, jwtVerify } from "jose";
import { createOutbound, type Outbound } from "../../src/outbound/outbound.ts";
import type { ProviderSettings } from "../../src/providers/presets/provider_settings.ts";
import type { ProviderPreset } from "../../src/records/names/names.ts";
import { certificate, type LoopbackServer, loopbackServer } from "../outbound/tls_server.ts";
import { providerSettings } from "./provider_settings.ts";
import { type Brought, postedForm, visitUpstream } from "./upstream_browser.ts";
import { applesKey, firstKeys, upstreamPeople } from "./upstream_people.ts";

export type Json = Record<string, unknown>;

/** Functions with which a test changes the provider's answers. */
export interface Hooks {
  discovery?: (document: Json) => Json;
  keys?: (keys: JWK[]) => unknown;
  /** Parameters of the authorization response. */
  response?: (parameters: Record<string, string>) => Record<string, string>;
  header?: (header: Json) => Json;
  claims?: (claims: Json) => Json;
  /** Another serialization of the id_token. */
  id_token?: (signed: string, claims: Json) => string;
  token?: (body: Json) => unknown;
  userinfo?: (body: Json) => unknown;
  /** Handles a request instead; returns true if it answers the request, or leaves it unanswered. */
  answer?: (path: string, response: ServerResponse, request: IncomingMessage) => boolean;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly form: Record<string, string>;
  readonly authorization: string | undefined;
}

export interface UpstreamFake {
  readonly origin: string;
  readonly settings: ProviderSettings;
  /** Resolves every name to loopback, and trusts the certificate of the fakes. */
  readonly outbound: Outbound;
  /** The requests in order of arrival. */
  readonly seen: readonly SeenRequest[];
  /** The user who signs in there; changes take effect immediately. */
  readonly person: Json;
  readonly hooks: Hooks;
  /** Replaces the signing key by a new one. */
  rotate(): Promise<void>;
  /** Signs a token with the provider's key, with these members in the header. */
  sign(claims: Json, header?: Json): Promise<string>;
  /** Follows the redirect, consents immediately, and returns the resulting parameters. */
  visit(url: string): Promise<Brought>;
  close(): Promise<void>;
}

const paths = {
  authorization: "/authorize",
  token: "/token",
  userinfo: "/user",
  revocation: "/revoke",
} as const;

const oauthOnly: readonly ProviderPreset[] = ["github", "discord", "facebook", "oauth2"];

/** Starts the fake of a preset. `now` dates its id_tokens; `tls` gives it a name and https. */
export async function upstreamFake(
  preset: ProviderPreset,
  {
    now = () => new Date(),
    hooks = {},
    tls = false,
    settings: input = {},
  }: { now?: () => Date; hooks?: Hooks; tls?: boolean; settings?: Partial<ProviderSettings> } = {},
): Promise<UpstreamFake> {
  let [kid, keys] = ["key-1", await firstKeys()];
  const person = structuredClone(upstreamPeople[preset]);
  const seen: SeenRequest[] = [];
  const codes = new Map<string, { readonly query: Record<string, string>; spent: boolean }>();
  let consents = 0;

  const server: LoopbackServer = await loopbackServer(
    (request, response) => {
      answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
    },
    { tls },
  );
  const origin = tls ? `https://${preset}.outbound.test:${server.port}` : `http://127.0.0.1:${server.port}`;
  const isMicrosoft = preset === "microsoft";
  const issuer = isMicrosoft ? `${origin}/common/v2.0` : origin;
  const published = isMicrosoft ? `${origin}/{tenantid}/v2.0` : origin;
  const endpoints = {
    authorization: `${origin}${paths.authorization}`,
    token: `${origin}${paths.token}`,
    userinfo: `${origin}${paths.userinfo}${preset === "facebook" ? "?fields=id,name,email" : ""}`,
    revocation: `${origin}${paths.revocation}`,
  };
  const settings = providerSettings(preset, {
    ...(oauthOnly.includes(preset) ? { endpoints } : { issuer }),
    ...(preset === "apple" && { private_key: applesKey(), key_id: "KEY1234567", team_id: "TEAM123456" }),
    ...(preset === "oauth2" && { claim_names: { subject: "data.id", email: "data.mail" } }),
    ...input,
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", origin);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const form = Object.fromEntries(new URLSearchParams(body));
    const { authorization } = request.headers;
    seen.push({ method: request.method ?? "", path: pathname, form, authorization });
    if (hooks.answer?.(pathname, response, request)) return;
    const json = (status: number, value: unknown) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

    if (pathname.endsWith("/.well-known/openid-configuration")) return json(200, discovery());
    if (pathname === "/keys" || pathname === "/auth/keys") {
      const jwk = { ...(await exportJWK(keys.publicKey)), kid, use: "sig" };
      // Entra's keys name their tenants, but not their algorithm.
      const listed = [isMicrosoft ? { ...jwk, issuer: published } : { ...jwk, alg: "RS256" }];
      return json(200, hooks.keys?.(listed) ?? { keys: listed });
    }
    if (pathname.endsWith("/authorize")) return authorize(Object.fromEntries(searchParams), response);
    if (pathname.endsWith("/token")) {
      const refusal = await clientRefusal(form, authorization);
      if (refusal !== undefined) return json(...refusal);
      return json(...(await tokens(form)));
    }
    if (pathname.endsWith("/revoke")) {
      const refusal = await clientRefusal(form, authorization);
      return refusal === undefined ? json(200, {}) : json(...refusal);
    }
    if (/^\/applications\/[^/]+\/grant$/.test(pathname) && request.method === "DELETE") {
      return json(authorization?.startsWith("Basic ") && JSON.parse(body).access_token ? 204 : 401, {});
    }
    if (!authorization?.startsWith("Bearer access-")) return json(401, { error: "invalid_token" });
    if (pathname === "/user/emails") return json(200, person.emails);
    if (pathname === paths.userinfo) {
      const { emails: _, ...profile } = person;
      if (preset === "facebook" && searchParams.get("fields") === null) return json(200, { id: person.id });
      return json(200, hooks.userinfo?.(profile) ?? profile);
    }
    return json(404, {});
  }

  function discovery(): Json {
    const document: Json = {
      issuer: published,
      authorization_endpoint: endpoints.authorization,
      token_endpoint: endpoints.token,
      userinfo_endpoint: endpoints.userinfo,
      revocation_endpoint: endpoints.revocation,
      jwks_uri: `${origin}/keys`,
      response_types_supported: ["code"],
      id_token_signing_alg_values_supported: ["RS256"],
      ...(preset === "oidc" && {
        authorization_response_iss_parameter_supported: true,
        code_challenge_methods_supported: ["S256"],
      }),
    };
    return hooks.discovery?.(document) ?? document;
  }

  function authorize(query: Record<string, string>, response: ServerResponse): void {
    const code = `code-${codes.size + 1}-of-${preset}`;
    codes.set(code, { query, spent: false });
    const { redirect_uri = "", state = "", response_mode } = query;
    const isForm = preset === "apple" && query.scope !== undefined;
    if (isForm && response_mode !== "form_post") return void response.writeHead(400).end("invalid_request");
    consents += 1;
    const parameters = {
      code,
      state,
      ...(preset === "oidc" && { iss: published }),
      // As GitHub does since April 2026.
      ...(preset === "github" && { iss: origin }),
      ...(isForm &&
        consents === 1 && {
          user: JSON.stringify({
            name: { firstName: "Ann", lastName: "Ax" },
            email: "forged@firm.example",
          }),
        }),
    };
    const sent = hooks.response?.(parameters) ?? parameters;
    if (isForm) {
      response.writeHead(200, { "content-type": "text/html" });
      return void response.end(postedForm(redirect_uri, sent));
    }
    const back = new URL(redirect_uri);
    for (const [name, value] of Object.entries(sent)) back.searchParams.set(name, value);
    if (preset === "facebook") back.hash = "_=_";
    response.writeHead(302, { location: back.href }).end();
  }

  async function clientRefusal(
    form: Record<string, string>,
    authorization: string | undefined,
  ): Promise<readonly [number, Json] | undefined> {
    const refused = [
      preset === "github" || preset === "slack" ? 200 : 401,
      errorBody("invalid_client"),
    ] as const;
    if (preset === "linkedin" && "code_verifier" in form) return refused;
    if (preset === "slack" && "code_verifier" in form) return [200, { ok: false, error: "internal_error" }];
    if (preset === "apple") {
      const { private_key = "", key_id, team_id, client_id } = settings;
      const proof = await jwtVerify(form.client_secret ?? "", createPublicKey(private_key), {
        algorithms: ["ES256"],
        issuer: team_id ?? "",
        audience: issuer,
        subject: client_id,
        currentDate: now(),
      }).catch(() => undefined);
      return proof?.protectedHeader.kid === key_id ? undefined : [400, errorBody("invalid_client")];
    }
    const { client_id, client_secret = "" } = settings;
    const inHeader = `Basic ${Buffer.from(`${client_id}:${client_secret.replaceAll(" ", "+")}`).toString("base64")}`;
    const inForm = form.client_id === client_id && form.client_secret === client_secret;
    return inForm || authorization === inHeader ? undefined : refused;
  }

  function errorBody(error: string): Json {
    if (preset === "slack") return { ok: false, error };
    return preset === "facebook" ? { error: { message: "Wrong.", type: error, code: 100 } } : { error };
  }

  async function tokens(form: Record<string, string>): Promise<readonly [number, unknown]> {
    const refused = [
      preset === "github" || preset === "slack" ? 200 : 400,
      errorBody("invalid_grant"),
    ] as const;
    const number = seen.length;
    const body: Json = {
      access_token: `access-${number}`,
      token_type: preset === "github" ? "bearer" : "Bearer",
      expires_in: 3600,
      ...(preset === "slack" && { ok: true }),
    };
    if (form.grant_type === "refresh_token") {
      if (!form.refresh_token?.startsWith("refresh-")) return refused;
      return [200, { ...body, ...(preset === "gitlab" && { refresh_token: `refresh-${number}` }) }];
    }
    const issued = codes.get(form.code ?? "");
    if (issued === undefined || issued.spent || issued.query.redirect_uri !== form.redirect_uri)
      return refused;
    issued.spent = true;
    const { code_challenge, nonce } = issued.query;
    const hash = createHash("sha256")
      .update(form.code_verifier ?? "")
      .digest("base64url");
    if (code_challenge === undefined ? "code_verifier" in form : hash !== code_challenge) return refused;
    body.refresh_token = `refresh-${number}`;
    if (!oauthOnly.includes(preset)) body.id_token = await idToken(nonce, String(body.access_token));
    return [200, hooks.token?.(body) ?? body];
  }

  async function idToken(nonce: string | undefined, access_token: string): Promise<string> {
    const seconds = Math.floor(now().getTime() / 1000);
    const { email, email_verified, ...withoutEmail } = person;
    const claims: Json = {
      iss: published.replace("{tenantid}", String(person.tid)),
      aud: settings.client_id,
      iat: seconds,
      exp: seconds + 300,
      auth_time: seconds,
      at_hash: createHash("sha256").update(access_token).digest().subarray(0, 16).toString("base64url"),
      ...(preset === "slack" && { nonce: nonce ?? "" }),
      ...(preset !== "linkedin" && nonce !== undefined && { nonce }),
      ...(preset === "gitlab" ? withoutEmail : person),
    };
    const reported = hooks.claims?.(claims) ?? claims;
    const signed = await sign(reported);
    return hooks.id_token?.(signed, reported) ?? signed;
  }

  function sign(claims: Json, members: Json = {}): Promise<string> {
    const header = { alg: "RS256", kid, typ: "JWT", ...members };
    return new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: "RS256", ...(hooks.header?.(header) ?? header) })
      .sign(keys.privateKey);
  }

  const outbound = createOutbound({
    allow: ["127.0.0.0/8"],
    resolve: async () => ["127.0.0.1"],
    ca: certificate,
    most_at_once: 200,
  });
  return {
    origin,
    settings,
    outbound,
    seen,
    person,
    hooks,
    sign,
    async rotate() {
      [kid, keys] = [`key-${kid}`, await generateKeyPair("RS256")];
    },
    visit: (url) => visitUpstream(outbound, url),
    close: () => server.close(),
  };
}
