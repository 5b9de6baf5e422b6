import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { commandLine } from "./terminal.ts";

const { run } = commandLine();

async function scriptFor(shell: string): Promise<string> {
  const { code, out } = await run(`completion ${shell}`);
  assert.equal(code, 0);
  return out;
}

const isThere = (shell: string) => spawnSync(shell, ["--version"]).status === 0;

/** The text before the cursor, some of the completions, and some that must not be offered. */
const cases: readonly [typed: readonly string[], offered: readonly string[], not: readonly string[]][] = [
  [[""], ["serve", "user", "api-key", "completion", "settings", "help"], ["list", "create"]],
  [["api"], ["api-key"], ["app", "user"]],
  [
    ["user", ""],
    ["list", "get", "create", "delete", "reset-factors"],
    ["rotate", "serve"],
  ],
  [["app", "create", "--app"], ["--app-type"], ["--name"]],
  [
    ["app", "create", "--app-type", ""],
    ["web", "machine"],
    ["--name", "serve"],
  ],
  [["app", "create", "--public", ""], ["true", "false"], ["--name"]],
  [["app", "update", "web", "--add-r"], ["--add-redirect-uri", "--add-resource"], ["--add-allowed-scope"]],
  [["app", "delete", "web", "--y"], ["--yes"], ["--name"]],
  [["help", "au"], ["auth-code", "audit"], ["user"]],
  [["completion", ""], ["bash", "zsh", "fish"], ["user"]],
];

function offers(found: readonly string[], [typed, offered, not]: (typeof cases)[number]): void {
  for (const each of offered) assert.ok(found.includes(each), `${typed.join(" ")}: ${each} of ${found}`);
  for (const each of not) assert.ok(!found.includes(each), `${typed.join(" ")}: not ${each}`);
}

describe("shell completion", () => {
  test("bash completes commands, options and their values", async () => {
    const script = await scriptFor("bash");
    for (const each of cases) {
      const [typed] = each;
      const words = ["postern", ...typed].map((word) => `'${word}'`).join(" ");
      const requested = `${script}\nCOMP_WORDS=(${words}); COMP_CWORD=${typed.length}; _postern; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout, stderr, status } = spawnSync("bash", ["--norc", "-c", requested], { encoding: "utf8" });
      assert.deepEqual([status, stderr], [0, ""]);
      offers(stdout.split("\n"), each);
    }
  });

  test("zsh completes commands, options and their values", { skip: !isThere("zsh") }, async () => {
    const script = await scriptFor("zsh");
    // Zsh widgets need a terminal, so functions that display the completions print them instead.
    const printing = `
compdef() { :; }
_describe() { local -a all=("\${(@P)4}"); for each in $all; do print -r -- "\${each%%:*}"; done; }
compadd() { shift; print -rl -- "$@"; }
_files() { :; }
`;
    for (const each of cases) {
      const [typed] = each;
      const words = ["postern", ...typed].map((word) => `'${word}'`).join(" ");
      const requested = `${printing}\n${script}\nwords=(${words}); CURRENT=${typed.length + 1}; _postern`;
      const { stdout, stderr, status } = spawnSync("zsh", ["-f", "-c", requested], { encoding: "utf8" });
      assert.deepEqual([status, stderr], [0, ""]);
      const last = typed.at(-1) ?? "";
      offers(
        stdout.split("\n").filter((word) => word.startsWith(last)),
        each,
      );
    }
  });

  test("fish completes commands, options and their values", { skip: !isThere("fish") }, async () => {
    const script = await scriptFor("fish");
    for (const each of cases) {
      const requested = `${script}\ncomplete -C "postern ${each[0].join(" ")}"`;
      const { stdout, stderr, status } = spawnSync("fish", ["--no-config", "-c", requested], {
        encoding: "utf8",
      });
      assert.deepEqual([status, stderr], [0, ""]);
      offers(
        stdout.split("\n").map((line) => line.split("\t")[0] ?? ""),
        each,
      );
    }
  });

  test("an unknown shell is a usage error that lists the supported shells", async () => {
    const { code, out, err } = await run("completion tcsh");
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /bash, zsh, fish/);
  });
});
