/**
 * Service accounts as a client library sees them: the server runs as a process, and the library is
 * independent.
 */
import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { SignJWT } from "jose";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { keyAlgorithms } from "../../src/records/names/names.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { ada, orders } from "./registrations.ts";

const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const deployer = { client_id: "deployer", secret: "the deployer's own secret, long enough" };

const curves: Record<string, string> = { ES256: "P-256", ES384: "P-384", ES512: "P-521" };
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pairs = new Map(
  keyAlgorithms.map((algorithm) => {
    const namedCurve = curves[algorithm];
    return [algorithm, namedCurve === undefined ? rsa : generateKeyPairSync("ec", { namedCurve })] as const;
  }),
);

const account = {
  email: "ci@acme.example",
  name: "CI",
  organization: "acme",
  created_by: ada.email,
  allowed_scopes: ["orders:read", "orders:write"],
  key_pairs: [...pairs].map(([algorithm, { publicKey }]) => ({
    key_id: algorithm,
    algorithm,
    public_key_pem: publicKey.export({ type: "spki", format: "pem" }).toString(),
  })),
};

const manifest = {
  organizations: [{ slug: "acme", name: "Acme" }],
  users: [ada],
  apps: [
    {
      owner: ada.email,
      client_id: deployer.client_id,
      name: "Deployer",
      app_type: "machine",
      allowed_scopes: ["orders:read"],
      allowed_grants: [jwtBearer],
      secrets: [deployer.secret],
    },
    {
      owner: ada.email,
      client_id: orders.client_id,
      name: "Orders API",
      app_type: "service",
      allowed_scopes: ["token:introspect"],
      allowed_grants: ["client_credentials"],
      secrets: [orders.secret],
    },
  ],
  service_accounts: [account],
};

const switchedOn = { POSTERN_EXTRA_GRANTS: jwtBearer };

/** The server allows plain http on loopback only, and the library requires an explicit option for it. */
const http = { [oauth.allowInsecureRequests]: true };

async function discovered(url: string): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(url);
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, http));
}

function assertion(aud: string, algorithm: string, key?: KeyObject): Promise<string> {
  const by = key ?? pairs.get(algorithm as "RS256")?.privateKey;
  assert.ok(by !== undefined);
  return new SignJWT({ jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: algorithm, kid: algorithm })
    .setIssuer(account.email)
    .setSubject(account.email)
    .setAudience(aud)
    .setIssuedAt()
    .setExpirationTime("60s")
    .sign(by);
}

describe("a service account", () => {
  let served: ServedProcess;
  before(async () => {
    served = await servedProcess({ manifest, environment: switchedOn });
  });
  after(() => served.stop());

  /** RFC 7521 4.1: the assertion is the only credential, and the library allows a client that sends none. */
  const noClient: oauth.ClientAuth = () => {};

  test("H-13: gets a token with each of the six algorithms through oauth4webapi, and introspection names it", async () => {
    const as = await discovered(served.url);
    assert.ok(as.grant_types_supported?.includes(jwtBearer));
    const nobody = { client_id: "nobody" };
    for (const algorithm of keyAlgorithms) {
      const answer = await oauth.processGenericTokenEndpointResponse(
        as,
        nobody,
        await oauth.genericTokenEndpointRequest(
          as,
          nobody,
          noClient,
          jwtBearer,
          { assertion: await assertion(as.token_endpoint ?? "", algorithm), scope: "orders:write" },
          http,
        ),
      );
      assert.deepEqual(
        [answer.token_type, answer.scope, answer.refresh_token],
        ["bearer", "orders:write", undefined],
      );
      const api = { client_id: orders.client_id };
      const seen = await oauth.processIntrospectionResponse(
        as,
        api,
        await oauth.introspectionRequest(
          as,
          api,
          oauth.ClientSecretBasic(orders.secret),
          answer.access_token,
          http,
        ),
      );
      assert.deepEqual([seen.active, seen.scope, seen.username], [true, "orders:write", undefined]);
      const request = new Request("https://api.example/", {
        headers: { authorization: `Bearer ${answer.access_token}` },
      });
      const [audience = ""] = [seen.aud].flat();
      assert.match(audience, /^urn:postern:organization:/);
      const claims = await oauth.validateJwtAccessToken(as, request, audience, http);
      assert.equal(claims.sub, seen.sub);
      await assert.rejects(oauth.validateJwtAccessToken(as, request, served.url, http), /audience/);
    }
  });

  test("design 6.22: gets a token through openid-client and a separately authenticated client", async () => {
    const configuration = await openid.discovery(
      new URL(served.url),
      deployer.client_id,
      undefined,
      openid.ClientSecretBasic(deployer.secret),
      { execute: [openid.allowInsecureRequests] },
    );
    const answer = await openid.genericGrantRequest(configuration, jwtBearer, {
      assertion: await assertion(served.url, "RS256"),
    });
    assert.equal(answer.scope, "orders:read");
    assert.equal(answer.expires_in, 900);
    const seen = await openid.tokenIntrospection(configuration, answer.access_token);
    assert.deepEqual([seen.active, seen.client_id], [true, deployer.client_id]);
  });
});
