/**
 * Fills a database of Postern, given by its settings, with tokens of one client. A separate process:
 * PosternFillInput on standard input, and the texts of real tokens on standard output, one per line. The
 * server's own code issues `tokens` of them, at times spread evenly over the last half hour, so that their
 * rows are spread evenly too. The other rows are copies of a real row with a different ID, family, time and
 * signature; no token with these signatures exists.
 */
import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { baseUrlOf } from "../../../src/config/base_url.ts";
import { type Config, readConfig } from "../../../src/config.ts";
import { signatureOf } from "../../../src/crypto/credentials.ts";
import { verifiedSecrets } from "../../../src/crypto/verified_secrets.ts";
import { allMethods } from "../../../src/oauth/clients/methods/all_methods.ts";
import { serverMemory } from "../../../src/oauth/core/memory.ts";
import { readForm } from "../../../src/oauth/core/params.ts";
import type { AuthorizationServer, EndpointRequest } from "../../../src/oauth/core/server.ts";
import { keyRingSource } from "../../../src/oauth/key_ring_source.ts";
import { allGrants } from "../../../src/oauth/token/grants/all_grants.ts";
import { token } from "../../../src/oauth/token/token.ts";
import type { OAuthToken } from "../../../src/records/definition/definition.ts";
import { openEnvironment } from "../../../src/server/environment.ts";
import type { Store } from "../../../src/storage/store.ts";
import type { ClientCredentials } from "../contender.ts";
import { basic, form } from "../requests.ts";
import { rowWriter } from "./row_writer.ts";

export interface PosternFillInput {
  /** Total number of rows, and how many of them belong to real tokens. */
  readonly rows: number;
  readonly tokens: number;
  readonly client: ClientCredentials;
  /** The client of `seldomTokens` rows, spread evenly over all rows. */
  readonly seldom_client: ClientCredentials;
  readonly scope: string;
}

const span_ms = 1_800_000;
/** Maximum number of real tokens that are issued before the rows between them are written. */
const largestBatch = 250;
/** Approximate number of rows per batch. */
const rowsAtOnce = 15_000;
/** More than a page of a list. */
const seldomTokens = 100;
/** The share of copied rows that are revoked, as one in this number. */
const revokedOneIn = 10;

async function fill(
  { rows, tokens, client, seldom_client, scope }: PosternFillInput,
  config: Config,
): Promise<string[]> {
  const started = Date.now();
  const environment = await openEnvironment(config, { now: () => new Date(started) });
  const { store, sealer, passwords } = environment;
  const base: AuthorizationServer = {
    issuer: baseUrlOf(config, config.port),
    store,
    keys: keyRingSource(store, sealer),
    passwords,
    verifiedSecrets: verifiedSecrets({ max: 10, ttl_seconds: 3600, now: () => new Date(started) }),
    clientKeySets: {
      registered: { find: async () => undefined },
      organization: { find: async () => undefined },
      open: { find: async () => undefined },
    },
    clientDocuments: {
      fetch: async () => ({ type: "gone" }),
      remembered: () => undefined,
      forget: () => {},
    },
    sealer,
    now: () => new Date(started),
    report: () => {},
    settings: config,
    memory: serverMemory(),
    grants: allGrants,
    clientAuthenticationMethods: allMethods,
  };
  const request: EndpointRequest = {
    params: readForm(form({ grant_type: "client_credentials", scope })),
    authorization: basic(client),
    origin: { client_ip: "127.0.0.1", user_agent: null, request_id: randomUUID() },
  };
  const seldom = await store.find("oauth_apps", { client_id: seldom_client.client_id });
  if (seldom === undefined) throw new Error(`there is no client ${seldom_client.client_id}`);
  const writeTokens = rowWriter(store, "oauth_tokens");
  const momentOf = (index: number) => new Date(started - span_ms + Math.floor((index * span_ms) / rows));
  const every = Math.floor(rows / tokens);
  const batch = Math.max(1, Math.min(largestBatch, Math.floor(rowsAtOnce / every)));

  const seldomEvery = Math.max(1, Math.floor((rows - tokens) / seldomTokens));
  let copied = 0;
  const issued: string[] = [];
  let pattern: OAuthToken | undefined;
  try {
    for (let first = 0; first < tokens; first += batch) {
      const count = Math.min(batch, tokens - first);
      const real = await Promise.all(
        Array.from({ length: count }, (_, offset) => {
          const now = momentOf((first + offset) * every);
          return token(request, { ...base, now: () => now });
        }),
      );
      issued.push(...real.map(({ access_token }) => access_token));
      pattern ??= (await store.list("oauth_tokens", {}, { limit: 1 }))[0];
      if (pattern === undefined) throw new Error("no token was stored");
      const copies: OAuthToken[] = [];
      for (let index = first * every; index < (first + count) * every; index++) {
        if (index % every === 0) continue;
        copied += 1;
        const copy = copyOf(pattern, momentOf(index), store);
        if (copied % seldomEvery === 0) copies.push({ ...copy, app_id: seldom.id });
        else copies.push(copied % revokedOneIn === 0 ? revoked(copy) : copy);
      }
      await writeTokens(copies);
    }
  } finally {
    await environment.close();
  }
  return issued;
}

function copyOf(pattern: OAuthToken, created_at: Date, store: Store): OAuthToken {
  const ttl_ms = pattern.access_expires_at.getTime() - pattern.created_at.getTime();
  const id = store.newId(created_at);
  return {
    ...pattern,
    id,
    family_id: store.newId(created_at),
    access_token_signature: signatureOf(id, created_at.getTime()),
    access_expires_at: new Date(created_at.getTime() + ttl_ms),
    created_at,
  };
}

function revoked(token: OAuthToken): OAuthToken {
  return { ...token, revoked: true, revoked_at: token.created_at, revoked_reason: "revoked" };
}

const input = JSON.parse(await text(process.stdin)) as PosternFillInput;
process.stdout.write(`${(await fill(input, readConfig(process.env))).join("\n")}\n`);
