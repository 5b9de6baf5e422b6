import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs, {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { replaceDatabase } from "../../src/cli/maintenance/restore.ts";
import { withDraft } from "../../src/server/files/draft.ts";
import { sqliteFault } from "../../src/storage/sqlite/file.ts";
import { openStore } from "../../src/storage/store.ts";
import { accessOnly, anOrganization, aSession, aToken } from "../support/builders.ts";
import { temporaryFolder } from "../support/temp.ts";
import { commandLine, emptyCommandLine } from "./terminal.ts";

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Returns a command line on a database with an organization, and a folder for copies. */
async function filled() {
  const line = commandLine();
  await line.run(["org", "create", "--slug", "acme", "--name", "Acme"]);
  await line.run(["keys", "rotate"]);
  const database = join(line.folder, "postern.db");
  return { ...line, database, copy: join(temporaryFolder(), "it's a copy.db") };
}

/** Overwrites bytes in the middle of the file, where its rows are. */
function damage(path: string): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(4096, 0x5a), 0, 4096, 4096 * 3);
}

describe("F-24: postern backup (reliability finding 12)", () => {
  test("F-24: writes a complete copy that only its owner can read, whatever the umask, and no other file", async () => {
    const { json, copy } = await filled();
    const umask = process.umask(0o000);
    try {
      assert.deepEqual(await json(["backup", copy]), { file: copy, bytes: statSync(copy).size });
    } finally {
      process.umask(umask);
    }
    assert.equal(modeOf(copy), "600");
    assert.deepEqual(readdirSync(join(copy, "..")), ["it's a copy.db"]);
    const database = new DatabaseSync(copy, { readOnly: true });
    assert.deepEqual({ ...database.prepare("SELECT slug FROM organizations").get() }, { slug: "acme" });
    database.close();
  });

  test("F-24: names a destination folder that it cannot write to (reliability finding 12)", async () => {
    const { run, copy } = await filled();
    const nowhere = join(copy, "..", "nowhere");
    const refused = await run(["backup", join(nowhere, "copy.db")]);
    assert.equal(refused.code, 1);
    assert.equal(refused.err, `no file can be created in the folder ${nowhere} (ENOENT)\n`);
  });

  test("F-24: overwrites an existing file only with --force", async () => {
    const { run, copy } = await filled();
    writeFileSync(copy, "mine", { mode: 0o644 });
    const refused = await run(["backup", copy]);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /already exists; use --force to replace it/);
    assert.equal(readFileSync(copy, "utf8"), "mine");
    assert.equal((await run(["backup", copy, "--force"])).code, 0);
    assert.deepEqual([modeOf(copy), readFileSync(copy).subarray(0, 6).toString()], ["600", "SQLite"]);
  });

  test("F-24: never replaces the database itself, and replaces the target of a link instead of the link", async () => {
    const { run, copy, database } = await filled();
    const link = `${copy}.link`;
    symlinkSync(database, link);
    const before = statSync(database).ino;
    for (const file of [database, link]) {
      const { code, err } = await run(["backup", file, "--force"]);
      assert.equal(code, 1);
      assert.match(err, /is the database itself: choose another name$/m);
    }
    assert.equal(statSync(database).ino, before);
    const latest = `${copy}.latest`;
    writeFileSync(copy, "old");
    symlinkSync(copy, latest);
    assert.equal((await run(["backup", latest, "--force"])).code, 0);
    assert.equal(readlinkSync(latest), copy);
    assert.equal(readFileSync(copy).subarray(0, 6).toString(), "SQLite");
    writeFileSync(`${copy}-wal`, "a log");
    assert.match((await run(["backup", latest, "--force"])).err, /-wal belongs to another database/);
  });

  test("F-24: replaces no backup with an empty or foreign database", async () => {
    const { run, copy, database, folder } = await filled();
    await run(["backup", copy]);
    const good = readFileSync(copy);
    const refused = async (sentence: RegExp) => {
      const { code, err } = await run(["backup", copy, "--force"]);
      assert.equal(code, 1);
      assert.match(err, sentence);
      assert.deepEqual(readFileSync(copy), good);
    };
    writeFileSync(database, "");
    await refused(/postern\.db is empty, but .*secret\.key belongs to an existing database/);
    rmSync(join(folder, "secret.key"));
    await refused(/postern\.db is not a Postern database$/m);
    const foreign = new DatabaseSync(database);
    foreign.exec("CREATE TABLE t (a)");
    foreign.close();
    await refused(/postern\.db is not a Postern database$/m);
  });

  test("F-24: refuses a damaged or missing database with the reason, and leaves no file", async () => {
    const { run, copy, database } = await filled();
    const there = await run(["backup", join(copy, "..", "none", "copy.db")]);
    assert.deepEqual([there.code, there.out], [1, ""]);
    damage(database);
    const { code, err } = await run(["backup", copy]);
    assert.equal(code, 1);
    assert.match(err, /malformed|damaged/);
    rmSync(database);
    assert.match((await run(["backup", copy])).err, /there is no database at/);
    assert.deepEqual(readdirSync(join(copy, "..")), []);
  });

  test("F-24: for PostgreSQL, backup and restore print the pg_dump or pg_restore command, without the password", async () => {
    const { run } = commandLine({
      POSTERN_DATABASE_URL: "postgres://postern:hunter2@db.example:5433/id?sslmode=require",
      POSTERN_SECRET_KEY: Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64"),
    });
    const [backup, restore] = [await run(["backup", "copy.dump"]), await run(["restore", "copy.dump"])];
    assert.deepEqual([backup.code, restore.code], [1, 1]);
    const address = "'postgres://postern@db.example:5433/id?sslmode=require'";
    assert.ok(backup.err.includes(`pg_dump --format=custom --file='copy.dump' ${address}`), backup.err);
    assert.ok(restore.err.includes(`--dbname=${address} 'copy.dump'`), restore.err);
    assert.doesNotMatch(backup.err + restore.err, /hunter2/);
  });
});

describe("F-24, F-25, MG-10: copies at the same time, and interrupted ones", () => {
  test("F-24, F-25: two copies into the same file both finish, and the later one replaces the earlier", async () => {
    const { run, copy, database } = await filled();
    await withDraft(copy, async () => {
      assert.equal((await run(["backup", copy])).code, 0);
      assert.equal((await run(["backup", copy, "--force"])).code, 0);
    });
    await withDraft(database, async () => {
      const { code, err } = await run(["restore", copy, "--force"]);
      assert.equal(code, 0, err);
    });
    assert.match((await run(["org", "list"])).out, /acme/);
  });

  const program = fileURLToPath(new URL("interrupted_process.ts", import.meta.url));
  for (const signal of ["SIGINT", "SIGTERM"])
    for (const command of ["backup", "restore", "export"])
      test(`F-24, F-25, MG-10: ${signal} ends \`postern ${command}\`, which leaves no file and changes none`, async () => {
        const { run, copy, folder, env } = await filled();
        await run(["backup", copy]);
        const target = join(copy, "..", "target");
        const args = {
          backup: ["backup", target],
          restore: ["restore", copy, "--force", "--end-sessions"],
          export: ["export", "--people", target],
        }[command];
        const files = () => [
          // The killed process leaves the log of the database that it had open.
          readdirSync(folder).filter((name) => !/^postern\.db-(wal|shm)$/.test(name)),
          readdirSync(join(copy, "..")),
        ];
        const before = files();
        const { signal: ended, stderr } = spawnSync(process.execPath, [program, signal, ...(args ?? [])], {
          env: { ...process.env, ...env },
          encoding: "utf8",
        });
        assert.equal(ended, signal, stderr);
        assert.deepEqual(files(), before);
      });
});

describe("F-25: postern restore (reliability finding 12)", () => {
  test("F-25: restores the copy, keeps the previous file, and prints the consequences", async () => {
    const { run, json, copy, folder, database } = await filled();
    await run(["backup", copy]);
    await run(["org", "create", "--slug", "younger", "--name", "Younger"]);
    const refused = await run(["restore", copy]);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /already exists; use --force to replace it and keep/);
    chmodSync(copy, 0o644);
    const { code, out } = await run(["restore", copy, "--force"]);
    assert.equal(code, 0);
    assert.match(out, /issued after the backup.*valid again/s);
    const slugs = (await json<{ data: { slug: string }[] }>(["org", "list"])).data.map(({ slug }) => slug);
    assert.deepEqual(slugs, ["acme"]);
    assert.equal(modeOf(database), "600");
    const kept = readdirSync(folder).filter((name) => name.includes("before-restore"));
    assert.equal(kept.length, 1);
    const former = new DatabaseSync(join(folder, kept[0] ?? ""), { readOnly: true });
    assert.equal(former.prepare("SELECT count(*) AS n FROM organizations").get()?.n, 2);
    former.close();
    assert.equal((await run(["doctor"])).code, 0);
  });

  test("F-25: refuses while another process has the database open", async () => {
    const { run, copy, database } = await filled();
    await run(["backup", copy]);
    const server = await openStore({ kind: "sqlite", path: database });
    const { code, err } = await run(["restore", copy, "--force"]);
    assert.equal(code, 1);
    assert.match(err, /is in use: first stop the server/);
    assert.equal(await server.count("organizations"), 1);
    await server.close();
    assert.equal((await run(["restore", copy, "--force"])).code, 0);
  });

  test("F-25: refuses a damaged, truncated or unrelated file, and changes nothing", async () => {
    const { run, copy, folder } = await filled();
    await run(["backup", copy]);
    const before = readdirSync(folder).sort();
    const others = `${copy}.other`;
    const other = new DatabaseSync(others);
    other.exec("CREATE TABLE t (a)");
    other.close();
    const cut = `${copy}.cut`;
    copyFileSync(copy, cut);
    truncateSync(cut, 4096 * 5);
    const text = `${copy}.txt`;
    writeFileSync(text, "no database");
    const newer = `${copy}.newer`;
    copyFileSync(copy, newer);
    // The number of the schema format (https://www.sqlite.org/fileformat2.html#the_database_header).
    writeSync(openSync(newer, "r+"), Uint8Array.of(9), 0, 1, 47);
    damage(copy);
    for (const [file, sentence] of [
      [copy, /it is damaged/],
      [cut, /it is damaged/],
      [text, /it is damaged: file is not a database/],
      [newer, /it is damaged: unsupported file format/],
      [others, /is not a Postern database/],
      [`${copy}.none`, /does not exist/],
      [folder, /cannot be read: it is a folder$/m],
    ] as const) {
      const { code, err } = await run(["restore", file, "--force"]);
      assert.equal(code, 1, file);
      assert.match(err, sentence);
      assert.doesNotMatch(err, /\n\s+at /);
    }
    assert.deepEqual(readdirSync(folder).sort(), before);
  });

  test("F-25: refuses a file with a write-ahead log, and prints the command that copies both", async () => {
    const { run, database, copy, env } = await filled();
    const store = await openStore({ kind: "sqlite", path: database });
    await anOrganization(store, { slug: "in-the-log" });
    for (const suffix of ["", "-wal"]) copyFileSync(database + suffix, copy + suffix);
    await store.close();
    const link = `${copy}.link`;
    symlinkSync(copy, link);
    for (const file of [copy, link]) {
      const { code, err } = await run(["restore", file, "--force"]);
      assert.equal(code, 1);
      assert.match(
        err,
        /-wal may contain changes .* lacks: .*`POSTERN_DATABASE_URL=sqlite:.* postern backup COPY`/,
      );
      const [, command = ""] = /`(.+) postern backup COPY`/.exec(err) ?? [];
      const script = `${command} sh -c 'printf %s "$POSTERN_DATABASE_URL"'`;
      assert.equal(spawnSync("sh", ["-c", script], { encoding: "utf8" }).stdout, `sqlite:${file}`);
    }
    const whole = `${copy}.whole`;
    await commandLine({ ...env, POSTERN_DATABASE_URL: `sqlite:${copy}` }).json(["backup", whole]);
    assert.equal((await run(["restore", whole, "--force"])).code, 0);
    assert.match((await run(["org", "list"])).out, /in-the-log/);
  });

  for (const [what, lose] of [
    ["missing", (path: string) => rmSync(path)],
    ["empty", (path: string) => writeFileSync(path, "")],
  ] as const)
    test(`F-25: keeps the log and the journal of a database that is ${what}, and removes them from their place`, async () => {
      const { run, json, copy, database, folder } = await filled();
      await run(["backup", copy]);
      lose(database);
      for (const suffix of ["-wal", "-journal"]) writeFileSync(database + suffix, `the lost ${suffix}`);
      const { kept } = await json<{ kept: string }>(["restore", copy, "--force"]);
      const name = kept.replace(/-wal$/, "");
      for (const suffix of ["-wal", "-journal"]) {
        assert.equal(readFileSync(name + suffix, "utf8"), `the lost ${suffix}`);
        assert.equal(existsSync(database + suffix), false);
      }
      assert.match((await run(["org", "list"])).out, /acme/);
      assert.equal((await run(["doctor"])).code, 0);
      assert.ok(readdirSync(folder).every((file) => !file.endsWith("-journal") || file.includes("before")));
    });

  test("F-25: two restores in the same second keep both previous databases", async () => {
    const now = new Date();
    const { run, copy, folder, env } = await filled();
    await run(["backup", copy]);
    const line = commandLine(env, { now: () => now });
    for (let round = 1; round <= 3; round += 1) await line.json(["restore", copy, "--force"]);
    const kept = readdirSync(folder).filter((name) => name.includes("before-restore"));
    assert.equal(kept.length, 3);
  });

  test("F-25: if the copy cannot be moved into place, the previous database stays where it was", async () => {
    const { database, folder } = await filled();
    const before = readdirSync(folder).sort();
    await assert.rejects(replaceDatabase(join(folder, "gone"), database, new Date()), { code: "ENOENT" });
    assert.deepEqual(readdirSync(folder).sort(), before);
    const store = await openStore({ kind: "sqlite", path: database });
    assert.equal(await store.count("organizations"), 1);
    await store.close();
  });

  test("F-25: the copy is on the disk before the previous log is removed", async (t) => {
    const { run, database, copy } = await filled();
    await run(["backup", copy]);
    rmSync(database);
    writeFileSync(`${database}-wal`, "the log");
    const { fsyncSync } = fs;
    const logs: boolean[] = [];
    Object.assign(fs, {
      fsyncSync(file: number) {
        logs.push(existsSync(`${database}-wal`));
        fsyncSync(file);
      },
    });
    syncBuiltinESMExports();
    t.after(() => {
      Object.assign(fs, { fsyncSync });
      syncBuiltinESMExports();
    });
    const draft = `${database}.draft`;
    copyFileSync(copy, draft);
    await replaceDatabase(draft, database, new Date());
    assert.equal(logs[0], true);
    assert.equal(existsSync(`${database}-wal`), false);
  });

  test("F-25: a restore killed at any step leaves the previous or the restored database, complete, under its name", async () => {
    const program = fileURLToPath(new URL("restoring_process.ts", import.meta.url));
    const { run, database, copy } = await filled();
    await run(["backup", copy]);
    await run(["org", "create", "--slug", "younger", "--name", "Younger"]);
    const found = new Set<number>();
    for (let change = 1; ; change++) {
      const path = join(temporaryFolder(), "postern.db");
      copyFileSync(database, path);
      copyFileSync(copy, `${path}.draft`);
      const { signal, status, stderr } = spawnSync(
        process.execPath,
        [program, `${path}.draft`, path, String(change)],
        { encoding: "utf8" },
      );
      assert.ok(signal === "SIGKILL" || status === 0, stderr);
      assert.ok(existsSync(path), `nothing is there before change ${change}`);
      const store = await openStore({ kind: "sqlite", path });
      found.add(await store.count("organizations"));
      await store.close();
      if (status === 0) break;
    }
    assert.deepEqual([...found], [2, 1]);
  });

  test("F-25: refuses a copy that the available key cannot decrypt, or if there is no key", async () => {
    const { run, copy, folder } = await filled();
    await run(["backup", copy]);
    const key = join(folder, "secret.key");
    writeFileSync(key, `${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64")}\n`);
    assert.match((await run(["restore", copy, "--force"])).err, /this machine's key does not decrypt /);
    rmSync(key);
    assert.match(
      (await run(["restore", copy, "--force"])).err,
      /the key that decrypts .* is not on this machine/,
    );
  });

  test("F-25: replaces a damaged database with the copy, and restores into an empty folder", async () => {
    const { run, copy, database, folder } = await filled();
    await run(["backup", copy]);
    writeFileSync(database, "noise");
    assert.equal((await run(["restore", copy, "--force"])).code, 0);
    assert.equal((await run(["doctor"])).code, 0);
    for (const name of readdirSync(folder)) if (name !== "secret.key") rmSync(join(folder, name));
    assert.equal((await run(["restore", copy])).code, 0);
    assert.equal((await run(["doctor"])).code, 0);
  });

  test("F-25: --end-sessions revokes every token and session of the copy", async () => {
    const { run, copy, database } = await filled();
    const store = await openStore({ kind: "sqlite", path: database });
    const token = await aToken(store, accessOnly);
    const session = await aSession(store);
    await store.close();
    await run(["backup", copy]);
    assert.equal((await run(["restore", copy, "--force", "--end-sessions"])).code, 0);
    const restored = await openStore({ kind: "sqlite", path: database });
    assert.equal((await restored.find("oauth_tokens", { id: token.id }))?.revoked, true);
    assert.ok((await restored.find("sessions", { id: session.id }))?.ended_at);
    await restored.close();
  });
});

test("F-26: doctor reports a damaged database, and database files that others can read (reliability finding 12)", async () => {
  const { run, database } = await filled();
  const whole = await run(["doctor"]);
  assert.match(whole.out, /ok +integrity/);
  damage(database);
  const damaged = await run(["doctor"]);
  assert.equal(damaged.code, 1);
  assert.match(
    damaged.out,
    /WRONG +integrity +\S+postern\.db is damaged: .+; restore a backup with `postern restore`/,
  );
  assert.equal(existsSync(`${database}-wal`), false);
  writeFileSync(`${database}-wal`, "", { mode: 0o644 });
  assert.match((await run(["doctor"])).out, /WRONG +file mode +\S+postern\.db-wal has mode 644/);
});

test("F-24, F-26: backup and doctor do not call an intact database damaged that they cannot read", async () => {
  const { run, database, copy } = await filled();
  // A folder of this name makes SQLite fail with SQLITE_CANTOPEN, as missing permission does.
  mkdirSync(`${database}-wal`, { mode: 0o700 });
  const said = /postern\.db cannot be read: .+ \(\S+postern\.db-wal is a folder: move it\)$/m;
  const backup = await run(["backup", copy]);
  assert.deepEqual([backup.code, existsSync(copy)], [1, false]);
  assert.match(backup.err, said);
  const { code, out } = await run(["doctor"]);
  assert.equal(code, 1);
  assert.match(out, said);
  assert.doesNotMatch(backup.err + out, /damaged|restore/);
  const whole = `${copy}.whole`;
  rmSync(`${database}-wal`, { recursive: true });
  await run(["backup", whole]);
  mkdirSync(`${database}-wal`, { mode: 0o700 });
  const before = readdirSync(join(database, "..")).sort();
  assert.match((await run(["restore", whole, "--force"])).err, said);
  assert.deepEqual(readdirSync(join(database, "..")).sort(), before);
  rmSync(`${database}-wal`, { recursive: true });
  assert.equal((await run(["backup", copy])).code, 0);
});

test("F-24, F-26, F-29: backup, doctor and the start name a full disk and a folder in place of the file", async (t) => {
  const { run, database, copy, folder, env } = await filled();
  // A folder of this name makes SQLite fail with SQLITE_CANTOPEN, as a full disk does.
  mkdirSync(`${database}-wal`, { mode: 0o700 });
  const { statfsSync } = fs;
  const full = t.mock.method(fs, "statfsSync", (path: string) => ({ ...statfsSync(path), bavail: 0 }));
  syncBuiltinESMExports();
  t.after(() => {
    full.mock.restore();
    syncBuiltinESMExports();
  });
  const sentence = `(the disk of ${folder} is full: free space)`;
  for (const command of [["backup", copy], ["doctor"], ["org", "list"]]) {
    const { code, out, err } = await run(command);
    assert.equal(code, 1);
    assert.ok((out + err).includes(sentence), out + err);
  }
  rmSync(`${database}-wal`, { recursive: true });
  assert.match((await run(["doctor"])).out, /WRONG +disk +the disk of .+ is full: free space/);
  const link = join(copy, "..", "link.db");
  symlinkSync(database, link);
  const linked = commandLine({ ...env, POSTERN_DATABASE_URL: `sqlite:${link}` });
  assert.ok((await linked.run(["doctor"])).out.includes(`the disk of ${folder} is full`));
  mkdirSync(`${database}-wal`, { mode: 0o700 });
  assert.ok((await linked.run(["backup", copy])).err.includes(sentence));
  rmSync(`${database}-wal`, { recursive: true });
  rmSync(database);
  mkdirSync(database);
  assert.match((await run(["backup", copy])).err, /postern\.db is a folder/);
});

for (const [code, sentence] of [
  ["EROFS", /the file system of \S+ is mounted read-only/],
  ["EACCES", /this account cannot write \S+: change its owner or mode/],
] as const)
  test(`F-26: doctor names a folder that it cannot use (${code}), and does not call the database missing`, async (t) => {
    const { run, database } = await filled();
    rmSync(database);
    rmSync(join(database, "..", "secret.key"));
    const shut = t.mock.method(fs, "accessSync", () => {
      throw Object.assign(new Error("no"), { code });
    });
    syncBuiltinESMExports();
    t.after(() => {
      shut.mock.restore();
      syncBuiltinESMExports();
    });
    const { out } = await run(["doctor"]);
    assert.match(out, sentence);
    assert.doesNotMatch(out, /does not exist yet/);
  });

test("F-24, F-26: backup and doctor name the lock of another process", async (t) => {
  const { run, database, copy } = await filled();
  const said = "(another process has locked it: stop this process)";
  t.mock.method(DatabaseSync.prototype, "prepare", () => {
    throw Object.assign(new Error("database is locked"), { errcode: 5 });
  });
  assert.ok(sqliteFault(database)?.sentence.endsWith(said));
  assert.ok((await run(["backup", copy])).err.includes(said));
});

test("F-29: the start names a database that another process replaced while it was opened", async (t) => {
  const { run, database } = await filled();
  // As `postern restore` leaves the previous database.
  const previous = new DatabaseSync(database);
  previous.exec("PRAGMA journal_mode = DELETE");
  previous.close();
  const restored = `${database}.restored`;
  copyFileSync(database, restored);
  const { exec } = DatabaseSync.prototype;
  t.mock.method(DatabaseSync.prototype, "exec", function (this: DatabaseSync, sql: string) {
    if (existsSync(restored)) renameSync(restored, database);
    exec.call(this, sql);
  });
  const { code, err } = await run(["org", "list"]);
  assert.equal(code, 1);
  assert.match(err, /cannot be opened: .+ \(another process replaced it: repeat the command\)$/m);
});

test("F-25: restore through a symbolic link replaces the target file, and keeps the link", async () => {
  const { run, json, database, copy, folder } = await filled();
  await json(["backup", copy]);
  const there = join(folder, "..", "there.db");
  renameSync(database, there);
  symlinkSync(there, database);
  const { code, err } = await run(["restore", copy, "--force"]);
  assert.equal(code, 0, err);
  assert.equal(readlinkSync(database), there);
  assert.deepEqual(readdirSync(folder).sort(), ["postern.db", "secret.key"]);
  assert.match((await run(["org", "list"])).out, /acme/);
});

describe("F-29: a problem with the files of an SQLite database is reported in one sentence that names the setting", () => {
  const cases: readonly [string, (folder: string) => void, RegExp][] = [
    [
      "secret.key is a folder",
      (folder) => {
        mkdirSync(join(folder, "secret.key"), { recursive: true });
        new DatabaseSync(join(folder, "postern.db")).exec("CREATE TABLE others (a); DROP TABLE others");
      },
      /the secret key .*secret\.key cannot be read, and POSTERN_SECRET_KEY is not set: EISDIR/,
    ],
    [
      "the folder of the data is a file",
      (folder) => writeFileSync(folder, ""),
      /the database .*postern\.db of POSTERN_DATABASE_URL cannot be created: ENOTDIR/,
    ],
    [
      "the database is a folder",
      (folder) => mkdirSync(join(folder, "postern.db"), { recursive: true }),
      /the database .*postern\.db of POSTERN_DATABASE_URL is a folder/,
    ],
  ];
  for (const [what, make, sentence] of cases) {
    test(`F-29: one sentence names the problem and the setting if ${what}`, async () => {
      const { run, folder } = emptyCommandLine();
      make(folder);
      const { code, err } = await run("user list");
      assert.equal(code, 1);
      assert.match(err, sentence);
    });
  }
});
