/** The gauges of a running server, such as database and queue sizes. */
import type { HashingQueue } from "../crypto/hash_pool.ts";
import type { PasswordHasher } from "../crypto/passwords.ts";
import type { AuthorizationServer } from "../oauth/core/server.ts";
import type { GaugeName, Metrics, Reading } from "../ops/metrics.ts";
import { stateOfSigningKey } from "../records/names/liveness.ts";
import type { ProcessFigures } from "../records/names/process_figures.ts";
import type { Audit, Commits, Housekeeping, Keys } from "../storage/ports.ts";
import type { Retention } from "../storage/sweep/conditions.ts";

const figuresMaxAge = 10_000;
/** In milliseconds, shorter than the timeout of a worker's response. */
const longestAnswer = 500;

interface Watched {
  readonly store: Audit & Commits & Housekeeping & Keys;
  readonly passwords: PasswordHasher;
  readonly unfinished: NonNullable<AuthorizationServer["unfinished"]>;
  readonly figures: () => ProcessFigures;
  readonly retention: Retention;
  readonly now: () => Date;
}

type Figures = { readonly [N in GaugeName]?: readonly Reading<N>[] };

const seconds = (moment: Date): number => moment.getTime() / 1000;
const plain = (value: number) => [{ labels: {}, value }];

async function databaseFigures({ store, retention, now }: Watched): Promise<Figures> {
  const at = now();
  const [size, rows, past, waiting, keys] = await Promise.all([
    store.size(),
    store.estimateRows(),
    store.countPast(at, retention),
    store.countWaiting(),
    store.listSigningKeys(),
  ]);
  const byTable = (found: typeof rows) =>
    found.map(({ table, rows: value }) => ({ labels: { table }, value }));
  const signing = keys.filter((key) => stateOfSigningKey(key, at) === "signing");
  return {
    postern_database_size_bytes: plain(size),
    postern_database_rows: byTable(rows),
    postern_database_expired_rows: byTable(past),
    postern_outbox_entries: waiting.map(({ kind, rows: value }) => ({ labels: { kind }, value })),
    postern_outbox_oldest_timestamp_seconds: waiting.flatMap(({ kind, oldest }) =>
      oldest === undefined ? [] : [{ labels: { kind }, value: seconds(oldest) }],
    ),
    // If several keys of an algorithm are active, the newest one signs.
    postern_signing_key_activated_timestamp_seconds: [
      ...new Map(
        signing
          .toSorted((a, b) => a.activates_at.getTime() - b.activates_at.getTime())
          .map(({ algorithm, activates_at }) => [algorithm, seconds(activates_at)]),
      ),
    ].map(([algorithm, value]) => ({ labels: { algorithm }, value })),
  };
}

/** Returns a function that records, in seconds, how long each hash waited and took. */
export function hashObserver(metrics: Pick<Metrics, "observe">) {
  return (lane: HashingQueue, waited: number, took: number): void => {
    metrics.observe("postern_hash_wait_seconds", { lane }, waited);
    metrics.observe("postern_hash_duration_seconds", { lane }, took);
  };
}

async function inTime(answer: Promise<Figures>): Promise<Figures> {
  const late = Promise.withResolvers<Figures>();
  const timer = setTimeout(() => late.resolve({}), longestAnswer);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Registers the gauges of a server. They are measured only when metrics are requested. */
export function watchServer(metrics: Pick<Metrics, "watch">, watched: Watched): void {
  const { store, passwords, unfinished, figures } = watched;
  metrics.watch("postern_build_info", () => [{ labels: { version: figures().version }, value: 1 }]);
  metrics.watch("postern_hashes", () =>
    Object.entries(passwords.load().queues).flatMap(([lane, { running, waiting }]) => [
      { labels: { lane, state: "running" }, value: running },
      { labels: { lane, state: "waiting" }, value: waiting },
    ]),
  );
  metrics.watch("postern_hash_queue_limit", () => {
    const { queues, most_waiting } = passwords.load();
    return Object.keys(queues).map((lane) => ({ labels: { lane }, value: most_waiting }));
  });
  metrics.watch("postern_revocations_waiting", () => plain(unfinished.waiting()));
  metrics.watch("postern_cache_distrusted", () => plain(store.isCurrent() ? 0 : 1));
  metrics.watch("postern_unwritten", () =>
    Object.entries(figures().unwritten).map(([kind, value]) => ({ labels: { kind }, value })),
  );
  metrics.watch("postern_mails_waiting", () => plain(figures().mail?.waiting ?? 0));
  metrics.watch("postern_last_sweep_timestamp_seconds", () => {
    const { swept_at } = figures();
    return swept_at === undefined ? [] : plain(seconds(swept_at));
  });
  metrics.watch("postern_database_connections", () => {
    const load = store.connections();
    if (load === undefined) return [];
    return (["used", "idle"] as const).map((state) => ({ labels: { state }, value: load[state] }));
  });
  metrics.watch("postern_database_log_bytes", async () => {
    const bytes = await store.logSize();
    return bytes === undefined ? [] : plain(bytes);
  });
  metrics.watch("postern_database_connections_limit", () => {
    const load = store.connections();
    return load === undefined ? [] : plain(load.most);
  });
  metrics.watch("postern_database_connection_waiters", () => {
    const load = store.connections();
    return load === undefined ? [] : plain(load.waiting);
  });

  let requested: { readonly at: number; readonly answer: Promise<Figures> } | undefined;
  function ofDatabase<N extends GaugeName>(name: N): void {
    metrics.watch(name, async () => {
      if (requested === undefined || performance.now() - requested.at > figuresMaxAge) {
        requested = { at: performance.now(), answer: databaseFigures(watched) };
      }
      return ((await inTime(requested.answer))[name] ?? []) as readonly Reading<N>[];
    });
  }
  ofDatabase("postern_database_size_bytes");
  ofDatabase("postern_database_rows");
  ofDatabase("postern_database_expired_rows");
  ofDatabase("postern_outbox_entries");
  ofDatabase("postern_outbox_oldest_timestamp_seconds");
  ofDatabase("postern_signing_key_activated_timestamp_seconds");
}
