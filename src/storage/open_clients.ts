/** Clients that came by themselves: how many there are, and which of them nobody uses. */
import { sql } from "kysely";
import type { Database } from "./database.ts";
import { arg, statement } from "./statement.ts";

export function openClientRules(database: Database) {
  const { dialect, driver } = database;
  const registrations = statement<{ rows: number }>(
    dialect,
    "oauth_apps",
    () => sql`SELECT count(*) AS rows FROM (SELECT 1 FROM oauth_apps
      WHERE provenance <> 'registered' AND provenance = 'dynamic_registration' LIMIT ${arg.int("most")}) AS some`,
  );

  return {
    /** Clients that registered themselves and are still there; `most` where there are more. */
    async countRegistrations(most: number): Promise<number> {
      return Number((await registrations.first(driver, { most }))?.rows ?? 0);
    },
  };
}
