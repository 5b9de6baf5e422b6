/** Client metadata means the same in a registration and in a document (RFC 7591 2). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { OAuthError } from "../../src/errors.ts";
import { documentMethods, readClientDocument } from "../../src/oauth/client_metadata/client_document.ts";
import { readRegistration } from "../../src/oauth/registration/read_registration.ts";
import type { JsonObject } from "../../src/records/definition/field.ts";
import { aPair } from "./machine.ts";
import { jwkOf } from "./signing_client.ts";

type Metadata = Readonly<Record<string, unknown>>;

const client_id = "https://client.example/oauth/client.json";
const pair = aPair("ES256");
const jwk = jwkOf(pair, { kid: "a" });
const privateJwk = { ...jwk, ...(pair.privateKey.export({ format: "jwk" }) as JsonObject) };
const jwks_uri = "https://client.example/keys";

/**
 * The fields that a registration and a document both set. The authentication method is not listed, because
 * its default differs.
 */
const common = [
  "name",
  "redirect_uris",
  "allowed_grants",
  "jwks",
  "jwks_uri",
  "token_endpoint_auth_signing_alg",
  "dpop_bound_access_tokens",
] as const;

const usual = {
  client_name: "A client",
  redirect_uris: ["https://client.example/cb"],
  token_endpoint_auth_method: "none",
};

const plain = {
  name: "A client",
  redirect_uris: usual.redirect_uris,
  allowed_grants: ["auth_code"],
  jwks: null,
  jwks_uri: null,
  token_endpoint_auth_signing_alg: null,
  dpop_bound_access_tokens: false,
};

const signing = { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [jwk] } };

/** The resulting metadata of the client, or the name of the refused member. */
type Verdict = Metadata | string;

function registered(members: Metadata): Verdict {
  try {
    const read = readRegistration(members, { methods: documentMethods, scopes: [] });
    return Object.fromEntries(common.map((name) => [name, read[name]]));
  } catch (error) {
    if (error instanceof OAuthError) return /^\w+/.exec(error.message)?.[0] ?? "";
    throw error;
  }
}

function documented(members: Metadata): Verdict {
  const body = Buffer.from(JSON.stringify({ ...members, client_id }));
  const headers = { "content-type": "application/json" };
  const read = readClientDocument({ status: 200, headers, body }, client_id, documentMethods);
  if ("error" in read) return read.error.member ?? "";
  return Object.fromEntries(common.map((name) => [name, read[name]]));
}

/**
 * Each case adds metadata to a plain client. The verdict is the resulting difference from the plain client,
 * or the name of the refused member.
 */
const cases: readonly (readonly [what: string, members: Metadata, verdict: Verdict])[] = [
  ["nothing more", {}, {}],
  ["members that mean nothing here", { whatever: [1], first_party: true }, {}],
  [
    "null for what is left out",
    {
      client_uri: null,
      grant_types: null,
      response_types: null,
      jwks: null,
      jwks_uri: null,
      token_endpoint_auth_signing_alg: null,
      dpop_bound_access_tokens: null,
    },
    {},
  ],
  ["a name in spaces", { client_name: "  A client " }, {}],
  ["a name that people cannot read", { client_name: "a\u202Eb" }, { name: "client.example" }],
  ["a name that is null", { client_name: null }, { name: "client.example" }],
  ["a name that is no text", { client_name: 7 }, "client_name"],
  [
    "redirect URIs of which some can be used",
    { redirect_uris: ["javascript:alert(1)", "https://a.example/", "https://a.example/"] },
    { redirect_uris: ["https://a.example/"] },
  ],
  ["redirect URIs that cannot be used", { redirect_uris: ["data:x"] }, "redirect_uris"],
  ["redirect URIs that are no list", { redirect_uris: "https://a.example/" }, "redirect_uris"],
  ["no redirect URIs", { redirect_uris: null }, "redirect_uris"],
  [
    "a refresh token",
    { grant_types: ["authorization_code", "refresh_token", "urn:x"] },
    {
      allowed_grants: ["auth_code", "refresh"],
    },
  ],
  ["grants of machines", { grant_types: ["client_credentials"] }, "grant_types"],
  ["grants that are no list", { grant_types: "authorization_code" }, "grant_types"],
  ["an answer without code", { response_types: ["token"] }, "response_types"],
  ["answers that are no texts", { response_types: [7] }, "response_types"],
  ["a method that is no text", { token_endpoint_auth_method: ["none"] }, "token_endpoint_auth_method"],
  ["a method that nobody knows", { token_endpoint_auth_method: "x" }, "token_endpoint_auth_method"],
  ["keys of a client that signs nothing", { jwks: { keys: [jwk] }, jwks_uri }, {}],
  ["a private key of a client that signs nothing", { jwks: { keys: [privateJwk] } }, "jwks"],
  ["keys", signing, { jwks: signing.jwks }],
  ["keys beside a null", { ...signing, jwks_uri: null }, { jwks: signing.jwks }],
  [
    "keys of which one verifies nothing",
    { ...signing, jwks: { keys: [jwk, { kty: "XYZ" }] } },
    {
      jwks: signing.jwks,
    },
  ],
  ["an address of keys", { ...signing, jwks: null, jwks_uri }, { jwks_uri }],
  ["an address of keys beside keys", { ...signing, jwks_uri }, "jwks_uri"],
  [
    "an address of keys that is no https URL",
    { ...signing, jwks: null, jwks_uri: "http://a.example/" },
    "jwks_uri",
  ],
  ["an address of keys that is no text", { ...signing, jwks: null, jwks_uri: 7 }, "jwks_uri"],
  ["such an address of a client that signs nothing", { jwks_uri: [jwks_uri] }, "jwks_uri"],
  ["no keys of a client that signs", { ...signing, jwks: null }, "jwks"],
  ["an empty set of keys", { ...signing, jwks: { keys: [] } }, "jwks"],
  ["keys that are no set", { ...signing, jwks: "keys" }, "jwks"],
  ["a private key", { ...signing, jwks: { keys: [privateJwk] } }, "jwks"],
  [
    "an algorithm",
    { ...signing, token_endpoint_auth_signing_alg: "ES256" },
    {
      jwks: signing.jwks,
      token_endpoint_auth_signing_alg: "ES256",
    },
  ],
  ["an algorithm of a client that signs nothing", { token_endpoint_auth_signing_alg: "HS256" }, {}],
  [
    "an algorithm that verifies nothing here",
    { ...signing, token_endpoint_auth_signing_alg: "HS256" },
    "token_endpoint_auth_signing_alg",
  ],
  ["an algorithm that is no text", { token_endpoint_auth_signing_alg: 7 }, "token_endpoint_auth_signing_alg"],
  ["tokens bound to a key", { dpop_bound_access_tokens: true }, { dpop_bound_access_tokens: true }],
  ["a flag that is a text", { dpop_bound_access_tokens: "true" }, "dpop_bound_access_tokens"],
];

describe("client metadata in a registration and in a client document", () => {
  for (const [what, members, verdict] of cases)
    test(`PR-17, PR-24: ${what} is treated the same in a registration and in a client document`, () => {
      const expected = typeof verdict === "string" ? verdict : { ...plain, ...verdict };
      const metadata = { ...usual, ...members };
      assert.deepEqual(registered(metadata), expected, "registration");
      // A document must have a name (the Model Context Protocol).
      const isNamed = typeof metadata.client_name === "string";
      assert.deepEqual(documented(metadata), isNamed ? expected : "client_name", "document");
    });
});
