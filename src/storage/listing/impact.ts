/**
 * Counts the records that end if a record is deleted, revoked or deactivated. The references in the record
 * definitions determine which ones, except for tables with a function in `impact`.
 */

import { setImmediate as turn } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import { fieldsOf, type Row, type TableName, tables } from "../../records/definition/definition.ts";
import type { CountedAs } from "../../records/definition/table.ts";
import { isUuid } from "../../records/formats/check.ts";
import {
  idleSince,
  stateOfCode,
  stateOfConsent,
  stateOfCredential,
  stateOfSession,
} from "../../records/names/liveness.ts";
import type { RoleList } from "../../records/names/names.ts";
import { isOffline } from "../../records/names/request_data.ts";
import { rowIsActive } from "../database/active_rows.ts";
import type { Database } from "../database/database.ts";
import { firstId } from "../database/ids.ts";
import { userOwns } from "../database/ownership.ts";
import { type Arguments, arg, statement, yes } from "../database/statement.ts";
import { sessionsOfProviders } from "../people/members.ts";
import { readConnection } from "./branches.ts";
import { candidates, mostRead } from "./newest.ts";
import { roleHolderRules } from "./role_holders.ts";

/** Kinds without any records are omitted. */
export interface Impact extends Readonly<Partial<Record<CountedAs, number>>> {
  readonly people?: number;
  readonly apps?: number;
  readonly service_accounts?: number;
  readonly holders?: number;
  readonly groups?: number;
  readonly group_members?: number;
  readonly left_groups?: number;
}

const mostParents = 1000;

type Count = keyof Impact;
type Counts = Partial<Record<Count, number>>;
type Condition = RawBuilder<boolean>;

const now = arg.time("now");
const activeToken = rowIsActive.token("t", now);
const activeConsent = rowIsActive.consent("t");
const activeSecret = rowIsActive.credential("t", now);

const activeAs: { readonly [C in CountedAs]: Condition } = {
  tokens: activeToken,
  consents: activeConsent,
  secrets: activeSecret,
  key_pairs: rowIsActive.keyPair("t", now),
  sessions: rowIsActive.session("t", now, arg.time("idle_since")),
  members: yes,
  api_keys: rowIsActive.credential("t", now),
  linked_accounts: yes,
  passkeys: yes,
  authenticator_apps: yes,
};

const equals = (column: string, kind: "uuid" | "string" = "uuid"): Condition =>
  sql`${sql.ref(`t.${column}`)} = ${arg.of(kind, "id")}`;

function countOf(
  table: TableName,
  column: string,
  fits: Condition,
  by = equals(column),
): RawBuilder<unknown> {
  return sql`(SELECT count(*) FROM (SELECT 1 AS one FROM ${candidates(table, column, by)} WHERE ${fits}
    LIMIT ${arg.int("limit")}) c)`;
}

function childrenOf(parent: TableName, unless: { readonly [T in TableName]?: Condition } = {}) {
  const columns: Partial<Record<Count, RawBuilder<unknown>>> = {};
  for (const table of Object.keys(tables) as TableName[]) {
    const as = tables[table].counted_as;
    if (as === null) continue;
    const active = activeAs[as];
    for (const [column, { references }] of Object.entries(fieldsOf(table))) {
      if (references?.table !== parent || references.on_delete !== "cascade") continue;
      const fits = unless[table] === undefined ? active : sql<boolean>`${active} AND NOT ${unless[table]}`;
      columns[as] = countOf(table, column, fits);
    }
  }
  return columns;
}

/**
 * Conditions for rows that another count already includes: those of the user `except`, or of apps of the
 * organization `except`.
 */
const ofThatUser = sql<boolean>`(t.user_id IS NOT NULL AND t.user_id = ${arg.uuid("except")})`;
const ofThoseApps = sql<boolean>`EXISTS (SELECT 1 FROM oauth_apps a
  WHERE a.id = t.app_id AND a.organization_id = ${arg.uuid("except")} LIMIT 1 OFFSET 0)`;

interface Question {
  readonly id: string;
  readonly now: Date;
  readonly limit: number;
  readonly idle_since: Date;
  readonly except: string;
}

export function impactRules(database: Database) {
  const { dialect } = database;
  const connection = readConnection(database);
  const answers = <R>(query: RawBuilder<R>) => statement<R>(dialect, "oauth_tokens", () => query);

  function counting(columns: Partial<Record<Count, RawBuilder<unknown>>>) {
    const named = Object.entries(columns).map(([name, column]) => sql`${column} AS ${sql.ref(name)}`);
    const made = answers(sql<Record<string, unknown>>`SELECT ${sql.join(named)}`);
    return async (args: Question | Arguments): Promise<Counts> => {
      const [row = {}] = await made.all(connection, { ...args });
      return Object.fromEntries(Object.entries(row).map(([name, count]) => [name, Number(count)]));
    };
  }

  const idsOf = (table: TableName, of: Condition) =>
    answers(sql<{ readonly id: string }>`SELECT t.id FROM ${sql.table(table)} t WHERE ${of}
      ORDER BY t.id LIMIT ${sql.lit(mostParents)}`);
  const appsOfOrganization = idsOf("oauth_apps", equals("organization_id"));
  const appsOfUser = idsOf(
    "oauth_apps",
    sql`${equals("owner_id")} AND ${sql.raw(userOwns("oauth_apps", "t"))}`,
  );
  const accountsOfOrganization = idsOf("service_accounts", equals("organization_id"));

  const tokens = (column: string, fits = activeToken, by?: Condition) =>
    counting({ tokens: countOf("oauth_tokens", column, fits, by) });
  const ofUser = counting(childrenOf("users"));
  const ofOrganization = counting(childrenOf("organizations"));
  const ofApp = counting(childrenOf("oauth_apps", { oauth_tokens: ofThatUser, oauth_consents: ofThatUser }));
  const ofAccount = counting(childrenOf("service_accounts", { oauth_tokens: ofThoseApps }));
  const ofToken = tokens("id");
  const ofFamily = tokens("family_id", activeToken, sql`${equals("family_id")} AND t.user_id IS NOT NULL`);
  const ofConsent = tokens(
    "user_id",
    activeToken,
    sql`t.user_id = ${arg.uuid("user_id")} AND ${equals("app_id")}`,
  );
  const ofMembership = counting({
    tokens: countOf(
      "oauth_tokens",
      "user_id",
      activeToken,
      sql`t.user_id = ${arg.uuid("user_id")} AND ${equals("membership_id")}`,
    ),
    left_groups: countOf("group_members", "membership_id", yes),
  });
  const ofKeyPair = tokens(
    "service_account_id",
    sql`${activeToken} AND t.request_data LIKE ${arg.string("signed_by")}`,
  );
  const otherSecrets = counting({
    secrets: countOf("oauth_app_secrets", "app_id", sql`${activeSecret} AND t.id <> ${arg.uuid("except")}`),
  });

  /** No index finds tokens by audience, so only the newest tokens are read. */
  const isForResource =
    dialect.name === "postgres"
      ? sql<boolean>`t.audience @> ${arg.json("audience")}`
      : sql<boolean>`EXISTS (SELECT 1 FROM json_each(t.audience) WHERE value = ${arg.string("identifier")})`;
  const tokensFor = sql`(SELECT * FROM oauth_tokens ORDER BY id DESC LIMIT ${sql.lit(mostRead)}) t
    WHERE ${activeToken} AND ${isForResource}`;
  const ofResource = counting({
    tokens: sql`(SELECT count(*) FROM ${tokensFor})`,
    people: sql`(SELECT count(DISTINCT t.user_id) FROM ${tokensFor})`,
  });

  const ofProvider = counting({
    linked_accounts: countOf("oauth_accounts", "provider_id", yes),
    people: sql`(SELECT count(DISTINCT t.user_id) FROM
      ${candidates("oauth_accounts", "provider_id", equals("provider_id"))})`,
  });

  const { holdersOf } = roleHolderRules(database);
  const ofGroup = counting({ group_members: countOf("group_members", "group_id", yes) });
  async function byRole(list: RoleList, owner: string | null, id: string): Promise<Counts> {
    const { members = 0, groups = 0 } = (await holdersOf(list, owner, [id])).get(id) ?? {};
    return { holders: members, groups };
  }

  type Person = { readonly user_id: string };
  /** First-party apps need no consent, so users with an active token are included too. */
  const usersOfApp = sql<Person>`SELECT user_id FROM (
      SELECT * FROM (SELECT t.user_id FROM ${candidates("oauth_consents", "app_id", equals("app_id"))}
        WHERE ${activeConsent} LIMIT ${arg.int("limit")}) consenting
      UNION
      SELECT * FROM (SELECT DISTINCT t.user_id FROM ${candidates("oauth_tokens", "app_id", equals("app_id"))}
        WHERE ${activeToken} AND t.user_id IS NOT NULL LIMIT ${arg.int("limit")}) granting
    ) people LIMIT ${arg.int("limit")}`;
  const peopleOfApp = answers(usersOfApp);
  const countOfPeople = counting({ people: sql`(SELECT count(*) FROM (${usersOfApp}) c)` });
  const membersOf = answers(
    sql<Person>`SELECT t.user_id FROM memberships t WHERE ${equals("organization_id")} LIMIT ${arg.int("limit")}`,
  );
  const tokensOfSession = answers(sql<Pick<Row<"oauth_tokens">, "request_data">>`SELECT t.request_data
    FROM ${candidates("oauth_tokens", "session_id", equals("session_id", "string"))} WHERE ${activeToken}`);

  async function addApps(
    counts: Counts,
    persons: Set<string>,
    apps: readonly { readonly id: string }[],
    question: Question,
  ): Promise<void> {
    counts.apps = apps.length;
    for (const { id } of apps) {
      await turn();
      add(counts, await ofApp({ ...question, id }));
      if (persons.size >= question.limit) continue;
      for (const { user_id } of await peopleOfApp.all(connection, { ...question, id })) persons.add(user_id);
    }
  }

  async function byUserRecord(question: Question): Promise<Counts> {
    const { id } = question;
    const counts = await ofUser(question);
    const persons = new Set([id]);
    await addApps(counts, persons, await appsOfUser.all(connection, { id }), { ...question, except: id });
    return { ...counts, people: persons.size };
  }

  async function byOrganizationRecord(question: Question): Promise<Counts> {
    const { id } = question;
    const counts = await ofOrganization(question);
    const members = await membersOf.all(connection, { ...question });
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

  const onePerson = (user_id: string | null, state = "active"): Counts =>
    user_id === null || state !== "active" ? {} : { people: 1 };
  const impact: {
    readonly [T in TableName]?: (row: Row<T>, question: Question) => Promise<Counts> | Counts;
  } = {
    users: (_, question) => byUserRecord(question),
    organizations: (_, question) => byOrganizationRecord(question),
    // Sessions and tokens of the user in other organizations remain.
    async memberships(membership, question) {
      const counts = await ofMembership({ ...question, ...membership });
      const sessions = await sessionsOfProviders(database, membership);
      const active = sessions.filter((session) => stateOfSession(session, question.now) === "active");
      return { members: 1, ...counts, sessions: active.length };
    },
    oauth_accounts: ({ user_id }) => onePerson(user_id),
    api_keys: (key, question) => onePerson(key.user_id, stateOfCredential(key, question.now)),
    async oauth_apps(_, question) {
      return { ...(await ofApp(question)), ...(await countOfPeople(question)) };
    },
    async oauth_app_secrets(secret, question) {
      if (stateOfCredential(secret, question.now) !== "active") return {};
      const { secrets } = await otherSecrets({ ...question, id: secret.app_id, except: secret.id });
      return secrets === 0 ? { apps: 1 } : {};
    },
    async oauth_tokens({ user_id, family_id }, question) {
      if (user_id === null) return ofToken(question);
      const counts = await ofFamily({ ...question, id: family_id });
      return counts.tokens ? { ...counts, people: 1 } : {};
    },
    oauth_auth_codes: (code, question) => onePerson(code.user_id, stateOfCode(code, question.now)),
    async oauth_consents(consent, question) {
      const { user_id, app_id } = consent;
      const counts = await ofConsent({ ...question, id: app_id, user_id });
      return { ...counts, ...onePerson(user_id, stateOfConsent(consent)) };
    },
    roles: ({ id, organization_id }) => byRole("role_ids", organization_id, id),
    async app_roles({ id, resource_id }) {
      const api = await database.find("resources", { id: resource_id });
      return api === undefined ? {} : byRole("app_role_ids", api.organization_id, id);
    },
    groups: (_, question) => ofGroup(question),
    resources: ({ identifier }, question) => ofResource({ ...question, identifier, audience: [identifier] }),
    providers: (_, question) => ofProvider(question),
    service_accounts: (_, question) => ofAccount(question),
    async service_account_key_pairs({ id, service_account_id }, question) {
      const signed_by = `%"key_pair_id":"${id}"%`;
      return ofKeyPair({ ...question, id: service_account_id, signed_by });
    },
    async sessions(session, question) {
      const found = await tokensOfSession.all(connection, { ...question });
      const ended = found.filter(({ request_data }) => !isOffline(request_data));
      return { tokens: ended.length, ...onePerson(session.user_id, stateOfSession(session, question.now)) };
    },
  };

  function byReferences(table: TableName) {
    const columns = childrenOf(table);
    if (Object.keys(columns).length === 0) return undefined;
    const ofRecord = counting(columns);
    return (_: unknown, question: Question) => ofRecord(question);
  }

  return {
    /**
     * Counts the active records that would end with this one, and the users whom that affects. For records
     * with very many dependents, a count may be too low.
     */
    async impactOf(table: TableName, given_id: string, moment: Date, limit: number): Promise<Impact> {
      const count = (impact[table] ?? byReferences(table)) as
        | ((row: Row<TableName>, question: Question) => Promise<Counts> | Counts)
        | undefined;
      if (count === undefined || !isUuid(given_id)) return {};
      const id = given_id.toLowerCase();
      const row = await database.find(table, { id } as never);
      if (row === undefined) return {};
      const question = { id, now: moment, limit, idle_since: idleSince(moment), except: firstId };
      return Object.fromEntries(
        Object.entries(await count(row, question))
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
