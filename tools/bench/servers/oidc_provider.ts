import { generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type Algorithm, algorithms } from "../algorithms.ts";
import { discover } from "../checks.ts";
import {
  access_token_ttl,
  type ClientCredentials,
  type Contender,
  client,
  emailOf,
  introspector,
  type RunningServer,
  redirect_uri,
  resourceOf,
  type StartOptions,
  scope,
  type Workspace,
  webClientOf,
} from "../contender.ts";
import { startServer } from "../processes.ts";
import { authorizationQuery, cookiesOf } from "../requests.ts";
import { issueTokens } from "../scenarios/issuing.ts";
import { copyTokens, createTables } from "./postgres_adapter.ts";

export interface OidcProviderInput {
  /** Private JWKs (RFC 7517), one per algorithm. */
  readonly signing_keys: readonly object[];
  readonly cookie_key: string;
  readonly client: typeof client;
  readonly introspector: typeof introspector;
  /** Web clients by the algorithm of their id_tokens. */
  readonly web_clients: Readonly<Record<Algorithm, ClientCredentials>>;
  readonly redirect_uri: string;
  readonly scope: string;
  readonly access_token_ttl: number;
  /**
   * Resources (RFC 8707) whose access tokens are JWTs of an algorithm; those of `opaque_resource` are
   * opaque.
   */
  readonly jwt_resources: Readonly<Record<Algorithm, string>>;
  readonly opaque_resource: string;
  /** The database for storage; if omitted, all data is in memory. */
  readonly postgres_url?: string;
}

const opaque_resource = "https://opaque.example";

/**
 * `oidc-provider` with a Map in memory or with PostgreSQL. oidc_provider_process.ts has its
 * configuration.
 */
export async function oidcProvider(storage: "memory" | "postgres"): Promise<Contender> {
  const path = join(import.meta.dirname, "..", "..", "..", "node_modules", "oidc-provider", "package.json");
  const { version } = JSON.parse(await readFile(path, "utf8")) as { version: string };
  return {
    id: `oidc-${storage}`,
    name: `oidc-provider, ${storage === "memory" ? "memory" : "PostgreSQL"}`,
    version,
    prepare: (workspace) => prepare(storage, workspace),
  };
}

async function prepare(
  storage: "memory" | "postgres",
  workspace: Workspace,
): Promise<(options: StartOptions) => Promise<RunningServer>> {
  const folder = await workspace.makeFolder(`oidc_${storage}`);
  const cluster = storage === "postgres" ? await workspace.postgres() : undefined;
  const postgres_url = await cluster?.createDatabase("oidc_provider");
  if (postgres_url !== undefined) await createTables(postgres_url);
  const ofEach = <T>(make: (algorithm: Algorithm) => T) =>
    Object.fromEntries(algorithms.map((algorithm) => [algorithm, make(algorithm)])) as Record<Algorithm, T>;
  const input: OidcProviderInput = {
    // Generated here, so that it is not part of the cold start.
    signing_keys: algorithms.map((alg) => ({ ...newKey(alg).export({ format: "jwk" }), use: "sig", alg })),
    cookie_key: randomBytes(32).toString("base64url"),
    client,
    introspector,
    web_clients: ofEach(webClientOf),
    redirect_uri,
    scope,
    access_token_ttl,
    jwt_resources: ofEach(resourceOf),
    opaque_resource,
    ...(postgres_url !== undefined && { postgres_url }),
  };
  const request = { grant_type: "client_credentials", scope };
  let stored_tokens: readonly string[] | undefined;

  async function start({ node_options = [] }: StartOptions): Promise<RunningServer> {
    const server = await startServer({
      args: [...node_options, join(import.meta.dirname, "oidc_provider_process.ts")],
      env: {
        NODE_ENV: "production",
        // Postern also does both by default: it caches compiled modules, and signs on all cores.
        NODE_COMPILE_CACHE: join(folder, "compile_cache"),
        UV_THREADPOOL_SIZE: String(Math.max(4, availableParallelism())),
      },
      input,
      ready_path: "/.well-known/openid-configuration",
    });
    const signingBy = (algorithm: Algorithm): RunningServer => ({
      ...server,
      watched: { server: server.pid, ...(cluster && { PostgreSQL: cluster.pid }) },
      issues_tokens: true,
      algorithm,
      signingBy,
      client,
      introspector,
      web_client: webClientOf(algorithm),
      jwt_request: { ...request, resource: resourceOf(algorithm) },
      introspectable_request: { ...request, resource: opaque_resource },
      introspects_jwts: false,
      redirect_status: 303,
      ...(stored_tokens && { stored_tokens }),
      resource: { resource: resourceOf(algorithm) },
      signIn: (count) =>
        Promise.all(Array.from({ length: count }, (_, user) => signIn(signingBy(algorithm), emailOf(user)))),
    });
    return signingBy("RS256");
  }

  if (workspace.rows > 0 && cluster !== undefined && postgres_url !== undefined) {
    workspace.progress(`  filling its database with ${workspace.rows} tokens`);
    await using server = await start({});
    const subject = { server, endpoints: await discover(server), connections: 16, revocations: 0 };
    stored_tokens = await issueTokens({ ...subject, tokens: workspace.tokens }, workspace.tokens);
    await copyTokens(postgres_url, workspace.rows);
    await cluster.settle(postgres_url);
  }
  return start;
}

function newKey(algorithm: Algorithm): KeyObject {
  if (algorithm === "RS256") return generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  if (algorithm === "ES256") return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  return generateKeyPairSync("ed25519").privateKey;
}

/**
 * Follows redirects as a browser does, through the interaction that signs the user in. Returns its
 * cookies.
 */
async function signIn(server: RunningServer, email: string): Promise<string> {
  const cookies = new Map<string, string>();
  const { authorization_endpoint } = await discover(server);
  let url = new URL(`${authorization_endpoint}?${authorizationQuery(server)}&login_hint=${email}`);
  for (let hops = 0; hops < 10; hops++) {
    const cookie = [...cookies.values()].join("; ");
    const response = await fetch(url, { headers: { cookie }, redirect: "manual" });
    for (const set of cookiesOf(response)) cookies.set(set.slice(0, set.indexOf("=")), set);
    const location = response.headers.get("location");
    if (location === null)
      throw new Error(`the sign-in returned ${response.status}: ${await response.text()}`);
    if (location.startsWith(redirect_uri)) {
      // Cookies of the interaction are for other paths.
      return [...cookies.values()].filter((each) => each.startsWith("_session")).join("; ");
    }
    url = new URL(location, url);
  }
  throw new Error("the sign-in did not finish");
}
