/**
 * Writes events of the event feed in the transactions that cause them (docs/decisions/events.md). Most are
 * written with an audit event, others with the changed row.
 */
import { type RawBuilder, sql } from "kysely";
import type { AuditEvent, Row } from "../../records/definition/definition.ts";
import {
  type FeedEventType,
  type MemberSource,
  mostMembersTold,
  type SubjectSource,
  shapeOfEvent,
  type Told,
} from "../../records/names/feed_events.ts";
import type { RoleList } from "../../records/names/names.ts";
import { toldOf } from "../../records/rules/told_events.ts";
import type { Dialect } from "./dialect.ts";
import type { Connection, PreparedStatement } from "./driver.ts";
import { arg, type Statement, statement } from "./statement.ts";

type Audited = Omit<AuditEvent, "organization_id"> & Partial<Pick<AuditEvent, "organization_id">>;

interface About {
  readonly at: Date;
  readonly actor_kind?: AuditEvent["actor_kind"];
}

type Holder = Pick<Row<"memberships">, "id" | "user_id" | "organization_id">;

export interface Feed {
  /** If the event causes a single feed event, repeating its statement has no effect. */
  of(event: Audited): PreparedStatement[];
  ofAudit(connection: Connection, event: Audited): Promise<void>;
  tell(connection: Connection, told: Told, about: About): Promise<void>;
  /** Skips sessions that ended earlier, have expired, or already have such an event. */
  sessionsEnded(which: RawBuilder<boolean>): Statement<unknown>;
}

const ended: FeedEventType = "session.ended";

export function feedOf(dialect: Dialect, newId: (now: Date) => string): Feed {
  // A deleted subject has no row, so no event follows the one about its deletion (EV-8).
  const subjects: Readonly<Record<Exclude<SubjectSource, MemberSource>, RawBuilder<{ id: string }>>> = {
    user: sql`SELECT id FROM users WHERE id = ${arg.uuid("key")}`,
    organization: sql`SELECT id FROM organizations WHERE id = ${arg.uuid("key")}`,
    app: sql`SELECT id FROM oauth_apps WHERE id = ${arg.uuid("key")}`,
    membership: sql`SELECT user_id AS id FROM memberships WHERE id = ${arg.uuid("key")}`,
    client: sql`SELECT id FROM oauth_apps WHERE client_id = ${arg.string("key")}`,
  };
  const columns = sql`id, arrived, type, subject_kind, subject_id, organization_id, actor_kind, data, created_at`;
  const isGiven = (list: RawBuilder<unknown>) =>
    dialect.name === "postgres"
      ? sql<boolean>`${list} @> ${arg.json("keys")}`
      : sql<boolean>`EXISTS (SELECT 1 FROM json_each(${list}) WHERE value = ${arg.string("key")})`;
  const holdersOf = (list: RoleList, among: (table: "m" | "g") => RawBuilder<boolean>) =>
    sql<Holder>`SELECT m.id, m.user_id, m.organization_id FROM memberships AS m
      WHERE ${among("m")} AND (${isGiven(sql.ref(`m.${list}`))}
        OR m.id IN (SELECT o.membership_id FROM group_members AS o
          JOIN groups AS g ON g.id = o.group_id WHERE ${among("g")} AND ${isGiven(sql.ref(`g.${list}`))}))`;
  const anywhere = () => sql<boolean>`true`;
  const inOrganization = (table: "m" | "g") =>
    sql<boolean>`${sql.ref(`${table}.organization_id`)} = ${arg.uuid("organization_id")}`;
  const membersOfGroup = sql<Holder>`SELECT m.id, m.user_id, m.organization_id FROM group_members AS o
    JOIN memberships AS m ON m.id = o.membership_id WHERE o.group_id = ${arg.uuid("key")}`;
  const insertForMembers = (holders: RawBuilder<Holder>) =>
    statement(
      dialect,
      "events",
      () => sql`INSERT INTO events (${columns})
        SELECT ${dialect.idLike(arg.string("like"))}, ${dialect.arrival}, ${arg.string("type")}, 'user', s.user_id,
          s.organization_id, ${arg.string("actor_kind")},
          ${dialect.merged(arg.json("data"), dialect.objectWith("membership_id", dialect.idText(sql.ref("s.id"))))},
          ${arg.time("at")}
        FROM (${holders} ORDER BY m.id LIMIT ${sql.lit(mostMembersTold)}) AS s`,
    );
  const insertFrom = (source: Exclude<SubjectSource, MemberSource>) =>
    statement(
      dialect,
      "events",
      () => sql`INSERT INTO events (${columns})
        SELECT ${arg.uuid("id")}, ${dialect.arrival}, ${arg.string("type")}, ${arg.string("subject_kind")}, s.id,
          ${arg.uuid("organization_id")}, ${arg.string("actor_kind")}, ${arg.json("data")}, ${arg.time("at")}
        FROM (${subjects[source]}) AS s WHERE true
        ON CONFLICT (id) DO NOTHING`,
    );
  const insert: Readonly<Record<SubjectSource, Statement<unknown>>> = {
    user: insertFrom("user"),
    organization: insertFrom("organization"),
    app: insertFrom("app"),
    membership: insertFrom("membership"),
    client: insertFrom("client"),
    group: insertForMembers(membersOfGroup),
    role: insertForMembers(holdersOf("role_ids", anywhere)),
    app_role: insertForMembers(holdersOf("app_role_ids", anywhere)),
  };
  // Only members of an organization hold its roles, so the memberships of others are not read.
  const insertForOwn = {
    role: insertForMembers(holdersOf("role_ids", inOrganization)),
    app_role: insertForMembers(holdersOf("app_role_ids", inOrganization)),
  };

  function prepared(
    { type, key, data, from }: Told,
    of: About & { id: string; organization_id?: string | null },
  ) {
    const subject_kind = shapeOfEvent(type).about;
    const isOwn = (from === "role" || from === "app_role") && of.organization_id != null;
    return (isOwn ? insertForOwn[from] : insert[from ?? subject_kind]).prepare({
      ...{ actor_kind: "system", organization_id: null },
      ...of,
      ...{ type, subject_kind, key, data, like: of.id, keys: [key] },
    });
  }

  const of: Feed["of"] = (event) =>
    toldOf(event).map((told, index) =>
      prepared(told, {
        // The first feed event has the ID of its audit event, so repeating the batch does not duplicate it.
        id: index === 0 ? event.id : newId(event.created_at),
        organization_id: event.organization_id ?? null,
        actor_kind: event.actor_kind,
        at: event.created_at,
      }),
    );

  return {
    of,
    async ofAudit(connection, event) {
      for (const { sql: text, parameters } of of(event)) await connection.run(text, parameters);
    },
    async tell(connection, told, about) {
      const { sql: text, parameters } = prepared(told, { id: newId(about.at), ...about });
      await connection.run(text, parameters);
    },
    sessionsEnded: (which) =>
      statement(
        dialect,
        "events",
        () => sql`INSERT INTO events (${columns})
          SELECT ${dialect.idLike(arg.string("like"))}, ${dialect.arrival}, ${sql.lit(ended)}, 'user', s.user_id, NULL,
            'system', ${dialect.objectWith("session_id", dialect.idText(sql.ref("s.id")))}, ${arg.time("at")}
          FROM sessions AS s WHERE ${which} AND s.expires_at > ${arg.time("at")}
            AND (s.ended_at IS NULL OR s.ended_at >= ${arg.time("at")})
            AND (SELECT e.id FROM events AS e WHERE e.type = ${sql.lit(ended)}
              AND e.data ->> 'session_id' = ${dialect.idText(sql.ref("s.id"))} LIMIT 1) IS NULL`,
      ),
  };
}

/** Returns the feed events for a change of a user's columns. */
export function toldOfUser(id: string, changes: Readonly<Partial<Row<"users">>>): Told[] {
  const told: Told[] = [];
  if (changes.email_verified_at instanceof Date)
    told.push({ type: "user.email_verified", key: id, data: {} });
  // A change of the hash alone is not a new password: a sign-in may replace a weak hash of the same password.
  if (changes.password_hash !== undefined && changes.tokens_not_before instanceof Date)
    told.push({ type: "user.credential_changed", key: id, data: { credential: "password" } });
  return told;
}
