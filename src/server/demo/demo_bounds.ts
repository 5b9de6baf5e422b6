/**
 * Restricts the demo to this machine and its own database, because its administrator's password and secrets
 * are public in the source code.
 */

import { existsSync } from "node:fs";
import { hostOf, isLoopback, isLoopbackName } from "../../config/loopback.ts";
import type { Config } from "../../config.ts";
import { sha256 } from "../../crypto/digest.ts";
import { lastMoment } from "../../records/names/liveness.ts";
import type { Codes, Housekeeping } from "../../storage/ports.ts";

const markKind = "demo_database";
const markKey = sha256("made by postern dev");

/** Throws unless `POSTERN_HOST` and the host of `POSTERN_BASE_URL` (if set) are loopback addresses. */
export function demandLoopback({ host, base_url }: Pick<Config, "host" | "base_url">): void {
  const reason = "the demo has an administrator with a public password, so it serves only this machine";
  if (!isLoopback(host)) throw new Error(`POSTERN_HOST must be a loopback address: ${reason}`);
  if (base_url !== undefined && !isLoopbackName(hostOf(base_url))) {
    throw new Error(`the host of POSTERN_BASE_URL must be a loopback address: ${reason}`);
  }
}

/** Throws unless the database is empty or was created by the demo. Writes nothing. */
export async function demandDemoDatabase({ database }: Pick<Config, "database">, now: Date): Promise<void> {
  if (database.kind === "sqlite" && !existsSync(database.path)) return;
  const { openStore } = await import("../../storage/store.ts");
  const store = await openStore(database);
  try {
    if ((await store.isEmpty()) || (await isMarked(store, now))) return;
  } finally {
    await store.close();
  }
  throw new Error(
    "the database was not created by `postern dev`, which would add an administrator with a public password to it: set POSTERN_DATABASE_URL to an empty one, or remove this one if it is an old demo. Nothing was written.",
  );
}

async function isMarked(store: Codes & Housekeeping, now: Date): Promise<boolean> {
  const isOurs = (await store.migrationStatus()).some(({ applied }) => applied);
  return isOurs && (await store.findEphemeral(markKind, markKey, now)) !== undefined;
}

/** Marks the database as the demo's. */
export async function markDemoDatabase(store: Codes & Housekeeping, now: Date): Promise<void> {
  await store.storeEphemeral(markKind, markKey, "made by postern dev", lastMoment, now);
}
