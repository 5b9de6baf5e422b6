/** Workers that hang or exit, as an operator sees them. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, test } from "node:test";
import { listeningLine, servedProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

const endings: (() => unknown)[] = [];
after(async () => {
  for (const end of endings.reverse()) await end();
});

async function twoWorkers() {
  const environment = { POSTERN_WORKERS: "2", POSTERN_METRICS_PORT: "0" };
  const server = await servedProcess({ environment });
  endings.push(() => server.stop("SIGKILL"));
  const { metrics_port } = listeningLine(server.out()) ?? {};
  let workers: number[] = [];
  // For a moment, the server may have a child process that is not a worker.
  await until(() => {
    const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(server.pid)], { encoding: "utf8" });
    workers = stdout.trim().split(/\s+/).map(Number);
    return workers.length === 2;
  }, "the server has two workers");
  return {
    server,
    workers,
    async requests(): Promise<number> {
      const text = await (await fetch(`http://127.0.0.1:${metrics_port}/metrics`)).text();
      const counts = [...text.matchAll(/^postern_http_request_duration_seconds_count\{.*\} (\d+)$/gm)];
      return counts.reduce((sum, [, count]) => sum + Number(count), 0);
    },
  };
}

test("F-4: a hung worker is killed and replaced", async () => {
  const { server, workers } = await twoWorkers();
  const [stopped = 0] = workers;
  process.kill(stopped, "SIGSTOP");
  await until(() => server.out().includes("a worker ended; another one is started"), "ended", {
    seconds: 120,
  });
  assert.match(server.out(), /a worker is hung and will be killed/);
  for (let requested = 0; requested < 6; requested += 1)
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
  assert.equal((await server.stop()).code, 0);
});

test("a stopped worker's request counts are still included in the metrics", async () => {
  const { server, workers, requests } = await twoWorkers();
  for (let requested = 0; requested < 8; requested += 1) {
    await (await fetch(`${server.url}/login`, { headers: { connection: "close" } })).text();
  }
  for (const pid of workers) process.kill(pid, "SIGTERM");
  await until(() => server.out().split("a worker ended; another one is started").length > 2);
  assert.equal(await requests(), 8);
  assert.equal((await server.stop()).code, 0);
});

test("F-20: a server with a hung worker still stops with exit code 0", async () => {
  const { server, workers } = await twoWorkers();
  const [stopped = 0] = workers;
  process.kill(stopped, "SIGSTOP");
  const { code, out } = await server.stop();
  assert.equal(code, 0, out);
  assert.match(out, /a worker is hung and will be killed/);
  assert.doesNotMatch(out, /the shutdown took too long/);
});
