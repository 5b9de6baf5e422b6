/**
 * Revokes or removes the tokens of an ended record in batches. The tokens have been invalid since the commit
 * that ended the record (design 6.18).
 */

import { setImmediate as giveWay, setTimeout as pause } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import type { ColumnOf, OAuthConsent, Row, TableName } from "../../records/definition/definition.ts";
import type { TokenCarrier } from "../../records/definition/token_carriers.ts";
import { aheadOf, endedGrantName, lastMoment, stateOfConsent } from "../../records/names/liveness.ts";
import { appLock, recordLock, userLock } from "../../records/names/lock_names.ts";
import type { RevokedReason } from "../../records/names/names.ts";
import type { Database, Transaction } from "../database/database.ts";
import { firstId, lastId } from "../database/ids.ts";
import { rowsOfBatch as batch, removalOf } from "../database/row_batches.ts";
import { arg, no, type Statement, statement, yes } from "../database/statement.ts";
import { waitingRows } from "../database/waiting_rows.ts";
import {
  type Branch,
  branchesOf,
  type Ended,
  type EndedRecord,
  type Grant,
  isFoundByUser,
  type Position,
  reachesBeyond,
  reasonOf,
} from "./ended_branches.ts";

const kind = "ended";

const kept = 30 * 24 * 3600 * 1000;

const start: Position = { branch: 0, through: null, after: firstId };

const keyOf = (id: string, other = id) => Buffer.from(`${id}${other}`.replaceAll("-", ""), "hex");

type Found = { readonly id: string };
type OfConsent = Pick<OAuthConsent, "user_id" | "app_id">;

export function endedTokenRules(database: Database, newId: (now: Date) => string) {
  const { dialect } = database;
  const waiting = waitingRows(database, kind);

  const made = sql<boolean>`(created_at <= ${arg.time("up_to")} OR created_at > ${arg.time("ahead")})`;
  const between = sql<boolean>`id > ${arg.uuid("after")} AND id <= ${arg.uuid("bound")}`;

  const marking = (fits: RawBuilder<unknown>) =>
    statement(
      dialect,
      "oauth_tokens",
      () => sql`UPDATE oauth_tokens
        SET revoked = ${yes}, revoked_at = ${arg.time("now")}, revoked_reason = ${arg.string("reason")}
        WHERE ${fits} AND revoked = ${no}`,
    );

  const statementsOf = ({ next, tokens, unordered_on }: Branch) => ({
    next: next && statement<Found>(dialect, "oauth_apps", () => next),
    bound:
      unordered_on === dialect.name
        ? undefined
        : statement<Found>(
            dialect,
            "oauth_tokens",
            () => sql`SELECT id FROM oauth_tokens WHERE ${tokens} AND id > ${arg.uuid("after")}
              ORDER BY id LIMIT 1 OFFSET ${arg.int("skip")}`,
          ),
    markMade: marking(sql`${tokens} AND ${between} AND ${made}`),
    markAll: marking(sql`${tokens} AND ${between}`),
    markBeyond: marking(sql`${tokens} AND ${between} AND ${reachesBeyond(dialect)}`),
    // A revoked key can sign no further assertions, so its tokens end whatever their creation time.
    markOfKeyPair: marking(sql`${tokens} AND ${between} AND request_data LIKE ${arg.string("written")}`),
    remove: statement(
      dialect,
      "oauth_tokens",
      () => sql`DELETE FROM oauth_tokens WHERE ${tokens} AND ${between}`,
    ),
  });
  type Statements = ReturnType<typeof statementsOf>;
  const branches = branchesOf(dialect);
  const statementsTo = (ended: Ended) => branches[ended].map(statementsOf);
  const statements: Readonly<Record<Ended, readonly Statements[]>> = {
    oauth_apps: statementsTo("oauth_apps"),
    organizations: statementsTo("organizations"),
    service_accounts: statementsTo("service_accounts"),
    users: statementsTo("users"),
    app: statementsTo("app"),
    family: statementsTo("family"),
    session: statementsTo("session"),
    membership: statementsTo("membership"),
  };

  /**
   * Except in `oauth_tokens`, each of these columns has an index that ends in `id`, which `removalOf` needs.
   */
  const childrenOf = <T extends TableName>(table: T, column: ColumnOf<T>) => ({
    count: statement<{ rows: number }>(
      dialect,
      table,
      () => sql`SELECT count(*) AS rows FROM (SELECT id FROM ${sql.table(table)}
        WHERE ${sql.ref(column)} = ${arg.uuid("id")} LIMIT ${arg.int("most")}) AS counted`,
    ),
    remove: table === "oauth_tokens" ? undefined : removalOf(database, table, column),
  });
  const children: Readonly<Record<TokenCarrier, readonly ReturnType<typeof childrenOf>[]>> = {
    oauth_apps: [
      childrenOf("oauth_tokens", "app_id"),
      childrenOf("oauth_auth_codes", "app_id"),
      childrenOf("oauth_consents", "app_id"),
      childrenOf("refusals", "app_id"),
    ],
    organizations: [childrenOf("memberships", "organization_id"), childrenOf("api_keys", "organization_id")],
    service_accounts: [childrenOf("oauth_tokens", "service_account_id")],
    users: [
      childrenOf("oauth_tokens", "user_id"),
      childrenOf("oauth_auth_codes", "user_id"),
      childrenOf("oauth_consents", "user_id"),
      childrenOf("sessions", "user_id"),
      childrenOf("api_keys", "user_id"),
    ],
  };

  const partsOf = (table: "oauth_apps" | "service_accounts", belongs: RawBuilder<boolean>) => ({
    table,
    next: statement<Found>(
      dialect,
      table,
      () => sql`SELECT id FROM ${sql.table(table)} WHERE ${belongs} AND id > ${arg.uuid("behind")}
        ORDER BY id LIMIT 1`,
    ),
  });
  const ofOrganization = sql<boolean>`organization_id = ${arg.uuid("id")}`;
  const parts: Readonly<Record<TokenCarrier, readonly ReturnType<typeof partsOf>[]>> = {
    oauth_apps: [],
    organizations: [partsOf("oauth_apps", ofOrganization), partsOf("service_accounts", ofOrganization)],
    service_accounts: [],
    users: [partsOf("oauth_apps", sql<boolean>`owner_id = ${arg.uuid("id")} AND organization_id IS NULL`)],
  };

  async function* partsWith(table: TokenCarrier, id: string) {
    for (const part of parts[table]) {
      let behind = firstId;
      for (;;) {
        const found = await part.next.first(database.driver, { id, behind });
        if (found === undefined) break;
        yield { table: part.table, id: found.id };
        behind = found.id;
      }
    }
  }

  async function countChildren(table: TokenCarrier, id: string, most: number): Promise<number> {
    let rows = 0;
    for (const { count } of children[table]) {
      const found = await count.first(database.driver, { id, most: most + 1 - rows });
      rows += Number(found?.rows ?? 0);
      if (rows > most) return rows;
    }
    for await (const part of partsWith(table, id)) {
      rows += 1 + (await countChildren(part.table, part.id, most - rows));
      if (rows > most) return rows;
    }
    return rows;
  }

  async function walk(
    work: (tx: Transaction, from: Position) => Promise<Position | undefined>,
  ): Promise<void> {
    for (let position: Position | undefined = start; position !== undefined; await giveWay()) {
      const from: Position = position;
      position = await database.transaction((tx) => work(tx, from));
    }
  }

  async function removeChildren(table: TokenCarrier, id: string): Promise<void> {
    for await (const part of partsWith(table, id)) {
      await removeChildren(part.table, part.id);
      await database.transaction(async (tx) => {
        if (part.table === "oauth_apps") await tx.lock(appLock(part.id));
        await tx.remove(part.table, { id: part.id });
      });
    }
    await walk((tx, from) => step(tx, table, id, from, ({ remove }) => remove, {}));
    for (const { remove } of children[table]) await remove?.all(id);
  }

  async function step(
    { connection }: Pick<Transaction, "connection">,
    table: Ended,
    id: string,
    { branch, through, after }: Position,
    write: (statements: Statements) => Pick<Statement<unknown>, "run">,
    args: Readonly<Record<string, unknown>>,
  ): Promise<Position | undefined> {
    const of = statements[table][branch];
    if (of === undefined) return undefined;
    if (through === null || after === lastId) {
      const behind = through ?? firstId;
      const found =
        of.next !== undefined
          ? (await of.next.first(connection, { id, behind }))?.id
          : through === null
            ? id
            : undefined;
      return found === undefined
        ? step({ connection }, table, id, { ...start, branch: branch + 1 }, write, args)
        : step({ connection }, table, id, { branch, through: found, after: firstId }, write, args);
    }
    const end = await of.bound?.first(connection, { id, through, after, skip: batch - 1 });
    const bound = end?.id ?? lastId;
    await write(of).run(connection, { id, through, after, bound, ...args } as never);
    return { branch, through, after: bound };
  }

  async function markBatch(row_id: string, user_id: string | undefined): Promise<boolean> {
    return database.transaction(async (tx) => {
      await tx.lock(...(user_id === undefined ? [] : [userLock(user_id)]), recordLock("ephemera", row_id));
      const row = await tx.find("ephemera", { id: row_id, kind });
      if (row?.value == null) return false;
      const ended = JSON.parse(row.value) as EndedRecord;
      const next = await markNext(tx, ended);
      if (next === undefined) {
        await tx.remove("ephemera", { id: row_id });
        if (ended.user_id !== undefined && !ended.narrowed) await forgetGrant(tx, ended.user_id, ended);
      } else {
        const value: EndedRecord = { ...ended, ...next };
        await tx.update("ephemera", { id: row_id }, { value: JSON.stringify(value) });
      }
      return next !== undefined;
    });
  }

  async function markNext(tx: Transaction, ended: EndedRecord): Promise<Position | undefined> {
    const { table, id, at, up_to, key_pair_id, user_id, narrowed } = ended;
    const args = { now: new Date(at), reason: ended.reason ?? reasonOf[table as TokenCarrier] };
    if (key_pair_id !== undefined) {
      const written = `%"key_pair_id":"${key_pair_id}"%`;
      const of = { ...args, reason: "key_revoked" satisfies RevokedReason, written };
      return step(tx, table, id, ended, ({ markOfKeyPair }) => markOfKeyPair, of);
    }
    if (narrowed) {
      // Tokens stay active if the user has added scopes to the consent again.
      const consent = await tx.find("oauth_consents", { user_id: id, app_id: ended.through ?? id });
      if (consent === undefined || stateOfConsent(consent) !== "active") return undefined;
      const beyond = { ...args, scopes: consent.scopes };
      return step(tx, table, id, ended, ({ markBeyond }) => markBeyond, beyond);
    }
    // No further token can belong to an ended family, session or membership.
    if (user_id !== undefined && table !== "app")
      return step(tx, table, id, ended, ({ markAll }) => markAll, args);
    const limit = new Date(up_to);
    // Tokens issued while the clock was ahead have times after `up_to`, although they precede the end. This
    // does not apply to grants, or to records that are active again.
    const record = user_id === undefined ? await tx.find(table as TokenCarrier, { id }) : undefined;
    const ahead = user_id !== undefined || record?.active === true ? lastMoment : aheadOf(limit);
    return step(tx, table, id, ended, ({ markMade }) => markMade, { ...args, up_to: limit, ahead });
  }

  async function forgetGrant(tx: Transaction, user_id: string, { table, id, through }: EndedRecord) {
    const user = await tx.find("users", { id: user_id });
    if (user?.ended_grants == null) return;
    const name = endedGrantName(isFoundByUser(table) ? (through ?? id) : id);
    const { [name]: _, ...others } = user.ended_grants;
    const ended_grants = Object.keys(others).length === 0 ? null : others;
    await tx.update("users", { id: user_id }, { ended_grants });
  }

  const userOf = ({ value }: Row<"ephemera">) => (JSON.parse(value ?? "{}") as Partial<EndedRecord>).user_id;

  async function keep(
    tx: Pick<Transaction, "insert" | "update">,
    key: Buffer,
    { at, up_to, ...ended }: Omit<EndedRecord, "at" | "up_to"> & Readonly<Record<"at" | "up_to", Date>>,
  ): Promise<void> {
    const noted: EndedRecord = { ...ended, at: at.getTime(), up_to: up_to.getTime() };
    const value = JSON.stringify(noted);
    const expires_at = new Date(at.getTime() + kept);
    if ((await tx.update("ephemera", { kind, key }, { value, expires_at })) > 0) return;
    const row = { id: newId(at), kind, key, value, count: 0, expires_at, created_at: at };
    await tx.insert("ephemera", row);
  }

  async function markSome(key: Buffer, batches = 4): Promise<void> {
    const row = await database.find("ephemera", { kind, key });
    if (row === undefined) return;
    for (let turn = 0; turn < batches; turn += 1) {
      if (!(await markBatch(row.id, userOf(row)))) return;
      await giveWay();
    }
  }

  return {
    /**
     * Call it in the transaction that ends the record. Tokens created up to `up_to` must be revoked; with
     * `key_pair_id`, all tokens of that key.
     */
    async storeEnded(
      tx: Pick<Transaction, "insert" | "update">,
      table: TokenCarrier,
      id: string,
      at: Date,
      up_to: Date = at,
      { key_pair_id }: Pick<EndedRecord, "key_pair_id"> = {},
    ): Promise<void> {
      const of = { table, id, ...(key_pair_id !== undefined && { key_pair_id }) };
      await keep(tx, keyOf(key_pair_id ?? id), { ...of, at, up_to, ...start });
    },

    storeEndedGrant(tx: Transaction, of: Grant, reason: RevokedReason, at: Date, up_to: Date): Promise<void> {
      const { grant, user_id, id } = of;
      const byUser = isFoundByUser(grant);
      const position = byUser ? { ...start, through: id, id: user_id } : { ...start, id };
      const key = byUser ? keyOf(user_id, id) : keyOf(id);
      return keep(tx, key, { table: grant, user_id, reason, at, up_to, ...position });
    },

    /**
     * Call it in the transaction that narrows a consent, and `finishNarrowing` after the commit. Tokens with
     * scopes outside the consent stay active until then.
     */
    keepNarrowed: (tx: Transaction, { user_id, app_id }: OfConsent, at: Date): Promise<void> =>
      keep(tx, keyOf(app_id, user_id), {
        ...{ table: "app", id: user_id, user_id, reason: "consent_withdrawn", narrowed: true, at, up_to: at },
        ...{ ...start, through: app_id },
      }),

    finishNarrowing: ({ user_id, app_id }: OfConsent): Promise<void> =>
      markSome(keyOf(app_id, user_id), Number.POSITIVE_INFINITY),

    /** The user's lock is held per batch, so tokens that are issued meanwhile may be revoked too. */
    endTokensOfUser: (id: string, reason: RevokedReason, now: Date): Promise<void> =>
      walk(async (tx, from) => {
        await tx.lock(userLock(id));
        return step(tx, "users", id, from, ({ markAll }) => markAll, { reason, now });
      }),

    markSomeTokens: (of: string | OfConsent, batches?: number): Promise<void> =>
      markSome(typeof of === "string" ? keyOf(of) : keyOf(of.user_id, of.app_id), batches),

    /** Pauses after each batch for as long as the batch took, so that requests get half of the time. */
    async markEndedTokens(signal?: AbortSignal): Promise<void> {
      for await (const row of waiting()) {
        for (let began = performance.now(); !signal?.aborted && (await markBatch(row.id, userOf(row))); ) {
          await pause(performance.now() - began);
          began = performance.now();
        }
      }
    },

    hasMany: async (table: TokenCarrier, id: string): Promise<boolean> =>
      (await countChildren(table, id, batch)) > batch,

    /** The record must be inactive. */
    removeMany: removeChildren,
  };
}
