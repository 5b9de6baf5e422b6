/** Postern in a process of somebody else: what programs import from `@postern/server`. */

import type { EnvName } from "../config/settings.ts";
import { readConfig } from "../config.ts";
import { createListener } from "../http/listener.ts";
import { createLog } from "../ops/log.ts";
import { startServer } from "./start_server.ts";

export { ConfigError } from "../config.ts";

type NameOf<Name extends string> = Name extends `POSTERN_${infer Rest}` ? Lowercase<Rest> : never;

/** The name of a setting: that of its variable in lower case and without `POSTERN_`, such as `base_url`. */
export type PosternSetting = NameOf<EnvName>;

/** Settings as docs/operations.md lists them: a list stands for its members with commas in between. */
export type PosternSettings = {
  readonly [Name in PosternSetting]?: string | number | readonly string[] | undefined;
};

export interface PosternOptions {
  /** The clock of the server; that of the machine when absent. */
  readonly now?: () => Date;
  /** Gets each log line with its newline; without it nothing is logged. */
  readonly log?: (line: string) => void;
}

/** A server that runs in this process. */
export interface Postern {
  /** Where it answers, without a trailing slash. */
  readonly url: string;
  /** A link for the first administrator, good once and for 24 hours; undefined where there is one. */
  readonly setup_link: string | undefined;
  /** Stops accepting, finishes running requests, writes what waits, and closes the database. */
  close(): Promise<void>;
}

function textOf(value: string | number | readonly string[]): string {
  return typeof value === "object" ? value.join(",") : String(value);
}

/** The variables that say the same. An unknown name stays, so that reading them finds it. */
function variablesOf(given: PosternSettings): Record<string, string> {
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    said.map(([name, value]) => [`POSTERN_${name.toUpperCase()}`, textOf(value as string | number)]),
  );
}

/**
 * Starts a server in this process, on the port of the settings: 3000 when absent, any free one for 0. It
 * reads no environment variable and handles no signal: the caller closes it.
 *
 * @throws ConfigError with every setting that is wrong
 * @throws Error when the database cannot be reached or the port is taken
 */
export async function createPostern(
  given: PosternSettings = {},
  { now = () => new Date(), log: write }: PosternOptions = {},
): Promise<Postern> {
  const variables = variablesOf(given);
  const config = readConfig(variables);
  if (config.workers > 1)
    throw new Error("workers: a server in another process has one; `postern serve` has more");
  const level = write === undefined ? "silent" : config.log_level;
  const log = createLog({ level, destination: { write: write ?? (() => {}) }, now });
  const listener = createListener(config);
  try {
    const { url, setup_link, close } = await startServer({ config, log, now, listener });
    return { url, setup_link, close };
  } catch (error) {
    await listener.close();
    throw error;
  }
}
