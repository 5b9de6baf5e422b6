/** The driver's behavior when PostgreSQL, or the connection to it, fails. */
import assert from "node:assert/strict";
import { Socket } from "node:net";
import { after, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { UnavailableError } from "../../src/errors.ts";
import { sweepLock } from "../../src/records/names/lock_names.ts";
import { asUnavailable } from "../../src/storage/postgres/errors.ts";
import type { DatabaseAddress, Store } from "../../src/storage/store.ts";
import { anApp, aUser, start } from "../support/builders.ts";
import { databases, openStoreAt } from "../support/databases.ts";
import { startTcpProxy, throughProxy, withoutMessages } from "../support/tcp_proxy.ts";
import { startTransactionPooler } from "../support/transaction_pooler.ts";
import { until } from "../support/until.ts";

/** Short limits in milliseconds, so that a test need not wait long. */
const limits = {
  statement_timeout: 600,
  lock_timeout: 400,
  idle_in_transaction_session_timeout: 1000,
  query_timeout: 1000,
  connect_timeout: 2000,
};

const endings: (() => Promise<void>)[] = [];
after(async () => {
  for (const end of endings.reverse()) await end();
});

type PostgresAddress = Extract<DatabaseAddress, { kind: "postgres" }>;

/** Creates a new database with tables. */
async function aDatabase(): Promise<PostgresAddress> {
  const database = databases.find(({ name }) => name === "PostgreSQL");
  assert.ok(database);
  const address = await database.address();
  assert.ok(address.kind === "postgres");
  const store = await openStoreAt(address, { connections: 1 });
  await store.migrate(start);
  await store.close();
  return address;
}

/** Opens a store that reaches its database through a proxy; another process can use `address` directly. */
async function throughAProxy(options: Parameters<typeof openStoreAt>[1] = {}) {
  const address = await aDatabase();
  let losing = false;
  const proxy = await startTcpProxy({
    target: address.url,
    filter: (direction) => (direction === "to_client" ? withoutMessages("A", () => losing) : undefined),
  });
  endings.push(() => proxy.close());
  const errors: Error[] = [];
  const store = await openStoreAt(
    { kind: "postgres", url: throughProxy(address.url, proxy) },
    { onError: (error) => errors.push(error), limits, ...options },
  );
  return {
    address,
    proxy,
    store,
    errors,
    loseNotices() {
      losing = true;
    },
    findNotices() {
      losing = false;
    },
  };
}

async function asOwner(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SET default_transaction_read_only = off");
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const pidOf = async (store: Store) =>
  store.transaction(async ({ connection }) => {
    const row = await connection.first("SELECT pg_backend_pid() AS pid", []);
    return Number(row?.pid);
  });

test("F-1: a connection that breaks inside a transaction fails only that transaction (reliability finding 1)", async () => {
  const address = await aDatabase();
  const errors: Error[] = [];
  const here = await openStoreAt(address, { onError: (error) => errors.push(error) });
  const there = await openStoreAt(address, { onError: () => {} });
  const uncaught: Error[] = [];
  const listener = (error: Error) => uncaught.push(error);
  process.on("uncaughtException", listener);
  try {
    await assert.rejects(
      here.transaction(async ({ connection }) => {
        const row = await connection.first("SELECT pg_backend_pid() AS pid", []);
        await there.transaction(({ connection: other }) =>
          other.all("SELECT pg_terminate_backend($1)", [row?.pid]),
        );
        // No statement runs on the connection while it is ended.
        await until(() => errors.length > 0);
        await connection.first("SELECT 1 AS one", []);
      }),
      { name: "UnavailableError", kind: "away" },
    );
    // The next transaction gets a new connection.
    assert.equal(await here.count("users"), 0);
    await here.transaction(async (tx) => assert.equal(await tx.count("users"), 0));
  } finally {
    process.off("uncaughtException", listener);
  }
  assert.deepEqual(uncaught, []);
});

describe("F-5: every wait for PostgreSQL has a limit (reliability finding 4)", () => {
  test("PostgreSQL cancels waiting for another transaction's lock, and statements that take too long", async () => {
    const { address, store } = await throughAProxy();
    const there = await openStoreAt(address);
    const held = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const holding = there.transaction(async (tx) => {
      await tx.lock(sweepLock());
      held.resolve();
      await released.promise;
    });
    await held.promise;
    await assert.rejects(
      store.transaction((tx) => tx.lock(sweepLock())),
      { name: "UnavailableError", kind: "slow", code: "55P03" },
    );
    const sleeping = store.transaction(({ connection }) => connection.first("SELECT pg_sleep(30)", []));
    await assert.rejects(sleeping, { name: "UnavailableError", kind: "slow", code: "57014" });
    // Long work, such as a migration, still waits for the lock.
    const patient = store.transaction(
      async (tx) => {
        await tx.lock(sweepLock());
        await tx.connection.first("SELECT pg_sleep(1.2)", []);
      },
      { maxWait: 5000 },
    );
    await wait(600);
    released.resolve();
    await Promise.all([holding, patient]);
    assert.equal(await store.count("users"), 0);
  });

  test("PostgreSQL ends a connection that is idle inside a transaction", async () => {
    const { store } = await throughAProxy();
    await assert.rejects(
      store.transaction(async ({ connection }) => {
        await connection.first("SELECT 1", []);
        await wait(1500);
        await connection.first("SELECT 1", []);
      }),
      { name: "UnavailableError" },
    );
    assert.equal(await store.count("users"), 0);
  });

  test("dead connections that report no error are detected and replaced, also for look-ups and notifications", async () => {
    const { address, proxy, store } = await throughAProxy();
    const there = await openStoreAt(address);
    const app = await anApp(there);
    // Uses several connections of the pool, and the one reserved for look-ups.
    await Promise.all(Array.from({ length: 6 }, () => pidOf(store)));
    await Promise.all(Array.from({ length: 6 }, () => store.find("oauth_apps", { id: app.id })));
    await until(() => store.isCurrent());
    proxy.blackhole();
    const from = performance.now();
    const firstOnes = await Promise.allSettled([
      ...Array.from({ length: 4 }, () => store.find("oauth_apps", { id: app.id })),
      ...Array.from({ length: 4 }, () => pidOf(store)),
    ]);
    for (const answer of firstOnes) {
      if (answer.status === "rejected") assert.equal(answer.reason.name, "UnavailableError");
    }
    // After the first dead connection is found, no caller gets another one.
    await Promise.all(Array.from({ length: 12 }, () => store.find("oauth_apps", { id: app.id })));
    await Promise.all(Array.from({ length: 12 }, () => pidOf(store)));
    assert.ok(performance.now() - from < 5000, `it took ${performance.now() - from} ms`);
    await until(() => store.isCurrent());
    await there.update("oauth_apps", { id: app.id }, { name: "Renamed" });
    await until(async () => (await store.findClient(app.client_id))?.app.name === "Renamed");
  });

  test("a database that hangs fails requests, and works again when it recovers", async () => {
    const { proxy, store } = await throughAProxy();
    await store.count("users");
    proxy.stall();
    await assert.rejects(store.count("users"), { name: "UnavailableError" });
    await until(() => !store.isCurrent());
    proxy.resume();
    await until(() =>
      store.count("users").then(
        () => true,
        () => false,
      ),
    );
    await until(() => store.isCurrent());
  });

  test("a time limit in the URL takes precedence, and is not sent as a parameter that poolers refuse", async () => {
    const address = await aDatabase();
    const startPackets: string[] = [];
    const proxy = await startTcpProxy({
      target: address.url,
      filter: (direction) => {
        let first = true;
        return direction === "to_client"
          ? undefined
          : (data) => {
              if (first) startPackets.push(data.toString("latin1"));
              first = false;
              return data;
            };
      },
    });
    endings.push(() => proxy.close());
    const url = `${throughProxy(address.url, proxy)}?statement_timeout=123&query_timeout=5000`;
    const store = await openStoreAt({ kind: "postgres", url }, { limits });
    const shown = await store.transaction(({ connection }) =>
      connection.first(
        "SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock",
        [],
      ),
    );
    assert.deepEqual({ ...shown }, { statement: "123ms", lock: "400ms" });
    assert.doesNotMatch(startPackets.join(), /statement_timeout/);
  });
});

describe("F-8: cached records are used only while PostgreSQL's notifications arrive (reliability finding 6)", () => {
  test("if notifications are lost, every look-up queries the database, and the log reports it", async () => {
    const { address, store, errors, loseNotices, findNotices } = await throughAProxy();
    const there = await openStoreAt(address);
    const app = await anApp(there);
    assert.equal((await store.findClient(app.client_id))?.app.active, true);
    await until(() => store.isCurrent());
    loseNotices();
    await until(() => !store.isCurrent());
    await there.update("oauth_apps", { id: app.id }, { active: false });
    assert.equal((await store.findClient(app.client_id))?.app.active, false);
    assert.equal(await store.count("oauth_apps"), 1);
    await until(() => errors.some(({ message }) => /notifications do not arrive/.test(message)));
    findNotices();
    await until(() => store.isCurrent());
  });
});

describe("F-11: of several hosts the writable one is used (reliability finding 12)", () => {
  const readOnly = (url: string, value: "on" | "off") =>
    asOwner(
      url,
      `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = ${value}`,
    );
  const endAll = (url: string) =>
    asOwner(
      url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()",
    );

  test("hosts are tried in order, and one that is read-only or does not answer is skipped", async () => {
    const [one, other] = await Promise.all([aDatabase(), aDatabase()]);
    await readOnly(one.url, "on");
    const nobody = "postgres://nobody:none@127.0.0.1:1/none";
    const store = await openStoreAt(
      {
        kind: "postgres",
        url: nobody,
        further_urls: [one.url, other.url],
        target_session_attrs: "read-write",
      },
      { limits },
    );
    await aUser(store, { email: "ada@example.com" });
    const there = await openStoreAt(other);
    assert.equal(await there.count("users"), 1);
    await store.proveWritable();

    // The roles change, as in a failover.
    await readOnly(other.url, "on");
    await readOnly(one.url, "off");
    await endAll(other.url);
    await until(() =>
      aUser(store, { email: "eve@example.com" }).then(
        () => true,
        () => false,
      ),
    );
    const successor = await openStoreAt(one);
    assert.equal(await successor.count("users"), 1);
    await until(() => store.isCurrent());
  });

  test("a connection to a host that became read-only is closed, and readiness reports it", async () => {
    const address = await aDatabase();
    const store = await openStoreAt(address, { connections: 2, limits });
    const first = await pidOf(store);
    // This session is read-only from now on, and new ones are not, as when a host name points to the new
    // primary.
    await store.transaction(({ connection }) => connection.run("SET default_transaction_read_only = on", []));
    const tries = await Promise.allSettled(
      Array.from({ length: 4 }, (_, index) => aUser(store, { email: `u${index}@example.com` })),
    );
    const refused = tries.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    for (const reason of refused)
      assert.deepEqual([reason.name, reason.kind], ["UnavailableError", "read_only"]);
    await aUser(store, { email: "ada@example.com" });
    await store.proveWritable();
    assert.notEqual(await pidOf(store), first);

    await readOnly(address.url, "on");
    await endAll(address.url);
    await until(() =>
      store.proveWritable().then(
        () => false,
        (error) => error.kind === "read_only",
      ),
    );
    await readOnly(address.url, "off");
    await endAll(address.url);
    await until(() =>
      store.proveWritable().then(
        () => true,
        () => false,
      ),
    );
  });
});

describe("F-6: failed connections and PostgreSQL's internal errors are database errors", () => {
  for (const code of ["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EPERM", "EACCES", "EAFNOSUPPORT"]) {
    test(`F-6: ${code} when connecting is a database error`, async (t) => {
      t.mock.method(Socket.prototype, "connect", function (this: Socket) {
        this.destroy(Object.assign(new Error(`connect ${code}`), { code, syscall: "connect" }));
        return this;
      });
      const address = { kind: "postgres", url: "postgres://postern:none@127.0.0.1:1/none" } as const;
      await assert.rejects(openStoreAt(address, { limits }), {
        name: "UnavailableError",
        kind: "away",
        message: `the database cannot be reached: connect ${code}`,
      });
    });
  }

  test("F-6: an internal error of PostgreSQL is a database error", async () => {
    const store = await openStoreAt(await aDatabase());
    const failing = store.transaction(({ connection }) =>
      connection.run("DO $$ BEGIN RAISE EXCEPTION 'no more' USING ERRCODE = 'XX000'; END $$", []),
    );
    await assert.rejects(failing, { name: "UnavailableError", kind: "away", code: "XX000" });
    assert.equal(await store.count("users"), 0);
  });

  const kindOf = (code: string, file?: string) => {
    const known = asUnavailable(Object.assign(new Error("said by the database"), { code, file }));
    return known instanceof UnavailableError ? known.kind : undefined;
  };
  const conditions = {
    away: ["08006", "55000", "55006", "57000", "57P01", "58000", "58030", "58P01", "F0000", "XX000"],
    slow: ["40000", "40001", "40003", "40P01", "53200", "53300", "53400", "55P03", "57014", "72000"],
    full: ["53100"],
    gone: ["42P01", "42703", "42P10"],
    damaged: ["XX001", "XX002"],
    refused: ["28P01", "3D000", "42501"],
  };
  const ofCallers = [
    "22001",
    "22021",
    "22P02",
    "23502",
    "23514",
    "42601",
    "54000",
    "54001",
    "54023",
    "P0001",
  ];
  test("F-6: an SQLSTATE about the database's condition means unavailable, and one about a statement does not", () => {
    for (const [kind, codes] of Object.entries(conditions))
      for (const code of codes) assert.equal(kindOf(code), kind, code);
    for (const code of ofCallers) assert.equal(kindOf(code), undefined, code);
  });

  test("F-6: 54000 means unavailable if notifications or transaction IDs are used up, not if a value is too long", () => {
    for (const file of ["async.c", "varsup.c", "multixact.c"]) assert.equal(kindOf("54000", file), "full");
    assert.equal(kindOf("54000", "nbtutils.c"), undefined);
  });
});

describe("F-7: readiness detects a database that answers but stores nothing", () => {
  const refusing = (code: string) => `
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'refused by the test' USING ERRCODE = '${code}'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON users FOR EACH STATEMENT EXECUTE FUNCTION refuse()`;
  const accepting = "DROP FUNCTION refuse() CASCADE";
  const cases = [
    [
      "a privilege was taken away",
      "refused",
      "REVOKE INSERT ON users FROM CURRENT_USER",
      "GRANT INSERT ON users TO CURRENT_USER",
    ],
    ["its disk is full", "full", refusing("53100"), accepting],
    ["its disk fails", "away", refusing("58030"), accepting],
    ["it has an internal error", "away", refusing("XX000"), accepting],
  ] as const;
  for (const [what, kind, begin, end] of cases) {
    test(`F-7: ${what}; the server is ready again once the same write would succeed`, async () => {
      const address = await aDatabase();
      const store = await openStoreAt(address, { limits });
      await asOwner(address.url, begin);
      await store.proveWritable();
      await assert.rejects(aUser(store), { name: "UnavailableError", kind });
      await assert.rejects(store.proveWritable(), { name: "UnavailableError", kind });
      // Other tables accept writes, which proves nothing about this one.
      await store.transaction(({ connection }) => connection.run("DELETE FROM ephemera", []));
      await assert.rejects(store.proveWritable(), { name: "UnavailableError", kind });
      await asOwner(address.url, end);
      await store.proveWritable();
      assert.equal(await store.count("users"), 0, "what was tried is not kept");
      await aUser(store);
    });
  }

  test("F-7: a write refused inside a longer transaction is detected too", async () => {
    const address = await aDatabase();
    const store = await openStoreAt(address, { limits });
    await asOwner(address.url, refusing("53100"));
    const adding = store.transaction(async (tx) => {
      await tx.list("users");
      await tx.connection.run("INSERT INTO users DEFAULT VALUES", []);
    });
    await assert.rejects(adding, { kind: "full" });
    await assert.rejects(store.proveWritable(), { kind: "full" });
    await asOwner(address.url, accepting);
    await store.proveWritable();
  });
});

/** A queue that is really full needs a separate cluster: `notice_queue.long.test.ts`. */
test("F-7: a database with a full notification queue stays ready, because tokens and sign-ins do not need it", async (t) => {
  const errors: Error[] = [];
  const store = await openStoreAt(await aDatabase(), { onError: (error) => errors.push(error) });
  endings.push(() => store.close());
  const query = Client.prototype.query as (...given: unknown[]) => unknown;
  const mocked = t.mock.method(Client.prototype, "query", function (this: Client, ...given: unknown[]) {
    if (!String(given[0]).startsWith("SELECT pg_notify")) return query.apply(this, given);
    return Promise.reject(Object.assign(new Error("too many"), { code: "54000", file: "async.c" }));
  });
  await until(() => !store.isCurrent());
  const { length } = mocked.mock.calls;
  await until(() => mocked.mock.calls.length > length + 2);
  assert.equal(errors.length, 1, "each heartbeat is refused, and the connection stays");
  await store.proveWritable();
  mocked.mock.restore();
  await until(() => store.isCurrent());
});

test("F-12: if PostgreSQL has no free connection, existing ones are shared (reliability finding 12)", async () => {
  const address = await aDatabase();
  // One of the four connections listens for notifications.
  await asOwner(address.url, `ALTER DATABASE ${new URL(address.url).pathname.slice(1)} CONNECTION LIMIT 4`);
  // The limits are high, because sixty callers share three connections on a possibly busy machine.
  const store = await openStoreAt(address, {
    connections: 12,
    limits: { ...limits, connect_timeout: 60_000, statement_timeout: 60_000, query_timeout: 60_000 },
  });
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      await aUser(store, { email: `u${index}@example.com` });
      return pidOf(store);
    }),
  );
  assert.ok(new Set(answers).size <= 3);
  assert.equal(await store.count("users"), 60);
});

test("F-13: a pooler in transaction mode is refused at startup, with the remedy (reliability finding 12)", async () => {
  const address = await aDatabase();
  const pooler = await startTransactionPooler(address.url);
  endings.push(pooler.close);
  await assert.rejects(openStoreAt({ kind: "postgres", url: pooler.url }, { limits }), {
    name: "UnavailableError",
    kind: "refused",
    message: /session mode or a direct connection/,
  });
});
