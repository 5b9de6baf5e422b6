/** The server as an operator runs it, while its PostgreSQL is unavailable, stalled or refuses connections. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { after, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { inForm } from "../support/form.ts";
import { freePort } from "../support/free_port.ts";
import { type PostgresDatabase, postgresDatabase } from "../support/postgres.ts";
import {
  applyTo,
  listeningLine,
  type RunningCommand,
  restarted,
  servedProcess,
  startPostern,
} from "../support/process.ts";
import { startTcpProxy, type TcpProxy, throughProxy } from "../support/tcp_proxy.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";

const endings: (() => unknown)[] = [];
after(async () => {
  for (const end of endings.reverse()) await end();
});

const manifest = {
  users: [{ email: "ada@example.com", name: "Ada", password: "correct horse battery staple" }],
  apps: [
    {
      client_id: "worker",
      name: "Worker",
      app_type: "machine",
      owner: "ada@example.com",
      allowed_scopes: ["orders:read"],
      allowed_grants: ["client_credentials"],
      secrets: ["worker-secret-of-the-test"],
    },
  ],
};

interface Setup {
  readonly proxy: TcpProxy;
  /** The environment of a server that reaches the database through the proxy. */
  readonly environment: Record<string, string>;
  /** Removes the database. */
  readonly drop: () => Promise<void>;
}

const settings = {
  POSTERN_SECRET_KEY: randomBytes(32).toString("hex"),
  POSTERN_ADMIN_EMAIL: "root@example.com",
  POSTERN_ADMIN_PASSWORD: "correct horse battery staple",
};

let filled: Promise<PostgresDatabase> | undefined;

/** Creates the database that the tests copy. */
async function fill(): Promise<PostgresDatabase> {
  const database = await postgresDatabase();
  endings.push(database.drop);
  await applyTo(temporaryFolder(), manifest, { ...settings, POSTERN_DATABASE_URL: database.url });
  return database;
}

async function setup(): Promise<Setup> {
  filled ??= fill();
  const database = await postgresDatabase((await filled).name);
  endings.push(database.drop);
  const proxy = await startTcpProxy({ target: database.url });
  endings.push(() => proxy.close());
  const environment = { ...settings, POSTERN_DATABASE_URL: throughProxy(database.url, proxy) };
  return { proxy, environment, drop: database.drop };
}

function away(proxy: TcpProxy): void {
  proxy.refuse();
  proxy.cut();
}

/** Returns the address of a server that waits for its database, from its log. */
async function waitingAt({ out }: Pick<RunningCommand, "out">): Promise<string> {
  const port = () => /"port":(\d+),"msg":"waiting for the database"/.exec(out())?.[1];
  await until(() => port() !== undefined);
  return `http://127.0.0.1:${port()}`;
}

const tokenRequest = {
  method: "POST",
  headers: {
    authorization: `Basic ${Buffer.from("worker:worker-secret-of-the-test").toString("base64")}`,
    "content-type": "application/x-www-form-urlencoded",
  },
  body: "grant_type=client_credentials&scope=orders:read",
} as const;

const answers = (url: string, init: RequestInit = {}) =>
  fetch(url, { ...init, signal: AbortSignal.timeout(15_000) });
const statusOf = (url: string, init: RequestInit = {}) =>
  answers(url, init).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );

/** Asserts that the response is 503, arrives soon and has Retry-After, and returns its body. */
async function unavailable(url: string, init: RequestInit = {}): Promise<{ type: string; text: string }> {
  const response = await answers(url, init);
  const text = await response.text();
  assert.equal(response.status, 503, text);
  assert.match(response.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
  return { type: response.headers.get("content-type") ?? "", text };
}

async function saysUnavailable(base: string, access_token = "none"): Promise<void> {
  const token = await unavailable(`${base}/oauth/token`, tokenRequest);
  assert.match(token.type, /^application\/json/);
  assert.equal(JSON.parse(token.text).error, "server_error");
  const api = await unavailable(`${base}/api/v1/apps`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  assert.equal(api.type, "application/problem+json");
  assert.equal(JSON.parse(api.text).code, "unavailable");
  const page = await unavailable(`${base}/oauth/authorize?client_id=nobody&response_type=code`, {
    headers: { accept: "text/html" },
  });
  const readiness = await unavailable(`${base}/readyz`);
  assert.equal(JSON.parse(readiness.text).code, "not_ready");
  const { database, server } = JSON.parse(readiness.text).components;
  if (database === undefined) assert.equal(server, "starting");
  else assert.match(database, /^(away|slow)$/);
  assert.doesNotMatch(token.text + api.text + page.text + readiness.text, /127\.0\.0\.1:|ECONN|postgres/);
  assert.equal(await statusOf(`${base}/healthz`), 200);
}

describe("F-2: serve waits for an unavailable database (reliability findings 1 and 5)", () => {
  for (const workers of ["1", "2"])
    test(`${workers} process(es) report that they are not ready, and answer as soon as the database is available`, async () => {
      const { proxy, environment } = await setup();
      away(proxy);
      const server = startPostern(["serve"], { environment: { ...environment, POSTERN_WORKERS: workers } });
      endings.push(() => server.stop("SIGKILL"));
      const base = await waitingAt(server);
      await saysUnavailable(base);
      assert.equal(listeningLine(server.out()), undefined);
      proxy.accept();
      await until(() => listeningLine(server.out()) !== undefined);
      assert.equal(await statusOf(`${base}/oauth/token`, tokenRequest), 200);
      assert.equal(await statusOf(`${base}/readyz`), 200);
      const issuer = `http://localhost:${new URL(base).port}`;
      assert.equal(listeningLine(server.out())?.url, issuer, "the port stays the one that it waited on");
      assert.equal((await server.stop()).code, 0);
    });

  for (const workers of ["1", "2"])
    test(`F-2: ${workers} process(es) open the port although the database accepts connections and never answers`, async () => {
      const { proxy, environment } = await setup();
      proxy.stall();
      const port = await freePort();
      const server = startPostern(["serve"], {
        environment: {
          ...environment,
          POSTERN_WORKERS: workers,
          POSTERN_PORT: String(port),
          // This is longer than the test waits, so no connection attempt times out earlier.
          POSTERN_DATABASE_CONNECT_TIMEOUT: "60000",
        },
      });
      endings.push(() => server.stop("SIGKILL"));
      const base = `http://127.0.0.1:${port}`;
      await until(async () => (await statusOf(`${base}/healthz`)) === 200, "the port is open", {
        seconds: 40,
      });
      await saysUnavailable(base);
      proxy.resume();
      await until(() => listeningLine(server.out()) !== undefined);
      assert.equal(await statusOf(`${base}/oauth/token`, tokenRequest), 200);
      assert.equal((await server.stop()).code, 0);
    });

  test("two processes that waited for an empty database create its tables once", async () => {
    const database = await postgresDatabase();
    const proxy = await startTcpProxy({ target: database.url });
    endings.push(
      () => database.drop(),
      () => proxy.close(),
    );
    away(proxy);
    const environment = {
      POSTERN_DATABASE_URL: throughProxy(database.url, proxy),
      POSTERN_SECRET_KEY: randomBytes(32).toString("hex"),
      POSTERN_WORKERS: "2",
    };
    const server = startPostern(["serve"], { environment });
    endings.push(() => server.stop("SIGKILL"));
    const base = await waitingAt(server);
    await until(async () => (await statusOf(`${base}/readyz`)) === 503);
    proxy.accept();
    await until(() => listeningLine(server.out()) !== undefined);
    const { keys } = (await (await answers(`${base}/.well-known/jwks.json`)).json()) as { keys: unknown[] };
    assert.equal(keys.length, 1);
    assert.equal(server.err().split("/setup?token=").length, 2, "one link for the first administrator");
    assert.equal((await server.stop()).code, 0);
  });

  test("a signal ends serve while it waits", async () => {
    const { proxy, environment } = await setup();
    away(proxy);
    for (const workers of ["1", "2"]) {
      const server = startPostern(["serve"], { environment: { ...environment, POSTERN_WORKERS: workers } });
      assert.equal(await statusOf(`${await waitingAt(server)}/healthz`), 200);
      assert.equal((await server.stop()).code, 0);
    }
  });
});

test("F-3: a wrong password or a missing database ends serve at once with a message (reliability finding 5)", async () => {
  const { environment } = await setup();
  const right = new URL(String(environment.POSTERN_DATABASE_URL));
  const [wrongPassword, wrongDatabase] = [new URL(right), new URL(right)];
  wrongPassword.password = "not-the-password";
  wrongDatabase.pathname = "/there_is_none";
  for (const [url, said, short] of [
    [wrongPassword, /the database refuses this server: password authentication failed/, ["1"]],
    [wrongDatabase, /the database refuses this server: database "there_is_none" does not exist/, ["2"]],
  ] as const) {
    for (const workers of inForm<readonly string[]>(short, ["1", "2"])) {
      const changed = { POSTERN_DATABASE_URL: url.href, POSTERN_WORKERS: workers };
      const { code, err, out } = await startPostern(["serve"], {
        environment: { ...environment, ...changed },
      }).finished;
      assert.equal(code, 1);
      assert.match(err, said);
      assert.doesNotMatch(err + out, /not-the-password/);
    }
  }
});

function childrenOf(pid: number): number[] {
  // `ps` fails if there are no child processes.
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  return stdout.trim().split(/\s+/).filter(Boolean).map(Number);
}

/** Runs statements in the database at this URL, as its owner. */
async function asOwner(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

test("F-31: a database that refuses connections, or lost its tables, causes 503 and never 500; the key set stays available", async () => {
  const { environment } = await setup();
  const server = await servedProcess({ environment });
  endings.push(() => server.stop("SIGKILL"));
  const keys = `${server.url}/.well-known/jwks.json`;
  const keySet = await (await answers(keys)).text();
  const { access_token } = (await (await answers(`${server.url}/oauth/token`, tokenRequest)).json()) as {
    access_token: string;
  };
  const url = String(environment.POSTERN_DATABASE_URL);
  const name = new URL(url).pathname.slice(1);
  const elsewhere = new URL("/postgres", url).href;
  const saysSo = async (component: Record<string, string>) => {
    const { components } = JSON.parse((await unavailable(`${server.url}/readyz`)).text);
    assert.deepEqual({ ...components, ...component }, components);
    await unavailable(`${server.url}/oauth/token`, tokenRequest);
    await unavailable(`${server.url}/api/v1/apps`, { headers: { authorization: `Bearer ${access_token}` } });
    assert.equal(await (await answers(keys)).text(), keySet);
  };
  await asOwner(elsewhere, [
    `ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND usename = current_user`,
  ]);
  // By now, the cache is too old to be trusted.
  await wait(1100);
  await saysSo({ database: "away" });
  await asOwner(elsewhere, [`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`]);
  await until(async () => (await statusOf(`${server.url}/oauth/token`, tokenRequest)) === 200);

  // The tables are dropped while the server reads them, so PostgreSQL may cancel either of the two
  // statements.
  await until(async () =>
    asOwner(url, ["DROP SCHEMA public CASCADE"]).then(
      () => true,
      () => false,
    ),
  );
  await asOwner(url, ["CREATE SCHEMA public"]);
  await until(async () => (await statusOf(`${server.url}/readyz`)) === 503);
  await until(async () =>
    (await (await answers(`${server.url}/readyz`)).text()).includes('"migrations":"missing"'),
  );
  await saysSo({ migrations: "missing" });
  assert.doesNotMatch(server.out(), /"msg":"a request failed"/);
  assert.equal((await server.stop()).code, 0);
});

/**
 * Starts a server with two workers, and kills both when `before` has finished. Returns what its primary
 * process has logged about exits since then.
 */
async function withoutWorkers(environment: Record<string, string>, before: () => unknown) {
  const server = await servedProcess({ environment: { ...environment, POSTERN_WORKERS: "2" } });
  endings.push(() => server.stop("SIGKILL"));
  assert.equal(await statusOf(`${server.url}/oauth/token`, tokenRequest), 200);
  const workers = childrenOf(server.pid);
  assert.equal(workers.length, 2);
  await before();
  for (const pid of workers) process.kill(pid, "SIGKILL");
  const ends = () =>
    server
      .out()
      .split("\n")
      .filter((line) => line.includes("a worker ended"))
      .map((line) => JSON.parse(line) as { exit_code: number; wait: number });
  // Until the primary process notices, it passes connections to the killed workers, which neither respond nor
  // close them.
  await until(() => ends().length >= workers.length);
  return { server, ends };
}

test("F-4: workers wait for an unavailable database, and requests are answered with 503 (reliability finding 2)", async () => {
  const { proxy, environment } = await setup();
  const { server, ends } = await withoutWorkers(environment, () => away(proxy));
  await until(async () => (await statusOf(`${server.url}/readyz`)) === 503);
  await saysUnavailable(server.url);
  proxy.accept();
  await until(async () => (await statusOf(`${server.url}/oauth/token`, tokenRequest)) === 200);
  assert.equal(ends().length, 2, "only those that were killed ended");
  const { code, out } = await server.stop();
  assert.equal(code, 0, out);
});

test("F-4: a worker that is killed before it accepts requests does not end the server (reliability finding 2)", async () => {
  const { environment } = await setup();
  const server = startPostern(["serve"], { environment: { ...environment, POSTERN_WORKERS: "2" } });
  endings.push(() => server.stop("SIGKILL"));
  let first: number | undefined;
  await until(() => {
    first ??= childrenOf(server.pid)[0];
    return first !== undefined;
  });
  if (first !== undefined) process.kill(first, "SIGKILL");
  await until(() => listeningLine(server.out()) !== undefined);
  assert.equal((await server.stop()).code, 0);
});

test("F-4: a worker that cannot start exits, and is restarted after increasing pauses (reliability finding 2)", async () => {
  const { environment, drop } = await setup();
  const { server, ends } = await withoutWorkers(environment, drop);
  await until(() => ends().filter(({ exit_code }) => exit_code === 1).length >= 4);
  const pauses = ends().map(({ wait }) => wait);
  assert.equal(pauses[0], 0);
  assert.ok(Math.max(...pauses) >= 375);
  // A loop without pauses would make hundreds of attempts.
  assert.ok(pauses.length < 30);
  assert.equal((await server.stop()).code, 0);
});

test("F-10: revocations acknowledged during outages still apply after the database returns (reliability finding 8)", async () => {
  const { proxy, environment } = await setup();
  const server = await servedProcess({ environment, restarts: true });
  endings.push(() => server.stop("SIGKILL"));
  const form = (path: string, body: string) => answers(`${server.url}${path}`, { ...tokenRequest, body });
  const issue = async () =>
    String(
      ((await (await form("/oauth/token", tokenRequest.body)).json()) as { access_token: string })
        .access_token,
    );
  const isActive = async (token: string) =>
    ((await (await form("/oauth/introspect", `token=${token}`)).json()) as { active: boolean }).active;
  for (const outage of [100, 1000, 7000]) {
    const tokens = await Promise.all(Array.from({ length: 30 }, issue));
    assert.equal(await isActive(tokens[0] ?? ""), true);
    away(proxy);
    const revoked = Promise.all(tokens.map((token) => form("/oauth/revoke", `token=${token}`)));
    await wait(outage);
    proxy.accept();
    for (const answer of await revoked) assert.equal(answer.status, 200);
    await until(async () => (await Promise.all(tokens.map(isActive))).every((active) => !active));
  }
  // Revocations that are pending at a stop are carried out before the process ends.
  const last = await issue();
  away(proxy);
  const answer = await form("/oauth/revoke", `token=${last}`);
  assert.equal(answer.status, 200);
  proxy.accept();
  assert.equal((await server.stop()).code, 0);
  const again = await restarted(server);
  endings.push(() => again.stop("SIGKILL"));
  assert.equal(await isActive(last), false);
});

test("F-30: a server stopped while its database is unavailable or hangs exits soon, with code 0", async () => {
  for (const fault of ["away", "stalled"]) {
    const { proxy, environment } = await setup();
    const server = await servedProcess({ environment });
    endings.push(() => server.stop("SIGKILL"));
    assert.equal(await statusOf(`${server.url}/oauth/token`, tokenRequest), 200);
    if (fault === "away") away(proxy);
    else proxy.stall();
    const from = performance.now();
    const { code, out } = await server.stop();
    assert.equal(code, 0, out);
    // A stop gives running requests ten seconds, but there are none.
    assert.ok(performance.now() - from < 8000);
  }
});

test("F-6: while the database is unavailable or hangs, requests get 503 with Retry-After, and the key set comes from memory (reliability findings 4 and 5)", async () => {
  const { proxy, environment } = await setup();
  const server = await servedProcess({
    environment: {
      ...environment,
      POSTERN_DATABASE_STATEMENT_TIMEOUT: "1500",
      POSTERN_DATABASE_QUERY_TIMEOUT: "3000",
      POSTERN_DATABASE_CONNECT_TIMEOUT: "1500",
    },
  });
  endings.push(() => server.stop("SIGKILL"));
  const keySet = await (await answers(`${server.url}/.well-known/jwks.json`)).text();
  const issued = await (await answers(`${server.url}/oauth/token`, tokenRequest)).json();
  const access_token = String((issued as { access_token: string }).access_token);
  const knowsItself = async () => {
    const from = performance.now();
    assert.equal(await (await answers(`${server.url}/.well-known/jwks.json`)).text(), keySet);
    assert.equal(await statusOf(`${server.url}/.well-known/openid-configuration`), 200);
    assert.equal(await statusOf(`${server.url}/healthz`), 200);
    assert.ok(performance.now() - from < 2000, "the key set waited for the database");
  };

  away(proxy);
  await saysUnavailable(server.url, access_token);
  // By now, no cached record is trusted.
  await wait(1100);
  await knowsItself();
  await saysUnavailable(server.url, access_token);
  proxy.accept();
  await until(async () => (await statusOf(`${server.url}/oauth/token`, tokenRequest)) === 200);

  proxy.stall();
  await wait(1100);
  await knowsItself();
  const from = performance.now();
  await unavailable(`${server.url}/readyz`);
  assert.ok(performance.now() - from < 4000, "readiness hung");
  await saysUnavailable(server.url, access_token);
  proxy.resume();
  await until(async () => (await statusOf(`${server.url}/oauth/token`, tokenRequest)) === 200);
  await until(async () => (await statusOf(`${server.url}/readyz`)) === 200);
  assert.doesNotMatch(server.out(), /"error":"server_error".*a request failed/);
  assert.equal((await server.stop()).code, 0);
});
