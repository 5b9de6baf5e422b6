/** Reads attribute definitions, and the claims that apps request. */
import { sql } from "kysely";
import type { AttributeDefinition, OAuthApp } from "../../records/definition/definition.ts";
import { type AttributeRecord, attributeTables } from "../../records/names/attributes.ts";
import { boundedCache } from "../database/cached_reads.ts";
import type { Database, Transaction } from "../database/database.ts";
import { arg, statement, yes } from "../database/statement.ts";

const mostApps = 1000;

/** If at least this many organizations have definitions, definitions are looked up for every organization. */
const mostOwners = 10_000;

export function attributeRules(database: Database) {
  const { dialect, driver, list } = database;
  const byOwner = boundedCache<readonly AttributeDefinition[]>(1000, database);
  const owners = boundedCache<ReadonlySet<string>>(1, database);
  const wanted = boundedCache<ReadonlySet<string>>(1, database);
  const apps = statement<Pick<OAuthApp, "claims">>(
    dialect,
    "oauth_apps",
    () => sql`SELECT claims FROM oauth_apps WHERE claims IS NOT NULL ORDER BY id LIMIT ${sql.lit(mostApps)}`,
  );

  const owning = statement<{ organization_id: string }>(
    dialect,
    "attribute_definitions",
    () => sql`SELECT DISTINCT organization_id FROM attribute_definitions
      WHERE organization_id IS NOT NULL LIMIT ${sql.lit(mostOwners)}`,
  );

  const valuedIn = (record_type: AttributeRecord, isOwn = yes) => {
    const table = attributeTables[record_type];
    return statement<{ records: number }>(
      dialect,
      table,
      () => sql`SELECT CAST(count(*) AS integer) AS records FROM ${sql.table(table)}
        WHERE ${isOwn} AND attributes ->> CAST(${arg.string("name")} AS text) IS NOT NULL`,
    );
  };
  const ofOrganization = sql<boolean>`organization_id = ${arg.uuid("organization_id")}`;
  const valued = {
    users: { all: valuedIn("users"), own: valuedIn("users") },
    memberships: { all: valuedIn("memberships"), own: valuedIn("memberships", ofOrganization) },
    organizations: {
      all: valuedIn("organizations"),
      own: valuedIn("organizations", sql<boolean>`id = ${arg.uuid("organization_id")}`),
    },
    apps: { all: valuedIn("apps"), own: valuedIn("apps", ofOrganization) },
  };

  async function isOwner(organization_id: string): Promise<boolean> {
    const read = async () => new Set((await owning.all(driver, {})).map((row) => row.organization_id));
    const known = await owners.get("all", read);
    return known === undefined || known.size === mostOwners || known.has(organization_id);
  }

  async function ofOwner(organization_id: string | null): Promise<readonly AttributeDefinition[]> {
    if (organization_id !== null && !(await isOwner(organization_id))) return [];
    const read = () => list("attribute_definitions", { organization_id });
    return (await byOwner.get(organization_id ?? "", read)) ?? [];
  }

  return {
    async countValued(
      { connection }: Transaction,
      {
        record_type,
        organization_id,
        name,
      }: Pick<AttributeDefinition, "record_type" | "organization_id" | "name">,
    ): Promise<number> {
      const { all, own } = valued[record_type];
      const found =
        organization_id === null
          ? all.first(connection, { name })
          : own.first(connection, { name, organization_id });
      return (await found)?.records ?? 0;
    },

    async attributeDefinitions(...organization_ids: readonly string[]): Promise<AttributeDefinition[]> {
      const found = await Promise.all([null, ...new Set(organization_ids)].map(ofOwner));
      return found.flat();
    },

    async claimsOfApps(): Promise<ReadonlySet<string>> {
      const read = async () => {
        const rows = await apps.all(driver, {});
        return new Set(rows.flatMap(({ claims }) => Object.keys(claims ?? {})));
      };
      return (await wanted.get("all", read)) ?? new Set();
    },
  };
}
