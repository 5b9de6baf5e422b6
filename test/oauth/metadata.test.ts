import assert from "node:assert/strict";
import { before, test } from "node:test";
import { readConfig } from "../../src/config.ts";
import type { AuthorizationServer } from "../../src/oauth/core/server.ts";
import { discoveryDocument } from "../../src/oauth/discovery_document.ts";
import { extraGrants } from "../../src/records/names/names.ts";
import { testServer } from "../support/authorization_server.ts";
import { describeInForm } from "../support/databases.ts";
import { listed } from "../support/listed.ts";

describeInForm("discovery", (database) => {
  let server: AuthorizationServer;
  before(async () => {
    ({ server } = await testServer(await database.open()));
  });

  test("D-1: the ten fields of the specification come first and have exactly its values", () => {
    const document = discoveryDocument({ ...server, issuer: "https://id.example/tenant" });
    assert.deepEqual(Object.entries(document).slice(0, 10), [
      ["issuer", "https://id.example/tenant"],
      ["authorization_endpoint", "https://id.example/tenant/oauth/authorize"],
      ["token_endpoint", "https://id.example/tenant/oauth/token"],
      ["introspection_endpoint", "https://id.example/tenant/oauth/introspect"],
      ["revocation_endpoint", "https://id.example/tenant/oauth/revoke"],
      ["jwks_uri", "https://id.example/tenant/.well-known/jwks.json"],
      ["response_types_supported", ["code"]],
      ["grant_types_supported", ["authorization_code", "refresh_token", "client_credentials"]],
      ["token_endpoint_auth_methods_supported", ["client_secret_basic", "client_secret_post", "none"]],
      ["code_challenge_methods_supported", ["S256"]],
    ]);
  });

  test("D-1: the issuer equals the configured one byte for byte", () => {
    for (const issuer of ["http://localhost:3000", "https://ID.example", "https://id.example:443"]) {
      assert.equal(discoveryDocument({ ...server, issuer }).issuer, issuer);
    }
  });

  test("design 6.14: every optional feature can be enabled by a setting, and none is on by default", () => {
    const extra = extraGrants;
    const { extra_grants } = readConfig({ POSTERN_EXTRA_GRANTS: extra.join(",") });
    assert.ok(extra.length > 0);
    assert.deepEqual(extra_grants, extra);
    const offered = (settings: typeof server.settings) =>
      discoveryDocument({ ...server, settings }).grant_types_supported as string[];
    const usual = offered(server.settings);
    assert.equal(
      usual.some((name) => extra.includes(name)),
      false,
    );
    assert.deepEqual(offered({ ...server.settings, extra_grants }), [...usual, ...extra]);
  });

  test("D-1: the listed grants are exactly those of the server", () => {
    const grants = server.grants.filter((grant) => grant.grant_type !== "client_credentials");
    const { grant_types_supported } = discoveryDocument({ ...server, grants });
    assert.deepEqual(grant_types_supported, ["authorization_code", "refresh_token"]);
  });

  test("D-7, A-17, A-25, C-7: the fields of OpenID Connect and the RFCs are present and correct", () => {
    const document = discoveryDocument(server);
    const expected = {
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      userinfo_endpoint: "https://id.example/oauth/userinfo",
      end_session_endpoint: "https://id.example/oauth/logout",
      scopes_supported: ["openid", "profile", "email", "offline_access"],
      response_modes_supported: ["query"],
      // The default is true, so the member must be present to say false (Discovery 1.0, 3).
      request_uri_parameter_supported: false,
      request_parameter_supported: false,
      authorization_response_iss_parameter_supported: true,
      introspection_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    };
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(document[name], value, name);
    for (const claim of listed`sub iss aud exp iat auth_time nonce at_hash name email`)
      assert.ok((document.claims_supported as string[]).includes(claim), claim);
    assert.ok((document.revocation_endpoint_auth_methods_supported as string[]).includes("none"));
    assert.deepEqual(JSON.parse(JSON.stringify(document)), document, "JSON without gaps");
  });
});
