import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { type Config, readConfig } from "../config.ts";
import { newSecretKey } from "../crypto/credentials.ts";
import type { KeyPair } from "../crypto/signing_keys.ts";
import { createListener, type Listener } from "../http/serving/listener.ts";
import { createLog } from "../ops/log.ts";
import { isFeatureOn } from "../records/names/profiles.ts";
import { variablesOf } from "../server/given_settings.ts";
import { startServer } from "../server/start_server.ts";
import type { Audit, Deliveries } from "../storage/ports.ts";
import { failureQueue } from "./failures.ts";
import { intercepted } from "./intercept.ts";
import type { KitSettings } from "./kit.ts";
import { kitClock } from "./kit_clock.ts";
import { recordCommands } from "./kit_records.ts";
import type { EventOptions, KitCommands, KitEvent } from "./kit_types.ts";
import { recorder } from "./recorder.ts";

/** The minimum that Argon2id allows, because tests need fast sign-ins and protect nothing. */
const cheapHashing = { m: 8, t: 1, p: 1 } as const;

/** The published package contains this empty database; the repository does not. */
const emptyDatabase = new URL("./empty.db", import.meta.url);

interface KitServerOptions {
  readonly folder: string;
  readonly settings: KitSettings;
  /** The clock's initial time in milliseconds since 1970; defaults to the machine's time. */
  readonly at: number | undefined;
  readonly log: ((line: string) => void) | undefined;
  /** A 2048-bit RSA key, the first signing key. */
  readonly first_pair: Promise<KeyPair>;
}

/** Starts the server on a free port. Throws a `ConfigError` that lists every invalid setting. */
export async function startKitServer({
  folder,
  settings,
  at,
  log: write,
  first_pair,
}: KitServerOptions): Promise<{ url: string; commands: KitCommands }> {
  const clock = kitClock(at);
  const path = join(folder, "postern.db");
  if (existsSync(emptyDatabase)) copyFileSync(emptyDatabase, path);
  const { now } = clock;
  const config = readConfig(
    variablesOf({
      throttle: false,
      secret_key: newSecretKey(),
      ...settings,
      port: 0,
      database_url: `sqlite:${path}`,
    }),
  );
  const destination = { write: write ?? (() => {}) };
  const log = createLog({ level: write === undefined ? "silent" : config.log_level, destination, now });
  const [records, failures] = [recorder(now), failureQueue()];
  const own = createListener({ host: "127.0.0.1", port: 0 });
  const listener: Listener = {
    ...own,
    answerWith: (app) => {
      const interception = { recorder: records, failures, server: () => running.server };
      const { inject, route_methods } = app;
      const routing = intercepted(app, interception);
      return own.answerWith({ ready: () => app.ready(), inject, route_methods, routing });
    },
  };
  const running = await startServer({
    ...{ config, log, now, listener, first_pair },
    hashing: cheapHashing,
    inviting: false,
  });
  const commands: KitCommands = {
    ...recordCommands({ running, config, clock, recorder: records, failures }),
    now: async () => now(),
    async advance(seconds) {
      clock.move(seconds * 1000);
      return now();
    },
    async setClock(to) {
      clock.move(to.getTime() - now().getTime());
      return now();
    },
    async fail(endpoint, failure, { times = 1 } = {}) {
      failures.add(endpoint, failure, times);
    },
    heal: async () => failures.clear(),
    requests: async (endpoint) => records.list(endpoint),
    events: (options) => eventsOf(running.store, config, options),
    forget: async () => records.forget(),
  };
  return { url: running.url, commands };
}

const batch = 1000;

/** Assigns the positions of the events itself, because the background work does so only later. */
async function eventsOf(
  store: Pick<Audit & Deliveries, "flush" | "numberEvents" | "feedBounds" | "readFeed">,
  config: Config,
  { after = 0, types }: EventOptions = {},
): Promise<KitEvent[]> {
  if (!isFeatureOn("events", config)) throw new Error('the kit needs the setting extra_features: "events"');
  await store.flush();
  while ((await store.numberEvents()) > 0);
  const { newest } = await store.feedBounds();
  const events: KitEvent[] = [];
  for (let at = after; at < newest; ) {
    const part = await store.readFeed({ after: at, limit: batch, types }, newest);
    events.push(...part.events.map(({ arrived: _, ...event }) => event));
    at = part.position;
  }
  return events;
}
