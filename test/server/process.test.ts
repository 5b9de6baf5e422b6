import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../support/temp.ts";

const program = join(import.meta.dirname, "..", "..", "bin", "postern.js");

function postern(args: readonly string[], input = "") {
  const folder = temporaryFolder();
  const { PATH = "" } = process.env;
  const env = { PATH, POSTERN_DATABASE_URL: `sqlite:${join(folder, "postern.db")}` };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    env,
    input,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("the program's exit code, standard output and standard error are those of its command", () => {
  const applied = postern(["apply", "-", "--json"], "organizations: [{ slug: acme, name: Acme }]");
  assert.deepEqual(
    [applied.status, JSON.parse(applied.stdout).created, applied.stderr],
    [0, ["organization acme"], "1 created, 0 updated, 0 unchanged.\n"],
  );
  const failed = postern(["org", "get", "acme"]);
  assert.deepEqual(
    [failed.status, failed.stdout, failed.stderr],
    [1, "", 'there is no organization "acme"\n'],
  );
  const wrong = postern(["nothing"]);
  assert.deepEqual([wrong.status, wrong.stdout], [2, ""]);
  assert.match(wrong.stderr, /unknown command 'nothing'/);
});
