/** Postern in a process of somebody else: what programs import from `@postern/server`. */

import { ConfigError } from "../config/config_error.ts";
import { readConfig } from "../config.ts";
import { guestListener, type HostFastify, type Mount } from "../http/serving/guest_listener.ts";
import { createListener } from "../http/serving/listener.ts";
import { createLog, logInto, type OtherLogger } from "../ops/log.ts";
import { serveMetrics } from "../ops/metrics_server.ts";
import { type PosternSettings, variablesOf } from "./given_settings.ts";
import { type RunningServer, startServer } from "./start_server.ts";

export { ConfigError } from "../config/config_error.ts";
export type { PosternSetting, PosternSettings } from "./given_settings.ts";

export interface PosternOptions {
  /** The clock of the server; that of the machine when absent. */
  readonly now?: () => Date;
  /** Gets each log line with its newline; without it nothing is logged, or into the log of `fastify`. */
  readonly log?: (line: string) => void;
  /**
   * An instance of Fastify 5 that takes the requests, and closes this server when it closes. `base_url` is
   * required then. To be given before it listens.
   */
  readonly fastify?: HostFastify & { readonly log: OtherLogger };
  /**
   * With `fastify`: `paths` (when absent) takes the requests at the paths of this server, on every host and
   * but for `/`. `host` takes those to the host of `base_url` for which the app has no route of its own.
   */
  readonly mount?: Mount;
}

/** A server that runs in this process. */
export interface Postern {
  /** Where it answers, without a trailing slash. */
  readonly url: string;
  /** A link for the first administrator, good once and for 24 hours; undefined where there is one. */
  readonly setup_link: string | undefined;
  /** The port of `/metrics` where `metrics_port` is set. */
  readonly metrics_port: number | undefined;
  /** Stops accepting, finishes running requests, writes what waits, and closes the database. */
  close(): Promise<void>;
}

/** Refuses what only a server with a process or a port of its own can have. */
function refuseMisplaced(input: PosternSettings, isGuest: boolean): void {
  const errors: { name: string; message: string }[] = [];
  if (Number(input.workers ?? 1) > 1) {
    const message = "a server in another process has one; `postern serve` has more";
    errors.push({ name: "POSTERN_WORKERS", message });
  }
  if (isGuest) {
    for (const name of ["host", "port"] as const) {
      if (input[name] === undefined) continue;
      errors.push({ name: `POSTERN_${name.toUpperCase()}`, message: "the given Fastify instance listens" });
    }
    if (input.base_url === undefined)
      errors.push({ name: "POSTERN_BASE_URL", message: "is required with a Fastify instance" });
  }
  if (errors.length > 0) throw new ConfigError(errors);
}

/**
 * Starts a server in this process, on the port of the settings (3000 when absent, any free one for 0) or in
 * an instance of Fastify. It reads no environment variable and handles no signal: the caller closes it.
 *
 * @throws ConfigError with every setting that is wrong
 * @throws Error when the database cannot be reached, the port is taken or the instance has such a route
 */
export async function createPostern(
  input: PosternSettings = {},
  { now = () => new Date(), log: write, fastify, mount = "paths" }: PosternOptions = {},
): Promise<Postern> {
  const config = readConfig(variablesOf(input));
  refuseMisplaced(input, fastify !== undefined);
  const level = write === undefined ? "silent" : config.log_level;
  const log =
    fastify !== undefined && write === undefined
      ? logInto(fastify.log)
      : createLog({ level, destination: { write: write ?? (() => {}) }, now });
  const { base_url = "" } = config;
  const listener = fastify ? guestListener(fastify, base_url, mount) : createListener(config);
  let server: RunningServer | undefined;
  try {
    const running = await startServer({ config, log, now, listener });
    server = running;
    const metrics =
      config.metrics_port === undefined
        ? undefined
        : await serveMetrics(running.metrics, config.metrics_port, config.metrics_host);
    const end = async () => {
      // The app goes on listening, so that its requests end before the database does.
      if (fastify) await listener.close();
      await running.close();
    };
    let closing: Promise<void> | undefined;
    const close = () => {
      closing ??= Promise.all([metrics?.close(), end()]).then(() => {});
      return closing;
    };
    fastify?.addHook("onClose", close);
    const url = fastify ? base_url : running.url;
    return { url, setup_link: running.setup_link, metrics_port: metrics?.port, close };
  } catch (error) {
    await server?.close();
    await listener.close();
    throw error;
  }
}
