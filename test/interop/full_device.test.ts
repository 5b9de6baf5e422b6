import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../support/temp.ts";

const program = fileURLToPath(new URL("../../bin/postern.js", import.meta.url));
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill("SIGKILL");
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** A server whose standard output and error go to these descriptors, as soon as it answers. */
async function served(out: number | "pipe", err: number | "pipe") {
  const port = await freePort();
  const env = {
    PATH: process.env.PATH ?? "",
    POSTERN_DATABASE_URL: `sqlite:${join(temporaryFolder(), "postern.db")}`,
    POSTERN_PORT: String(port),
    // Each request is a line.
    POSTERN_LOG_LEVEL: "debug",
    POSTERN_METRICS_PORT: String(await freePort()),
  };
  const child = spawn(process.execPath, [program, "serve"], { env, stdio: ["ignore", out, err] });
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
  for (const deadline = Date.now() + 30_000; ; await wait(50)) {
    assert.equal(child.exitCode, null, "the server runs");
    assert.ok(Date.now() < deadline, "the server answers");
    const status = await fetch(`${url}/healthz`).then(
      (response) => response.status,
      () => undefined,
    );
    if (status === 200) break;
  }
  return { child, url, metrics: `http://127.0.0.1:${env.POSTERN_METRICS_PORT}/metrics` };
}

async function outlives({ child, url }: { child: ChildProcess; url: string }, lines: number): Promise<void> {
  for (let asked = 0; asked < lines; asked++) {
    const response = await fetch(`${url}/healthz`);
    await response.arrayBuffer();
    assert.equal(response.status, 200);
  }
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  assert.equal(code, 0);
}

const full = "/dev/full";

test("F-22: a server whose log goes to a full disk starts, answers and stops as ever (reliability finding 7)", {
  skip: !existsSync(full) && "this system has no /dev/full",
}, async () => {
  const device = openSync(full, "w");
  await outlives(await served(device, device), 20);
});

test("F-22: a server whose log nobody reads any more answers and stops as ever", async () => {
  const running = await served("pipe", "pipe");
  running.child.stdout?.destroy();
  running.child.stderr?.destroy();
  await outlives(running, 20);
});

test("F-22: a reader that has stopped reading holds up nobody; what it missed is counted in the metrics", async () => {
  const running = await served("pipe", "pipe");
  running.child.stdout?.pause();
  // The pipe and what waits hold 1.1 MB, at 250 bytes a line and more.
  for (let asked = 0; asked < 8000; asked += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${running.url}/healthz`)));
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  }
  const text = await (await fetch(running.metrics)).text();
  const dropped = Number(/^postern_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
  assert.ok(dropped > 0, text);
  const read = once(running.child, "close");
  let out = "";
  running.child.stdout?.on("data", (chunk) => {
    out += chunk;
  });
  running.child.stdout?.resume();
  running.child.kill("SIGTERM");
  await read;
  assert.match(out, /"dropped":\d+,"msg":"log lines could not be written and were dropped"/);
});
