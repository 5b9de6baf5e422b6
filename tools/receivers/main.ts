/**
 * `npm run drill:receivers`: sign-ins at one server cause deliveries to a well-behaved endpoint. In
 * alternating slices of time, there are no other endpoints, other endpoints that also behave well, or
 * endpoints that misbehave: they hang, flood, lie, redirect or have a private address (FO-3). The slices of
 * each kind are one sample, so other load on the machine affects all kinds. On Linux, the server has a core
 * to itself.
 *
 * The slices with well-behaved endpoints are the reference. The drill exits with 1 if the whole 95 % interval
 * of the growth is above `most`, for the p99 of sign-ins or for the median of the endpoint's deliveries. The
 * difference from slices without other endpoints includes the cost of the events themselves.
 */
import assert from "node:assert/strict";
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bearer, call, expectStatus, operatorsKey } from "../../test/interop/management.ts";
import { formBrowser } from "../../test/support/form_browser.ts";
import { servedProcess } from "../../test/support/process.ts";
import { growthOf, quantile } from "./growth.ts";
import { misbehaving, type Report } from "./hostile_host.ts";

const { values } = parseArgs({
  options: { slices: { type: "string", default: "50" }, "sign-ins": { type: "string", default: "20" } },
});
const [slices, perSlice] = [Number(values.slices), Number(values["sign-ins"])];

/** Allowed growth in percent. */
const most = 5;
/** Milliseconds to wait until attempts and deliveries of the previous slice have ended. */
const settling = 500;

const phases = ["alone", "kind", "hostile"] as const;
type Phase = (typeof phases)[number];

/**
 * In milliseconds: the durations of sign-ins, and the times from the end of a sign-in to the arrival of its
 * delivery.
 */
interface Slice {
  readonly signIns: number[];
  readonly notices: number[];
}

const password = "correct horse battery staple";
// More users than a slice needs, because after a failed delivery, later deliveries about the same user wait
// for its retry.
const people = Array.from({ length: 3 * perSlice }, (_, number) => ({
  ...{ email: `user${number}@example.com`, name: `User ${number}`, password },
  is_platform_admin: number === 0,
}));

/** The arrival time of the last delivery about a user. */
const arrivals = new Map<string, number>();
const good = createServer(async (request, response) => {
  const at = performance.now();
  arrivals.set((JSON.parse(await text(request)) as { subject_id: string }).subject_id, at);
  response.writeHead(204).end();
}).listen(0, "127.0.0.1");
await once(good, "listening");

const host = fork(fileURLToPath(new URL("hostile_host.ts", import.meta.url)));
async function reportOf(): Promise<Report> {
  const [report] = await once(host, "message");
  return report as Report;
}
const { port } = await reportOf();

const served = await servedProcess({
  manifest: { users: people },
  environment: {
    POSTERN_EXTRA_FEATURES: "events",
    POSTERN_OUTBOUND_ALLOW: "127.0.0.1",
    POSTERN_THROTTLE: "off",
  },
});
const proof = bearer(await operatorsKey(served, people[0]?.email ?? ""));
const send = async (method: string, path: string, body: object, status: number) =>
  expectStatus(await call(served.url, method, `/api/v1/${path}`, { proof, body }), status).json;

async function endpoint(url: string, active: boolean): Promise<string> {
  const body = { url, active, internal: true, types: ["session.started"] };
  return String((await send("POST", "webhook-endpoints", body, 201)).id);
}

async function signIn(email: string): Promise<number> {
  const browser = formBrowser();
  const page = await browser.get(`${served.url}/login`);
  const since = performance.now();
  const answer = await browser.submit(page, { email, password });
  const took = performance.now() - since;
  assert.equal(answer.status, 302, answer.body);
  return took;
}

// In production, receivers and browsers run on other machines. Here they get a separate core, so they do not
// delay the server.
if (process.platform === "linux" && availableParallelism() > 1)
  for (const [core, pid] of [
    ["0", served.pid],
    ["1", process.pid],
    ["1", host.pid],
  ] as const)
    execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", core, String(pid)], { stdio: "ignore" });

let next = 0;
/** Signs users in one after the other, and waits for their deliveries. */
async function slice(ids: ReadonlyMap<string, string>): Promise<Slice> {
  const made: Slice = { signIns: [], notices: [] };
  const ended: [id: string, at: number][] = [];
  arrivals.clear();
  for (let each = 0; each < perSlice; each++) {
    const { email = "" } = people[next++ % people.length] ?? {};
    made.signIns.push(await signIn(email));
    ended.push([ids.get(email) ?? "", performance.now()]);
  }
  for (const [id, at] of ended) {
    while (!arrivals.has(id)) await pause(20);
    made.notices.push((arrivals.get(id) ?? 0) - at);
  }
  return made;
}

const times: Readonly<Record<Phase, Slice[]>> = { alone: [], kind: [], hostile: [] };
let last: Report | undefined;
try {
  const { data } = expectStatus(await call(served.url, "GET", "/api/v1/users?limit=200", { proof }), 200)
    .json as { data: { id: string; email: string }[] };
  const ids = new Map(data.map(({ id, email }) => [email, id]));
  await endpoint(`http://127.0.0.1:${(good.address() as AddressInfo).port}/`, true);
  const answering = await Promise.all(
    misbehaving.map((name) => endpoint(`http://127.0.0.1:${port}/${name}`, false)),
  );
  const inside = await endpoint("https://10.0.0.1/hook", false);
  const others: Readonly<Record<Phase, readonly string[]>> = {
    alone: [],
    kind: answering,
    hostile: [...answering, inside],
  };

  for (let warm = 0; warm < 3; warm++) await slice(ids);
  for (let round = 0; round < slices; round++) {
    for (const phase of round % 2 === 0 ? phases : phases.toReversed()) {
      host.send(phase === "hostile");
      last = await reportOf();
      for (const id of others[phase])
        await send("PATCH", `webhook-endpoints/${id}`, { active: true, resume: "now" }, 200);
      await pause(settling);
      times[phase].push(await slice(ids));
      for (const id of others[phase]) await send("PATCH", `webhook-endpoints/${id}`, { active: false }, 200);
    }
    if (round % 10 === 9) process.stdout.write(`${round + 1} of ${slices} rounds\n`);
  }
} finally {
  await served.stop();
  good.close();
  good.closeAllConnections();
  host.kill();
}

const shown = ({ growth, low, high }: ReturnType<typeof growthOf>) =>
  `${growth.toFixed(1)} % (${low.toFixed(1)} to ${high.toFixed(1)})`;
const measures = [
  ["sign-in median", "signIns", 0.5],
  ["sign-in p99", "signIns", 0.99],
  ["notice median", "notices", 0.5],
] as const;
let beyond = false;
for (const [name, of, part] of measures) {
  const samples = (phase: Phase) => times[phase].map((each) => each[of]);
  const [alone, kind, hostile] = phases.map((phase) => samples(phase)) as [
    number[][],
    number[][],
    number[][],
  ];
  const against = [growthOf(alone, hostile, part), growthOf(kind, hostile, part)] as const;
  const figures = [alone, kind, hostile].map((all) => `${quantile(all.flat(), part).toFixed(1)} ms`);
  process.stdout.write(
    `${name}: alone, with well-behaved endpoints, with hostile endpoints ${figures.join(", ")}; growth with hostile endpoints: relative to alone ${shown(against[0])}, to well-behaved ${shown(against[1])}\n`,
  );
  beyond ||= name !== "sign-in median" && against[1].low > most;
}
process.stdout.write(
  `${slices * perSlice} sign-ins in each phase; requests ${JSON.stringify(last?.received)}; allowed ${most} %\n`,
);
process.exitCode = beyond ? 1 : 0;
