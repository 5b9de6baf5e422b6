/** Looks up the APIs for which tokens are issued. */
import { sql } from "kysely";
import type { ApiResource, OAuthApp } from "../../records/definition/definition.ts";
import {
  identifierKey,
  longestIdentifier,
  trailingSlashKey,
} from "../../records/names/resource_identifiers.ts";
import { isOpenClient } from "../../records/rules/client_record.ts";
import { boundedCache } from "../database/cached_reads.ts";
import type { Database } from "../database/database.ts";
import type { Connection } from "../database/driver.ts";
import { allColumns, arg, statement } from "../database/statement.ts";

const mostNear = 200;

const mostPublished = 100;

interface Answer {
  readonly resource: ApiResource | undefined;
}

export function resourceReads(database: Database) {
  const { dialect, driver, find, list } = database;
  const byIdentifier = boundedCache<Answer>(10_000, database);
  const byOpenness = boundedCache<Answer>(1, database);
  const byPublication = boundedCache<readonly string[]>(1, database);
  const byRoles = boundedCache<readonly string[]>(100_000, database, ({ length }) => 1 + length);

  const spelled = statement<ApiResource>(
    dialect,
    "resources",
    () => sql<ApiResource>`SELECT ${allColumns("resources")} FROM resources WHERE identifier = ${arg.string("identifier")}
      OR identifier_key = ${arg.string("key")} OR identifier_key = ${arg.string("alias")}`,
  );
  const among =
    dialect.name === "postgres"
      ? sql<boolean>`app_ids @> ${arg.json("app_ids")}`
      : sql<boolean>`EXISTS (SELECT 1 FROM json_each(app_ids) WHERE value = ${arg.string("app_id")})`;
  const own = statement<ApiResource>(
    dialect,
    "resources",
    () => sql<ApiResource>`SELECT ${allColumns("resources")} FROM resources
      WHERE (organization_id IS NULL OR organization_id = ${arg.uuid("organization_id")}) AND ${among}
      ORDER BY id`,
  );

  const listed =
    dialect.name === "postgres"
      ? sql`SELECT jsonb_array_elements_text(${arg.json("listed")}::jsonb)`
      : sql`SELECT value FROM json_each(${arg.json("listed")})`;
  const near = statement<ApiResource>(
    dialect,
    "resources",
    () => sql<ApiResource>`SELECT ${allColumns("resources")} FROM resources WHERE active AND (
        (organization_id IS NULL AND who_may_ask <> 'listed')
        OR organization_id = ${arg.uuid("organization_id")}
        OR identifier IN (${listed})
        OR (${arg.bool("is_open")} AND who_may_ask = 'any')
      ) ORDER BY id DESC LIMIT ${sql.lit(mostNear)}`,
  );

  const identifiers = dialect.textsOf(arg.json("identifiers"));
  const lists =
    dialect.name === "postgres"
      ? sql<boolean>`resources ?| ARRAY(${identifiers})`
      : sql<boolean>`EXISTS (SELECT 1 FROM json_each(resources) WHERE value IN (${identifiers}))`;
  const listing = statement<Pick<OAuthApp, "id" | "resources">>(
    dialect,
    "oauth_apps",
    () =>
      sql<
        Pick<OAuthApp, "id" | "resources">
      >`SELECT id, resources FROM oauth_apps WHERE ${lists} ORDER BY id`,
  );

  async function readSpelled(identifier: string): Promise<ApiResource | undefined> {
    const key = identifierKey(identifier);
    const alias = key === undefined ? undefined : trailingSlashKey(key);
    const found = await spelled.all(driver, { identifier, key, alias });
    return (
      found.find((resource) => resource.identifier === identifier) ??
      found.find(({ identifier_key }) => identifier_key === key) ??
      found.find(({ trailing_slash_alias }) => trailing_slash_alias)
    );
  }

  return {
    /**
     * Returns the API with this identifier, even if inactive (PR-6). If the API allows it, a trailing slash
     * in the path is ignored.
     */
    async findResource(spelling: string): Promise<ApiResource | undefined> {
      if (Buffer.byteLength(spelling) > longestIdentifier) return undefined;
      const answer = async (): Promise<Answer> => ({ resource: await readSpelled(spelling) });
      return (await byIdentifier.get(spelling, answer))?.resource;
    },

    async appRoleNames(resource_id: string): Promise<readonly string[]> {
      const answer = async () => (await list("app_roles", { resource_id })).map(({ name }) => name);
      return (await byRoles.get(resource_id, answer)) ?? [];
    },

    async findOpenResource(): Promise<ApiResource | undefined> {
      const answer = async (): Promise<Answer> => ({
        resource: await find("resources", { who_may_ask: "any", active: true }),
      });
      return (await byOpenness.get("any", answer))?.resource;
    },

    async openIdentifiers(): Promise<readonly string[]> {
      const answer = async () => {
        const by = { order_by: "id", limit: mostPublished } as const;
        const open = await list("resources", { who_may_ask: "any", active: true }, by);
        return open.map(({ identifier }) => identifier);
      };
      return (await byPublication.get("any", answer)) ?? [];
    },

    /**
     * Returns active APIs for which the app may be allowed to request tokens, newest first. The caller must
     * check each API.
     */
    async resourcesNear(app: Pick<OAuthApp, "organization_id" | "resources" | "provenance">) {
      const rows = await near.all(driver, {
        organization_id: app.organization_id,
        listed: app.resources,
        is_open: isOpenClient(app),
      });
      return rows;
    },

    /** Returns the apps that list one of these identifiers in `resources`. */
    appsListing: (
      identifiers: readonly string[],
      on: Connection = driver,
    ): Promise<Pick<OAuthApp, "id" | "resources">[]> => listing.all(on, { identifiers }),

    /** Includes inactive APIs, but no API of another organization. */
    resourcesOfApp({
      id,
      organization_id,
    }: Pick<OAuthApp, "id" | "organization_id">): Promise<ApiResource[]> {
      return own.all(driver, { organization_id, app_id: id, app_ids: [id] });
    },
  };
}
