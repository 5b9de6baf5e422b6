/** The official tools of the Model Context Protocol against a server process. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { runPostern } from "../support/process.ts";
import { conformanceChecks } from "./mcp/conformance.ts";
import { type McpScenario, mcpScenario } from "./mcp/mcp_scenario.ts";
import { type SdkClient, sdkClient } from "./mcp/sdk_client.ts";
import { ada } from "./registrations.ts";

const ways = ["registered before", "by its document", "by registration"] as const;
type Way = (typeof ways)[number];

describe("the official MCP tools", () => {
  let scenario: McpScenario;
  before(async () => {
    scenario = await mcpScenario();
  });
  after(() => scenario.close());

  test("PR-1: both metadata documents contain what MCP clients need, and announce unregistered clients", async () => {
    const { served } = scenario;
    const texts: string[] = [];
    for (const name of ["oauth-authorization-server", "openid-configuration"]) {
      const answer = await fetch(`${served.url}/.well-known/${name}`);
      assert.equal(answer.status, 200);
      assert.match(String(answer.headers.get("content-type")), /^application\/json/);
      texts.push(await answer.text());
    }
    const [document, same] = texts;
    assert.equal(document, same);
    const metadata = JSON.parse(document ?? "");
    assert.equal(metadata.issuer, served.url);
    assert.ok(metadata.code_challenge_methods_supported.includes("S256"));
    assert.ok(metadata.token_endpoint_auth_methods_supported.includes("none"));
    assert.ok(metadata.scopes_supported.includes("offline_access"));
    assert.equal(metadata.authorization_response_iss_parameter_supported, true);
    assert.equal(metadata.client_id_metadata_document_supported, true);
    assert.equal(metadata.registration_endpoint, `${served.url}/oauth/register`);
  });

  const identifierOf = async (way: Way): Promise<string> => {
    const { identities, register } = scenario;
    if (way === "by registration") return register();
    return way === "by its document" ? identities[way].document : identities[way].client_id;
  };

  for (const way of ways) {
    test(`PR-31: the conformance suite passes completely, with a client that came ${way}`, async () => {
      const { served, resource, port } = scenario;
      const client_id = await identifierOf(way);
      const requested = { issuer: served.url, resource, port, person: ada, client_id };
      const checks = [...(await conformanceChecks(requested)).values()];
      assert.deepEqual(
        checks.filter(({ status }) => status !== "SUCCESS"),
        [],
      );
      assert.deepEqual(checks.map(({ id }) => id).sort(), [
        "authorization-code-grant",
        "authorization-server-metadata",
        "authorization-server-metadata-cimd",
      ]);
    });
  }

  const clientOf = (way: Way): SdkClient => {
    const { resource, redirect_uri, identities } = scenario;
    return sdkClient(resource, {
      redirect_uri,
      person: ada,
      ...(way === "registered before" && { information: identities[way] }),
      ...(way === "by its document" && identities[way]),
    });
  };

  for (const way of ways) {
    test(`PR-31: the TypeScript SDK signs in ${way}, refreshes, and requests more scopes when required`, async () => {
      const client = clientOf(way);
      const admitted = await client.call("whoami");
      assert.ok(admitted.endsWith(` by ${client.kept.information?.client_id} with tools:read`), admitted);
      assert.equal(client.opened.length, 1);
      const { searchParams } = client.opened[0] ?? new URL("none:");
      assert.equal(searchParams.get("resource"), scenario.resource);
      // As after an hour: the access token has expired.
      const { refresh_token } = client.kept.tokens ?? {};
      assert.equal(typeof refresh_token, "string");
      client.kept.tokens = { access_token: "expired", ...(refresh_token !== undefined && { refresh_token }) };
      assert.match(await client.call("whoami"), / with tools:read$/);
      assert.equal(client.opened.length, 1, "nobody signs in again");
      assert.notEqual(client.kept.tokens.refresh_token, refresh_token);
      // This SDK refreshes if it can, but a refresh gives no further scopes. Without a refresh token it signs
      // in again.
      client.kept.tokens = { access_token: client.kept.tokens.access_token };
      assert.match(await client.call("count"), /^your counter is at \d$/);
      assert.equal(client.opened.length, 2);
      assert.match(await client.call("whoami"), / with tools:read tools:write$/);
    });
  }

  test("PR-15: the TypeScript SDK registers again after its registration was deleted, and signs in", async () => {
    const { served } = scenario;
    const client = clientOf("by registration");
    await client.call("whoami");
    const gone = String(client.kept.information?.client_id);
    const { code, err } = await runPostern(["app", "delete", gone, "--yes"], {
      folder: served.folder,
      environment: served.environment,
    });
    assert.equal(code, 0, err);
    // The MCP server validates tokens locally, so only the refresh shows that the registration was deleted.
    const { refresh_token = "" } = client.kept.tokens ?? {};
    client.kept.tokens = { access_token: "expired", refresh_token };
    assert.match(await client.call("whoami"), / with tools:read$/);
    assert.notEqual(client.kept.information?.client_id, gone);
  });
});
