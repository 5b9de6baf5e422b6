import type { APIKey, Membership, OAuthApp } from "../../records/definition/definition.ts";
import type { Kind } from "../../records/definition/field.ts";
import { everywhere, scopeOwnersOf, serverItself } from "../../records/rules/scope_owners.ts";
import type { Dialect } from "../database/dialect.ts";
import type { Connection } from "../database/driver.ts";
import { firstId } from "../database/ids.ts";

/**
 * Adds, for each plain scope (`isPlainScope`) of an API key, the owners whose resource servers accept it. A
 * scope without owners is not accepted anywhere.
 */
export const scopeOwners = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE api_keys ADD COLUMN scope_owners ${t.json} NOT NULL DEFAULT '{}';
`;

const keysAtOnce = 1000;

/** The roles that could grant scopes at the time of this migration. */
const givingRoles: readonly string[] = ["developer", "admin", "owner"];

type OwnersOf = (scope: string) => readonly string[];

/**
 * Computes the scope owners of existing API keys. Scopes of an organization's key are valid in that
 * organization, and those of a platform administrator's key everywhere. Scopes of other users' keys are valid
 * where the user could have granted them.
 */
export async function fillScopeOwners(connection: Connection, dialect: Dialect): Promise<void> {
  const [first, second] = dialect.name === "postgres" ? ["$1", "$2"] : ["?", "?"];
  const ofUsers = new Map<string, OwnersOf>();

  async function ownersOfUser(id: string, is_platform_admin: boolean): Promise<OwnersOf> {
    if (is_platform_admin) return () => [everywhere];
    const user_id = dialect.encode("uuid", id);
    const memberships = await connection.all(
      `SELECT organization_id, role, permissions FROM memberships WHERE user_id = ${first}`,
      [user_id],
    );
    const organizations = memberships.flatMap((row) => {
      const permissions = (dialect.decode("json", row.permissions) as Membership["permissions"]) ?? [];
      const gives = givingRoles.includes(String(row.role)) || permissions.includes("apps:write");
      return gives ? [dialect.decode("uuid", row.organization_id) as string] : [];
    });
    const apps = await connection.all(
      `SELECT allowed_scopes FROM oauth_apps WHERE owner_id = ${first} AND organization_id IS NULL`,
      [user_id],
    );
    const ofServer = new Set(
      apps.flatMap((row) => dialect.decode("json", row.allowed_scopes) as OAuthApp["allowed_scopes"]),
    );
    return (scope) => [...organizations, ...(ofServer.has(scope) ? [serverItself] : [])];
  }

  for (let after = firstId; ; ) {
    const rows = await connection.all(
      `SELECT k.id, k.scopes, k.user_id, k.organization_id, u.is_platform_admin
       FROM api_keys k LEFT JOIN users u ON u.id = k.user_id
       WHERE k.id > ${first} ORDER BY k.id LIMIT ${second}`,
      [dialect.encode("uuid", after), keysAtOnce],
    );
    for (const row of rows) {
      after = dialect.decode("uuid", row.id) as string;
      const organization_id = dialect.decode("uuid", row.organization_id) as string | null;
      const user_id = dialect.decode("uuid", row.user_id) as string | null;
      let ownersOf: OwnersOf = () => (organization_id === null ? [] : [organization_id]);
      if (organization_id === null && user_id !== null) {
        ownersOf = ofUsers.get(user_id) ?? (await ownersOfUser(user_id, Boolean(row.is_platform_admin)));
        ofUsers.set(user_id, ownersOf);
      }
      const owners = scopeOwnersOf(dialect.decode("json", row.scopes) as APIKey["scopes"], ownersOf);
      if (Object.keys(owners).length === 0) continue;
      await connection.run(`UPDATE api_keys SET scope_owners = ${first} WHERE id = ${second}`, [
        dialect.encode("json", owners),
        row.id,
      ]);
    }
    if (rows.length < keysAtOnce) break;
  }
}
