/** Clients identified by a document, and the host on loopback that serves the documents. */
import { clientDocuments } from "../../../src/oauth/client_metadata/client_documents.ts";
import { clientKeySets } from "../../../src/oauth/client_metadata/client_key_sets.ts";
import type { Settings } from "../../../src/oauth/core/server.ts";
import { createOutbound } from "../../../src/outbound/outbound.ts";
import type { JsonObject } from "../../../src/records/definition/field.ts";
import type { SignedIn } from "../../../src/records/definition/request_origin.ts";
import type { Store } from "../../../src/storage/store.ts";
import { certificate, type LoopbackServer, loopbackServer } from "../../outbound/tls_server.ts";
import { type TestServer, testServer } from "../../support/authorization_server.ts";
import { aResource, aUser } from "../../support/builders.ts";
import { challenge, type Parameters, signedIn, verifier } from "../../support/flows.ts";

/** The answer for a path on the host; undefined breaks the connection. */
export interface Served {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface DocumentHost {
  readonly host: LoopbackServer;
  /** The host name with its port. */
  readonly name: string;
  /** Publishes a document under the path, and returns its identifier. */
  publish(path: string, members?: JsonObject, served?: Served): string;
  serve(path: string, served: Served): void;
  /** Stops the host until the next document is published. */
  die(): void;
}

export async function aDocumentHost(name = "client.outbound.test"): Promise<DocumentHost> {
  const paths = new Map<string, Served>();
  let dead = false;
  const host = await loopbackServer((request, response) => {
    if (dead) return response.destroy();
    const served = paths.get(request.url ?? "") ?? { status: 404 };
    const { status = 200, headers = { "content-type": "application/json" }, body = "" } = served;
    return response.writeHead(status, headers).end(body);
  });
  const named = `${name}:${host.port}`;
  return {
    host,
    name: named,
    publish(path, members = {}, served = {}) {
      dead = false;
      const client_id = `https://${named}${path}`;
      const document = {
        client_id,
        client_name: "Client",
        redirect_uris: ["https://app.example/cb"],
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: "none",
        ...members,
      };
      paths.set(path, { body: JSON.stringify(document), ...served });
      return client_id;
    },
    serve: (path, served) => void paths.set(path, served),
    die() {
      dead = true;
    },
  };
}

/** An API that any client may request. */
export const openApi = "https://api.example/mcp";

export const openClients = { profiles: ["mcp"] } as const;

/** Creates a server that resolves any name to loopback, and accepts clients identified by documents. */
export async function aDocumentServer(store: Store, settings: Partial<Settings> = {}): Promise<TestServer> {
  const plain = await testServer(store, { ...openClients, ...settings });
  await aResource(store, { identifier: openApi, who_may_ask: "any", scopes: { "tools:read": {} } });
  return reaching(plain);
}

/** Returns another process of the same server, with an empty cache. */
export function reaching(plain: TestServer): TestServer {
  const { now } = plain.clock;
  const outbound = () =>
    createOutbound({ allow: ["127.0.0.0/8"], resolve: async () => ["127.0.0.1"], ca: certificate });
  const server = {
    ...plain.server,
    clientDocuments: clientDocuments({ outbound: outbound(), now }),
    clientKeySets: {
      ...plain.server.clientKeySets,
      open: clientKeySets({ outbound: outbound(), now }),
    },
  };
  return { ...plain, server };
}

export async function aPerson(test: TestServer): Promise<SignedIn> {
  return signedIn(test, await aUser(test.store, { created_at: test.clock.now() }));
}

/** Returns a request for a code by the client with this identifier. */
export function authorizationOf(client_id: string, overrides: Parameters = {}): Parameters {
  return {
    response_type: "code",
    client_id,
    redirect_uri: "https://app.example/cb",
    scope: "openid offline_access",
    state: "s",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...overrides,
  };
}

/** Returns the parameters that redeem the code, with its verifier. */
export function redeeming(client_id: string, code: string, overrides: Parameters = {}): Parameters {
  return {
    grant_type: "authorization_code",
    client_id,
    code,
    redirect_uri: "https://app.example/cb",
    code_verifier: verifier,
    ...overrides,
  };
}
