/**
 * How things end. Whatever is ended or deleted leaves no live token behind; each relation has its decision here and in
 * the foreign keys of the first migration (docs/decisions: what deleting a record does).
 */
import { sql } from "kysely";
import { Problem } from "../errors.ts";
import type { RevokedReason } from "../records/names.ts";
import { isOffline } from "../records/request_data.ts";
import type { Database, Transaction } from "./database.ts";
import { appLock, userLock } from "./families.ts";
import type { Lock } from "./locks.ts";
import { arg, no, statement, yes } from "./statement.ts";
import type { Where } from "./verbs.ts";

/** Records whose `active` flag carries tokens. */
export type Endable = "users" | "organizations" | "oauth_apps" | "service_accounts";

export interface EndingRules {
  /** Ends a session, and its tokens but those granted with `offline_access` (design 6.8). */
  endSession(id: string, now: Date): Promise<void>;
  /** Ends every session of a user but `except`, and every token of theirs: a password change (design 6.8). */
  endEverythingOf(user_id: string, reason: RevokedReason, now: Date, except?: string): Promise<void>;
  /**
   * Switches a record off: its tokens are dead from this moment by the record's own state, and reactivating revives
   * nothing (design 6.18). The rows' `revoked_reason` follows in batches before this resolves.
   */
  deactivate(table: Endable, id: string, now: Date): Promise<boolean>;
  /** Switches a record on again: only what is made after this moment lives. Answers false when there is none. */
  reactivate(table: Endable, id: string, now: Date): Promise<boolean>;
  /** Revokes an app for good (spec 2.6 `revoked_at`). */
  revokeApp(id: string, now: Date): Promise<boolean>;
  /**
   * Deletes a user with all that is theirs alone. Apps and service accounts that belong to an organization go to
   * `successor_id`; without one the deletion is refused, naming how many there are.
   */
  deleteUser(id: string, now: Date, successor_id?: string): Promise<boolean>;
  /** Deletes an organization with its memberships, API keys, apps and service accounts, and all their tokens. */
  deleteOrganization(id: string): Promise<boolean>;
  /** Deletes an app with its secrets, codes, consents and tokens. */
  deleteApp(id: string): Promise<boolean>;
  /** Deletes a service account with its key pairs and tokens. */
  deleteServiceAccount(id: string): Promise<boolean>;
}

const reasonOf = {
  users: "user_disabled",
  organizations: "organization_disabled",
  oauth_apps: "app_disabled",
  service_accounts: "service_account_disabled",
} as const satisfies Record<Endable, RevokedReason>;

/** The tokens that stand on a record of each table. */
const tokensOf = {
  users: sql<boolean>`user_id = ${arg.uuid("id")}`,
  oauth_apps: sql<boolean>`app_id = ${arg.uuid("id")}`,
  service_accounts: sql<boolean>`service_account_id = ${arg.uuid("id")}`,
  organizations: sql<boolean>`(app_id IN (SELECT a.id FROM oauth_apps a WHERE a.organization_id = ${arg.uuid("id")})
    OR service_account_id IN (SELECT s.id FROM service_accounts s WHERE s.organization_id = ${arg.uuid("id")}))`,
} as const satisfies Record<Endable, unknown>;

/** How many rows one commit marks: nobody else waits long behind it. */
const batch = 500;

export function endingRules(database: Database): EndingRules {
  const { dialect } = database;

  const endSessionsOf = statement(dialect, "sessions", (query) =>
    query
      .updateTable("sessions")
      .set({ ended_at: arg.time("now") })
      .where("user_id", "=", arg.uuid("user_id"))
      .where("ended_at", "is", null)
      .where(sql<boolean>`id <> ${arg.uuid("except")}`),
  );
  const endTokensOfUser = statement(dialect, "oauth_tokens", (query) =>
    query
      .updateTable("oauth_tokens")
      .set({ revoked: yes, revoked_at: arg.time("now"), revoked_reason: arg.string("reason") })
      .where("user_id", "=", arg.uuid("user_id"))
      .where("revoked", "=", no),
  );
  const mark = (table: Endable) =>
    statement(dialect, "oauth_tokens", (query) =>
      query
        .updateTable("oauth_tokens")
        .set({ revoked: yes, revoked_at: arg.time("now"), revoked_reason: arg.string("reason") })
        .where("id", "in", (tokens) =>
          tokens
            .selectFrom("oauth_tokens")
            .select("id")
            .where(tokensOf[table])
            .where("revoked", "=", no)
            .where("created_at", "<=", arg.time("now"))
            .limit(batch),
        ),
    );
  const marks = {
    users: mark("users"),
    organizations: mark("organizations"),
    oauth_apps: mark("oauth_apps"),
    service_accounts: mark("service_accounts"),
  };

  async function markTokens(table: Endable, id: string, now: Date): Promise<void> {
    for (;;) {
      const args = { id, now, reason: reasonOf[table] };
      const marked = await database.transaction((tx) => marks[table].run(tx.connection, args));
      if (marked < batch) return;
    }
  }

  /** Apps and service accounts that outlive their maker, because they belong to an organization. */
  async function handOver(tx: Transaction, id: string, now: Date, successor_id?: string): Promise<void> {
    const apps = (await tx.list("oauth_apps", { owner_id: id })).filter(
      (app) => app.organization_id !== null,
    );
    const accounts = await tx.list("service_accounts", { created_by: id });
    if (apps.length + accounts.length === 0) return;
    const successor =
      successor_id && successor_id !== id ? await tx.find("users", { id: successor_id }) : undefined;
    if (successor === undefined) {
      throw new Problem(
        409,
        "successor_required",
        `the user made ${apps.length} apps and ${accounts.length} service accounts of organizations: name who takes them over`,
      );
    }
    for (const app of apps) {
      await tx.update("oauth_apps", { id: app.id }, { owner_id: successor.id, updated_at: now });
    }
    await tx.update("service_accounts", { created_by: id }, { created_by: successor.id, updated_at: now });
  }

  /**
   * Deletes apps. Without the locks a grant under way could hold the code or token that is to go while it waits for
   * the app: a deadlock, which PostgreSQL notices after a second only.
   */
  async function removeApps(tx: Transaction, where: Where<"oauth_apps">): Promise<number> {
    const apps = await tx.list("oauth_apps", where);
    await tx.lockInOrder(apps.map(({ id }): Lock => ["exclusive", appLock(id)]));
    return tx.remove("oauth_apps", where);
  }

  return {
    async endSession(id, now) {
      const session = await database.find("sessions", { id });
      if (session === undefined) return;
      await database.transaction(async (tx) => {
        await tx.lock("exclusive", userLock(session.user_id));
        await tx.update("sessions", { id, ended_at: null }, { ended_at: now });
        for (const token of await tx.list("oauth_tokens", { session_id: id, revoked: false })) {
          if (isOffline(token.request_data)) continue;
          await tx.update(
            "oauth_tokens",
            { id: token.id },
            { revoked: true, revoked_at: now, revoked_reason: "logout" },
          );
        }
      });
    },

    async endEverythingOf(user_id, reason, now, except = "00000000-0000-0000-0000-000000000000") {
      await database.transaction(async (tx) => {
        await tx.lock("exclusive", userLock(user_id));
        await endSessionsOf.run(tx.connection, { user_id, now, except });
        await endTokensOfUser.run(tx.connection, { user_id, reason, now });
        await tx.remove("oauth_auth_codes", { user_id, used: false });
      });
    },

    async deactivate(table, id, now) {
      const changed = await database.transaction(async (tx) => {
        const changes = { active: false, tokens_not_before: now, updated_at: now };
        const count = await tx.update(table, { id }, changes);
        if (table === "users")
          await tx.update("sessions", { user_id: id, ended_at: null }, { ended_at: now });
        return count;
      });
      await markTokens(table, id, now);
      return changed > 0;
    },

    async reactivate(table, id, now) {
      return database.transaction(async (tx) => {
        // A grant that was under way while the record was switched off may have left a row behind: it stays dead too.
        const changes = { active: true, tokens_not_before: now, updated_at: now };
        const changed = await tx.update(table, { id, active: false }, changes);
        return changed > 0 || (await tx.count(table, { id })) > 0;
      });
    },

    async revokeApp(id, now) {
      const changes = { revoked_at: now, tokens_not_before: now, updated_at: now };
      const changed = await database.update("oauth_apps", { id, revoked_at: null }, changes);
      await markTokens("oauth_apps", id, now);
      return changed > 0;
    },

    async deleteUser(id, now, successor_id) {
      return database.transaction(async (tx) => {
        await tx.lock("exclusive", userLock(id));
        await handOver(tx, id, now, successor_id);
        await removeApps(tx, { owner_id: id });
        return (await tx.remove("users", { id })) > 0;
      });
    },

    async deleteOrganization(id) {
      return database.transaction(async (tx) => {
        await removeApps(tx, { organization_id: id });
        return (await tx.remove("organizations", { id })) > 0;
      });
    },

    async deleteApp(id) {
      return database.transaction(async (tx) => (await removeApps(tx, { id })) > 0);
    },

    async deleteServiceAccount(id) {
      return (await database.remove("service_accounts", { id })) > 0;
    },
  };
}
