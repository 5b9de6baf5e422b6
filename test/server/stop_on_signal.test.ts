import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { atEnd } from "../support/at_end.ts";
import { temporaryFolder } from "../support/temp.ts";

const module = pathToFileURL(join(import.meta.dirname, "../../src/server/stop_on_signal.ts"));

const stopping = `import { appendFileSync } from "node:fs";
import { stopOnSignal } from "${module}";
stopOnSignal({ info() {}, error() {} }, async () => appendFileSync(process.argv[2], "stopped"));
setInterval(() => {}, 1000);
process.send("ready");`;

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  test(`F-20: on ${signal} all parts stop in order, and the exit code is 0`, async () => {
    const folder = temporaryFolder();
    const [path, notes] = [join(folder, "stopping.mjs"), join(folder, "notes")];
    writeFileSync(path, stopping);
    const child = fork(path, [notes]);
    atEnd(() => void child.kill("SIGKILL"));
    await once(child, "message");
    child.kill(signal);
    assert.deepEqual(await once(child, "exit"), [0, null]);
    assert.equal(readFileSync(notes, "utf8"), "stopped");
  });
