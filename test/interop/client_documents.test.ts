/** A client without registration signs a user in at a server process, using only its metadata document. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { SignJWT } from "jose";
import * as client from "openid-client";
import { type McpClient, mcpClients } from "../../src/cli/doctor/mcp_clients.ts";
import { playClients } from "../../src/cli/doctor/probe.ts";
import { assertionType } from "../oauth/signing_client.ts";
import { certificate, type LoopbackServer, loopbackServer } from "../outbound/tls_server.ts";
import { formBrowser, goThrough } from "../support/form_browser.ts";
import { type Environment, type ServedProcess, servedProcess } from "../support/process.ts";
import { temporaryFolder } from "../support/temp.ts";
import { ada, manifest, redirect_uri } from "./registrations.ts";

let served: ServedProcess;
let start: (more?: Environment) => Promise<ServedProcess>;
let host: LoopbackServer;
let client_id: string;
let status = 200;

before(async () => {
  host = await loopbackServer((request, response) => {
    const document = {
      client_id: `https://127.0.0.1:${host.port}${request.url}`,
      client_name: "Tool",
      redirect_uris: [redirect_uri, "http://localhost/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
    };
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(document));
  });
  client_id = `https://127.0.0.1:${host.port}/oauth/client.json?version=1`;
  const authority = join(temporaryFolder(), "authority.pem");
  writeFileSync(authority, certificate);
  const resource = { identifier: "https://api.example/mcp", name: "Tools", who_may_ask: "any" };
  start = (more = {}) =>
    servedProcess({
      manifest: { ...manifest, resources: [resource] },
      environment: {
        POSTERN_PROFILES: "mcp",
        POSTERN_EXTRA_FEATURES: "par",
        POSTERN_OUTBOUND_ALLOW: "127.0.0.1",
        NODE_EXTRA_CA_CERTS: authority,
        ...more,
      },
    });
  served = await start();
});
after(async () => {
  await served.stop();
  await host.close();
});

describe("a client identified by its metadata document", () => {
  test("PR-18: a client signs in with and without a pushed request, and keeps working while its host is down", async () => {
    const config = await client.discovery(new URL(served.url), client_id, undefined, client.None(), {
      execute: [client.allowInsecureRequests],
    });
    const metadata = config.serverMetadata();
    assert.equal(metadata.client_id_metadata_document_supported, true);
    assert.ok(metadata.token_endpoint_auth_methods_supported?.includes("none"));
    type Build = (of: typeof config, parameters: Record<string, string>) => URL | Promise<URL>;
    const ask = async (build: Build) => {
      const pkceCodeVerifier = client.randomPKCECodeVerifier();
      const expectedState = client.randomState();
      const url = await build(config, {
        redirect_uri,
        scope: "openid offline_access",
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
        state: expectedState,
      });
      const callback = await goThrough(formBrowser(), url, ada);
      return client.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier,
        expectedState,
        idTokenExpected: true,
      });
    };
    await ask(client.buildAuthorizationUrlWithPAR);
    const tokens = await ask(client.buildAuthorizationUrl);
    assert.deepEqual(host.seen, ["/oauth/client.json?version=1"]);
    status = 500;
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
    assert.ok(refreshed.access_token);
    const elsewhere = await fetch(
      `${served.url}/oauth/authorize?${new URLSearchParams({ client_id: `https://127.0.0.1:${host.port}/other`, redirect_uri })}`,
      { headers: { accept: "text/html" } },
    );
    assert.deepEqual([elsewhere.status, elsewhere.headers.get("retry-after")], [503, "10"]);
    assert.equal(host.seen.length, 2);
  });

  test("PR-30: postern doctor mcp signs in as a client with a metadata document, and reports an unreachable one", async () => {
    status = 200;
    const [first] = mcpClients;
    assert.ok(first?.document);
    const { redirect_uri: usual, says } = first.document;
    const played = async (path: string, overrides: Partial<NonNullable<McpClient["document"]>> = {}) => {
      const address = `https://127.0.0.1:${host.port}${path}`;
      const document = { redirect_uri: usual, says: { ...says, client_id: address }, ...overrides };
      const findings = await playClients(served.url, [{ ...first, document }], undefined);
      const found = findings.find(({ check }) => check === first.name);
      assert.ok(found);
      return found;
    };
    const { ok, detail, left } = await played("/played.json");
    assert.deepEqual([ok, left], [true, undefined]);
    assert.match(detail, /identifies itself by its document https:.*played\.json/);
    assert.equal(host.seen.at(-1), "/played.json");
    const astray = await played("/played.json", { redirect_uri: "http://localhost:1/elsewhere" });
    assert.equal(astray.ok, false);
    assert.match(astray.detail, /error page \(400\) with the redirect URI .*elsewhere/);
    status = 503;
    const silent = await played("/silent.json");
    assert.equal(silent.ok, false);
    assert.match(silent.detail, /cannot fetch its document https:.*silent\.json/);
  });

  test("FO-4: the server fetches a client's metadata document from a private address only in development", async () => {
    status = 200;
    const open = { POSTERN_REGISTRATION: "open", POSTERN_EXTRA_CLIENT_AUTH: "private_key_jwt" };
    for (const [base_url, requested] of [
      [undefined, ["/reached.json", "/keys"]],
      ["https://id.example", []],
    ] as const) {
      const { url, stop } = await start({ ...open, ...(base_url && { POSTERN_BASE_URL: base_url }) });
      const before = host.seen.length;
      const address = (path: string) => `https://127.0.0.1:${host.port}${path}`;
      await fetch(`${url}/oauth/authorize?client_id=${encodeURIComponent(address("/reached.json"))}`);
      const registration = await fetch(`${url}/oauth/register`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          client_name: "Tool",
          redirect_uris: [redirect_uri],
          token_endpoint_auth_method: "private_key_jwt",
          jwks_uri: address("/keys"),
        }),
      });
      const { client_id: issued } = (await registration.json()) as { client_id: string };
      const assertion = await new SignJWT({ jti: "1" })
        .setProtectedHeader({ alg: "ES256", kid: "1" })
        .setIssuer(issued)
        .setSubject(issued)
        .setAudience(base_url ?? url)
        .setExpirationTime("1m")
        .sign(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey);
      const form = { grant_type: "refresh_token", refresh_token: "x" };
      const proof = { client_assertion_type: assertionType, client_assertion: assertion };
      const body = new URLSearchParams({ ...form, ...proof });
      const answer = await fetch(`${url}/oauth/token`, { method: "POST", body });
      assert.equal(answer.status, 401);
      assert.deepEqual(host.seen.slice(before), requested);
      await stop();
    }
  });
});
