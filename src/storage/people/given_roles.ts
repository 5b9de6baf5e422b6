/** Finds roles, and removes deleted roles from memberships, groups and invitations. */
import { type RawBuilder, sql } from "kysely";
import type { Membership } from "../../records/definition/definition.ts";
import { type RoleList, roleLists, roles } from "../../records/names/names.ts";
import type { Database, Transaction } from "../database/database.ts";
import { arg, type Statement, statement } from "../database/statement.ts";

const mostRead = 20_000;

const holders = ["memberships", "groups", "invitations"] as const;

export interface NamedRole {
  readonly id: string;
  readonly name: string;
  /** For an app role, the API's identifier, `#` and the name. */
  readonly called: string;
  /** Null if every organization may assign the role. */
  readonly organization_id: string | null;
}

const forEach = <V>(make: (list: RoleList) => V) =>
  Object.fromEntries(roleLists.map((list) => [list, make(list)])) as Record<RoleList, V>;

export function givenRoleRules({ dialect, driver }: Database) {
  const forgetIn = (table: (typeof holders)[number], list: RoleList, which: RawBuilder<boolean>) => {
    const column = sql.ref(list);
    const given = dialect.textsOf(arg.json("ids"));
    return statement<unknown>(dialect, table, () =>
      dialect.name === "postgres"
        ? sql`UPDATE ${sql.table(table)} SET ${column} = ${column} - ARRAY(${given})
            WHERE ${which} AND ${column} ?| ARRAY(${given})`
        : sql`UPDATE ${sql.table(table)}
            SET ${column} = (SELECT json_group_array(value) FROM json_each(${column}) WHERE value NOT IN (${given}))
            WHERE ${which} AND ${column} <> '[]'
              AND EXISTS (SELECT 1 FROM json_each(${column}) WHERE value IN (${given}))`,
    );
  };
  const forget = (which: RawBuilder<boolean>) =>
    forEach((list) => holders.map((table) => [table, forgetIn(table, list, which)] as const));
  const forgetAnywhere = forget(sql<boolean>`true`);
  const forgetInOne = forget(sql<boolean>`organization_id = ${arg.uuid("organization_id")}`);
  const ofApi = statement<{ id: string }>(
    dialect,
    "app_roles",
    () => sql`SELECT id FROM app_roles WHERE resource_id = ${arg.uuid("resource_id")}`,
  );

  const named = (
    list: RoleList,
    which: RawBuilder<boolean>,
    rest: RawBuilder<unknown>,
  ): Statement<NamedRole> =>
    statement<NamedRole>(dialect, "roles", () =>
      list === "role_ids"
        ? sql`SELECT r.id, r.name, r.name AS called, r.organization_id FROM roles r WHERE ${which} ${rest}`
        : sql`SELECT r.id, r.name, o.identifier || '#' || r.name AS called, o.organization_id
            FROM app_roles r JOIN resources o ON o.id = r.resource_id WHERE ${which} ${rest}`,
    );
  const assignable = forEach((list) => {
    const owner = sql.ref(list === "role_ids" ? "r.organization_id" : "o.organization_id");
    const isTheirs = sql<boolean>`(${owner} IS NULL OR ${owner} = ${arg.uuid("organization_id")})`;
    return named(list, isTheirs, sql`ORDER BY called, r.id LIMIT ${arg.int("most")}`);
  });
  const byId = forEach((list) =>
    named(list, sql<boolean>`r.id IN (${dialect.idsOf(arg.json("ids"))})`, sql``),
  );

  const throughGroups = forEach((list) => {
    const ids = sql.ref(`g.${list}`);
    const values =
      dialect.name === "postgres"
        ? sql`jsonb_array_elements_text(${ids}) AS r(value)`
        : sql`json_each(${ids}) AS r`;
    return statement<{ membership_id: string; value: string }>(
      dialect,
      "group_members",
      () => sql`SELECT DISTINCT m.membership_id, r.value
        FROM (SELECT membership_id, group_id FROM group_members
          WHERE membership_id IN (${dialect.idsOf(arg.json("ids"))}) LIMIT ${sql.lit(mostRead)}) m
        JOIN groups g ON g.id = m.group_id CROSS JOIN ${values}`,
    );
  });

  const asText = (which: RawBuilder<boolean>) =>
    statement<Pick<Membership, "role" | "organization_id">>(
      dialect,
      "memberships",
      () => sql`SELECT DISTINCT role, organization_id FROM memberships
        WHERE ${which} AND role NOT IN (${sql.join(roles.map((role) => sql.lit(role)))})`,
    );
  const textsOfAll = asText(sql<boolean>`true`);
  const textsOfOne = asText(sql<boolean>`organization_id = ${arg.uuid("organization_id")}`);

  return {
    /** Returns the values of `role` that are not built-in roles. */
    rolesAsText: (
      { connection }: Transaction,
      organization_id: string | null,
    ): Promise<Pick<Membership, "role" | "organization_id">[]> =>
      organization_id === null
        ? textsOfAll.all(connection, {})
        : textsOfOne.all(connection, { organization_id }),

    /** Reads at most `mostRead` group members, so roles may be missing above that number. */
    async rolesThroughGroups(
      list: RoleList,
      membership_ids: readonly string[],
    ): Promise<ReadonlyMap<string, readonly string[]>> {
      const found = await throughGroups[list].all(driver, { ids: membership_ids });
      const grouped = Map.groupBy(found, ({ membership_id }) => membership_id);
      return new Map([...grouped].map(([id, rows]) => [id, rows.map(({ value }) => value).toSorted()]));
    },

    assignableRoles: (list: RoleList, organization_id: string, most: number): Promise<NamedRole[]> =>
      assignable[list].all(driver, { organization_id, most }),

    rolesById: (list: RoleList, ids: readonly string[]): Promise<NamedRole[]> =>
      byId[list].all(driver, { ids }),

    /**
     * Removes roles from all who have them. Only members of the roles' organization are looked through, because
     * roles of another organization have no effect (OC-6); null means roles of the server.
     */
    async forgetRoles(
      tx: Transaction,
      list: RoleList,
      ids: readonly string[],
      organization_id: string | null,
    ): Promise<void> {
      if (ids.length === 0) return;
      for (const [table, each] of (organization_id === null ? forgetAnywhere : forgetInOne)[list]) {
        await each.run(tx.connection, { ids, organization_id });
        tx.changed(table);
      }
    },

    async appRoleIds({ connection }: Transaction, resource_id: string): Promise<string[]> {
      return (await ofApi.all(connection, { resource_id })).map(({ id }) => id);
    },
  };
}
