/**
 * `npm run interop:python`: clients in Python, whose implementations share no code with the JavaScript
 * libraries.
 */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { signingAlgorithms } from "../../../src/records/names/names.ts";
import { type McpScenario, mcpScenario } from "../../../test/interop/mcp/mcp_scenario.ts";
import { ada, manifest, redirect_uri } from "../../../test/interop/registrations.ts";
import { servedProcess } from "../../../test/support/process.ts";
import { runPythonClient } from "./python_client.ts";
import { pythonWithPackages } from "./python_environment.ts";

describe("clients in Python", () => {
  let python: string;
  before(async () => {
    python = await pythonWithPackages();
  });

  describe("the MCP SDK", () => {
    let scenario: McpScenario;
    before(async () => {
      scenario = await mcpScenario();
    });
    after(() => scenario.close());

    for (const way of ["registered before", "by its document", "by registration"] as const)
      test(`signs in ${way}, and refreshes`, async () => {
        const { resource, redirect_uri, identities } = scenario;
        const input = { server: resource, redirect_uri, ...identities[way] };
        const [first = "", second, ...rest] = await runPythonClient(python, "mcp_client.py", input, ada);
        assert.match(first, / by \S+ with tools:read offline_access$/);
        assert.equal(second, first);
        assert.deepEqual(rest, ["refreshed"]);
      });
  });

  describe("Authlib", () => {
    const scope = "openid email offline_access";
    const secret = "the secret of an app that names an algorithm";
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const usual = { owner: ada.email, redirect_uris: [redirect_uri], allowed_scopes: scope.split(" ") };
    const apps = [
      {
        ...usual,
        client_id: "signer",
        name: "Signer",
        id_token_signed_response_alg: "ES256",
        token_endpoint_auth_method: "private_key_jwt",
        jwks: { keys: [publicKey.export({ format: "jwk" })] },
        require_pushed_authorization_requests: true,
        dpop_bound_access_tokens: true,
      },
      ...signingAlgorithms.map((id_token_signed_response_alg) => ({
        ...usual,
        client_id: id_token_signed_response_alg,
        name: id_token_signed_response_alg,
        id_token_signed_response_alg,
        secrets: [secret],
      })),
    ];

    for (const policy of ["clock", "always"])
      test(`pushes, signs, binds and verifies, with the nonce policy ${policy}`, async () => {
        const environment = {
          POSTERN_EXTRA_FEATURES: "par,dpop",
          POSTERN_EXTRA_CLIENT_AUTH: "private_key_jwt",
          POSTERN_DPOP_NONCE: policy,
        };
        const served = await servedProcess({ manifest: { ...manifest, apps }, environment });
        const jwk = privateKey.export({ format: "jwk" });
        const input = {
          issuer: served.url,
          redirect_uri,
          scope,
          secret,
          signer: { client_id: "signer", jwk },
          algorithms: signingAlgorithms,
        };
        const written = await runPythonClient(python, "authlib_client.py", input, ada);
        await served.stop();
        assert.deepEqual(written, [
          `bound, nonces asked for: ${policy === "always" ? 1 : 0}`,
          ...signingAlgorithms.map((algorithm) => `verified ${algorithm}`),
        ]);
      });
  });
});
