import { sql } from "kysely";
import type { Group, Membership, Organization, Role, Session } from "../../records/definition/definition.ts";
import { isUuid } from "../../records/formats/check.ts";
import type { RoleList } from "../../records/names/names.ts";
import { methodsOf } from "../../records/names/sign_in_methods.ts";
import { hasOwnRole, type Member, wholeMember } from "../../records/rules/member.ts";
import { boundedCache } from "../database/cached_reads.ts";
import type { Database } from "../database/database.ts";
import { allColumns, arg, type Statement, statement } from "../database/statement.ts";
import type { Verbs } from "../database/verbs.ts";

/** Returns the user's sessions that depend on a provider of this organization. They may have expired. */
export async function sessionsOfProviders(
  { list }: Pick<Verbs, "list">,
  { user_id, organization_id }: Pick<Membership, "user_id" | "organization_id">,
): Promise<Session[]> {
  const providers = await list("providers", { organization_id });
  if (providers.length === 0) return [];
  const links = (await list("oauth_accounts", { user_id }))
    .filter(({ provider_id }) => providers.some(({ id }) => id === provider_id))
    .map(({ id }) => id);
  const sessions = await list("sessions", { user_id, ended_at: null });
  return sessions.filter((session) =>
    methodsOf(session).some(({ credential }) => credential !== null && links.includes(credential)),
  );
}

export function memberRules(database: Database) {
  const { dialect, driver, find, list } = database;
  /** The full cache takes about 30 MB. */
  const byMembership = boundedCache<Member>(
    200_000,
    database,
    ({ roles: of, groups: inThem }) => 20 + of.length + inThem.length,
  );

  const byUser = boundedCache<readonly string[]>(20_000, database);
  const byName = boundedCache<string>(20_000, database);
  const byServer = boundedCache<readonly Role[]>(1, database);
  const byMode = boundedCache<{ readonly some: boolean }>(1, database);

  // SQLite's LIKE ignores case only for ASCII letters, so other letters of a name must be typed in the same
  // case.
  const like = sql.raw(dialect.name === "postgres" ? "ILIKE" : "LIKE");
  const active = statement<Organization>(
    dialect,
    "organizations",
    () => sql<Organization>`SELECT ${allColumns("organizations")} FROM organizations
      WHERE active AND id IN (SELECT organization_id FROM memberships WHERE user_id = ${arg.uuid("user_id")})
        AND (name ${like} ${arg.string("pattern")} ESCAPE '\\' OR slug ${like} ${arg.string("pattern")} ESCAPE '\\')
      ORDER BY name, id LIMIT ${arg.int("most")}`,
  );
  const firstTwo = statement<{ id: string }>(
    dialect,
    "memberships",
    () => sql`SELECT m.id FROM memberships m JOIN organizations o ON o.id = m.organization_id
      WHERE m.user_id = ${arg.uuid("user_id")} AND o.active ORDER BY o.name, o.id LIMIT 2`,
  );
  const app = statement<{ id: string }>(
    dialect,
    "oauth_apps",
    () => sql`SELECT id FROM oauth_apps WHERE organization_mode <> 'none' LIMIT 1`,
  );
  const last = statement<{ membership_id: string }>(
    dialect,
    "oauth_tokens",
    () => sql`SELECT membership_id FROM oauth_tokens
      WHERE user_id = ${arg.uuid("user_id")} AND app_id = ${arg.uuid("app_id")} AND membership_id IS NOT NULL
      ORDER BY id DESC LIMIT 1`,
  );

  const groups = statement<Pick<Group, "id" | "display_name" | "role_ids" | "app_role_ids">>(
    dialect,
    "groups",
    () => sql`SELECT g.id, g.display_name, g.role_ids, g.app_role_ids FROM group_members m
      JOIN groups g ON g.id = m.group_id
      WHERE m.membership_id = ${arg.uuid("id")} AND g.organization_id = ${arg.uuid("organization_id")}
      ORDER BY g.display_name, g.id`,
  );
  // Roles of another organization grant nothing, even if a membership or a group lists them (OC-6).
  const isTheirs = sql<boolean>`(o.organization_id IS NULL OR o.organization_id = ${arg.uuid("organization_id")})`;
  const among = sql`IN (${dialect.idsOf(arg.json("ids"))})`;
  const roles = statement<Member["roles"][number]>(
    dialect,
    "roles",
    () => sql`SELECT o.id, o.name, o.permissions, o.organization_id FROM roles o
      WHERE o.id ${among} AND ${isTheirs} ORDER BY o.name, o.id`,
  );
  const appRoles = statement<Member["app_roles"][number]>(
    dialect,
    "app_roles",
    () => sql`SELECT r.resource_id, r.name, r.scopes FROM app_roles r JOIN resources o ON o.id = r.resource_id
      WHERE r.id ${among} AND ${isTheirs} ORDER BY r.name, r.id`,
  );

  async function memberWith(membership: Membership, organization: Organization): Promise<Member> {
    const { id, organization_id } = membership;
    const found = await groups.all(driver, { id, organization_id });
    const given = (name: RoleList) => [...new Set([membership, ...found].flatMap((each) => each[name]))];
    const named = async <R>(of: Statement<R>, ids: readonly string[]) =>
      ids.length === 0 ? [] : of.all(driver, { ids, organization_id });
    const theirs = { membership, roles: await named(roles, given("role_ids")) };
    const ofServer = () => byServer.get("all", () => list("roles", { organization_id: null }));
    return wholeMember({
      ...theirs,
      organization,
      ...(hasOwnRole(theirs) && { server_roles: (await ofServer()) ?? [] }),
      groups: found.map(({ id: group_id, display_name }) => ({ id: group_id, display_name })),
      app_roles: await named(appRoles, given("app_role_ids")),
    });
  }

  const findMember = (membership_id: string): Promise<Member | undefined> =>
    byMembership.get(membership_id, async () => {
      const membership = await find("memberships", { id: membership_id });
      const organization = membership && (await find("organizations", { id: membership.organization_id }));
      return organization && memberWith(membership, organization);
    });

  return {
    /** Includes members of inactive organizations. */
    findMember,
    sessionsOfProviders,

    async hasOrganizationApp(): Promise<boolean> {
      const answer = async () => ({ some: (await app.first(driver, {})) !== undefined });
      return (await byMode.get("any", answer))?.some ?? false;
    },

    async findMemberIn(user_id: string, id_or_slug: string): Promise<Member | undefined> {
      const id = await byName.get(`${user_id} ${id_or_slug}`, async () => {
        const by = isUuid(id_or_slug) ? { id: id_or_slug.toLowerCase() } : { slug: id_or_slug };
        const organization = await find("organizations", { ...by, active: true });
        const membership =
          organization && (await find("memberships", { user_id, organization_id: organization.id }));
        return membership?.id;
      });
      return id === undefined ? undefined : findMember(id);
    },

    /**
     * Returns at most two of the user's memberships in active organizations, in the order of the
     * organizations' names.
     */
    async firstMembersOf(user_id: string): Promise<readonly Member[]> {
      const read = async () => (await firstTwo.all(driver, { user_id })).map(({ id }) => id);
      const members = await Promise.all(((await byUser.get(user_id, read)) ?? []).map(findMember));
      return members.filter((member) => member !== undefined);
    },

    organizationsOf(user_id: string, most: number, search = ""): Promise<Organization[]> {
      const pattern = `%${search.replaceAll(/[\\%_]/g, "\\$&")}%`;
      return active.all(driver, { user_id, pattern, most });
    },

    /**
     * Returns the organization of the user's newest token for this app that has one, even if inactive.
     * Undefined if there is none, or if the user is no longer a member.
     */
    async lastOrganization(user_id: string, app_id: string): Promise<Organization | undefined> {
      const found = await last.first(driver, { user_id, app_id });
      return found && (await findMember(found.membership_id))?.organization;
    },
  };
}
