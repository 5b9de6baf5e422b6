/** What ends when a record ends: counted before it does, for whoever is asked whether they are sure. */

import { setImmediate as turn } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import { isUuid } from "../records/check.ts";
import type { Row, TableName } from "../records/definition.ts";
import {
  idleSince,
  stateOfCode,
  stateOfConsent,
  stateOfCredential,
  stateOfSession,
} from "../records/liveness.ts";
import { isOffline } from "../records/request_data.ts";
import type { Database } from "./database.ts";
import { firstId } from "./ids.ts";
import { asking } from "./listing/branches.ts";
import { type Arguments, arg, type Statement, statement } from "./statement.ts";

/** How many of each end; only what is above 0 is there. */
export interface Impact {
  /** Rows of which an access or a refresh token lives. */
  readonly tokens?: number;
  /** Distinct persons who lose something. */
  readonly people?: number;
  readonly sessions?: number;
  readonly consents?: number;
  readonly secrets?: number;
  readonly apps?: number;
  /** Memberships. */
  readonly members?: number;
  readonly key_pairs?: number;
  readonly api_keys?: number;
  readonly service_accounts?: number;
  readonly linked_accounts?: number;
}

export interface ImpactRules {
  /**
   * What ends along with this record when it is deleted (for records that cannot be: revoked), which is all
   * that ends when it is revoked or switched off, and at times more. Only what is in force at this moment
   * counts, and the record itself does not. Each count is at most `limit`. Where very much hangs on one
   * record not all of it is looked at, and a count may be too low. Empty for a record that is not there or
   * not in force, and for tables that are not managed.
   */
  impactOf(table: TableName, id: string, now: Date, limit: number): Promise<Impact>;
}

/**
 * Rows looked at for one count, the newest first where the index has them so: others wait meanwhile on
 * SQLite.
 */
const mostRead = 20_000;
/** Apps and service accounts of one organization or user that are gone through. */
const mostParents = 1000;

const now = arg.time("now");

/**
 * What `liveToken` of the protocol asks of the row itself; the rows of whatever was switched off are marked
 * as revoked.
 */
const liveToken = sql<boolean>`NOT t.revoked
  AND (t.access_expires_at > ${now} OR (t.refresh_expires_at > ${now} AND t.rotated_at IS NULL))`;
const consentInForce = sql<boolean>`t.granted AND NOT t.revoked`;
const notExpired = sql<boolean>`(t.expires_at IS NULL OR t.expires_at > ${now})`;
const liveKey = sql<boolean>`NOT t.revoked AND ${notExpired}`;
const whole = sql<boolean>`true`;

/** `column` finds the rows by an index; in the order of ids where that index is. */
interface Found {
  readonly table: TableName;
  readonly by: RawBuilder<boolean>;
  readonly in_order?: true;
}

const byApp = (table: TableName): Found => ({
  table,
  by: sql<boolean>`t.app_id = ${arg.uuid("id")}`,
  in_order: true,
});
const byUser = (table: TableName, in_order?: true): Found => ({
  table,
  by: sql<boolean>`t.user_id = ${arg.uuid("id")}`,
  ...(in_order && { in_order }),
});
const byOrganization = (table: TableName): Found => ({
  table,
  by: sql<boolean>`t.organization_id = ${arg.uuid("id")}`,
  in_order: true,
});
const byAccount = (table: TableName): Found => ({
  table,
  by: sql<boolean>`t.service_account_id = ${arg.uuid("id")}`,
  in_order: true,
});

/** The rows that are looked at, as `t`. */
function candidates({ table, by, in_order }: Found): RawBuilder<unknown> {
  const order = in_order ? sql`ORDER BY t.id DESC` : sql``;
  return sql`(SELECT t.* FROM ${sql.table(table)} t WHERE ${by} ${order} LIMIT ${sql.lit(mostRead)}) t`;
}

/** How many of them fit, as the expression of a column. */
function counted(found: Found, fits: RawBuilder<boolean> = whole): RawBuilder<unknown> {
  return sql`(SELECT count(*) FROM (SELECT 1 AS one FROM ${candidates(found)} WHERE ${fits} LIMIT ${arg.int("limit")}) c)`;
}

type Count = keyof Impact;
type Counts = Partial<Record<Count, number>>;

export function impactRules(database: Database): ImpactRules {
  const { dialect } = database;
  const connection = asking(database);

  /** A statement that answers one row of counts. */
  function counting(
    columns: Partial<Record<Count, RawBuilder<unknown>>>,
  ): (args: Arguments) => Promise<Counts> {
    const named = Object.entries(columns).map(([name, column]) => sql`${column} AS ${sql.ref(name)}`);
    const made = statement<Record<string, unknown>>(
      dialect,
      "oauth_tokens",
      () => sql<Record<string, unknown>>`SELECT ${sql.join(named)}`,
    );
    return async (args) => {
      const [row = {}] = await made.all(connection, args);
      return Object.fromEntries(Object.entries(row).map(([name, count]) => [name, Number(count)]));
    };
  }

  const idsOf = (table: "oauth_apps" | "service_accounts", of: RawBuilder<boolean>) =>
    statement<{ readonly id: string }>(
      dialect,
      table,
      () => sql<{ readonly id: string }>`SELECT t.id FROM ${sql.table(table)} t WHERE ${of}
        ORDER BY t.id LIMIT ${sql.lit(mostParents)}`,
    );
  const appsOfOrganization = idsOf("oauth_apps", sql<boolean>`t.organization_id = ${arg.uuid("id")}`);
  const appsOfUser = idsOf(
    "oauth_apps",
    sql<boolean>`t.owner_id = ${arg.uuid("id")} AND t.organization_id IS NULL`,
  );
  const accountsOfOrganization = idsOf(
    "service_accounts",
    sql<boolean>`t.organization_id = ${arg.uuid("id")}`,
  );

  /** What is not counted elsewhere already: that of the user, or of the organization's apps. */
  const ofOthers = sql<boolean>`(t.user_id IS NULL OR t.user_id <> ${arg.uuid("except")})`;
  const ofOtherApps = sql<boolean>`NOT EXISTS (SELECT 1 FROM oauth_apps a
    WHERE a.id = t.app_id AND a.organization_id = ${arg.uuid("except")} LIMIT 1 OFFSET 0)`;

  const ofApp = counting({
    tokens: counted(byApp("oauth_tokens"), sql<boolean>`${liveToken} AND ${ofOthers}`),
    consents: counted(byApp("oauth_consents"), sql<boolean>`${consentInForce} AND ${ofOthers}`),
    secrets: counted(byApp("oauth_app_secrets"), liveKey),
  });
  const ofAccount = counting({
    tokens: counted(byAccount("oauth_tokens"), sql<boolean>`${liveToken} AND ${ofOtherApps}`),
    key_pairs: counted(byAccount("service_account_key_pairs"), sql<boolean>`t.active AND ${liveKey}`),
  });
  const ofUser = counting({
    tokens: counted(byUser("oauth_tokens"), liveToken),
    sessions: counted(
      byUser("sessions", true),
      sql<boolean>`t.ended_at IS NULL AND t.expires_at > ${now} AND t.last_seen_at > ${arg.time("seen_after")}`,
    ),
    consents: counted(byUser("oauth_consents", true), consentInForce),
    members: counted(byUser("memberships", true)),
    api_keys: counted(byUser("api_keys", true), liveKey),
    linked_accounts: counted(byUser("oauth_accounts", true)),
  });
  const ofOrganization = counting({
    members: counted(byOrganization("memberships")),
    api_keys: counted(byOrganization("api_keys"), liveKey),
  });
  const ofFamily = counting({
    tokens: counted(
      {
        table: "oauth_tokens",
        by: sql<boolean>`t.family_id = ${arg.uuid("id")} AND t.user_id IS NOT NULL`,
      },
      liveToken,
    ),
  });
  const ofToken = counting({
    tokens: counted({ table: "oauth_tokens", by: sql<boolean>`t.id = ${arg.uuid("id")}` }, liveToken),
  });
  const ofConsent = counting({
    tokens: counted(
      {
        table: "oauth_tokens",
        by: sql<boolean>`t.user_id = ${arg.uuid("user_id")} AND t.app_id = ${arg.uuid("app_id")}`,
      },
      liveToken,
    ),
  });
  const ofKeyPair = counting({
    tokens: counted(
      byAccount("oauth_tokens"),
      sql<boolean>`${liveToken} AND t.request_data LIKE ${arg.string("signed_by")}`,
    ),
  });
  const otherSecrets = counting({
    secrets: counted(byApp("oauth_app_secrets"), sql<boolean>`${liveKey} AND t.id <> ${arg.uuid("except")}`),
  });

  type Person = { readonly user_id: string };
  const people = (distinct: RawBuilder<Person>): Statement<Person> =>
    statement<Person>(dialect, "oauth_tokens", () => distinct);
  /** A first-party app has no consents: its tokens tell who uses it. */
  const usersOfApp = sql<Person>`SELECT user_id FROM (
      SELECT * FROM (SELECT t.user_id FROM ${candidates(byApp("oauth_consents"))}
        WHERE ${consentInForce} LIMIT ${arg.int("limit")}) consenting
      UNION
      SELECT * FROM (SELECT DISTINCT t.user_id FROM ${candidates(byApp("oauth_tokens"))}
        WHERE ${liveToken} AND t.user_id IS NOT NULL LIMIT ${arg.int("limit")}) granting
    ) people LIMIT ${arg.int("limit")}`;
  const peopleOfApp = people(usersOfApp);
  const countOfPeople = counting({ people: sql`(SELECT count(*) FROM (${usersOfApp}) c)` });
  const membersOf = people(
    sql<Person>`SELECT t.user_id FROM memberships t WHERE t.organization_id = ${arg.uuid("id")}
      LIMIT ${arg.int("limit")}`,
  );
  const tokensOfSession = statement<Pick<Row<"oauth_tokens">, "request_data">>(
    dialect,
    "oauth_tokens",
    () =>
      sql<Pick<Row<"oauth_tokens">, "request_data">>`SELECT t.request_data FROM ${candidates({
        table: "oauth_tokens",
        by: sql<boolean>`t.session_id = ${arg.string("id")}`,
      })} WHERE ${liveToken}`,
  );

  type Question = { readonly id: string; readonly now: Date; readonly limit: number };

  /** Adds what hangs on these apps; `except` is the user whose own was counted. */
  async function addApps(
    counts: Counts,
    persons: Set<string>,
    apps: readonly { readonly id: string }[],
    question: Question,
    except = firstId,
  ): Promise<void> {
    counts.apps = apps.length;
    for (const { id } of apps) {
      // Others are served between one app and the next.
      await turn();
      add(counts, await ofApp({ ...question, id, except }));
      if (persons.size >= question.limit) continue;
      for (const { user_id } of await peopleOfApp.all(connection, { ...question, id })) persons.add(user_id);
    }
  }

  async function byUserRecord(question: Question): Promise<Counts> {
    const { id } = question;
    const seen_after = idleSince(question.now);
    const counts = await ofUser({ ...question, seen_after });
    const persons = new Set([id]);
    await addApps(counts, persons, await appsOfUser.all(connection, { id }), question, id);
    return { ...counts, people: persons.size };
  }

  async function byOrganizationRecord(question: Question): Promise<Counts> {
    const { id } = question;
    const counts = await ofOrganization(question);
    const members = await membersOf.all(connection, question);
    const persons = new Set(members.map(({ user_id }) => user_id));
    await addApps(counts, persons, await appsOfOrganization.all(connection, { id }), question);
    const accounts = await accountsOfOrganization.all(connection, { id });
    counts.service_accounts = accounts.length;
    for (const account of accounts) {
      await turn();
      add(counts, await ofAccount({ ...question, id: account.id, except: id }));
    }
    return { ...counts, people: persons.size };
  }

  const ofOnePerson = (user_id: string | null): Counts => (user_id === null ? {} : { people: 1 });

  /** What hangs on a record of each table that is managed. */
  const impact: {
    readonly [T in TableName]?: (row: Row<T>, question: Question) => Promise<Counts> | Counts;
  } = {
    users: (_, question) => byUserRecord(question),
    organizations: (_, question) => byOrganizationRecord(question),
    memberships: ({ user_id }) => ofOnePerson(user_id),
    oauth_accounts: ({ user_id }) => ofOnePerson(user_id),
    api_keys: ({ user_id, revoked, expires_at }, question) =>
      stateOfCredential({ revoked, expires_at }, question.now) === "active" ? ofOnePerson(user_id) : {},
    async oauth_apps(_, question) {
      return { ...(await ofApp({ ...question, except: firstId })), ...(await countOfPeople(question)) };
    },
    async oauth_app_secrets({ id, app_id, revoked, expires_at }, question) {
      if (stateOfCredential({ revoked, expires_at }, question.now) !== "active") return {};
      const { secrets } = await otherSecrets({ ...question, id: app_id, except: id });
      // With its last secret an app can no longer prove who it is.
      return secrets === 0 ? { apps: 1 } : {};
    },
    async oauth_tokens({ user_id, family_id }, question) {
      if (user_id === null) return ofToken(question);
      const counts = await ofFamily({ ...question, id: family_id });
      return counts.tokens ? { ...counts, people: 1 } : {};
    },
    oauth_auth_codes: ({ user_id, used, expires_at }, question) =>
      stateOfCode({ used, expires_at }, question.now) === "active" ? ofOnePerson(user_id) : {},
    async oauth_consents(consent, question) {
      const { user_id, app_id } = consent;
      return {
        ...(await ofConsent({ ...question, user_id, app_id })),
        ...(stateOfConsent(consent) === "active" && { people: 1 }),
      };
    },
    service_accounts: (_, question) => ofAccount({ ...question, except: firstId }),
    async service_account_key_pairs({ id, service_account_id }, question) {
      const signed_by = `%"key_pair_id":"${id}"%`;
      return ofKeyPair({ ...question, id: service_account_id, signed_by });
    },
    async sessions({ ended_at, expires_at, last_seen_at }, question) {
      const { now: moment } = question;
      const tokens = (await tokensOfSession.all(connection, question)).filter(
        ({ request_data }) => !isOffline(request_data),
      );
      const open = stateOfSession({ ended_at, expires_at, last_seen_at }, moment) === "active";
      return { tokens: tokens.length, ...(open && { people: 1 }) };
    },
  };

  return {
    async impactOf(table, id, moment, limit) {
      const count = impact[table] as
        | ((row: Row<typeof table>, question: Question) => Promise<Counts> | Counts)
        | undefined;
      const row =
        count !== undefined && isUuid(id)
          ? await database.find(table, { id: id.toLowerCase() } as never)
          : undefined;
      if (count === undefined || row === undefined) return {};
      const counts = await count(row, { id: id.toLowerCase(), now: moment, limit });
      return Object.fromEntries(
        Object.entries(counts)
          .filter(([, found]) => found > 0)
          .map(([name, found]) => [name, Math.min(found, limit)]),
      );
    },
  };
}

function add(counts: Counts, more: Counts): void {
  for (const [name, count] of Object.entries(more) as [Count, number][])
    counts[name] = (counts[name] ?? 0) + count;
}
