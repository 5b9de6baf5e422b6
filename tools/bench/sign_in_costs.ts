/**
 * `node tools/bench/sign_in_costs.ts --before DIRECTORY`: compares the cost of a password sign-in with that
 * in an earlier checkout, alternating between the two, and measures the memory of a server whose users have
 * no passkeys.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { cpuSeconds, memoryOf } from "./process_usage.ts";

const usage = `usage: node tools/bench/sign_in_costs.ts --before DIRECTORY [options]
  --before D     a checkout of the commit to compare with, after npm ci
  --rounds N     measurements of each of the two [9]
  --sign-ins N   sign-ins per measurement [60]
`;
const here = join(import.meta.dirname, "..", "..");
const ada = { email: "ada@example.com", name: "Ada", password: "correct horse battery staple" };

interface Running {
  readonly url: string;
  readonly pid: number;
  readonly stop: () => Promise<unknown>;
}

/** Starts a server of a checkout on a separate database with one user. */
async function start(checkout: string, folder: string): Promise<Running> {
  const env = {
    ...process.env,
    POSTERN_DATABASE_URL: `sqlite:${join(folder, "postern.db")}`,
    POSTERN_PORT: "0",
    POSTERN_THROTTLE: "off",
  };
  const run = (...args: string[]) =>
    spawn(process.execPath, ["--max-semi-space-size=16", join(checkout, "bin", "postern.js"), ...args], {
      cwd: folder,
      env,
    });
  const manifest = join(folder, "manifest.json");
  await writeFile(manifest, JSON.stringify({ users: [ada] }));
  const applied = run("apply", manifest);
  applied.stderr.pipe(process.stderr);
  const [code] = await once(applied, "exit");
  if (code !== 0) throw new Error(`apply ended with ${code}`);
  const server = run("serve");
  let out = "";
  for await (const chunk of server.stdout) {
    out += chunk;
    const line = out.split("\n").find((each) => each.includes('"msg":"listening"') && each.endsWith("}"));
    if (line === undefined) continue;
    const { url, pid } = JSON.parse(line) as { url: string; pid: number };
    server.stdout.resume();
    const stop = () => {
      server.kill("SIGTERM");
      return once(server, "exit");
    };
    return { url, pid, stop };
  }
  throw new Error(`the server exited: ${out}`);
}

/** Signs in with a new browser, and returns the number of requests until the account page. */
async function signIn(url: string): Promise<number> {
  const cookies = new Map<string, string>();
  let requests = 0;
  const ask = async (path: string, form?: Record<string, string>) => {
    requests += 1;
    const answer = await fetch(new URL(path, url), {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form !== undefined && { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (set.split(";")[0] ?? "").split("=");
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return { status: answer.status, location: answer.headers.get("location"), body: await answer.text() };
  };
  const page = await ask("/login?redirect=%2Faccount");
  const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(page.body)?.[1] ?? "";
  const { email, password } = ada;
  let answer = await ask("/login", { redirect: "/account", csrf_token, email, password });
  while (answer.status === 302 && answer.location !== null) answer = await ask(answer.location);
  if (answer.status !== 200) throw new Error(`not signed in: ${answer.status}`);
  return requests;
}

/** Returns the processor time of one sign-in in milliseconds. */
async function measure({ url, pid }: Running, times: number): Promise<number> {
  const before = cpuSeconds(pid) ?? 0;
  for (let done = 0; done < times; done++) await signIn(url);
  return (((cpuSeconds(pid) ?? 0) - before) * 1000) / times;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      before: { type: "string" },
      rounds: { type: "string", default: "9" },
      "sign-ins": { type: "string", default: "60" },
      help: { type: "boolean" },
    },
  });
  if (values.help || values.before === undefined) {
    process.stdout.write(usage);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), "postern-costs-"));
  const folders = [await mkdtemp(join(folder, "before-")), await mkdtemp(join(folder, "now-"))] as const;
  const before = await start(values.before, folders[0]);
  const now = await start(here, folders[1]);
  try {
    // Waits until memory that only the start needed is released.
    await wait(5000);
    const idle = memoryOf(now.pid);
    const requests = [await signIn(before.url), await signIn(now.url)];
    const times = Number(values["sign-ins"]);
    for (const server of [before, now]) await measure(server, times);
    const ratios: number[] = [];
    const costs: { before: number[]; now: number[] } = { before: [], now: [] };
    for (let round = 0; round < Number(values.rounds); round++) {
      const order = round % 2 === 0 ? (["before", "now"] as const) : (["now", "before"] as const);
      for (const which of order) {
        costs[which].push(await measure(which === "now" ? now : before, times));
      }
      ratios.push((costs.now.at(-1) ?? 0) / (costs.before.at(-1) ?? 1));
    }
    const report = {
      requests: { before: requests[0], now: requests[1] },
      cpu_ms_per_sign_in: { before: median(costs.before), now: median(costs.now) },
      ratio: { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) },
      idle_mb: idle && Math.round(idle.resident_bytes / 1e6),
      after_sign_ins_mb: Math.round((memoryOf(now.pid)?.resident_bytes ?? 0) / 1e6),
    };
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  } finally {
    await before.stop();
    await now.stop();
    await rm(folder, { recursive: true });
  }
}

await main();
