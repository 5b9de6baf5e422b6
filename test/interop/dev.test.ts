/** `postern dev`, whose passwords are public, works only on this machine and on its own database. */
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { get, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { auditStreamKinds } from "../../src/records/names/names.ts";
import { databasesInForm, openStoreAt } from "../support/databases.ts";
import { type Finished, runPostern, type ServedProcess, servedProcess } from "../support/process.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";

const secret_key = randomBytes(32).toString("base64");

/** Returns every file in the folder, with a hash of its content. */
function contentOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex"),
    ]),
  );
}

function isRefused({ code, out, err }: Finished, words: RegExp): void {
  assert.equal(code, 1, err);
  assert.match(err, words);
  assert.equal(err.trim().split("\n").length, 1, err);
  assert.equal(out, "");
}

describe("the database of postern dev", () => {
  const words = /was not created by `postern dev`.*Nothing was written/;

  for (const database of databasesInForm)
    test(`H-16: postern dev refuses a database that it did not create, on ${database.name} (security finding 11)`, async () => {
      const address = await database.address();
      const environment = {
        POSTERN_DATABASE_URL: address.kind === "sqlite" ? `sqlite:${address.path}` : address.url,
        POSTERN_SECRET_KEY: secret_key,
      };
      const migrated = await runPostern(["migrate"], { environment });
      assert.equal(migrated.code, 0, migrated.err);
      isRefused(await runPostern(["dev"], { environment }), words);
      const made = await runPostern(["user", "create", "--email", "root@example.com", "--name", "Root"], {
        environment,
      });
      assert.equal(made.code, 0, made.err);
      isRefused(await runPostern(["dev"], { environment }), words);
      const store = await openStoreAt(address);
      try {
        assert.deepEqual(
          (await store.list("users", {})).map(({ email }) => email),
          ["root@example.com"],
        );
        for (const table of ["organizations", "oauth_apps", "signing_keys", "ephemera"] as const)
          assert.equal(await store.count(table), 0, table);
      } finally {
        await store.close();
      }
    });

  test("H-16: a refused database keeps every byte, and no secret key is created for it", async () => {
    const folder = temporaryFolder();
    const data = join(folder, "data");
    mkdirSync(data);
    const path = join(data, "postern.db");
    const other = new DatabaseSync(path);
    other.exec(
      "PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')",
    );
    other.close();
    const was = contentOf(data);
    isRefused(await runPostern(["dev"], { folder }), words);
    assert.deepEqual(contentOf(data), was);
  });

  test("H-16: postern dev accepts its own database again, even after other commands used it", async () => {
    const folder = temporaryFolder();
    for (let times = 0; times < 2; times++) {
      const demo = await servedProcess({ command: "dev", folder });
      assert.equal((await demo.stop()).code, 0);
      assert.equal((await runPostern(["gc"], { folder })).code, 0);
    }
  });
});

test("events of postern dev are never exported, whatever audit streams are set", async () => {
  const folder = temporaryFolder();
  const environment = {
    POSTERN_AUDIT_FILE: join(folder, "audit.jsonl"),
    POSTERN_AUDIT_SYSLOG_URL: "udp://127.0.0.1:9",
  };
  const demo = await servedProcess({ command: "dev", folder, environment });
  assert.equal((await demo.stop()).code, 0);
  assert.ok(!existsSync(environment.POSTERN_AUDIT_FILE));
  const store = await openStoreAt({ kind: "sqlite", path: join(folder, "data", "postern.db") });
  try {
    assert.ok((await store.count("audit_events")) > 0);
    for (const kind of auditStreamKinds)
      assert.deepEqual((await store.waitingEvents(kind, 9)).marks, [], kind);
  } finally {
    await store.close();
  }
});

describe("access to postern dev", () => {
  for (const [name, value] of [
    ["POSTERN_HOST", "0.0.0.0"],
    ["POSTERN_HOST", "::"],
    ["POSTERN_BASE_URL", "https://id.example.com"],
  ] as const)
    test(`H-17: postern dev refuses ${name}=${value}, and creates nothing (security finding 11)`, async () => {
      const folder = temporaryFolder();
      isRefused(
        await runPostern(["dev"], { folder, environment: { [name]: value } }),
        new RegExp(`^(the host of )?${name}`),
      );
      assert.deepEqual(readdirSync(folder), []);
    });

  let demo: ServedProcess;
  before(async () => {
    demo = await servedProcess({ command: "dev" });
  });
  after(() => demo.stop("SIGKILL"));

  const ask = (path: string, host: string, method = "GET") =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const asking = method === "GET" ? get : request;
      const sent = asking({
        host: "127.0.0.1",
        port: demo.port,
        path,
        method,
        headers: { host },
        setHost: false,
      });
      sent
        .once("response", (answer) => resolve(answer.resume()))
        .once("error", reject)
        .end();
    });

  test("postern dev prints the optional features that it enables, and their settings", async () => {
    const { err, url } = demo;
    await until(() => err().includes("Enabled here"), "the settings are printed");
    assert.match(
      err(),
      /POSTERN_EXTRA_SIGN_IN=passkey,totp POSTERN_SIGN_UP=open POSTERN_SELF_SERVICE=email,/,
    );
    const login = await (await fetch(`${url}/login`)).text();
    assert.match(login, /href="\/register/);
    assert.match(login, /data-passkey/);
    const environment = { POSTERN_EXTRA_SIGN_IN: "totp", POSTERN_SIGN_UP: "closed" };
    const other = await servedProcess({ command: "dev", environment });
    const page = await (await fetch(`${other.url}/login`)).text();
    assert.doesNotMatch(page, /href="\/register|data-passkey/);
    await other.stop();
  });

  test("H-17: a request with a foreign Host header is refused as misdirected, on every path (security finding 11)", async () => {
    const paths = [
      "/",
      "/dev",
      "/dev/outbox",
      "/login",
      "/oauth/token",
      "/oauth/revoke",
      "/api/v1/me",
      "/healthz",
      "/nothing",
      "/.well-known/jwks.json",
    ];
    const port = String(demo.port);
    for (const path of paths)
      for (const method of ["GET", "POST"]) {
        const answer = await ask(path, `rebind.evil.test:${port}`, method);
        assert.equal(answer.statusCode, 421, `${method} ${path}`);
        assert.equal(answer.headers.location, undefined);
        assert.equal(answer.headers["set-cookie"], undefined);
      }
    for (const host of [
      "",
      "evil.test",
      "localhost.evil.test",
      "127.0.0.1.evil.test",
      `evil.test@localhost:${port}`,
      "localhost:1:2",
      "[::2]",
      "10.0.0.1",
      "0.0.0.0",
      "127.1",
    ])
      assert.equal((await ask("/dev", host)).statusCode, 421, host);
    // An absolute request target takes precedence over the header (RFC 9112 3.2.2).
    assert.equal((await ask("http://evil.test/dev", `localhost:${port}`)).statusCode, 421);
  });

  test("H-17: requests for the host of the base URL and for loopback hosts are answered", async () => {
    const port = String(demo.port);
    for (const host of [
      `localhost:${port}`,
      `LOCALHOST:${port}`,
      `127.0.0.1:${port}`,
      "127.0.0.1:8080",
      `[::1]:${port}`,
      "127.9.9.9",
    ])
      assert.equal((await ask("/dev/outbox", host)).statusCode, 200, host);
    assert.equal((await ask(`http://localhost:${port}/dev/outbox`, `localhost:${port}`)).statusCode, 200);
  });
});
