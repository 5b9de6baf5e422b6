/**
 * Runs a server of an earlier version and one of the current version on the same PostgreSQL database, under
 * load, while the new server migrates the tables (docs/operations/upgrading.md).
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { checkOut, issuer, secretKey } from "../../../test/storage/released/releases.ts";
import { challenge, verifier } from "../../../test/support/flows.ts";
import { formBrowser } from "../../../test/support/form_browser.ts";
import { type Environment, type ServedProcess, servedProcess } from "../../../test/support/process.ts";
import { temporaryFolder } from "../../../test/support/temp.ts";

const client = { client_id: "web", client_secret: "secret-of-the-web-app" };
const worker = { client_id: "worker", client_secret: "secret-of-the-worker" };
const redirect_uri = "http://127.0.0.1:9000/cb";

const manifest = {
  users: [
    {
      email: "ada@example.com",
      name: "Ada",
      password: "correct horse battery staple",
      is_platform_admin: true,
    },
  ] as const,
  apps: [
    {
      ...{
        client_id: client.client_id,
        name: "Web",
        owner: "ada@example.com",
        secrets: [client.client_secret],
      },
      ...{ redirect_uris: [redirect_uri], allowed_scopes: ["openid", "offline_access"], first_party: true },
    },
    {
      ...{ client_id: worker.client_id, name: "Worker", app_type: "machine", owner: "ada@example.com" },
      ...{
        allowed_scopes: ["orders:read"],
        allowed_grants: ["client_credentials"],
        secrets: [worker.client_secret],
      },
    },
  ],
};

export interface BesideReport {
  /** Number of correct responses, by server version. */
  readonly answered: { readonly old: number; readonly now: number };
  /** Number of 503 responses, which clients retry. */
  readonly unavailable: number;
  /** Wrong responses, as sentences. */
  readonly errors: readonly string[];
  /** The latest migration before and after the start of the new server. */
  readonly before: number;
  readonly after: number;
}

export interface BesideOptions {
  /** The commit of the earlier version. */
  readonly commit: string;
  readonly database_url: string;
  /** Rounds of load on the old server only, on both while the new one starts, and on both afterwards. */
  readonly rounds: number;
  readonly clients: number;
}

type Version = "old" | "now";
type Server = { readonly version: Version; readonly url: string };

/** Called for each response with the version of the server, and with the error if the response was wrong. */
type Note = (version: Version, error?: string) => void;

function chainOf(note: Note, retried: () => void) {
  let refresh_token: string | undefined;
  const post = async (
    { version, url }: Server,
    path: string,
    by: typeof client,
    fields: Record<string, string>,
    expected = 200,
  ): Promise<Record<string, unknown>> => {
    const authorization = `Basic ${Buffer.from(`${by.client_id}:${by.client_secret}`).toString("base64")}`;
    for (let tries = 0; ; tries += 1) {
      const body = new URLSearchParams(fields);
      const answer = await fetch(`${url}${path}`, { method: "POST", headers: { authorization }, body });
      const text = await answer.text();
      if (answer.status === 503 && tries < 20) {
        retried();
        await pause(200);
        continue;
      }
      note(version, answer.status === expected ? undefined : `${version} ${path}: ${answer.status} ${text}`);
      return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    }
  };
  return {
    /** Redeems a code, and keeps the refresh token for the rounds. */
    async begin(server: Server, code: string) {
      const tokens = await post(server, "/oauth/token", client, {
        ...{ grant_type: "authorization_code", code, redirect_uri, code_verifier: verifier },
      });
      refresh_token = String(tokens.refresh_token);
    },
    /**
     * Each server must refresh tokens that the other issued, and a token that one server revokes must be
     * inactive at the other.
     */
    async round(first: Server, second: Server) {
      const refreshed = async (server: Server) => {
        const fields = { grant_type: "refresh_token", refresh_token: refresh_token ?? "" };
        const tokens = await post(server, "/oauth/token", client, fields);
        if (typeof tokens.refresh_token === "string") refresh_token = tokens.refresh_token;
        return String(tokens.access_token);
      };
      await refreshed(first);
      const token = await refreshed(second);
      const active = async (server: Server, requested: string, by = client) =>
        (await post(server, "/oauth/introspect", by, { token: requested })).active;
      if ((await active(first, token)) !== true)
        note(first.version, `${first.version}: a live token is inactive`);
      const machine = await post(second, "/oauth/token", worker, {
        ...{ grant_type: "client_credentials", scope: "orders:read" },
      });
      const of_machine = String(machine.access_token);
      await post(first, "/oauth/revoke", worker, { token: of_machine });
      if ((await active(second, of_machine, worker)) !== false)
        note(second.version, `${second.version}: what ${first.version} revoked is active`);
    },
  };
}

/** Signs a user in at a server. Returns a function that gets codes for their applications from any server. */
async function signIn(url: string): Promise<(server: Server) => Promise<string>> {
  const browser = formBrowser();
  const [{ email, password }] = manifest.users;
  const { status, body } = await browser.submit(await browser.get(`${url}/login`), { email, password });
  if (status !== 302) throw new Error(`the sign-in failed: ${status} ${body}`);
  return async (server) => {
    const requested = new URLSearchParams({
      ...{ response_type: "code", client_id: client.client_id, redirect_uri, scope: "openid offline_access" },
      ...{ code_challenge: challenge, code_challenge_method: "S256" },
    });
    const { location = "" } = await browser.get(`${server.url}/oauth/authorize?${requested}`);
    const code = URL.parse(location)?.searchParams.get("code");
    if (!code) throw new Error(`${server.version}: no code, but ${location}`);
    return code;
  };
}

/** Applies the manifest to the empty database with the earlier version, and starts its server. */
async function startEarlier(commit: string, environment: Environment): Promise<ServedProcess> {
  const program = join(checkOut(commit, join(temporaryFolder(), "earlier")), "bin", "postern.js");
  const applied = spawnSync(process.execPath, [program, "apply", "-"], {
    env: { PATH: process.env.PATH, ...environment },
    input: JSON.stringify(manifest),
    encoding: "utf8",
  });
  if (applied.status !== 0)
    throw new Error(`the earlier version could not apply the manifest: ${applied.stderr}`);
  return servedProcess({ environment, launcher: [process.execPath, program, "serve"] });
}

async function newestMigrationIn(database_url: string): Promise<number> {
  const database = new Client({ connectionString: database_url });
  await database.connect();
  try {
    const { rows } = await database.query("SELECT max(version) AS newest FROM postern_migrations");
    return Number(rows[0]?.newest);
  } finally {
    await database.end();
  }
}

/** Runs both servers and reports their responses. Throws if one of them does not start. */
export async function runBeside({
  commit,
  database_url,
  rounds,
  clients,
}: BesideOptions): Promise<BesideReport> {
  const environment = {
    POSTERN_DATABASE_URL: database_url,
    POSTERN_SECRET_KEY: secretKey,
    POSTERN_BASE_URL: issuer,
    POSTERN_THROTTLE: "off",
    POSTERN_PORT: "0",
  };
  const answered = { old: 0, now: 0 };
  let unavailable = 0;
  const errors: string[] = [];
  const note: Note = (version, error) => {
    if (error === undefined) answered[version] += 1;
    else errors.push(error);
  };
  const chains = Array.from({ length: clients }, () => chainOf(note, () => (unavailable += 1)));
  const earlier = await startEarlier(commit, environment);
  const old: Server = { version: "old", url: earlier.url };
  const codeFrom = await signIn(old.url);
  for (const chain of chains) await chain.begin(old, await codeFrom(old));
  const load = (first: Server, second: Server, times = rounds) =>
    Promise.all(
      chains.map(async (chain) => {
        for (let round = 0; round < times; round += 1) await chain.round(first, second);
      }),
    );
  await load(old, old);
  const before = await newestMigrationIn(database_url);
  const starting = servedProcess({ environment });
  let hasStarted = false;
  const settled = () => {
    hasStarted = true;
  };
  starting.then(settled, settled);
  while (!hasStarted) await load(old, old, 1);
  const later = await starting;
  const now: Server = { version: "now", url: later.url };
  await load(old, now);
  await load(now, old);
  // A session of the earlier version gets codes from both servers, and each server redeems codes of the
  // other.
  for (const [chain, first, second] of [
    [chains[0], old, now],
    [chains[1], now, old],
  ] as const)
    await chain?.begin(second, await codeFrom(first));
  const { code } = await earlier.stop();
  if (code !== 0) errors.push(`the earlier version ended with ${code}: ${earlier.err()}`);
  await load(now, now);
  await later.stop();
  return { answered, unavailable, errors, before, after: await newestMigrationIn(database_url) };
}
