/**
 * `npm run drill:kills`: sends `kill -9` to the server between commits and deliveries, while users sign in
 * and out. Every committed change must have one event in the feed. The end of every session must be delivered
 * to the session's apps, the webhook endpoint and the stream, in order by user. Nothing may be delivered
 * without a cause (FO-1). Exits with 1 otherwise.
 */
import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { until } from "../../test/support/until.ts";
import { randomFrom } from "../torture/random.ts";
import { feedReader, nothingAnswered, visits } from "./load.ts";
import type { AppName } from "./receivers.ts";
import { openStage, type Stage, type StageOptions } from "./stage.ts";
import { judge, type Participation } from "./verdict.ts";

const usage = `usage: npm run drill:kills -- [options]
  --rounds N          kills in total, divided among the combinations of database and workers [200]
  --databases A,B     sqlite, postgres [both]
  --workers A,B       1 for a single process, 2 for two workers [both]
  --duration N        seconds after which no new round starts [1800]
  --users N           users who sign in at the same time [3]
  --seed N            the same number repeats the same choices [1]
`;

/**
 * Maximum milliseconds until everything is delivered after the last round: leases of killed processes
 * must expire, and deliveries are retried.
 */
const longestDrain = 180_000;

/** Maximum milliseconds per round. */
const longestRound = 60_000;

/** Records the apps of current sessions. No request may be in progress. */
async function note({ store, apps }: Stage, participation: Participation) {
  for (const { session_id, app_id } of await store.list("session_apps", {})) {
    const met = participation.get(session_id) ?? new Set<AppName>();
    participation.set(session_id, met.add(apps.get(app_id) as AppName));
  }
}

/**
 * Kills one of the server's workers in two of every four rounds; otherwise, or if it has no workers, the
 * whole server. A new process replaces it.
 */
async function kill({ server }: Stage, round: number): Promise<void> {
  const victim = server.workers().at(round % 2);
  if (round % 4 < 2 && victim !== undefined) {
    const before = server.workers();
    server.killWorker(victim);
    await until(() => server.workers().length === before.length && !server.workers().includes(victim));
    return;
  }
  await server.kill();
}

const waiting = async (store: Stage["store"]): Promise<number> =>
  (await store.count("deliveries", { state: "waiting" })) + (await store.count("events", { position: null }));

/** Waits until everything is delivered. Pauses before retries, which may be minutes, are shortened. */
async function drained({ store }: Stage): Promise<void> {
  const deadline = Date.now() + longestDrain;
  for (let still = 0; still < 5; ) {
    if (Date.now() > deadline) throw new Error(`deliveries are still waiting after ${longestDrain} ms`);
    const streams = await store.list("signal_streams", {});
    const endpoints = await store.list("webhook_endpoints", {});
    const [last] = await store.list("events", {}, { order_by: "position", descending: true, limit: 1 });
    const isBehind = [...streams, ...endpoints].some(({ position }) => position < Number(last?.position));
    await store.update("deliveries", { state: "waiting" }, { due_at: new Date() });
    still = (await waiting(store)) === 0 && !isBehind ? still + 1 : 0;
    await pause(200);
  }
}

async function play(options: StageOptions, most: number, duration: number): Promise<boolean> {
  const { database, workers, random } = options;
  let rounds = 0;
  const stage = await openStage(options);
  const { server } = stage;
  const answered = nothingAnswered();
  const participation: Participation = new Map();
  const reader = feedReader(stage);
  let interrupted = 0;
  const began = performance.now();
  try {
    for (; rounds < most && performance.now() - began < duration * 1000; rounds++) {
      const over = new AbortController();
      const { promise: visited, resolve } = Promise.withResolvers<void>();
      const load = visits({ stage, random, answered }, over.signal, resolve);
      const late = pause(longestRound, undefined, { ref: false }).then(() => {
        throw new Error(`no user completed a visit within ${longestRound} ms: ${server.said()}`);
      });
      await Promise.race([visited, late, load]);
      await pause(random.between(0, 350));
      const isDown = kill(stage, rounds);
      over.abort();
      await Promise.all([isDown, load]);
      if ((await waiting(stage.store)) > 0) interrupted += 1;
      await note(stage, participation);
      if (!server.is_running) await server.start();
      await until(() => server.isReady());
    }
    const took = (performance.now() - began) / rounds;
    for (const { id } of stage.users) await stage.ask("POST", `users/${id}/sign-out`, {});
    await drained(stage);
    await reader.stop();
    for (const [id, met] of answered.sessions)
      participation.set(id, new Set([...(participation.get(id) ?? []), ...met]));
    const { faults, counts } = await judge(stage, answered, participation, reader.seen);
    const numbers = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
    const form = `${database}, ${workers === 1 ? "one process" : `${workers} workers`}`;
    process.stdout.write(
      `${form}: ${rounds} kills, ${interrupted} with pending deliveries, ${numbers.join(", ")}; ${Math.round(took)} ms a round, load ${loadavg()[0]?.toFixed(1)}: ${faults.length} faults\n`,
    );
    for (const fault of faults.slice(0, 20)) process.stdout.write(`  ${fault}\n`);
    return faults.length === 0;
  } finally {
    await stage.close();
  }
}

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "200" },
    databases: { type: "string", default: "sqlite,postgres" },
    workers: { type: "string", default: "1,2" },
    duration: { type: "string", default: "1800" },
    users: { type: "string", default: "3" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const named = { sqlite: "SQLite", postgres: "PostgreSQL" } as const;
const forms = values.databases.split(",").flatMap((name) =>
  values.workers.split(",").map((workers) => {
    const database = named[name as keyof typeof named];
    if (database === undefined || !["1", "2"].includes(workers)) throw new Error(usage);
    return { database, workers: Number(workers) as 1 | 2 };
  }),
);
const rounds = Math.ceil(Number(values.rounds) / forms.length);
const duration = Number(values.duration) / forms.length;
const random = randomFrom(Number(values.seed));
let isTrue = true;
for (const form of forms)
  isTrue = (await play({ ...form, random, users: Number(values.users) }, rounds, duration)) && isTrue;
process.stdout.write(isTrue ? "nothing was lost or duplicated, and everything is in order\n" : "FAILED\n");
process.exit(isTrue ? 0 : 1);
