/**
 * `npm run bench:telemetry`: measures the cost of telemetry: the server's processor time per token, compared
 * with that of a server without telemetry and, optionally, with that of an older checkout.
 * docs/performance.md has the results.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cpuSeconds } from "./process_usage.ts";
import { runProgram, startServer } from "./processes.ts";

const usage = `usage: npm run bench:telemetry -- [options]
  --rounds N      measurements of each variant [7]
  --requests N    requests per measurement [800]
  --beside PATH   another installed checkout to compare with
Runs on SQLite, with a collector that accepts all telemetry and discards it.
`;

const connections = 8;
const secret = "a secret of the benchmark, long enough";
const owner = { email: "ada@example.com", name: "Ada", password: "correct horse battery staple" };
const manifest = {
  users: [owner],
  apps: [
    {
      ...{ owner: owner.email, client_id: "machine", name: "Machine", app_type: "machine" },
      allowed_scopes: ["orders:read"],
      allowed_grants: ["client_credentials"],
      secrets: [secret],
    },
  ],
};
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const body = "grant_type=client_credentials";
const headers = {
  authorization: `Basic ${Buffer.from(`machine:${encodeURIComponent(secret)}`).toString("base64")}`,
  "content-type": "application/x-www-form-urlencoded",
  "content-length": body.length,
};

function requestToken(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = request(`${url}/oauth/token`, { method: "POST", agent, headers }, (answer) => {
      answer.resume().on("end", () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`a token request returned ${answer.statusCode}`));
      });
    });
    sending.on("error", reject).end(body);
  });
}

/** Returns the milliseconds of the server's processor time per request. */
async function measure({ pid, url }: { pid: number; url: string }, requests: number): Promise<number> {
  const before = cpuSeconds(pid) ?? 0;
  let left = requests;
  const work = async () => {
    for (left -= 1; left >= 0; left -= 1) await requestToken(url);
  };
  await Promise.all(Array.from({ length: connections }, work));
  return (((cpuSeconds(pid) ?? 0) - before) * 1000) / requests;
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function run(rounds: number, requests: number, beside: string | undefined): Promise<void> {
  const here = join(import.meta.dirname, "..", "..");
  const collector = createServer((requested, answer) => requested.resume().on("end", () => answer.end()));
  collector.listen(0, "127.0.0.1");
  await once(collector, "listening");
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` };
  const traces = { ...on, OTEL_METRICS_EXPORTER: "none" };
  const tenth = { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.1" };
  const variants: readonly { name: string; checkout: string; env: Record<string, string> }[] = [
    { name: "off", checkout: here, env: {} },
    ...(beside === undefined ? [] : [{ name: "the other checkout, off", checkout: beside, env: {} }]),
    { name: "metrics", checkout: here, env: { ...on, OTEL_TRACES_EXPORTER: "none" } },
    { name: "traces, one in ten", checkout: here, env: { ...traces, ...tenth } },
    { name: "traces, all", checkout: here, env: traces },
  ];
  const cache = join(here, "node_modules", ".cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "telemetry-"));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  stack.defer(() => {
    agent.destroy();
    collector.close();
    collector.closeAllConnections();
  });
  const file = join(folder, "manifest.json");
  await writeFile(file, JSON.stringify(manifest));
  const measured = [];
  for (const [place, { name, checkout, env: more }] of variants.entries()) {
    const program = join(checkout, "bin", "postern.js");
    const env = {
      NODE_ENV: "production",
      POSTERN_DATABASE_URL: `sqlite:${join(folder, `${place}`, "postern.db")}`,
      POSTERN_SECRET_KEY: randomBytes(32).toString("hex"),
      POSTERN_PORT: "0",
      POSTERN_THROTTLE: "off",
      POSTERN_LOG_LEVEL: "warn",
      ...more,
    };
    await runProgram({ args: [program, "apply", file], env }, 60);
    const args = ["--max-semi-space-size=16", program, "serve"];
    const server = stack.use(await startServer({ args, env, ready_path: "/readyz" }));
    await measure(server, requests);
    measured.push({ name, server, figures: [] as number[] });
  }
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? measured : measured.toReversed();
    for (const { server, figures } of order) figures.push(await measure(server, requests));
  }
  const [off] = measured;
  const rows = measured.map(({ name, figures }) => {
    const ratio = median(figures.map((value, round) => value / (off?.figures[round] ?? Number.NaN)));
    return `| ${name} | ${ratio.toFixed(2)} | ${median(figures).toFixed(2)} |`;
  });
  process.stdout.write(
    ["| Telemetry | processor time, as a ratio | ms |", "|---|---|---|", ...rows, ""].join("\n"),
  );
}

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    requests: { type: "string", default: "800" },
    beside: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) process.stdout.write(usage);
else await run(Number(values.rounds), Number(values.requests), values.beside);
