/**
 * `npm run drill:feed`: several processes commit events at random times, while the processes that assign
 * positions to the events are killed. Exits with 1 if a reader skips an event or gets one twice (EV-2).
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { DatabaseAddress, Store } from "../../src/storage/store.ts";
import { aUser, start } from "../../test/support/builders.ts";
import { databases, openStoreAt, type TestDatabase } from "../../test/support/databases.ts";
import { type Random, randomFrom } from "../torture/random.ts";

const usage = `usage: npm run drill:feed -- [options]
  --processes N       processes that commit at the same time [8]
  --commits N         commits of each process [1000]
  --kills N           kills of the processes that assign positions to events [100]
  --pace N            maximum milliseconds between two commits of a process [600]
  --databases A,B     sqlite, postgres [both]
  --seed N            the same number repeats the same choices [1]
`;

const sequencers = 2;

const telling = fileURLToPath(new URL("../../test/storage/telling_process.ts", import.meta.url));
const numbering = fileURLToPath(new URL("sequencer.ts", import.meta.url));

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

function program(file: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  const lines = createInterface(child.stdout);
  const ended = once(child, "close").then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return { child, lines, ended };
}

/** Reads the feed in pages of `limit` events, until `over` is signaled and the last event was read. */
async function poll(store: Store, limit: number, over: AbortSignal) {
  const seen: { readonly id: string; readonly position: number | null }[] = [];
  let after = 0;
  for (;;) {
    const isLast = over.aborted;
    const { newest } = await store.feedBounds();
    const { events, position } = await store.readFeed({ after, limit }, newest);
    seen.push(...events);
    after = position;
    if (isLast && events.length === 0) return seen;
    if (events.length < limit) await pause(5);
  }
}

interface Sizes {
  readonly processes: number;
  readonly commits: number;
  readonly kills: number;
  readonly pace: number;
}

async function play(
  database: TestDatabase,
  { processes, commits, kills, pace }: Sizes,
  random: Random,
): Promise<boolean> {
  const began = performance.now();
  const address: DatabaseAddress = await database.address();
  const store = await openStoreAt(address, { events: true });
  await store.migrate(start);
  const user = await aUser(store);
  await store.numberEvents();
  const { newest } = await store.feedBounds();

  const told: string[] = [];
  let working = processes;
  const tellers = Array.from({ length: processes }, async () => {
    const args = [JSON.stringify(address), String(commits), user.id, String(pace)];
    const { lines, ended } = program(telling, ...args);
    lines.on("line", (line) => told.push(line));
    const code = await ended;
    working -= 1;
    if (code !== 0) throw new Error(`a committing process exited with code ${code}`);
  });
  const over = new AbortController();
  const pollers = [1, 7, 200].map((limit) => poll(store, limit, over.signal));

  let killed = 0;
  let busy = 0;
  const lanes = Array.from({ length: sequencers }, async () => {
    while (killed < kills) {
      const { child, lines, ended } = program(numbering, JSON.stringify(address));
      // Waits until the process has assigned positions, or until no other process commits events.
      const numbered = once(lines, "line");
      while (working > 0 && !(await Promise.race([numbered.then(() => true), pause(50, false)])));
      await pause(random.between(0, 60));
      if (killed < kills) {
        killed += 1;
        if (working > 0) busy += 1;
      }
      child.kill("SIGKILL");
      await ended;
    }
  });
  await Promise.all(lanes);
  const last = program(numbering, JSON.stringify(address));
  await Promise.all(tellers);
  while ((await store.count("events", { position: null })) > 0) await pause(20);
  last.child.kill("SIGKILL");
  await last.ended;
  over.abort();

  const faults: string[] = [];
  for (const seen of await Promise.all(pollers)) {
    if (seen.some(({ position }, index) => Number(position) !== index + 1))
      faults.push("a reader skipped a position, or saw one twice");
    const ids = new Set(seen.map(({ id }) => id));
    const missed = told.filter((id) => !ids.has(id)).length;
    if (missed > 0) faults.push(`a reader missed ${missed} committed events`);
    if (seen.length !== told.length + newest)
      faults.push(`a reader saw ${seen.length} events instead of ${told.length + newest}`);
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  process.stdout.write(
    `${database.title}: ${processes} processes committed ${told.length} of ${processes * commits} events and rolled back the others, ${killed} kills of a sequencer, ${busy} of them before the last commit; ${seconds} s, load ${loadavg()[0]?.toFixed(1)}: ${faults.length} faults\n`,
  );
  for (const fault of faults) process.stdout.write(`  ${fault}\n`);
  await store.close();
  return faults.length === 0;
}

const { values } = parseArgs({
  options: {
    processes: { type: "string", default: "8" },
    commits: { type: "string", default: "1000" },
    kills: { type: "string", default: "100" },
    pace: { type: "string", default: "600" },
    databases: { type: "string", default: "sqlite,postgres" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const sizes = {
  processes: Number(values.processes),
  commits: Number(values.commits),
  kills: Number(values.kills),
  pace: Number(values.pace),
};
const random = randomFrom(Number(values.seed));
let isTrue = true;
for (const name of values.databases.split(",")) {
  const database = databases.find((each) => each.name.toLowerCase().startsWith(name));
  if (database === undefined) throw new Error(usage);
  isTrue = (await play(database, sizes, random)) && isTrue;
}
process.stdout.write(isTrue ? "no reader skipped an event or saw one twice\n" : "FAILED\n");
process.exit(isTrue ? 0 : 1);
