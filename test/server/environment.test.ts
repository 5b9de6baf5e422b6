import assert from "node:assert/strict";
import fs, { existsSync, readdirSync, renameSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { readConfig } from "../../src/config.ts";
import { openEnvironment } from "../../src/server/environment.ts";
import type { Driver } from "../../src/storage/database/driver.ts";
import { signingKeyOf } from "../support/builders.ts";
import { temporaryFolder } from "../support/temp.ts";

test("a secret key file that another process creates at the same time is read", async () => {
  const folder = temporaryFolder();
  const config = readConfig({ POSTERN_DATABASE_URL: `sqlite:${join(folder, "postern.db")}` });
  const now = () => new Date();
  const other = await openEnvironment(config, { now });
  await other.store.insert("signing_keys", signingKeyOf());
  await other.store.close();
  const [key, aside] = [join(folder, "secret.key"), join(folder, "aside")];
  renameSync(key, aside);
  await assert.rejects(openEnvironment(config, { now }), /is missing, but the database contains/);

  /** Moves the key file back just before the database reports whether it contains encrypted values. */
  const around = (driver: Driver): Driver => ({
    ...driver,
    async first(sql, parameters) {
      if (sql.includes("<> ''") && existsSync(aside)) renameSync(aside, key);
      return driver.first(sql, parameters);
    },
  });
  const { store } = await openEnvironment(config, { now, around });
  await store.close();
});

test("a secret key file that cannot be written leaves no draft behind", async (t) => {
  const folder = temporaryFolder();
  const config = readConfig({ POSTERN_DATABASE_URL: `sqlite:${join(folder, "postern.db")}` });
  t.mock.method(fs, "writeSync", () => {
    throw new Error("ENOSPC: no space left on device");
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  await assert.rejects(openEnvironment(config, { now: () => new Date() }), /ENOSPC/);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith("secret.key")),
    [],
  );
});
