/**
 * Fills a database of Postern, which its settings name, with tokens of one client: a program of its own.
 * PosternFillInput on standard input; the texts of the real tokens on standard output, one on each line.
 *
 * `tokens` of them are issued by the server's own code at moments spread evenly over the last half hour, so
 * that their rows lie evenly among all. The rows between them are copies of a real row in all but what is
 * each token's own: id, family, moment and signature, which are made as the server makes them, of a token
 * that was never signed.
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
  /** How many rows, and how many of them are of real tokens. */
  readonly rows: number;
  readonly tokens: number;
  readonly client: ClientCredentials;
  /** The client of `seldomTokens` rows, spread evenly among all. */
  readonly seldom_client: ClientCredentials;
  readonly scope: string;
}

const span_ms = 1_800_000;
/**
 * How many real tokens are issued side by side, at most, before the rows between them are written in one go.
 */
const largestBatch = 250;
/** And how many rows that is, about. */
const rowsAtOnce = 15_000;
/** A page of a list and more. */
const seldomTokens = 100;
/** Of the rows that are copies, one in so many was revoked. */
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
