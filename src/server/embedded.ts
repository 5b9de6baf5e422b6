/** Runs Postern inside another Node.js program: the exports of `@postern/server`. */

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
  /** Returns the current time. The default is the machine's clock. */
  readonly now?: () => Date;
  /**
   * Receives each log line, including the newline. Without it, log lines go to the logger of `fastify` if
   * given, and are otherwise discarded.
   */
  readonly log?: (line: string) => void;
  /**
   * A Fastify 5 instance that receives the requests and closes this server when it closes. It requires
   * `base_url`, and must not be listening yet.
   */
  readonly fastify?: HostFastify & { readonly log: OtherLogger };
  /**
   * Which requests of `fastify` this server answers. `paths` (default): its own paths except `/`, on every
   * host. `host`: every request to the host of `base_url`, except at paths that only other Fastify routes
   * have.
   */
  readonly mount?: Mount;
}

export interface Postern {
  /** The server's URL, without a trailing slash. */
  readonly url: string;
  /**
   * A link with which the first administrator signs up. It works once, within 24 hours. Undefined if an
   * administrator exists.
   */
  readonly setup_link: string | undefined;
  /** The port that serves `/metrics`; undefined unless `metrics_port` is set. */
  readonly metrics_port: number | undefined;
  /** Stops accepting requests, finishes the running ones, writes queued rows, and closes the database. */
  close(): Promise<void>;
}

function refuseMisplaced(input: PosternSettings, isGuest: boolean): void {
  const errors: { name: string; message: string }[] = [];
  if (Number(input.workers ?? 1) > 1) {
    const message = "an embedded server has one process; use `postern serve` for more";
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
 * Starts a server in this process, on the configured port (default 3000, 0 for a free one) or in a Fastify
 * instance. It reads no environment variables and handles no signals: the caller closes it.
 *
 * @throws ConfigError with every invalid setting
 * @throws Error if the database cannot be reached, the port is in use, or the instance already has one of
 * this server's routes
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
      // Before the database is closed, ends the running requests that the Fastify instance passed to this
      // server.
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
