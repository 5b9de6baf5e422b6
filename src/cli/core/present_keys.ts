import { existsSync } from "node:fs";
import type { Config } from "../../config.ts";
import { readKeyFile, secretKeyPath } from "../../server/environment.ts";
import { givenKeys } from "../../server/given_keys.ts";

/**
 * Returns the secret keys from the settings, or from the file next to the SQLite database; undefined if there
 * are none.
 */
export async function presentKeys(config: Config): Promise<readonly Buffer[] | undefined> {
  const { database } = config;
  const input = await givenKeys(config);
  if (input !== undefined) return input;
  if (database.kind !== "sqlite" || !existsSync(secretKeyPath(database.path))) return undefined;
  return [await readKeyFile(secretKeyPath(database.path))];
}
