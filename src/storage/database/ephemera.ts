/** Short-lived rows, such as used one-time values, stored responses and throttling counters. */

import { sql } from "kysely";
import { hasPassed } from "../../records/names/liveness.ts";
import type { AuditStreamKind } from "../../records/names/names.ts";
import type { Database, Transaction } from "./database.ts";
import { arg, statement } from "./statement.ts";

export type EphemeralKind =
  | "refresh_answer"
  | "consent_form"
  | "setup_link"
  | "proof"
  | "unlinked"
  | "upstream_revocation"
  | "upstream_logout"
  | "mail"
  | "ended"
  | "passkey_challenge"
  | "throttle"
  | "idempotency"
  | "assertion"
  | "pushed"
  | "client_assertion"
  | "dpop"
  | "applied_secrets"
  | "trial"
  | "trial_address"
  | "demo_database"
  | "issuer"
  | "import_upload"
  | "import_state"
  | "import_losses"
  | "untrusted_proxy"
  | "passed_over_scopes"
  | AuditStreamKind
  | "audit_lease";

/**
 * In these kinds, every write of a key sets the same lifetime. A stored row that expires later than a new one
 * was therefore written while the clock was ahead.
 */
const countedKinds = sql.join(
  (["throttle", "idempotency"] satisfies EphemeralKind[]).map((kind) => sql.lit(kind)),
);

export function ephemeraRules(database: Database, newId: (now: Date) => string) {
  const { dialect } = database;
  const upsert = statement(dialect, "ephemera", (query) =>
    query
      .insertInto("ephemera")
      .values({
        id: arg.uuid("id"),
        kind: arg.string("kind"),
        key: arg.signature("key"),
        value: arg.string("value"),
        count: arg.int("one"),
        expires_at: arg.time("expires_at"),
        created_at: arg.time("now"),
      })
      .onConflict((conflict) =>
        conflict.columns(["kind", "key"]).doUpdateSet({
          value: sql<string>`excluded.value`,
          count: sql<number>`CASE WHEN ephemera.expires_at > ${arg.time("now")} THEN ephemera.count + 1 ELSE 1 END`,
          // A counter stored while the clock was ahead ends no later than a new one
          // (docs/decisions/operations.md).
          expires_at: sql<Date>`CASE WHEN ephemera.expires_at > ${arg.time("now")} AND excluded.value IS NULL
              AND (ephemera.expires_at < excluded.expires_at OR ephemera.kind NOT IN (${countedKinds}))
            THEN ephemera.expires_at ELSE excluded.expires_at END`,
        }),
      )
      .returning(["count"]),
  );

  async function putIn(
    tx: Transaction,
    kind: EphemeralKind,
    key: Buffer,
    value: string | null,
    expires_at: Date,
    now: Date,
  ) {
    const row = await upsert.first(tx.connection, {
      ...{ id: newId(now), kind, key, value },
      ...{ expires_at, now, one: 1 },
    });
    return row?.count ?? 0;
  }

  const put = (kind: EphemeralKind, key: Buffer, value: string | null, expires_at: Date, now: Date) =>
    database.transaction((tx) => putIn(tx, kind, key, value, expires_at, now));

  return {
    async findEphemeral(kind: EphemeralKind, key: Buffer, now: Date): Promise<string | undefined> {
      const row = await database.find("ephemera", { kind, key });
      return row !== undefined && !hasPassed(row.expires_at, now) ? (row.value ?? undefined) : undefined;
    },
    async storeEphemeral(
      kind: EphemeralKind,
      key: Buffer,
      value: string,
      expires_at: Date,
      now: Date,
      tx?: Transaction,
    ) {
      await (tx === undefined
        ? put(kind, key, value, expires_at, now)
        : putIn(tx, kind, key, value, expires_at, now));
    },
    async useOnce(kind: EphemeralKind, key: Buffer, expires_at: Date, now: Date): Promise<boolean> {
      return (await put(kind, key, null, expires_at, now)) === 1;
    },
    countUp: (kind: EphemeralKind, key: Buffer, expires_at: Date, now: Date): Promise<number> =>
      put(kind, key, null, expires_at, now),
    async forgetEphemeral(kind: EphemeralKind, key: Buffer) {
      await database.remove("ephemera", { kind, key });
    },
  };
}
