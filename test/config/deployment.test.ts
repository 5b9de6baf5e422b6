/** The files of `deploy/`, as far as they can be read without systemd, a container engine and Helm. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { settings } from "../../src/config/settings.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The names that the server reads, those of files among them. */
const known = new Set(Object.values(settings).flatMap(({ name }) => [name, `${name}_FILE`]));

/** Seconds that a stop may take (docs/operations.md): the requests' 10, and 3.5 of a silent database. */
const stopTakes = 13.5;

describe("the files of deploy/", () => {
  const files = globSync("deploy/**/*", { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));

  test("they and docs/installing.md name settings that exist", () => {
    assert.ok(files.length > 0);
    const named = [...files, "docs/installing.md"].flatMap((path) =>
      [...read(path).matchAll(/POSTERN_[A-Z_]*[A-Z]/g)].map(([name]) => ({ path, name })),
    );
    assert.deepEqual(
      named.filter(({ name }) => !known.has(name)),
      [],
    );
    assert.ok(named.length > 3, String(named.length));
  });

  test("docs/installing.md names files that exist", () => {
    const named = [...read("docs/installing.md").matchAll(/deploy\/[\w./-]*\w/g)].map(([path]) => path);
    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter((path) => !existsSync(join(root, path))),
      [],
    );
  });

  test("the service starts the program of the package, keeps its data where it may write, and may stop", () => {
    const unit = read("deploy/systemd/postern.service");
    const values = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, v]) => v);
    const { bin } = JSON.parse(read("package.json"));
    assert.deepEqual(values("ExecStart"), [
      `/usr/bin/node /opt/postern/node_modules/@postern/server/${bin.postern} serve`,
    ]);
    // The default of the database is a path below the working folder.
    assert.deepEqual(values("WorkingDirectory"), [`/var/lib/${values("StateDirectory")}`]);
    assert.deepEqual(values("ProtectSystem"), ["strict"]);
    assert.ok(Number(values("TimeoutStopSec")) > stopTakes);
    const user = /^u (\S+)/m.exec(read("deploy/systemd/postern.sysusers"))?.[1];
    assert.deepEqual(values("User"), [user]);
  });
});
