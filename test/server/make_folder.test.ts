import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeFolder } from "../../src/server/make_folder.ts";
import { temporaryFolder } from "../support/temp.ts";

test("missing folders are created accessible only to their owner, and existing ones are unchanged", () => {
  const folder = temporaryFolder();
  const mode = statSync(folder).mode;
  for (const path of ["a/b/c", "a/b/c", "a/./b/../d"]) makeFolder(join(folder, path));
  for (const path of ["a", "a/b", "a/b/c", "a/d"])
    assert.equal(statSync(join(folder, path)).mode & 0o777, 0o700);
  assert.equal(statSync(folder).mode, mode);
});

test("a folder that cannot be created is reported, even if the system reports it as missing", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  assert.throws(
    () => makeFolder(join(file, "data")),
    /^Error: the folder .*\/file\/data cannot be created: /,
  );
  assert.throws(() => makeFolder("/proc/none/data"), /^Error: the folder \/proc\/none cannot be created: /);
});
