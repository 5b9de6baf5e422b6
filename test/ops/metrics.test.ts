import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { request } from "node:http";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { createMetrics, mergedText, noMetrics } from "../../src/ops/metrics.ts";
import { serveMetrics } from "../../src/ops/metrics_server.ts";

test("each counter counts separately for each value of its label", async () => {
  const metrics = await createMetrics();
  metrics.count("postern_tokens_issued_total", { grant_type: "refresh_token" });
  metrics.count("postern_tokens_issued_total", { grant_type: "refresh_token" });
  metrics.count("postern_token_errors_total", { error: "invalid_grant" });
  metrics.count("postern_sign_ins_total", { method: "totp", outcome: "refused" });
  metrics.count("postern_introspections_total", { active: "true" });
  metrics.count("postern_revocation_failures_total", {});
  metrics.count("postern_replays_total", { kind: "code" });
  const text = await metrics.text();
  for (const line of [
    'postern_tokens_issued_total{grant_type="refresh_token"} 2',
    'postern_token_errors_total{error="invalid_grant"} 1',
    'postern_sign_ins_total{method="totp",outcome="refused"} 1',
    'postern_introspections_total{active="true"} 1',
    "postern_revocation_failures_total 1",
    'postern_replays_total{kind="code"} 1',
  ])
    assert.ok(text.split("\n").includes(line), `${line} is missing from\n${text}`);
});

test("the request duration is a histogram in seconds by route, method and status", async () => {
  const metrics = await createMetrics();
  const labels = { route: "/oauth/token", method: "POST", status: "200" };
  metrics.observe("postern_http_request_duration_seconds", labels, 0.004);
  metrics.observe("postern_http_request_duration_seconds", labels, 0.2);
  const text = await metrics.text();
  assert.match(text, /_bucket\{le="0\.005",route="\/oauth\/token",method="POST",status="200"\} 1\n/);
  assert.match(text, /_count\{route="\/oauth\/token",method="POST",status="200"\} 2\n/);
});

test("two sets of metrics share no state, and process metrics are optional", async () => {
  const first = await createMetrics();
  const second = await createMetrics({ process_metrics: true });
  first.count("postern_revocation_failures_total", {});
  assert.match(await second.text(), /^postern_revocation_failures_total 0$/m);
  assert.doesNotMatch(await first.text(), /process_/);
  assert.match(await second.text(), /process_resident_memory_bytes/);
});

test("the metrics of several processes are summed", async () => {
  const [first, second] = [await createMetrics(), await createMetrics()];
  for (const metrics of [first, second, second])
    metrics.count("postern_replays_total", { kind: "refresh_token" });
  const snapshots = [await first.snapshot(), await second.snapshot()];
  const sent = JSON.parse(JSON.stringify(snapshots)) as typeof snapshots;
  assert.match(await mergedText(sent), /^postern_replays_total\{kind="refresh_token"\} 3$/m);
});

test("a server without metrics counts nothing and does not load prom-client", async () => {
  noMetrics.count("postern_replays_total", { kind: "code" });
  assert.equal(await noMetrics.text(), "");
  const module = new URL("../../src/ops/metrics.ts", import.meta.url).href;
  const script = (action: string) => `
    import { createRequire } from "node:module";
    const { createMetrics, noMetrics } = await import(${JSON.stringify(module)});
    ${action};
    const loaded = Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes("prom-client"));
    process.stdout.write(String(loaded));`;
  const run = async (action: string) =>
    (await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script(action)])).stdout;
  assert.equal(await run("await noMetrics.text()"), "false");
  assert.equal(await run("await createMetrics()"), "true");
});

describe("the HTTP server for metrics", () => {
  function ask(port: number, path: string, method = "GET", host = "127.0.0.1") {
    return new Promise<{
      status: number | undefined;
      type: string | undefined;
      allow: string | undefined;
      text: string;
    }>((resolve, reject) => {
      request({ host, port, path, method, agent: false }, async (reply) => {
        const chunks: Buffer[] = await reply.toArray();
        const { "content-type": type, allow } = reply.headers;
        resolve({ status: reply.statusCode, type, allow, text: Buffer.concat(chunks).toString() });
      })
        .on("error", reject)
        .end();
    });
  }

  test("answers GET /metrics and no other request", async () => {
    const server = await serveMetrics({ text: async () => "postern_replays_total 0\n" }, 0);
    try {
      assert.deepEqual(await ask(server.port, "/metrics"), {
        status: 200,
        type: "text/plain; version=0.0.4; charset=utf-8",
        allow: undefined,
        text: "postern_replays_total 0\n",
      });
      assert.equal((await ask(server.port, "/metrics?x=1")).status, 200);
      const post = await ask(server.port, "/metrics", "POST");
      assert.equal(post.status, 405);
      assert.equal(post.allow, "GET");
      for (const path of ["/", "/metrics/", "/healthz", "/%6detrics"])
        assert.equal((await ask(server.port, path)).status, 404);
    } finally {
      await server.close();
    }
    await assert.rejects(ask(server.port, "/metrics"), { code: "ECONNREFUSED" });
  });

  test("listens only on 127.0.0.1 unless another address is set", async () => {
    const others = { "127.0.0.1": "127.0.0.2", "127.0.0.3": "127.0.0.1" };
    for (const [host, other] of Object.entries(others)) {
      const server = await serveMetrics(noMetrics, 0, host === "127.0.0.1" ? undefined : host);
      try {
        assert.equal((await ask(server.port, "/metrics", "GET", host)).status, 200);
        await assert.rejects(ask(server.port, "/metrics", "GET", other), { code: "ECONNREFUSED" });
      } finally {
        await server.close();
      }
    }
  });

  test("answers a fixed sentence if collecting the metrics fails", async () => {
    const text = async () => {
      throw new Error("hunter22");
    };
    const server = await serveMetrics({ text }, 0);
    try {
      const reply = await ask(server.port, "/metrics");
      assert.equal(reply.status, 500);
      assert.equal(reply.text, "the metrics could not be collected\n");
    } finally {
      await server.close();
    }
  });

  test("reports a port that is already in use", async () => {
    const server = await serveMetrics(noMetrics, 0);
    try {
      await assert.rejects(
        serveMetrics(noMetrics, server.port),
        /is taken by another process: .* POSTERN_METRICS_PORT$/,
      );
    } finally {
      await server.close();
    }
  });
});
