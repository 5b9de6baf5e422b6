/**
 * Reads background work that is stored in the table `ephemera`, with the partial index `ephemera_waiting`.
 */
import { sql } from "kysely";
import type { Row } from "../../records/definition/definition.ts";
import type { Database } from "./database.ts";
import type { EphemeralKind } from "./ephemera.ts";
import { firstId } from "./ids.ts";
import { arg, statement } from "./statement.ts";

const batch = 100;

/** Returns a function that reads all rows of this kind, oldest first. */
export function waitingRows(
  { dialect, driver }: Pick<Database, "dialect" | "driver">,
  kind: Extract<EphemeralKind, "mail" | "upstream_revocation" | "ended">,
): () => AsyncGenerator<Row<"ephemera">, void> {
  const next = statement<Row<"ephemera">>(dialect, "ephemera", (query) =>
    query
      .selectFrom("ephemera")
      .selectAll()
      // A literal, because PostgreSQL and SQLite use the partial index only for a literal.
      .where("kind", "=", sql.lit(kind))
      .where("id", ">", arg.uuid("after"))
      .orderBy("id")
      .limit(arg.int("batch")),
  );
  return async function* rows() {
    let after = firstId;
    for (;;) {
      const found = await next.all(driver, { after, batch });
      yield* found;
      if (found.length < batch) return;
      after = found.at(-1)?.id ?? after;
    }
  };
}
