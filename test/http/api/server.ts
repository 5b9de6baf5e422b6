/**
 * The management API on a separate database, called through the client that was generated from its OpenAPI
 * document.
 */
import type { FastifyInstance } from "fastify";
import { type AppOptions, createApp } from "../../../src/app.ts";
import { createClient, type Postern } from "../../../src/client/client.ts";
import { apiKeyHash, apiKeyText } from "../../../src/crypto/api_keys.ts";
import { prefixOf } from "../../../src/crypto/credentials.ts";
import type { Settings } from "../../../src/oauth/core/server.ts";
import type { IdentityContext } from "../../../src/people/core/context/context.ts";
import type { APIKey, User } from "../../../src/records/definition/definition.ts";
import { manageScope } from "../../../src/records/definition/permissions.ts";
import { issuer, type TestServer, testServer } from "../../support/authorization_server.ts";
import { anApiKey, aUser } from "../../support/builders.ts";
import type { TestDatabase } from "../../support/databases.ts";

export interface ApiServer extends TestServer {
  readonly app: FastifyInstance;
  readonly administrator: User;
  /** The API key of a platform administrator with all permissions. */
  readonly key: string;
  /**
   * Returns a client that sends this credential, by default the administrator's key. `heard` receives every
   * response.
   */
  client(overrides?: { readonly credential?: string; readonly heard?: (answer: Response) => void }): Postern;
  readonly logged: string[];
}

export const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

/** Returns an API key in the database, and its text. */
export async function anApiKeyText(
  { store, clock }: TestServer,
  overrides: Partial<APIKey> & Pick<APIKey, "scopes">,
): Promise<{ key: string; row: APIKey }> {
  const key = apiKeyText(clock.now());
  const row = await anApiKey(store, { key_prefix: prefixOf(key), key_hash: apiKeyHash(key), ...overrides });
  return { key, row };
}

export async function apiServer(
  database: TestDatabase,
  overrides: Partial<AppOptions> = {},
  settings: Partial<Settings> = {},
): Promise<ApiServer> {
  const test = await testServer(await database.open(), settings);
  const { server, store } = test;
  const { memory, passwords, sealer, now, report } = server;
  const identity: IdentityContext = { store, memory, passwords, sealer, now, report, throttle: true };
  const logged: string[] = [];
  const note = (fields: object, message: string) => {
    logged.push(
      `${message} ${JSON.stringify(fields, (_key, value) => (value instanceof Error ? String(value.stack) : value))}`,
    );
  };
  const app = createApp({
    store,
    server,
    identity,
    log: { debug: note, info: note, warn: note, error: note },
    secure: true,
    ready: async () => ({ ready: true, components: {} }),
    trust_proxy: [],
    ...overrides,
  });
  await app.ready();
  const administrator = await aUser(store, { is_platform_admin: true, name: "Root" });
  const { key } = await anApiKeyText(test, { user_id: administrator.id, scopes: [manageScope] });
  return {
    ...test,
    app,
    administrator,
    key,
    logged,
    client: ({ credential = key, heard } = {}) =>
      createClient({ url: issuer, credential, fetch: injected(app, heard) }),
  };
}

/** Returns a `fetch` that calls the application directly. `heard` receives every response. */
export function injected(app: FastifyInstance, heard: (answer: Response) => void = () => {}) {
  return async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const payload = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
    const answer = await app.inject({
      method: request.method as "GET",
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      ...(payload !== undefined && { payload }),
    });
    const empty = [204, 304].includes(answer.statusCode) || request.method === "HEAD";
    const response = new Response(empty ? null : new Uint8Array(answer.rawPayload), {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      ),
    });
    heard(response);
    return response;
  };
}
