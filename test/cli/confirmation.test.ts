import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { servedProgram } from "../support/served_program.ts";
import { temporaryFolder } from "../support/temp.ts";
import { commandLine, type Sitting } from "./terminal.ts";

const manifest = `
users:
  - { email: ada@example.com, name: Ada }
apps:
  - { client_id: web, name: Web, owner: ada@example.com, secrets: ["a-secret-of-the-file"] }
`;

async function filled(sitting: Sitting = {}) {
  const cli = commandLine({}, sitting);
  assert.equal((await cli.run("apply -", manifest)).code, 0);
  return cli;
}

describe("the confirmation of deletions and revocations", () => {
  test("a deletion without a terminal is a usage error and changes nothing, unless --yes is given", async () => {
    const cli = await filled();
    const refused = await cli.run("app delete web");
    assert.deepEqual([refused.code, refused.out], [2, ""]);
    assert.match(refused.err, /1 secret no longer works/);
    assert.match(refused.err, /--yes/);
    assert.equal((await cli.run("app get web")).code, 0);
    const done = await cli.run("app delete web --yes");
    assert.deepEqual([done.code, done.out, done.err], [0, "deleted web\n", ""]);
    assert.equal((await cli.run("app delete web --yes")).code, 1, "what is not there is a failure");
  });

  test("on a terminal a deletion lists everything affected; any answer except y or yes cancels it with exit code 1", async () => {
    for (const answer of ["n", "", "web", "yess"]) {
      const cli = await filled({ answer });
      const { code, out, err } = await cli.run("app delete web");
      assert.deepEqual([code, out], [1, ""], answer);
      assert.match(err, /^Delete app web\?\nThis cannot be undone\.\nAlso affected:\n {2}1 secret/);
      assert.match(err, /Nothing was done\.\n$/);
      assert.equal((await cli.run("app get web")).code, 0, answer);
    }
    for (const answer of ["y", "YES", " yes "]) {
      const cli = await filled({ answer });
      assert.equal((await cli.run("app delete web")).code, 0, answer);
      assert.equal((await cli.run("app get web")).code, 1, answer);
    }
  });

  test("a revocation asks on a terminal, and needs no confirmation without one, because it stops harm", async () => {
    const requested = await filled({ answer: "no" });
    const declined = await requested.run("app revoke web");
    assert.equal(declined.code, 1);
    assert.match(declined.err, /^Revoke app web\?/);
    assert.equal((await requested.json<{ revoked_at: unknown }>("app get web")).revoked_at, null);
    const script = await filled();
    const done = await script.json<{ revoked_at: unknown }>("app revoke web");
    assert.notEqual(done.revoked_at, null);
  });

  const postern = [process.execPath, servedProgram];
  const terminalProgram = "/usr/bin/script";
  const quoted = (args: readonly string[]) => args.map((each) => `'${each}'`).join(" ");

  test("a deletion asks in a process on a real terminal, and is refused in a process without one", {
    skip: process.platform !== "linux" || !existsSync(terminalProgram),
  }, () => {
    const { NO_COLOR: _, FORCE_COLOR: __, ...environment } = process.env;
    const env = {
      ...environment,
      TERM: "xterm",
      POSTERN_DATABASE_URL: `sqlite:${join(temporaryFolder(), "data", "postern.db")}`,
    };
    const [node = "", main = ""] = postern;
    const plain = (args: readonly string[], input = "") =>
      spawnSync(node, [main, ...args], { env, input, encoding: "utf8" });
    const onTerminal = (args: readonly string[], input: string) =>
      spawnSync(terminalProgram, ["-qec", quoted([...postern, ...args]), "/dev/null"], {
        env,
        input,
        encoding: "utf8",
      });
    assert.equal(plain(["apply", "-"], manifest).status, 0);
    const refused = plain(["app", "delete", "web"]);
    assert.deepEqual([refused.status, refused.stdout], [2, ""]);
    const declined = onTerminal(["app", "delete", "web"], "n\n");
    assert.equal(declined.status, 1, declined.stdout);
    assert.ok(
      declined.stdout.includes("\u001b[1mDelete app web?\u001b[22m"),
      "letters stand out on a terminal",
    );
    assert.match(declined.stdout, /Delete\? \[y\/N\]/);
    const done = onTerminal(["app", "delete", "web"], "y\n");
    assert.equal(done.status, 0, done.stdout);
    assert.match(done.stdout, /deleted web/);
    assert.equal(plain(["app", "get", "web"]).status, 1);
  });
});
