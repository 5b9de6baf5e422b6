import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { atEnd } from "../support/at_end.ts";
import { postgresDatabase } from "../support/postgres.ts";
import { templateVariable } from "../support/postgres_template.ts";
import { commandLine } from "./terminal.ts";

test("after a command changed a database's profile, commands with the other profile are refused", async () => {
  const { url, drop } = await postgresDatabase(process.env[templateVariable]);
  atEnd(drop);
  const env = { POSTERN_DATABASE_URL: url, POSTERN_SECRET_KEY: randomBytes(32).toString("base64") };
  const native = commandLine(env);
  const serializable = commandLine({ ...env, POSTERN_DATABASE_PROFILE: "serializable" });
  const refused = await serializable.run("migrate up");
  assert.equal(refused.code, 1);
  assert.match(refused.err, /^the database is used in the profile native [^\n]*\n$/);
  const changed = await native.run("migrate profile serializable");
  assert.match(changed.out, /start its processes with POSTERN_DATABASE_PROFILE=serializable/);
  assert.equal((await serializable.run("user list")).code, 0);
  assert.match((await native.run("user list")).err, /run `postern migrate profile native`\n$/);
  assert.deepEqual(await serializable.json("migrate profile native"), { profile: "native" });
  assert.equal((await native.run("user list")).code, 0);
});

test("an unknown database profile, or any profile for SQLite, is a usage error", async () => {
  const line = commandLine();
  assert.match((await line.run("migrate profile native")).err, /SQLite has no profiles/);
  assert.equal((await line.run("migrate profile fast")).code, 2);
});
