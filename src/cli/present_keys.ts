import { existsSync, readFileSync } from "node:fs";
import type { Config } from "../config.ts";
import { secretKeyPath } from "../server/environment.ts";

/** The secret keys of the settings, or of the file beside SQLite; undefined where there is none yet. */
export async function presentKeys({ secret_keys, database }: Config): Promise<readonly Buffer[] | undefined> {
  if (secret_keys !== undefined) return secret_keys;
  if (database.kind !== "sqlite" || !existsSync(secretKeyPath(database.path))) return undefined;
  const { readSecretKey } = await import("../crypto/credentials.ts");
  return [readSecretKey(readFileSync(secretKeyPath(database.path), "utf8"))];
}
