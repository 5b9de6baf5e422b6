/** A full disk stores only the beginning of a write, and reports no error. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs, { existsSync, readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { lossesIn } from "../../src/cli/moving_in/losses.ts";
import { openSpool } from "../../src/cli/moving_in/spool.ts";
import { temporaryFolder } from "../support/temp.ts";
import { commandLine } from "./terminal.ts";

type WriteSync = (file: number, bytes: Uint8Array, at?: number) => number;

/** Until the end of the test, each write of files stores half of its bytes; `said` is what it returns. */
function writesHalf(t: TestContext, said: (stored: number, wanted: number) => number) {
  const write = fs.writeSync;
  const flush = fs.fsyncSync;
  let flushed = 0;
  const halving: WriteSync = (file, content, at = 0) => {
    const bytes = Buffer.from(content).subarray(at);
    const stored = write(file, bytes, 0, Math.ceil(bytes.length / 2));
    return said(stored, bytes.length);
  };
  const counting = (file: number) => {
    flushed += 1;
    flush(file);
  };
  Object.assign(fs, { writeSync: halving, fsyncSync: counting });
  syncBuiltinESMExports();
  t.after(() => {
    Object.assign(fs, { writeSync: write, fsyncSync: flush });
    syncBuiltinESMExports();
  });
  return { flushed: () => flushed };
}

const lines = Array.from({ length: 3000 }, (_, index) => `${index} ${"é".repeat(50)}`);

test("MG-8: an import sends every user although the disk stores only parts of each write", (t) => {
  writesHalf(t, (stored) => stored);
  const spool = openSpool();
  for (const line of lines) spool.write(line);
  assert.deepEqual([...spool.lines()], lines);
  spool.close();
});

test("MG-8: an import fails if its temporary file lacks users", (t) => {
  writesHalf(t, (_, wanted) => wanted);
  const spool = openSpool();
  for (const line of lines) spool.write(line);
  assert.throws(() => [...spool.lines()], /has only \d+ of 3000 lines: free space, and repeat the command/);
  spool.close();
});

test("MG-8: the file of losses is complete, and on the disk, although each write stores only a part", (t) => {
  const { flushed } = writesHalf(t, (stored) => stored);
  const file = join(temporaryFolder(), "losses.csv");
  const losses = lossesIn(file, String);
  for (const object of lines) losses.add({ object, member: "shoe", reason: "no attribute" });
  losses.close();
  assert.equal(flushed(), 1);
  const [, ...rows] = readFileSync(file, "utf8").trimEnd().split("\r\n");
  assert.deepEqual(
    rows,
    lines.map((object) => `${object},shoe,no attribute`),
  );
});

test("MG-8: an import whose file of losses cannot be written says that it can be repeated", (t) => {
  writesHalf(t, () => {
    throw new Error("ENOSPC: no space left on device, write");
  });
  const file = join(temporaryFolder(), "losses.csv");
  const losses = lossesIn(file, String);
  assert.throws(
    () => {
      for (const object of lines) losses.add({ object, member: "shoe", reason: "no attribute" });
    },
    {
      message: `${file} cannot be written: ENOSPC: no space left on device, write. Free space, or name another file with --losses, and repeat the command: it keeps what it has imported`,
    },
  );
  losses.close();
});

test("MG-10: an export of users is complete, and on the disk, although each write stores only a part", async (t) => {
  const cli = commandLine();
  for (const name of ["ada", "bea"]) await cli.json(`user create --email ${name}@example.com --name ${name}`);
  const { flushed } = writesHalf(t, (stored) => stored);
  const file = join(temporaryFolder(), "people.ndjson");
  assert.deepEqual(await cli.json(["export", "--people", file]), { file, people: 2 });
  const people = readFileSync(file, "utf8").trimEnd().split("\n");
  assert.deepEqual(people.map((line) => JSON.parse(line).email).sort(), [
    "ada@example.com",
    "bea@example.com",
  ]);
  // The file, then its folder.
  assert.equal(flushed(), 2);
});

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

test("a command fails if the operating system refuses the rest of its output", {
  skip: process.platform === "win32",
}, () => {
  const file = join(temporaryFolder(), "output");
  for (const [limit, output, reason] of [
    ["ulimit -f 8", file, "EFBIG"],
    ["true", "/dev/full", "ENOSPC"],
  ] as const) {
    if (!existsSync("/dev/full") && output !== file) continue;
    const { status, stderr } = spawnSync(
      "sh",
      ["-c", `${limit}; exec "$0" "$1" help settings > ${output}`, process.execPath, main],
      { encoding: "utf8" },
    );
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`^the output cannot be written: ${reason}: [^\\n]+\\n$`));
  }
});

const spoolFile = fileURLToPath(new URL("../../src/cli/moving_in/spool.ts", import.meta.url));

test("MG-8: an import fails if the operating system refuses the rest of its temporary file", {
  skip: process.platform === "win32",
}, () => {
  const program = `
    const { openSpool } = await import(${JSON.stringify(spoolFile)});
    const spool = openSpool();
    for (let index = 0; index < 3000; index++) spool.write("x".repeat(50));
    console.log([...spool.lines()].length);`;
  const { status, stdout, stderr } = spawnSync(
    "sh",
    ["-c", 'ulimit -f 40; exec "$0" --input-type=module --eval "$1"', process.execPath, program],
    { encoding: "utf8" },
  );
  assert.deepEqual([status, stdout], [1, ""]);
  assert.match(stderr, /the temporary file in \S+ cannot be written: EFBIG/);
});
