import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { newSecretKey } from "../../src/crypto/credentials.ts";
import { fieldsOf } from "../../src/records/definition/definition.ts";
import { openDriver } from "../../src/storage/store.ts";
import { tableNames } from "../storage/any_row.ts";
import { belongings } from "../storage/belongings.ts";
import { aUser } from "../support/builders.ts";
import { databases, openStoreAt } from "../support/databases.ts";
import { commandLine } from "./terminal.ts";

const [, postgres] = databases;
const secretKey = newSecretKey();

interface Copied {
  readonly from: string;
  readonly to: string;
  readonly rows: Readonly<Record<string, number>>;
}

async function emptyPostgres() {
  const address = await postgres?.address();
  assert.ok(address?.kind === "postgres");
  return address;
}

/** Returns a command line on SQLite with an organization and a signing key. */
async function filled(env: Record<string, string> = {}) {
  const line = commandLine(env);
  await line.json("org create --slug acme --name Acme");
  await line.json("keys rotate");
  return line;
}

test("F-42: migrate copy moves to PostgreSQL and back, lists the settings, and prints no secret", async () => {
  const line = await filled();
  const { url } = await emptyPostgres();
  const there = await line.run(`migrate copy --to ${url}`);
  assert.equal(there.code, 0, there.err);
  assert.match(
    there.out,
    /^Copied [\d,]+ rows of \d+ tables; both databases have the same number of rows in each table\.$/m,
  );
  const keyFile = join(line.folder, "secret.key");
  assert.ok(there.out.includes(`POSTERN_SECRET_KEY_FILE=${keyFile}`), there.out);
  assert.ok(!there.out.includes(readFileSync(keyFile, "utf8").trim()));
  const { password } = new URL(url);
  if (password !== "") assert.ok(!there.out.includes(password));

  const key = readFileSync(keyFile, "utf8").trim();
  const moved = commandLine({ POSTERN_DATABASE_URL: url, POSTERN_SECRET_KEY: key });
  const back = join(line.folder, "back.db");
  const { rows, to } = await moved.json<Copied>(`migrate copy --to sqlite:${back}`);
  assert.deepEqual(Object.keys(rows).sort(), [...tableNames].sort());
  assert.equal(rows.organizations, 1);
  assert.equal(to, `sqlite:${back}`);
  const returned = commandLine({ POSTERN_DATABASE_URL: to, POSTERN_SECRET_KEY: key });
  assert.equal((await returned.json<{ data: { slug: string }[] }>("org list")).data[0]?.slug, "acme");
  assert.deepEqual(
    readdirSync(line.folder).filter((name) => name.includes("copying")),
    [],
  );

  const again = await moved.run(`migrate copy --to sqlite:${back}`);
  assert.equal(again.code, 1);
  assert.match(again.err, /back\.db already exists: a copy needs a new file/);
});

test("F-42, F-24: copy and backup refuse a file name next to which another database left its log", async () => {
  const line = await filled();
  const { url } = await emptyPostgres();
  assert.equal((await line.run(`migrate copy --to ${url}`)).code, 0);
  const key = readFileSync(join(line.folder, "secret.key"), "utf8").trim();
  const moved = commandLine({ POSTERN_DATABASE_URL: url, POSTERN_SECRET_KEY: key });
  for (const suffix of ["-wal", "-shm", "-journal"]) {
    const path = join(line.folder, `left${suffix}.db`);
    writeFileSync(path + suffix, "what is left");
    for (const refused of [
      await moved.run(`migrate copy --to sqlite:${path}`),
      await line.run(`backup ${path}`),
      await line.run(`backup ${path} --force`),
    ]) {
      assert.equal(refused.code, 1);
      assert.match(refused.err, /belongs to another database: move it or choose/);
    }
    assert.equal(existsSync(path), false);
    assert.equal(readFileSync(path + suffix, "utf8"), "what is left");
  }
});

test("F-42: migrate copy refuses a key that does not decrypt the database, and invalid addresses", async () => {
  const { url } = await emptyPostgres();
  const line = await filled();
  const refused = async (args: readonly string[], code: number, why: RegExp, env = {}) => {
    const on = commandLine({ ...line.env, ...env });
    const { code: found, err } = await on.run(["migrate", "copy", "--to", ...args]);
    assert.equal(found, code, err);
    assert.match(err, why);
  };
  const sealed = /signing_keys\.private_key_sealed has values that POSTERN_SECRET_KEY cannot decrypt/;
  await refused([url], 1, sealed, { POSTERN_SECRET_KEY: secretKey });
  await refused(["mysql://db"], 2, /--to: expected sqlite:path or postgres:/);
  await refused(["sqlite:other.db"], 2, /postern backup FILE/);
  await refused([url], 1, /there is no database at/, {
    POSTERN_DATABASE_URL: `sqlite:${line.folder}/none.db`,
  });
  const server = await openStoreAt({ kind: "sqlite", path: join(line.folder, "postern.db") });
  await refused([url], 1, /is in use: first stop the server/);
  await server.close();
});

const program = fileURLToPath(new URL("copying_process.ts", import.meta.url));

/** Kills a copying process (SIGKILL) after this number of batches. */
async function killAfter(batches: number, env: Record<string, string>, to: string): Promise<void> {
  const child = spawn(process.execPath, [program, to, String(batches)], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  assert.deepEqual(await once(child, "close"), [null, "SIGKILL"]);
}

for (const database of databases)
  test(`F-42: a server refuses a copy into ${database.name} that was killed midway, and the next copy starts over`, async () => {
    const source = await databases.find(({ name }) => name !== database.name)?.address();
    const target = await database.address();
    assert.ok(source);
    const store = await openStoreAt(source);
    await store.migrate(new Date());
    await belongings(store);
    await aUser(store);
    const users = await store.count("users");
    await store.close();
    const urlOf = (address: typeof source) =>
      address.kind === "sqlite" ? `sqlite:${address.path}` : address.url;
    const env = { POSTERN_DATABASE_URL: urlOf(source), POSTERN_SECRET_KEY: secretKey };
    await killAfter(8, env, urlOf(target));
    if (target.kind === "sqlite") assert.equal(existsSync(target.path), false);
    else {
      const driver = await openDriver(target);
      await assert.rejects(driver.all("SELECT * FROM users", []), /users/);
      await driver.close();
    }
    const signing = await openStoreAt(source);
    // The encrypted values of these rows are placeholders, which the command could not decrypt before it
    // copies.
    await signing.remove("signing_keys", {});
    const sealed = tableNames.filter((table) =>
      Object.values(fieldsOf(table)).some(({ sealed_for }) => sealed_for !== undefined),
    );
    for (const table of sealed) await signing.remove(table, {});
    await signing.close();
    const copied = await commandLine(env).json<Copied>(["migrate", "copy", "--to", urlOf(target)]);
    assert.equal(copied.rows.users, users);
  });
