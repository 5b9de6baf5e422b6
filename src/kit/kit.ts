/** A Postern server for the tests of other programs: the exports of `@postern/test`. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { PosternSettings } from "../server/given_settings.ts";
import type { KitCommands } from "./kit_types.ts";

export type {
  Endpoint,
  EventOptions,
  Failure,
  Fields,
  KitApp,
  KitEvent,
  KitMembership,
  KitSession,
  KitTokens,
  KitUser,
  RecordedRequest,
  TokenOptions,
  UserFields,
  Values,
} from "./kit_types.ts";

export type KitSettings = Omit<
  PosternSettings,
  | "base_url"
  | "host"
  | "port"
  | "workers"
  | "database_url"
  | "database_url_file"
  | "metrics_port"
  | "metrics_host"
>;

export interface KitOptions {
  readonly settings?: KitSettings;
  /** The initial time of the server's clock, which advances; defaults to the machine's time. */
  readonly at?: Date;
  /** Without this function, nothing is logged. */
  readonly log?: (line: string) => void;
}

export interface PosternKit extends KitCommands, AsyncDisposable {
  /** The issuer, which is also the base URL. */
  readonly url: string;
  /** Stops the server immediately, closes its connections and removes its database. */
  close(): Promise<void>;
}

type Wait = PromiseWithResolvers<unknown>;

export type ToTest =
  | { readonly type: "ready"; readonly url: string }
  | { readonly type: "failed"; readonly error: Error }
  | { readonly type: "log"; readonly line: string }
  | { readonly type: "answer"; readonly id: number; readonly value?: unknown; readonly error?: Error };

export interface ToServer {
  readonly id: number;
  readonly command: keyof KitCommands;
  readonly args: readonly unknown[];
}

export interface ThreadData {
  readonly module: string;
  readonly cache: string;
  readonly folder: string;
  readonly settings: KitSettings;
  readonly at: number | undefined;
  readonly logs: boolean;
}

const commands: Readonly<Record<keyof KitCommands, true>> = {
  apply: true,
  user: true,
  app: true,
  session: true,
  tokens: true,
  follow: true,
  revoke: true,
  rotateKeys: true,
  now: true,
  advance: true,
  setClock: true,
  fail: true,
  heal: true,
  requests: true,
  events: true,
  forget: true,
};

/** The thread runs this script, because modules must not act when they are imported. */
const script = `const { generateKeyPair } = require("node:crypto");
const node_module = require("node:module");
const { promisify } = require("node:util");
const { pathToFileURL } = require("node:url");
const { workerData } = require("node:worker_threads");
const pair = promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
node_module.enableCompileCache(workerData.cache);
const { module } = workerData;
// A single-file package needs no module loader, which would parse it a second time.
const loaded = module.endsWith(".cjs") ? Promise.resolve(require(module)) : import(pathToFileURL(module));
loaded
  .then(({ runKitThread }) => runKitThread(workerData, pair))
  .then(() => node_module.flushCompileCache());`;

/** In the published package (`packages/test`), the code of the thread is a single CommonJS file. */
const extension = import.meta.url.endsWith(".ts") ? "ts" : "cjs";

/**
 * Size of the heap's young generation in MiB. With a smaller one, garbage collection during startup would
 * make the start a tenth slower.
 */
const youngGeneration = 64;

/** Uses memory if possible, so that tests need not wait for a disk. */
function quickFolder(): string {
  const memory = "/dev/shm";
  const parent = process.platform === "linux" && existsSync(memory) ? memory : tmpdir();
  try {
    return mkdtempSync(join(parent, "postern-kit-"));
  } catch {
    return mkdtempSync(join(tmpdir(), "postern-kit-"));
  }
}

/**
 * Starts a server on a free port of this machine, with an empty database that is removed with it. The server
 * runs in its own thread, so a test's changes to clocks, timers, modules and globals do not affect it. A
 * process that has nothing else to do ends even if `close` was not called.
 *
 * @throws Error that lists every invalid setting
 */
export async function startPostern({ settings = {}, at, log }: KitOptions = {}): Promise<PosternKit> {
  const folder = quickFolder();
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once("exit", removeFolder);
  const workerData: ThreadData = {
    module: fileURLToPath(new URL(`./kit_thread.${extension}`, import.meta.url)),
    cache: fileURLToPath(new URL("../../node_modules/.cache/postern", import.meta.url)),
    folder,
    settings,
    at: at?.getTime(),
    logs: log !== undefined,
  };
  const thread = new Worker(script, {
    ...{ eval: true, execArgv: [], env: {}, workerData },
    resourceLimits: { maxYoungGenerationSizeMb: youngGeneration },
  });
  const ready = Promise.withResolvers<string>();
  const waiting = new Map<number, Wait>();
  let requested = 0;
  let ended: Error | undefined;

  function failAll(error: Error): void {
    ended = error;
    ready.reject(error);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }
  thread.on("message", (message: ToTest) => {
    if (message.type === "ready") ready.resolve(message.url);
    else if (message.type === "failed") ready.reject(message.error);
    else if (message.type === "log") log?.(message.line);
    else {
      const wait = waiting.get(message.id);
      waiting.delete(message.id);
      if (waiting.size === 0) thread.unref();
      if (message.error !== undefined) wait?.reject(message.error);
      else wait?.resolve(message.value);
    }
  });
  thread.on("error", failAll);
  thread.on("exit", () => failAll(new Error("the server of the kit has been closed")));

  function ask(command: keyof KitCommands, args: readonly unknown[]): Promise<unknown> {
    if (ended !== undefined) return Promise.reject(ended);
    const wait = Promise.withResolvers<unknown>();
    requested += 1;
    waiting.set(requested, wait);
    thread.ref();
    thread.postMessage({ id: requested, command, args } satisfies ToServer);
    return wait.promise;
  }

  let closing: Promise<void> | undefined;
  async function end(): Promise<void> {
    // The thread ends without a graceful shutdown, which would write data that is deleted anyway, and would
    // wait for idle connections.
    await thread.terminate();
    process.off("exit", removeFolder);
    removeFolder();
  }
  const close = () => {
    closing ??= end();
    return closing;
  };

  try {
    const url = await ready.promise;
    thread.unref();
    const asking = Object.fromEntries(
      (Object.keys(commands) as (keyof KitCommands)[]).map((command) => [
        command,
        (...args: unknown[]) => ask(command, args),
      ]),
    ) as unknown as KitCommands;
    return { url, ...asking, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await thread.terminate();
    removeFolder();
    throw error;
  }
}
