/** Opens the database and its keys for a server or a command. */
import { closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import type { Config } from "../config.ts";
import type { PasswordHasher, passwordHasher } from "../crypto/passwords.ts";
import type { Sealer } from "../crypto/sealing.ts";
import { isFeatureOn } from "../records/names/profiles.ts";
import type { Store, StoreOptions } from "../storage/store.ts";
import { auditStreamsOf } from "./audit/audit_streams.ts";
import { putFile } from "./files/draft.ts";
import { givenKeys } from "./given_keys.ts";
import { makeFolder } from "./make_folder.ts";
import { holdsSealedValues } from "./sealed_values.ts";
import { openSigner } from "./signers/open_signer.ts";

export interface Environment {
  readonly config: Config;
  readonly store: Store;
  readonly sealer: Sealer;
  readonly passwords: PasswordHasher;
  /** Whether several secret keys are configured. Some stored values may then be encrypted with an old key. */
  readonly several_keys: boolean;
  close(): Promise<void>;
}

/** Returns the path of the secret key file that is used if no setting provides a key. */
export function secretKeyPath(databasePath: string): string {
  return join(dirname(databasePath), "secret.key");
}

/** Several processes may start at once. One of them creates the file, and all of them read the same key. */
async function readOrMakeSecretKey(path: string): Promise<Buffer> {
  if (!existsSync(path)) {
    const { newSecretKey } = await import("../crypto/credentials.ts");
    await putFile(path, `${newSecretKey()}\n`, { replace: false });
  }
  return readKeyFile(path);
}

/**
 * Returns the secret key in a file. Throws an error that names the path if the file cannot be read or is
 * invalid.
 */
export async function readKeyFile(path: string): Promise<Buffer> {
  const { readSecretKey } = await import("../crypto/credentials.ts");
  try {
    return readSecretKey(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof TypeError) throw new Error(`${path}: ${error.message}`, { cause: error });
    throw new Error(
      `the secret key ${path} cannot be read, and POSTERN_SECRET_KEY is not set: ${reasonOf(error)}`,
      {
        cause: error,
      },
    );
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/**
 * Creates the SQLite file (mode 0600) and its folder (0700) unless they exist; SQLite gives its other files
 * the same mode. Throws an error that names the setting.
 */
export function prepareDatabaseFile(path: string): void {
  try {
    makeFolder(dirname(path));
    if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  } catch (cause) {
    throw new Error(`the database ${path} of POSTERN_DATABASE_URL cannot be created: ${reasonOf(cause)}`, {
      cause,
    });
  }
  if (statSync(path).isDirectory()) {
    throw new Error(`the database ${path} of POSTERN_DATABASE_URL is a folder: name a file in it`);
  }
}

/**
 * Throws if the SQLite file is missing or empty but its key file exists, for example because a volume is not
 * mounted. Otherwise the server would create a new database in the empty folder at the mount point.
 */
export function refuseLostDatabase({ database, secret_keys, secret_key_command }: Config): void {
  if (database.kind !== "sqlite" || secret_keys !== undefined || secret_key_command !== undefined) return;
  const { path } = database;
  const key = secretKeyPath(path);
  // Checks the key file first: a process that creates both files creates the database first.
  if (!existsSync(key)) return;
  if (existsSync(path) && statSync(path).size > 0) return;
  throw new Error(
    `${path} is ${existsSync(path) ? "empty" : "missing"}, but ${key} belongs to an existing database: is its volume mounted? ` +
      "Put the database back, or run `postern restore FILE`. To start over, remove the key",
  );
}

async function secretKeysOf(config: Config, store: Store): Promise<readonly Buffer[]> {
  const input = await givenKeys(config);
  if (input !== undefined) return input;
  if (config.database.kind !== "sqlite") throw new Error("PostgreSQL needs POSTERN_SECRET_KEY");
  const path = secretKeyPath(config.database.path);
  // Checks the file again: another starting process may have created the key and used it by now.
  if (!existsSync(path) && (await holdsSealedValues(store)) && !existsSync(path)) {
    throw new Error(
      `${path} is missing, but the database contains values that are encrypted with it: put the file back, or set its key as POSTERN_SECRET_KEY`,
    );
  }
  return [await readOrMakeSecretKey(path)];
}

/**
 * One more than the number of cores, so no core waits for the event loop to start the next hash. Each hash
 * uses 19 MiB.
 */
function hashingConcurrency(): number {
  return availableParallelism() + 1;
}

export interface EnvironmentOptions
  extends Pick<StoreOptions, "onError" | "onUnavailable" | "onReplicaError" | "around"> {
  readonly now: () => Date;
  readonly serving?: boolean;
  readonly onHash?: Parameters<typeof passwordHasher>[0]["onHash"];
  readonly hashing?: Parameters<typeof passwordHasher>[0]["parameters"];
}

/** Opens the database, applies missing migrations, and reads or creates the secret key. */
export async function openEnvironment(
  config: Config,
  {
    now,
    onError,
    onUnavailable,
    onReplicaError,
    onHash,
    hashing,
    around,
    serving = false,
  }: EnvironmentOptions,
): Promise<Environment> {
  const [{ openStore }, { sealer }, { passwordHasher: newHasher }] = await Promise.all([
    import("../storage/store.ts"),
    import("../crypto/sealing.ts"),
    import("../crypto/passwords.ts"),
  ]);
  refuseLostDatabase(config);
  if (config.database.kind === "sqlite") prepareDatabaseFile(config.database.path);
  const store = await openStore(config.database, {
    ...(onUnavailable !== undefined && { onUnavailable }),
    ...(onError !== undefined && { onError }),
    ...(onReplicaError !== undefined && { onReplicaError }),
    ...(around !== undefined && { around }),
    audit_streams: auditStreamsOf(config),
    events: isFeatureOn("events", config) || isFeatureOn("ssf", config),
    as_servers: !serving,
    ...(serving && { limits: config.database_limits, replica: config.database_read }),
  });
  try {
    await store.migrate(now());
    const keys = await secretKeysOf(config, store);
    const signer = await openSigner(config);
    return {
      config,
      store,
      sealer: sealer(keys, signer),
      several_keys: keys.length > 1,
      passwords: newHasher({
        ...{ concurrency: hashingConcurrency(), queue: 256, onHash },
        ...(hashing !== undefined && { parameters: hashing }),
      }),
      async close() {
        await store.close();
        await signer?.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
