/** Recorded clients of the Model Context Protocol, from their first request to a refresh. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { SignJWT } from "jose";
import { type Identity, type McpClient, mcpClients } from "../../src/cli/doctor/mcp_clients.ts";
import { clientDocuments } from "../../src/oauth/client_metadata/client_documents.ts";
import { clientKeySets } from "../../src/oauth/client_metadata/client_key_sets.ts";
import { type Outbound, OutboundError } from "../../src/outbound/outbound.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { redirectUriError } from "../../src/records/formats/redirect_uris.ts";
import { claimsOf } from "../oauth/client_fixture.ts";
import { assertionType } from "../oauth/signing_client.ts";
import { aPerson, password, type TestApp, testApp } from "../support/app.ts";
import { anApp, aResource } from "../support/builders.ts";
import { challenge, formOf, type Parameters, verifier } from "../support/flows.ts";
import { formBrowser, goThrough } from "../support/form_browser.ts";
import { freePort } from "../support/free_port.ts";

const api = "https://tools.example";
const elsewhere = "http://localhost:6274";
const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** The metadata documents and key sets that the clients publish, by URL. */
const published = new Map<string, object>();
for (const { document } of mcpClients) {
  if (document === undefined) continue;
  const { client_id, jwks_uri } = document.says;
  published.set(client_id, document.says);
  if (typeof jwks_uri === "string") {
    published.set(jwks_uri, { keys: [{ ...keys.publicKey.export({ format: "jwk" }), kid: "1" }] });
  }
}

const outbound: Outbound = {
  async send({ url }) {
    const answer = published.get(url);
    if (answer === undefined) throw new OutboundError("unreachable", url);
    const headers = { "content-type": "application/json" };
    return { status: 200, headers, body: Buffer.from(JSON.stringify(answer)) };
  },
};

type Metadata = Readonly<Record<string, unknown>>;

async function jsonOf(answer: Response): Promise<Metadata> {
  return (await answer.json()) as Metadata;
}

/** A client that this server knows, with its redirect URI. */
interface Known {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly method: unknown;
  readonly client_secret?: unknown;
}

describe("clients of the Model Context Protocol", () => {
  let it: TestApp;
  let base: string;
  let user: User;
  let metadata: Metadata;

  before(async () => {
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    const plain = await testApp({
      base_url: base,
      settings: { profiles: ["mcp"], registration: "open", extra_client_auth: ["private_key_jwt"] },
    });
    const { now } = plain.clock;
    const server = {
      ...plain.server,
      clientDocuments: clientDocuments({ outbound, now }),
      clientKeySets: { ...plain.server.clientKeySets, open: clientKeySets({ outbound, now }) },
    };
    it = { ...plain, ...(await testApp({ base_url: base, server, identity: plain.identity })) };
    it = { ...it, store: plain.store, clock: plain.clock };
    await aResource(it.store, {
      identifier: api,
      who_may_ask: "any",
      scopes: { "tools:read": "Use the tools", "tools:write": null },
      default_scopes: ["tools:read"],
    });
    user = await aPerson(it);
    await it.app.listen({ host: "127.0.0.1", port });
    metadata = await jsonOf(await fetch(`${base}/.well-known/oauth-authorization-server`));
  });
  after(() => it.app.close());

  const ways: { readonly [Way in Identity]: (client: McpClient) => Promise<Known> } = {
    async metadata_document({ document }) {
      assert.ok(document);
      assert.equal(metadata.client_id_metadata_document_supported, true);
      const { says, redirect_uri } = document;
      return { client_id: says.client_id, redirect_uri, method: says.token_endpoint_auth_method };
    },
    async registration({ registration, redirect_uri, headers = {} }) {
      const answer = await fetch(String(metadata.registration_endpoint), {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(registration),
      });
      assert.equal(answer.status, 201);
      const { client_id, client_secret, token_endpoint_auth_method: method } = await jsonOf(answer);
      return { client_id: String(client_id), client_secret, redirect_uri, method };
    },
    async registered_before({ registration, redirect_uri }) {
      const redirect_uris = registration?.redirect_uris as string[];
      const app_type = redirect_uri.startsWith("https:") ? "web" : "native";
      for (const uri of redirect_uris) assert.equal(redirectUriError(uri, app_type), undefined, uri);
      const { client_id } = await anApp(it.store, {
        app_type,
        public: true,
        redirect_uris,
        allowed_scopes: ["tools:read", "offline_access"],
        default_scopes: ["tools:read"],
      });
      return { client_id, redirect_uri, method: "none" };
    },
  };

  /** Returns the client authentication for a request to the token endpoint. */
  async function proofOf({ client_id, client_secret, method }: Known) {
    switch (method) {
      case "none":
        return { form: { client_id }, headers: {} };
      case "client_secret_post":
        return { form: { client_id, client_secret: String(client_secret) }, headers: {} };
      case "client_secret_basic": {
        // As the SDKs send it: neither part is form-encoded.
        const credentials = Buffer.from(`${client_id}:${client_secret}`).toString("base64");
        return { form: {}, headers: { authorization: `Basic ${credentials}` } };
      }
      default: {
        assert.equal(method, "private_key_jwt");
        const now = Math.floor(it.clock.now().getTime() / 1000);
        const client_assertion = await new SignJWT({ jti: crypto.randomUUID() })
          .setProtectedHeader({ alg: "RS256", kid: "1" })
          .setIssuer(client_id)
          .setSubject(client_id)
          .setAudience(base)
          .setIssuedAt(now)
          .setExpirationTime(now + 60)
          .sign(keys.privateKey);
        return { form: { client_id, client_assertion_type: assertionType, client_assertion }, headers: {} };
      }
    }
  }

  async function tokens(client: McpClient, known: Known, requested: Parameters) {
    const { form, headers } = await proofOf(known);
    const answer = await fetch(`${base}/oauth/token`, {
      method: "POST",
      headers: {
        ...client.headers,
        ...headers,
        ...(client.in_browser && { origin: elsewhere }),
        "content-type": "application/x-www-form-urlencoded",
      },
      body: formOf({ ...requested, ...form }),
    });
    const registered = await jsonOf(answer);
    assert.equal(answer.status, 200, JSON.stringify(registered));
    if (client.in_browser) assert.equal(answer.headers.get("access-control-allow-origin"), "*");
    assert.equal(claimsOf(String(registered.access_token)).aud, api);
    assert.equal(registered.scope, client.asks?.scope ?? "tools:read");
    return { access_token: String(registered.access_token), refresh_token: String(registered.refresh_token) };
  }

  for (const client of mcpClients) {
    for (const way of client.identities) {
      if (way === "metadata_document" && client.document === undefined) continue;
      test(`PR-31: ${client.name}, identified by ${way.replaceAll("_", " ")}, signs a user in and gets tokens`, async () => {
        const methods = metadata.token_endpoint_auth_methods_supported as string[];
        assert.ok(client.needs_method === undefined || methods.includes(client.needs_method));
        const known = await ways[way](client);
        const { client_id, redirect_uri } = known;
        const resource = client.resource_with_slash ? `${api}/` : api;
        const state = crypto.randomUUID();
        const requested = formOf({
          response_type: "code",
          client_id,
          redirect_uri,
          state,
          resource,
          code_challenge: challenge,
          code_challenge_method: "S256",
          ...client.asks,
        });
        const browser = formBrowser();
        const { email } = user;
        const led = await goThrough(browser, `${base}/oauth/authorize?${requested}`, { email, password });
        assert.equal(led.href.split("?")[0], redirect_uri);
        const { code, ...rest } = Object.fromEntries(led.searchParams);
        assert.deepEqual(rest, { state, iss: base });
        const grant = { grant_type: "authorization_code", code, redirect_uri, code_verifier: verifier };
        const first = await tokens(client, known, { ...grant, resource });
        const { refresh_token } = first;
        const again = await tokens(client, known, { grant_type: "refresh_token", refresh_token, resource });
        assert.notEqual(again.refresh_token, refresh_token);
        assert.notEqual(again.access_token, first.access_token);
      });
    }
  }
});
