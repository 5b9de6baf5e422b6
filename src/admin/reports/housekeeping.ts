import type { ProcessFigures } from "../../records/names/process_figures.ts";
import { requirePlatform } from "../access/access.ts";
import type { AdminContext } from "../access/actor.ts";
import { type KeyView, listKeys } from "../records/signing_keys.ts";

interface DatabaseFigures {
  readonly kind: "sqlite" | "postgres";
  /** In bytes. */
  readonly size: number;
  readonly migrations: number;
}

interface SweptFigures {
  /** Rows deleted in the last 24 hours, including the current hour. */
  readonly day: number;
  /** Rows deleted in the last 7 days, including today (UTC). */
  readonly week: number;
}

const hour = 3_600_000;

/** Returns how many expired rows were deleted recently. */
export async function sweptFigures(
  context: Pick<AdminContext, "actor" | "store" | "now">,
): Promise<SweptFigures> {
  await requirePlatform(context);
  const now = context.now().getTime();
  const day = Math.floor(now / hour) * hour - 23 * hour;
  const week = Math.floor(now / (24 * hour)) * 24 * hour - 6 * 24 * hour;
  const counts = await context.store.countsByHour(null, ["swept"], new Date(week), new Date(now + hour));
  const since = (from: number) =>
    counts.reduce((total, each) => (each.hour.getTime() >= from ? total + each.count : total), 0);
  return { day: since(day), week: since(week) };
}

/**
 * Returns how many expired rows of each table could be deleted now, like `postern gc --dry-run`. It reads all
 * of these rows, so it can take long.
 */
export async function countExpired(
  context: Pick<AdminContext, "actor" | "store" | "now">,
  retention: ProcessFigures["retention"],
): Promise<Readonly<Record<string, number>>> {
  await requirePlatform(context);
  return context.store.sweep(context.now(), { dry_run: true, retention });
}

/** Returns the kind and size of the database and the number of applied migrations. */
export async function databaseFigures(
  context: Pick<AdminContext, "actor" | "store">,
): Promise<DatabaseFigures> {
  await requirePlatform(context);
  const [size, migrations] = await Promise.all([context.store.size(), context.store.migrationStatus()]);
  return {
    kind: context.store.dialect,
    size,
    migrations: migrations.filter(({ applied }) => applied).length,
  };
}

/** In days. */
export const keyAgeToRotate = 90;

interface ShownKeys {
  readonly keys: readonly KeyView[];
  readonly rotation_due: boolean;
}

/** Returns all stored signing keys and whether one should be rotated. */
export async function signingKeysShown(
  context: Pick<AdminContext, "actor" | "store" | "now">,
): Promise<ShownKeys> {
  await requirePlatform(context);
  const keys = (await listKeys(context)).reverse();
  return { keys, rotation_due: isRotationDue(keys, context.now()) };
}

/**
 * Returns whether a key has been signing for at least `keyAgeToRotate` days and no successor is scheduled.
 */
export function isRotationDue(keys: readonly KeyView[], now: Date): boolean {
  const waiting = keys.flatMap(({ state, algorithm }) => (state === "next" ? [algorithm] : []));
  return keys.some(
    ({ state, algorithm, activates_at }) =>
      state === "signing" && !waiting.includes(algorithm) && daysSince(activates_at, now) >= keyAgeToRotate,
  );
}

function daysSince(moment: Date, now: Date): number {
  return (now.getTime() - moment.getTime()) / (24 * hour);
}
