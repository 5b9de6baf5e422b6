/**
 * `npm run bench:serializable`: measures the cost of the serializable profile compared with the native one,
 * and races behind a proxy that aborts transactions. docs/distributed.md has the result.
 */
import { parseArgs } from "node:util";
import { openStore, type Store } from "../../src/storage/store.ts";
import {
  type Authorization,
  anAuthorization,
  descendant,
  firstToken,
  liveRows,
  redeem,
  rotate,
  soon,
} from "../../test/storage/authorization.ts";
import { aCode, accessOnly, tokenOf } from "../../test/support/builders.ts";
import { conflictingProxy } from "../../test/support/conflicting_proxy.ts";
import { onDatabase, type PostgresCluster, startPostgresCluster } from "./postgres_cluster.ts";
import { cpuSeconds } from "./process_usage.ts";

const usage = `usage: npm run bench:serializable -- [options]
  --rounds N   measurements of each cost, in pairs [5]
  --each N     operations per measurement [500]
  --races N    rounds of each race [100]
Measures only the storage: HTTP and signatures cost the same in both profiles.
`;

const atOnce = 16;
const profiles = ["native", "serializable"] as const;
type Profile = (typeof profiles)[number];

/** Runs `work` for each number below `count`, several at a time. */
async function spread(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Prepares `count` operations, and returns a function that runs the operation with the given number. */
type Operation = (store: Store, count: number) => Promise<(index: number) => Promise<unknown>>;

/** Authorizations of many users for one app, so that transactions conflict only in rows of the app. */
async function authorizations(store: Store, count: number): Promise<Authorization[]> {
  const people = await Promise.all(Array.from({ length: 20 }, () => anAuthorization(store)));
  const made: Authorization[] = [];
  await spread(count, async (index) => {
    const of = people[index % people.length];
    if (of === undefined) return;
    const code = await aCode(store, { user_id: of.user.id, app_id: of.app.id });
    made.push({ ...of, code });
  });
  return made;
}

const input = <T>(values: readonly T[], index: number): T => {
  const value = values[index];
  if (value === undefined) throw new Error(`there is no value number ${index}`);
  return value;
};

function requireRedeemed(outcome: string): void {
  if (outcome !== "spent") throw new Error(`a grant was not spent: ${outcome}`);
}

const operations: Readonly<Record<string, Operation>> = {
  "token of a machine": async (store) => {
    const { app } = await anAuthorization(store);
    return () => store.insertToken(tokenOf({ app_id: app.id, user_id: null, ...accessOnly }));
  },
  "code flow: code stored and redeemed": async (store, count) => {
    const made = await authorizations(store, count);
    return async (index) => {
      const of = input(made, index);
      const code = await aCode(store, { user_id: of.user.id, app_id: of.app.id });
      requireRedeemed(await redeem(store, { ...of, code }));
    };
  },
  refresh: async (store, count) => {
    const made = await authorizations(store, count);
    const ids: string[] = [];
    await spread(count, async (index) => {
      ids[index] = (await firstToken(store, input(made, index))).id;
    });
    return async (index) => requireRedeemed(await rotate(store, input(made, index), input(ids, index)));
  },
  "family revoked": async (store, count) => {
    const made = await authorizations(store, count);
    await spread(count, (index) => firstToken(store, input(made, index)));
    return (index) => store.revokeFamily(input(made, index).code.id, "replay", soon);
  },
};

interface Cost {
  /** Milliseconds of processor time per operation. */
  readonly ours: number;
  readonly database: number;
  /** Operations per second. */
  readonly rate: number;
  /** Rolled-back transactions per thousand operations. */
  readonly conflicts: number;
}

async function undoneIn(url: string): Promise<number> {
  const { rows } = await onDatabase(url, (client) =>
    client.query("SELECT xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()"),
  );
  return Number(rows[0]?.count);
}

async function costOf(
  operation: Operation,
  { store, url }: { store: Store; url: string },
  { pid }: PostgresCluster,
  each: number,
): Promise<Cost> {
  const work = await operation(store, each);
  const undone = await undoneIn(url);
  const [ours, theirs, begun] = [process.cpuUsage(), cpuSeconds(pid) ?? 0, performance.now()];
  await spread(each, work);
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(ours);
  const database = (cpuSeconds(pid) ?? 0) - theirs;
  return {
    ours: (user + system) / 1000 / each,
    database: (database * 1000) / each,
    rate: each / seconds,
    conflicts: (((await undoneIn(url)) - undone) * 1000) / each,
  };
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Creates a database with its tables and with the isolation level of the profile. */
async function aDatabase(cluster: PostgresCluster, name: string, profile: Profile): Promise<string> {
  const url = await cluster.createDatabase(name);
  if (profile === "serializable")
    await onDatabase(url, (client) =>
      client.query(`ALTER DATABASE "${name}" SET default_transaction_isolation = 'serializable'`),
    );
  return url;
}

const say = (line: string) => process.stdout.write(`${line}\n`);

async function costs(cluster: PostgresCluster, rounds: number, each: number): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const opened = { native: undefined, serializable: undefined } as Record<
    Profile,
    { store: Store; url: string } | undefined
  >;
  for (const profile of profiles) {
    const url = await aDatabase(cluster, `cost_${profile}`, profile);
    const store = await openStore({ kind: "postgres", url, profile });
    stack.defer(() => store.close());
    await store.migrate(new Date());
    opened[profile] = { store, url };
  }
  for (const line of [
    "| Storage only | native: server, database ms | serializable: server, database ms | ratio of the sums | operations per second: native, serializable | rolled back per 1,000 |",
    "|---|---|---|---|---|---|",
  ])
    say(line);
  for (const [name, operation] of Object.entries(operations)) {
    const measured: Record<Profile, Cost[]> = { native: [], serializable: [] };
    for (let round = -1; round < rounds; round++) {
      for (const profile of round % 2 === 0 ? profiles : profiles.toReversed()) {
        const on = opened[profile];
        if (on === undefined) continue;
        const cost = await costOf(operation, on, cluster, each);
        // The first round is the warm-up.
        if (round >= 0) measured[profile].push(cost);
      }
    }
    const of = (profile: Profile, figure: (cost: Cost) => number) => median(measured[profile].map(figure));
    const both = (cost: Cost) => cost.ours + cost.database;
    const ratio = median(
      measured.serializable.map((cost, at) => both(cost) / both(input(measured.native, at))),
    );
    const cell = (profile: Profile) =>
      `${of(profile, ({ ours }) => ours).toFixed(2)}, ${of(profile, ({ database }) => database).toFixed(2)}`;
    const rate = (profile: Profile) => Math.round(of(profile, (cost) => cost.rate)).toLocaleString("en");
    say(
      `| ${name} | ${cell("native")} | ${cell("serializable")} | ${ratio.toFixed(1)} | ${rate("native")}, ${rate("serializable")} | ${of("serializable", ({ conflicts }) => conflicts).toFixed(0)} |`,
    );
  }
}

/** The result of one round of a race: the number of winners and of active tokens. */
interface Outcome {
  readonly won: number;
  readonly alive: number;
}

interface Race {
  readonly name: string;
  run(store: Store): Promise<Outcome>;
  /** Returns whether the outcome is correct. */
  fits(outcome: Outcome): boolean;
}

const wins = (verdicts: readonly string[]) => verdicts.filter((outcome) => outcome === "spent").length;
const oneWins = ({ won, alive }: Outcome) => won === 1 && alive === 1;
const nothingLives = ({ alive }: Outcome) => alive === 0;

async function againstRotation(store: Store, end: (of: Authorization) => Promise<unknown>): Promise<Outcome> {
  const of = await anAuthorization(store);
  const { id } = await firstToken(store, of);
  const [outcome] = await Promise.all([rotate(store, of, id), end(of)]);
  return { won: wins([outcome]), alive: await liveRows(store, of) };
}

const races: readonly Race[] = [
  {
    name: "8 redemptions of one code",
    fits: oneWins,
    async run(store) {
      const of = await anAuthorization(store);
      const verdicts = await Promise.all(Array.from({ length: 8 }, () => redeem(store, of)));
      return { won: wins(verdicts), alive: await liveRows(store, of) };
    },
  },
  {
    name: "8 rotations of one refresh token",
    fits: oneWins,
    async run(store) {
      const of = await anAuthorization(store);
      const { id } = await firstToken(store, of);
      const verdicts = await Promise.all(Array.from({ length: 8 }, () => rotate(store, of, id)));
      return { won: wins(verdicts), alive: await liveRows(store, of) };
    },
  },
  {
    name: "a rotation and the revocation of its family",
    fits: nothingLives,
    run: (store) => againstRotation(store, (of) => store.revokeFamily(of.code.id, "replay", soon)),
  },
  {
    name: "a rotation and the end of its session",
    fits: nothingLives,
    run: (store) => againstRotation(store, (of) => store.endSession(of.session.id, soon)),
  },
  {
    name: "a rotation and a change of the password",
    fits: nothingLives,
    run: (store) =>
      againstRotation(store, (of) => store.endEverythingOf(of.user.id, "password_changed", soon)),
  },
  {
    name: "a redemption and the end of its session",
    fits: nothingLives,
    async run(store) {
      const of = await anAuthorization(store);
      const token = descendant(of);
      const [outcome] = await Promise.all([
        redeem(store, of, soon, token),
        store.endSession(of.session.id, soon),
      ]);
      return { won: wins([outcome]), alive: await liveRows(store, of) };
    },
  },
];

async function raced(cluster: PostgresCluster, rounds: number): Promise<void> {
  const url = await aDatabase(cluster, "races", "serializable");
  const proxy = await conflictingProxy(url, { seed: 110, share: 0.2 });
  const store = await openStore({ kind: "postgres", url: proxy.url, profile: "serializable" });
  await store.migrate(new Date());
  for (const line of [
    "| Race | rounds | one winner | correct outcomes | rolled back by the proxy, by PostgreSQL | failed | conflicts per second |",
    "|---|---|---|---|---|---|---|",
  ])
    say(line);
  for (const race of races) {
    const [injected, reported, begun] = [proxy.conflicts(), proxy.reported(), performance.now()];
    const outcomes: Outcome[] = [];
    let failed = 0;
    for (let from = 0; from < rounds; from += 4)
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          try {
            outcomes.push(await race.run(store));
          } catch {
            failed += 1;
          }
        }),
      );
    const seconds = (performance.now() - begun) / 1000;
    const byProxy = proxy.conflicts() - injected;
    const all = proxy.reported() - reported;
    const right = outcomes.filter(race.fits).length;
    say(
      `| ${race.name} | ${rounds} | ${outcomes.filter(({ won }) => won === 1).length} | ${right} | ${byProxy}, ${all - byProxy} | ${failed} | ${(all / seconds).toFixed(0)} |`,
    );
  }
  await store.close();
  await proxy.close();
}

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    each: { type: "string", default: "500" },
    races: { type: "string", default: "100" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) process.stdout.write(usage);
else {
  await using cluster = await startPostgresCluster();
  await raced(cluster, Number(values.races));
  say("");
  await costs(cluster, Number(values.rounds), Number(values.each));
}
