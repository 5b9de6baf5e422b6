/** Stores pushed authorization requests (RFC 9126) in the table `ephemera`. */
import { sql } from "kysely";
import type { Database, Transaction } from "../database/database.ts";
import type { EphemeralKind } from "../database/ephemera.ts";
import { arg, statement } from "../database/statement.ts";

const kind: EphemeralKind = "pushed";

/** The column `count` stores the index of the state in this list. */
const states = ["waiting", "open", "used"] as const;
const [waiting, open, used] = [0, 1, 2];

export interface PushedReference {
  readonly app_id: string;
  /** The SHA-256 of the `request_uri`. */
  readonly digest: Buffer;
}

export interface PushedRequest {
  readonly state: (typeof states)[number];
  /** The encrypted parameters of the request; empty once a code was issued. */
  readonly sealed: string;
  readonly created_at: Date;
  readonly expires_at: Date;
}

const appBytes = 16;

/** Begins with the app's ID, so that the requests of an app are adjacent in the index. */
function keyOf({ app_id, digest }: PushedReference): Buffer {
  return Buffer.concat([Buffer.from(app_id.replaceAll("-", ""), "hex"), digest.subarray(0, appBytes)]);
}

export function pushedRequestRules(database: Database, newId: (now: Date) => string) {
  const { dialect, driver } = database;
  const live = statement<{ found: number }>(
    dialect,
    "ephemera",
    () => sql<{ found: number }>`SELECT count(*) AS found FROM (
      SELECT 1 FROM ephemera t WHERE t.kind = ${arg.string("kind")}
        AND t.key >= ${arg.signature("first")} AND t.key <= ${arg.signature("last")}
        AND t.expires_at > ${arg.time("now")} AND t.count < ${arg.int("used")}
      LIMIT ${arg.int("most")}) counted`,
  );
  return {
    async countPushedRequests(app_id: string, most: number, now: Date): Promise<number> {
      const [first, last] = [0x00, 0xff].map((byte) => keyOf({ app_id, digest: Buffer.alloc(32, byte) }));
      const row = await live.first(driver, { kind, first, last, now, used, most });
      return Number(row?.found ?? 0);
    },
    async storePushedRequest(
      reference: PushedReference,
      { sealed, created_at, expires_at }: Omit<PushedRequest, "state">,
    ): Promise<void> {
      const id = newId(created_at);
      const key = keyOf(reference);
      await database.insert("ephemera", {
        id,
        kind,
        key,
        value: sealed,
        count: waiting,
        created_at,
        expires_at,
      });
    },
    async findPushedRequest(reference: PushedReference): Promise<PushedRequest | undefined> {
      const row = await database.find("ephemera", { kind, key: keyOf(reference) });
      const state = states[row?.count ?? -1];
      if (row === undefined || state === undefined) return undefined;
      return { state, sealed: row.value ?? "", created_at: row.created_at, expires_at: row.expires_at };
    },
    async countUse(reference: PushedReference, expires_at: Date): Promise<void> {
      const key = keyOf(reference);
      await database.update("ephemera", { kind, key, count: waiting }, { count: open, expires_at });
    },
    /** Returns false if the request is not open. */
    async usePushedRequest(tx: Transaction, reference: PushedReference): Promise<boolean> {
      const key = keyOf(reference);
      return (await tx.update("ephemera", { kind, key, count: open }, { count: used, value: null })) === 1;
    },
  };
}
