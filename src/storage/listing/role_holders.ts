import { type RawBuilder, sql } from "kysely";
import { type RoleList, roleLists } from "../../records/names/names.ts";
import type { Database } from "../database/database.ts";
import { arg, statement, yes } from "../database/statement.ts";
import { readConnection } from "./branches.ts";
import { candidates, mostRead } from "./newest.ts";

/** A member counts once, even if it has the role directly and through groups. */
export interface RoleHolders {
  readonly members: number;
  readonly groups: number;
}

interface Found {
  readonly role: string;
  readonly members: unknown;
  readonly groups: unknown;
}

export function roleHolderRules(database: Database) {
  const { dialect } = database;
  const connection = readConnection(database);

  const values = (list: RoleList) =>
    dialect.name === "postgres"
      ? sql`jsonb_array_elements_text(t.${sql.ref(list)}) AS r(value)`
      : sql`json_each(t.${sql.ref(list)}) AS r`;
  function counting(list: RoleList, of: RawBuilder<boolean>) {
    const rows = (table: "memberships" | "groups") =>
      sql`${candidates(table, "organization_id", of)} CROSS JOIN ${values(list)}`;
    const isRequested = sql`r.value IN (${dialect.textsOf(arg.json("ids"))})`;
    return statement<Found>(
      dialect,
      "roles",
      () => sql`SELECT h.role, count(DISTINCT h.membership_id) AS members, count(DISTINCT h.group_id) AS groups
        FROM (
          SELECT r.value AS role, t.id AS membership_id, NULL AS group_id FROM ${rows("memberships")}
            WHERE ${isRequested}
          UNION ALL
          SELECT * FROM (SELECT r.value AS role, o.membership_id, t.id AS group_id FROM ${rows("groups")}
            LEFT JOIN group_members o ON o.group_id = t.id WHERE ${isRequested} LIMIT ${sql.lit(mostRead)}) g
        ) h GROUP BY h.role`,
    );
  }
  const holders = Object.fromEntries(
    roleLists.map((list) => [
      list,
      {
        ofOne: counting(list, sql<boolean>`t.organization_id = ${arg.uuid("organization_id")}`),
        ofAll: counting(list, yes),
      },
    ]),
  ) as Record<RoleList, Record<"ofOne" | "ofAll", ReturnType<typeof counting>>>;

  return {
    /**
     * Roles without any members or groups are omitted. The numbers may be too low above `mostRead`
     * memberships, groups or group members.
     */
    async holdersOf(
      list: RoleList,
      organization_id: string | null,
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, RoleHolders>> {
      const { ofOne, ofAll } = holders[list];
      const found = await (organization_id === null
        ? ofAll.all(connection, { ids })
        : ofOne.all(connection, { ids, organization_id }));
      return new Map(
        found.map(({ role, members, groups }) => [
          role,
          { members: Number(members), groups: Number(groups) },
        ]),
      );
    },
  };
}
