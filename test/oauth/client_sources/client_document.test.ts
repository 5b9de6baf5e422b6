import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { mcpClients } from "../../../src/cli/doctor/mcp_clients.ts";
import {
  type ClientDocument,
  documentMethods,
  readClientDocument,
  securityHash,
} from "../../../src/oauth/client_metadata/client_document.ts";
import { cacheLifetime } from "../../../src/oauth/client_metadata/client_documents.ts";
import { hostOfIdentifier, identifierError } from "../../../src/oauth/client_metadata/client_identifier.ts";
import { documentErrorText, mostDocumentBytes } from "../../../src/oauth/client_metadata/document_errors.ts";
import { repeatedMember } from "../../../src/oauth/client_metadata/members.ts";
import type { JsonObject } from "../../../src/records/definition/field.ts";
import { start } from "../../support/builders.ts";
import { listed } from "../../support/listed.ts";
import { withoutConversions } from "../../support/without_conversions.ts";
import { aPair } from "../machine.ts";
import { jwkOf } from "../signing_client.ts";

const client_id = "https://client.example/oauth/client.json";

const usual = {
  client_id,
  client_name: "Client",
  redirect_uris: ["https://client.example/cb"],
  token_endpoint_auth_method: "none",
};

interface Answer {
  readonly status?: number;
  readonly type?: string | undefined;
  readonly body?: string | Buffer;
}

function read({ status = 200, type = "application/json", body = JSON.stringify(usual) }: Answer) {
  const headers = { "content-type": type };
  return readClientDocument({ status, headers, body: Buffer.from(body) }, client_id, documentMethods);
}

const readMembers = (members: object) => read({ body: JSON.stringify({ ...usual, ...members }) });

function fit(found: ReturnType<typeof read>): ClientDocument {
  if ("error" in found) throw new Error(documentErrorText(found.error));
  return found;
}

const errorOf = (found: ReturnType<typeof read>) =>
  "error" in found ? [found.error.code, found.error.member].filter(Boolean).join(" ") : "none";

describe("a client_id that is the URL of a client document", () => {
  test("PR-16: the client_id is an https URL with a host and a path, and may have a port and a query", () => {
    for (const fits of [
      ...listed`
      https://client.example:8443/a https://client.example:443/a https://client.example//
      https://xn--bcher-kva.example/a https://client.example/a?b=c&d=%2F
    `,
      client_id,
      `https://client.example/${"a".repeat(2023)}`,
    ]) {
      assert.equal(identifierError(fits), undefined, fits);
    }
    assert.equal(hostOfIdentifier("https://client.example:443/a?b"), "client.example:443");
  });

  const unfit: Readonly<Record<string, readonly string[]>> = {
    not_https_url: listed`
      http://client.example/a client urn:a:b HTTPS://client.example/a https:// https:/// https://.../a
      https://a..b/c
    `,
    fragment: [`${client_id}#`, `${client_id}#a`],
    user_information: [
      "https://a@client.example/b",
      "https://a:b@client.example/c",
      "https://@client.example/c",
    ],
    no_path: ["https://client.example/", "https://client.example/?a=b", "https://client.example:443/"],
    not_normal: [
      "https://client.example",
      "https://client.example/a/../b",
      "https://client.example/a/./b",
      "https://client.example/a/%2e%2E/b",
      "https://client.example/a/.",
      "https://client.example\\a",
      "https://client.example/a\tb",
      "https://client.example/a b",
      "https://CLIENT.example/a",
      "https://bücher.example/a",
      "https://0x7f.1/a",
      "https://client.example:0443/a",
      "https://client.example:/a",
    ],
    too_long: [`https://client.example/${"a".repeat(2026)}`],
  };
  for (const [error, identifiers] of Object.entries(unfit))
    test(`PR-16: an invalid URL as client_id is refused with ${error}`, () => {
      for (const identifier of identifiers) assert.equal(identifierError(identifier), error, identifier);
    });

  test("PR-16: two spellings of one URL are different clients", () => {
    const found = readClientDocument(
      {
        status: 200,
        headers: { "content-type": "application/json" },
        body: Buffer.from(JSON.stringify({ ...usual, client_id: "https://client.example/a" })),
      },
      "https://client.example:443/a",
      documentMethods,
    );
    assert.equal(errorOf(found), "client_id_differs client_id");
  });
});

describe("the content of a client document", () => {
  test("PR-17: a client document is read, and unknown fields are ignored", () => {
    const unknown = { scope: "admin", software_id: 7, first_party: true };
    const { token_endpoint_auth_method: _, ...without } = usual;
    for (const document of [{ ...usual, ...unknown, client_name: " Client " }, without])
      assert.deepEqual(fit(read({ body: JSON.stringify(document) })), {
        name: "Client",
        redirect_uris: ["https://client.example/cb"],
        allowed_grants: ["auth_code"],
        token_endpoint_auth_method: "none",
        jwks: null,
        jwks_uri: null,
        token_endpoint_auth_signing_alg: null,
        dpop_bound_access_tokens: false,
      });
  });

  const [pair, other] = [aPair("ES256"), aPair("RS256")];
  const jwk = jwkOf(pair, { kid: "a" });
  const secret = { ...jwk, ...(pair.privateKey.export({ format: "jwk" }) as JsonObject) };
  const signing = { token_endpoint_auth_method: "private_key_jwt" };
  const jwks_uri = "https://client.example/keys";
  const bad = [
    ...listed`javascript:alert(1) http://client.example/cb https://client.example/#a https://*.example/`,
  ];

  /** Members in addition to the usual, and the message about them. */
  const unfitMembers: readonly (readonly [error: string, ...members: object[]])[] = [
    [
      "client_id_differs client_id",
      ...[undefined, null, [client_id], `${client_id}/`, `${client_id}?`, client_id.toUpperCase()].map(
        (named) => ({ client_id: named }),
      ),
    ],
    [
      "method token_endpoint_auth_method",
      ...["", ...listed`client_secret_basic client_secret_post client_secret_jwt tls_client_auth`].map(
        (token_endpoint_auth_method) => ({ token_endpoint_auth_method }),
      ),
    ],
    ["not_string token_endpoint_auth_method", { token_endpoint_auth_method: ["none"] }],
    ...["client_secret", "client_secret_expires_at", "client_secret_hash"].map(
      (name) => [`secret ${name}`, { [name]: null }] as const,
    ),
    ["no_keys jwks", signing, { ...signing, jwks: { keys: [] } }],
    [
      "not_key_set jwks",
      { ...signing, jwks: "keys" },
      { ...signing, jwks: { keys: [jwk, jwkOf(other, { kid: "a" })] } },
    ],
    ["two_key_sets jwks_uri", { ...signing, jwks: { keys: [jwk] }, jwks_uri }],
    [
      "not_https_url jwks_uri",
      ...listed`http://client.example/keys https://a@client.example/ keys`.map((address) => ({
        ...signing,
        jwks_uri: address,
      })),
    ],
    ["not_string jwks_uri", { ...signing, jwks_uri: 7 }],
    [
      "private_key jwks",
      { jwks: { keys: [secret] } },
      { ...signing, jwks: { keys: [secret] } },
      { ...signing, jwks: { keys: [jwk, { kty: "oct", k: "AAAA" }] } },
    ],
    [
      "algorithm token_endpoint_auth_signing_alg",
      ...["none", "HS256", "es256", ""].map((named) => ({
        ...signing,
        jwks_uri,
        token_endpoint_auth_signing_alg: named,
      })),
    ],
    [
      "not_string token_endpoint_auth_signing_alg",
      { ...signing, jwks_uri, token_endpoint_auth_signing_alg: 7 },
      { ...signing, jwks_uri, token_endpoint_auth_signing_alg: ["ES256"] },
    ],
    ["no_redirect_uri redirect_uris", { redirect_uris: bad }, { redirect_uris: [] }],
    [
      "not_strings redirect_uris",
      ...[undefined, null, "https://client.example/cb", [7]].map((redirect_uris) => ({ redirect_uris })),
    ],
    ["no_code grant_types", { grant_types: ["client_credentials"] }],
    ["not_strings grant_types", { grant_types: "authorization_code" }],
    ["no_code response_types", { response_types: ["token"] }],
  ];
  for (const [error, ...members] of unfitMembers)
    test(`PR-17: a document with invalid fields is refused with ${error}`, () => {
      for (const each of members) assert.equal(errorOf(readMembers(each)), error, JSON.stringify(each));
    });

  test("H-1, PR-17: no field of a document or its keys causes an exception", () => {
    for (const value of withoutConversions) {
      for (const name of [...Object.keys(usual), ...Object.keys(signing), "grant_types", "response_types"])
        assert.notEqual(errorOf(readMembers({ [name]: value })), "none", name);
      for (const name of ["jwks", "jwks_uri", "token_endpoint_auth_signing_alg"])
        assert.notEqual(errorOf(readMembers({ ...signing, jwks_uri, [name]: value })), "none", name);
      for (const name of Object.keys(jwk)) {
        const found = readMembers({ ...signing, jwks: { keys: [{ ...jwk, [name]: value }] } });
        assert.notEqual(errorOf(found), "none", `jwks ${name}`);
      }
    }
  });

  test("PR-17: a document keeps its usable keys and redirect URIs, and a readable name", () => {
    const keys = [jwk, { kty: "XYZ" }, jwkOf(other, { use: "enc" })];
    assert.deepEqual(fit(readMembers({ ...signing, jwks: { keys } })).jwks, { keys: [jwk] });
    const good = [
      ...listed`https://client.example/cb http://localhost/cb cursor://anysphere.cursor-mcp/oauth/callback`,
    ];
    const redirect_uris = [...bad, ...good, ...good];
    assert.deepEqual(fit(readMembers({ redirect_uris })).redirect_uris, good);
    for (const client_name of ["a\u202Eb", "a\nb", "a\u200Bb", "x".repeat(256)])
      assert.equal(fit(readMembers({ client_name })).name, "client.example");
  });

  test("PR-17: a document without a client_name is refused with an error of its own", () => {
    for (const client_name of [undefined, null, "", "  ", 7, ["Client"]])
      assert.equal(errorOf(readMembers({ client_name })), "no_name client_name", String(client_name));
  });

  test("PR-17: only a response with status 200 is a document, and no redirect is followed", () => {
    for (const status of [201, 203, 204, 206, 301, 302, 304, 307, 401, 404, 410, 500, 503]) {
      assert.equal(errorOf(read({ status })), "status", String(status));
    }
  });

  test("PR-17: the content type of a document is JSON or ends in +json", () => {
    for (const type of [
      "application/json; charset=utf-8",
      "Application/JSON",
      "application/ld+json",
      "application/a.b+json;x=y",
    ])
      assert.equal(errorOf(read({ type })), "none", type);
    for (const type of [
      ...listed`text/html text/json application/jsonp application/x-json application/+json`,
      "x application/json",
    ])
      assert.equal(errorOf(read({ type })), "content_type", type);
    assert.equal(
      errorOf(
        readClientDocument({ status: 200, headers: {}, body: Buffer.from("{}") }, client_id, documentMethods),
      ),
      "content_type",
    );
  });

  test("PR-17: a document is a JSON object in UTF-8 of at most 5 kB", () => {
    const padded = (bytes: number) => JSON.stringify(usual).padEnd(bytes, " ");
    assert.equal(errorOf(read({ body: padded(mostDocumentBytes) })), "none");
    assert.equal(errorOf(read({ body: padded(mostDocumentBytes + 1) })), "too_large");
    for (const body of ["", "<html>", "{", `\uFEFF${JSON.stringify(usual)}`, Buffer.from([0x22, 0xff, 0x22])])
      assert.equal(errorOf(read({ body })), "not_json");
    for (const body of ["null", "[]", '"text"', "7"]) assert.equal(errorOf(read({ body })), "not_object");
    for (const odd of ["\0", "\uD800", [[[[[[[[]]]]]]]]])
      assert.equal(errorOf(readMembers({ odd })), "not_storable");
  });

  test("PR-17: if a document lists several authentication methods, the server chooses one that it supports", () => {
    const body = Buffer.from(
      JSON.stringify({
        ...usual,
        token_endpoint_auth_method: "private_key_jwt",
        token_endpoint_auth_methods_supported: ["none", "private_key_jwt", "client_secret_post"],
        jwks_uri: "https://client.example/keys",
      }),
    );
    const answer = { status: 200, headers: { "content-type": "application/json" }, body };
    assert.equal(
      fit(readClientDocument(answer, client_id, documentMethods)).token_endpoint_auth_method,
      "private_key_jwt",
    );
    const without = fit(readClientDocument(answer, client_id, ["none"]));
    assert.deepEqual([without.token_endpoint_auth_method, without.jwks_uri], ["none", null]);
    const strict = { ...answer, body: Buffer.from(String(body).replace('"none",', "")) };
    assert.equal(
      errorOf(readClientDocument(strict, client_id, ["none"])),
      "method_not_offered token_endpoint_auth_method",
    );
  });

  test("PR-17: a repeated field is refused, at any depth and in any spelling", () => {
    const text = JSON.stringify(usual);
    const twice = [
      text.replace("{", '{"client_id":"https://evil.example/",'),
      text.replace("{", '{"redirect_\\u0075ris":["https://evil.example/"],'),
      text.replace("}", ',"jwks":{"keys":[{"kty":"EC","kty":"RSA"}]}}'),
      text.replace("{", '{"__proto__":{},"__proto__":{},'),
    ];
    for (const body of twice) assert.match(errorOf(read({ body })), /^repeated_member /, body);
    assert.equal(repeatedMember('{"a":{"a":["a",":","a",{"a":1}]},"b":"\\"a\\":","c":"{"}'), undefined);
  });

  test("PR-17: the check for repeated fields finds each repetition, and none in any other JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => assert.equal(repeatedMember(JSON.stringify(value)), undefined)),
    );
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (name, value) => {
        const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
        assert.equal(repeatedMember(`[{"":{${member},"\\u0000 other":1,${member}}}]`), name);
      }),
    );
  });

  for (const { name, document: published } of mcpClients) {
    if (published === undefined) continue;
    const { says: document } = published;
    test(`PR-17: the document that ${name} publishes is accepted`, () => {
      const answer = {
        status: 200,
        headers: { "content-type": "application/json" },
        body: Buffer.from(JSON.stringify(document)),
      };
      assert.equal(identifierError(document.client_id), undefined);
      const found = fit(readClientDocument(answer, document.client_id, documentMethods));
      assert.deepEqual(found.redirect_uris, document.redirect_uris);
      assert.equal(found.name, document.client_name);
      assert.equal(found.token_endpoint_auth_method, document.token_endpoint_auth_method);
      assert.deepEqual(found.allowed_grants, ["auth_code", "refresh"]);
    });
  }

  test("PR-20: the hash of a document covers name, redirect URIs, keys and method in any order, and nothing else", () => {
    const keyed = { ...signing, jwks: { keys: [jwk] } };
    const two = ["https://client.example/cb", "https://client.example/other"];
    const hash = (members: object) =>
      securityHash(fit(readMembers({ redirect_uris: two, ...keyed, ...members })));
    const before = hash({});
    const reordered = Object.fromEntries(Object.entries(jwk).toReversed());
    for (const same of [
      { redirect_uris: two.toReversed() },
      { logo_uri: "https://client.example/logo.png" },
      { jwks: { keys: [reordered] } },
      { grant_types: ["authorization_code", "refresh_token"] },
    ])
      assert.equal(hash(same), before);
    const others = [
      { redirect_uris: two.slice(1) },
      { client_name: "Other" },
      { jwks: { keys: [jwkOf(aPair("ES256"), { kid: "a" })] } },
      { jwks: undefined, jwks_uri: "https://client.example/keys" },
      { token_endpoint_auth_method: "none" },
    ].map(hash);
    assert.equal(new Set([before, ...others]).size, 6);
  });
});

describe("how long a client document is cached", () => {
  const lifetime = (headers: Record<string, string>) => cacheLifetime(headers, start);
  const cases: readonly [seconds: number, headers: Record<string, string>][] = [
    [3600, {}],
    [300, { "cache-control": "max-age=0" }],
    [300, { "cache-control": "no-store" }],
    [300, { "cache-control": "public, No-Cache, max-age=7200" }],
    [7200, { "cache-control": "public, max-age=7200" }],
    [7000, { "cache-control": "max-age=7200", age: "200" }],
    [600, { "cache-control": "max-age=7200, s-maxage=600" }],
    [86_400, { "cache-control": "max-age=31536000, immutable" }],
    [300, { "cache-control": "max-age=7200", age: "7200" }],
    [3600, { "cache-control": "x-max-age=7200" }],
    [7200, { expires: new Date(start.getTime() + 7_200_000).toUTCString() }],
    [1800, { date: "Sun, 22 Nov 2026 10:00:00 GMT", expires: "Sun, 22 Nov 2026 10:30:00 GMT" }],
    [300, { expires: "0" }],
    [600, { "cache-control": "max-age=600", expires: "0" }],
  ];
  for (const [seconds, headers] of cases)
    test(`PR-19: ${JSON.stringify(headers)} permits a cache of ${seconds} seconds`, () => {
      assert.equal(lifetime(headers), seconds);
    });
});
