/** The official tools of the Model Context Protocol before a server as an operator runs it. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type McpStage, mcpStage } from "./mcp/mcp_stage.ts";

describe("the official tools of the Model Context Protocol", () => {
  let stage: McpStage;
  before(async () => {
    stage = await mcpStage();
  });
  after(() => stage.close());

  test("PR-1: both documents say what clients look for, and that they may come unregistered", async () => {
    const { served } = stage;
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
});
