/**
 * OpenID providers that each make one false claim, and otherwise answer correctly. Each false claim names the
 * kind and the field of the expected error.
 */
import { createHmac } from "node:crypto";
import { exportJWK, generateKeyPair } from "jose";
import type { UpstreamErrorKind } from "../../src/providers/upstream_error.ts";
import { type Hooks, type Json, type UpstreamFake, upstreamFake } from "./upstream_fake.ts";

export interface Lie {
  readonly name: string;
  readonly kind: UpstreamErrorKind;
  /** The expected `field` of the error. */
  readonly field: string;
  readonly hooks: Hooks;
  /** Milliseconds that the provider client waits, if the fault is silence. */
  readonly timeout?: number;
  /** Set if the error must be found before the code is sent to the token endpoint. */
  readonly before_token?: true;
  /** Set if other clients accept this, because the protocol requires less. */
  readonly taken_elsewhere?: true;
}

const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Returns an id_token with these claims that no key pair signed. */
function unsigned(claims: Json, alg: string, secret?: string): string {
  const input = `${part({ alg, kid: "key-1" })}.${part(claims)}`;
  const mac = secret === undefined ? "" : createHmac("sha256", secret).update(input).digest("base64url");
  return `${input}.${mac}`;
}

/** Changes the first character of the signature, in which every bit counts. */
function spoiled(signed: string): string {
  const [header, claims, signature = ""] = signed.split(".");
  const first = signature.startsWith("A") ? "B" : "A";
  return `${header}.${claims}.${first}${signature.slice(1)}`;
}

const claims = (change: (claims: Json) => Json): Hooks => ({ claims: change });
const seconds = ({ iat }: Json) => Number(iat);

/** Replaces the answer of one path. */
const at = (path: string, answer: NonNullable<Hooks["answer"]>): Hooks => ({
  answer: (requested, ...rest) => requested.endsWith(path) && answer(requested, ...rest),
});

/** Returns the false claims, in the order in which a sign-in could meet them. */
export async function allMisbehaviours(client_secret: string): Promise<readonly Lie[]> {
  const strange = await exportJWK((await generateKeyPair("RS256")).publicKey);
  const before_token = true;
  const json = { "content-type": "application/json" };
  return [
    {
      name: "its document names another issuer",
      kind: "metadata_issuer",
      field: "issuer",
      hooks: { discovery: (document) => ({ ...document, issuer: "https://evil.example" }) },
      before_token,
    },
    {
      name: "its document names its issuer with a slash behind it",
      kind: "metadata_issuer",
      field: "issuer",
      hooks: { discovery: (document) => ({ ...document, issuer: `${document.issuer}/` }) },
      before_token,
    },
    {
      name: "its document has a script for a page",
      kind: "metadata_member",
      field: "metadata",
      hooks: { discovery: (document) => ({ ...document, authorization_endpoint: "javascript:alert(1)" }) },
      before_token,
    },
    {
      name: "the response is of another issuer",
      kind: "response_iss",
      field: "iss",
      hooks: { response: (parameters) => ({ ...parameters, iss: "https://evil.example" }) },
      before_token,
    },
    {
      name: "the response lacks the issuer that was promised",
      kind: "response_iss_missing",
      field: "iss",
      hooks: { response: ({ iss: _, ...parameters }) => parameters },
      before_token,
    },
    {
      name: "the response has another state",
      kind: "state",
      field: "state",
      hooks: { response: (parameters) => ({ ...parameters, state: "another" }) },
      before_token,
    },
    {
      name: "the response has no code",
      kind: "code_missing",
      field: "code",
      hooks: { response: ({ code: _, ...parameters }) => parameters },
      before_token,
    },
    {
      name: "the person cancelled",
      kind: "cancelled",
      field: "error",
      hooks: { response: ({ code: _, ...parameters }) => ({ ...parameters, error: "access_denied" }) },
      before_token,
    },
    {
      name: "the authorization endpoint answers an error",
      kind: "authorization_error",
      field: "error",
      hooks: { response: ({ code: _, ...parameters }) => ({ ...parameters, error: "server_error" }) },
      before_token,
    },
    {
      name: "the token endpoint answers an error with 200",
      kind: "token_error",
      field: "error",
      hooks: { token: () => ({ error: "invalid_grant", error_description: "The code has expired." }) },
    },
    {
      name: "the token endpoint answers an error",
      kind: "token_error",
      field: "error",
      hooks: at("/token", (_path, response) => {
        response.writeHead(400, json).end(JSON.stringify({ error: "invalid_client" }));
        return true;
      }),
    },
    {
      name: "there is no access token",
      kind: "access_token_missing",
      field: "access_token",
      hooks: { token: ({ access_token: _, ...body }) => body },
    },
    {
      name: "the access token is bound to a key of nobody's",
      kind: "token_type",
      field: "token_type",
      hooks: { token: (body) => ({ ...body, token_type: "DPoP" }) },
      taken_elsewhere: true,
    },
    {
      name: "there is no id_token",
      kind: "id_token_missing",
      field: "id_token",
      hooks: { token: ({ id_token: _, ...body }) => body },
    },
    {
      name: "the id_token is no JWT",
      kind: "id_token_malformed",
      field: "id_token",
      hooks: { id_token: () => "not.a.token" },
    },
    {
      name: "the id_token is signed by nobody",
      kind: "alg_none",
      field: "alg",
      hooks: { id_token: (_signed, payload) => unsigned(payload, "none") },
    },
    {
      name: "the id_token is signed by the client secret",
      kind: "alg_symmetric",
      field: "alg",
      hooks: { id_token: (_signed, payload) => unsigned(payload, "HS256", client_secret) },
    },
    {
      name: "the id_token is signed by an algorithm of nowhere",
      kind: "alg",
      field: "alg",
      hooks: { id_token: (_signed, payload) => unsigned(payload, "XS256", client_secret) },
    },
    {
      name: "the id_token is signed by a key that is not published",
      kind: "kid_unknown",
      field: "kid",
      hooks: { header: (header) => ({ ...header, kid: "key-of-nowhere" }) },
    },
    {
      name: "the published key is another one",
      kind: "signature",
      field: "signature",
      hooks: { keys: ([key]) => ({ keys: [{ ...strange, kid: key?.kid ?? "", alg: "RS256", use: "sig" }] }) },
    },
    {
      name: "the signature is spoiled",
      kind: "signature",
      field: "signature",
      hooks: { id_token: spoiled },
    },
    {
      name: "the id_token is of another issuer",
      kind: "iss",
      field: "iss",
      hooks: claims((payload) => ({ ...payload, iss: "https://evil.example" })),
    },
    {
      name: "the id_token is for another client",
      kind: "aud",
      field: "aud",
      hooks: claims((payload) => ({ ...payload, aud: "another-client" })),
    },
    {
      name: "the id_token is for several clients and names none",
      kind: "azp",
      field: "azp",
      hooks: claims((payload) => ({ ...payload, aud: [payload.aud, "another-client"] })),
    },
    {
      name: "the id_token may be used by another client",
      kind: "azp",
      field: "azp",
      hooks: claims((payload) => ({ ...payload, azp: "another-client" })),
      taken_elsewhere: true,
    },
    {
      name: "the id_token has expired",
      kind: "exp",
      field: "exp",
      hooks: claims((payload) => ({ ...payload, exp: seconds(payload) - 60 })),
    },
    {
      name: "the id_token never expires",
      kind: "exp",
      field: "exp",
      hooks: claims(({ exp: _, ...payload }) => payload),
    },
    {
      name: "the id_token was issued in the future",
      kind: "iat",
      field: "iat",
      hooks: claims((payload) => ({ ...payload, iat: seconds(payload) + 61 })),
      taken_elsewhere: true,
    },
    {
      name: "the id_token was never issued",
      kind: "iat",
      field: "iat",
      hooks: claims(({ iat: _, ...payload }) => payload),
    },
    {
      name: "the id_token is not valid yet",
      kind: "nbf",
      field: "nbf",
      hooks: claims((payload) => ({ ...payload, nbf: seconds(payload) + 61 })),
    },
    {
      name: "the nonce is of another sign-in",
      kind: "nonce",
      field: "nonce",
      hooks: claims((payload) => ({ ...payload, nonce: "another" })),
    },
    {
      name: "the nonce is missing",
      kind: "nonce",
      field: "nonce",
      hooks: claims(({ nonce: _, ...payload }) => payload),
    },
    {
      name: "the access token is another one",
      kind: "at_hash",
      field: "at_hash",
      hooks: { token: (body) => ({ ...body, access_token: "access-of-another" }) },
      taken_elsewhere: true,
    },
    {
      name: "the code is another one",
      kind: "c_hash",
      field: "c_hash",
      hooks: claims((payload) => ({ ...payload, c_hash: "AAAAAAAAAAAAAAAAAAAAAA" })),
      taken_elsewhere: true,
    },
    {
      name: "the id_token is of nobody",
      kind: "sub_missing",
      field: "sub",
      hooks: claims(({ sub: _, ...payload }) => payload),
    },
    {
      name: "userinfo is of another person",
      kind: "userinfo_sub",
      field: "sub at userinfo",
      hooks: { userinfo: (payload) => ({ ...payload, sub: "eve" }) },
    },
    {
      name: "userinfo is of nobody",
      kind: "userinfo_sub",
      field: "sub at userinfo",
      hooks: { userinfo: ({ sub: _, ...payload }) => payload },
    },
    {
      name: "the token endpoint sends the code elsewhere",
      kind: "redirect",
      field: "location",
      hooks: at("/token", (_path, response) => {
        response.writeHead(307, { location: "https://evil.example/token" }).end();
        return true;
      }),
    },
    {
      name: "the token endpoint answers a page",
      kind: "not_json",
      field: "body",
      hooks: at("/token", (_path, response) => {
        response.writeHead(200, { "content-type": "text/html" }).end("<h1>Maintenance</h1>");
        return true;
      }),
    },
    {
      name: "the token endpoint breaks",
      kind: "status",
      field: "status",
      hooks: at("/token", (_path, response) => {
        response.writeHead(503).end();
        return true;
      }),
    },
    {
      name: "the token endpoint answers without end",
      kind: "too_large",
      field: "body",
      hooks: at("/token", (_path, response) => {
        response.writeHead(200, json).end(" ".repeat(300_000));
        return true;
      }),
    },
    {
      name: "the token endpoint hangs up",
      kind: "unreachable",
      field: "connection",
      hooks: at("/token", (_path, response) => {
        response.destroy();
        return true;
      }),
    },
    {
      name: "the token endpoint is silent",
      kind: "timeout",
      field: "connection",
      hooks: at("/token", () => true),
      timeout: 150,
    },
    {
      name: "the key set is silent",
      kind: "timeout",
      field: "connection",
      hooks: at("/keys", () => true),
      timeout: 150,
    },
    {
      name: "the key set is none",
      kind: "keys",
      field: "jwks_uri",
      hooks: { keys: () => ({ keys: "none" }) },
    },
  ];
}

/** Starts a provider with this false claim. */
export function misbehavingUpstream({ hooks }: Lie, now: () => Date): Promise<UpstreamFake> {
  return upstreamFake("oidc", { now, hooks: { ...hooks } });
}
