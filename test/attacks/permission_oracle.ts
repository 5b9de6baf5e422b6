/**
 * The permissions of each actor, computed from the current rows by the rules of docs/permissions.md, without
 * code of the server. A permission includes its place: `apps:write@<organization>`, `@own:<person>` or
 * `@everywhere`.
 */
import type {
  APIKey,
  Group,
  Invitation,
  Membership,
  OAuthApp,
  OAuthConsent,
  Organization,
  Role,
  ServiceAccount,
  User,
} from "../../src/records/definition/definition.ts";
import type { Store } from "../../src/storage/store.ts";
import { carriedBy, everyWord, permissionsOf } from "./permission_model.ts";

export interface Rows {
  readonly users: readonly User[];
  readonly organizations: readonly Organization[];
  readonly memberships: readonly Membership[];
  readonly keys: readonly APIKey[];
  readonly apps: readonly OAuthApp[];
  readonly accounts: readonly ServiceAccount[];
  readonly consents: readonly OAuthConsent[];
  /**
   * Their `permissions` are names of an application's permissions, and grant no permission on this server.
   */
  readonly roles: readonly Role[];
  readonly groups: readonly Group[];
  readonly invitations: readonly Invitation[];
}

export async function readRows(store: Store): Promise<Rows> {
  const [users, organizations, memberships, keys, apps, accounts, consents, roles, groups, invitations] =
    await Promise.all([
      store.list("users", {}),
      store.list("organizations", {}),
      store.list("memberships", {}),
      store.list("api_keys", {}),
      store.list("oauth_apps", {}),
      store.list("service_accounts", {}),
      store.list("oauth_consents", {}),
      store.list("roles", {}),
      store.list("groups", {}),
      store.list("invitations", {}),
    ]);
  return { users, organizations, memberships, keys, apps, accounts, consents, roles, groups, invitations };
}

/**
 * Returns the roles of other organizations that members, groups and invitations have, in violation of
 * docs/organizations.md.
 */
export function foreignRoles({ roles, memberships, groups, invitations }: Rows): string[] {
  const owners = new Map(roles.map(({ id, organization_id }) => [id, organization_id]));
  return [...memberships, ...groups, ...invitations].flatMap(({ id, organization_id, role_ids }) =>
    role_ids
      .filter((role) => ![null, organization_id].includes(owners.get(role) ?? null))
      .map((role) => `${role} of ${id}`),
  );
}

/** The credentials that an actor has, initially or through their actions. */
export interface Holder {
  readonly name: string;
  /** The ids of keys whose text the actor knows. */
  readonly keys: Set<string>;
  /** The ids of users whose accounts the actor controls. */
  readonly people: Set<string>;
  /** The ids of apps of which the actor knows a secret. */
  readonly secrets: Set<string>;
  /** The ids of apps whose codes are sent to the actor. */
  readonly redirects: Set<string>;
  /** The ids of service accounts of which the actor has a key pair. */
  readonly accounts: Set<string>;
}

export const aHolder = (name: string): Holder => ({
  name,
  keys: new Set(),
  people: new Set(),
  secrets: new Set(),
  redirects: new Set(),
  accounts: new Set(),
});

export type Permission = string;

const unlimited = ["postern:manage"];

/** The permission to get codes of all signed-in users without a page, which an app without consent has. */
const silence = "silence@everywhere";

/**
 * Global permissions apply in each organization. Declaring that an app needs no consent requires all of them.
 */
function everywhere(rows: Rows, words: ReadonlySet<string>): Permission[] {
  const places = [
    "everywhere",
    ...rows.organizations.map(({ id }) => id),
    ...rows.users.map(({ id }) => `own:${id}`),
  ];
  const permissions = [...words].flatMap((word) => places.map((place) => `${word}@${place}`));
  return everyWord.every((word) => words.has(word)) ? [...permissions, silence] : permissions;
}

/** Returns the permissions of a user with a credential that has these scopes. */
export function permissionsOfPerson(
  rows: Rows,
  id: string,
  scopes: readonly string[] = unlimited,
): Permission[] {
  const user = rows.users.find((each) => each.id === id);
  if (user === undefined || !user.active) return [];
  const lets = carriedBy(scopes);
  if (user.is_platform_admin)
    return [...everywhere(rows, lets), ...rows.organizations.map((each) => `ownership@${each.id}`)];
  const own = [...permissionsOf({}, "person")]
    .filter((word) => lets.has(word))
    .map((word) => `${word}@own:${id}`);
  const held = rows.memberships
    .filter(({ user_id }) => user_id === id)
    .filter(({ organization_id }) =>
      rows.organizations.some((each) => each.id === organization_id && each.active),
    )
    .flatMap(({ organization_id, role, permissions }) => {
      const words = new Set([
        ...permissionsOf({ it: role }, "machine"),
        ...(permissions ?? []).filter((word) => everyWord.includes(word)),
      ]);
      const let_through = [...words]
        .filter((word) => lets.has(word))
        .map((word) => `${word}@${organization_id}`);
      return role === "owner" ? [...let_through, `ownership@${organization_id}`] : let_through;
    });
  return [...own, ...held];
}

/** Returns the permissions of a machine in its organization: those of an admin, limited by its scopes. */
function permissionsOfMachine(rows: Rows, organization_id: string, scopes: readonly string[]): Permission[] {
  if (!rows.organizations.some(({ id, active }) => id === organization_id && active)) return [];
  const lets = carriedBy(scopes);
  return [...permissionsOf({ it: "admin" }, "machine")]
    .filter((word) => lets.has(word))
    .map((word) => `${word}@${organization_id}`);
}

export function permissionsOfKey(rows: Rows, id: string): Permission[] {
  const key = rows.keys.find((each) => each.id === id);
  if (key === undefined || key.revoked) return [];
  const { user_id, organization_id, scopes } = key;
  return [
    ...(user_id === null ? [] : permissionsOfPerson(rows, user_id, scopes)),
    ...(organization_id === null ? [] : permissionsOfMachine(rows, organization_id, scopes)),
  ];
}

function standingApp(rows: Rows, id: string): OAuthApp | undefined {
  return rows.apps.find((app) => app.id === id && app.active && app.revoked_at === null);
}

/** Returns the permissions of a client that acts for itself with its secret. */
function permissionsOfSecret(rows: Rows, id: string): Permission[] {
  const app = standingApp(rows, id);
  if (app === undefined || app.public || !app.allowed_grants.includes("client_credentials")) return [];
  const { organization_id, allowed_scopes } = app;
  return organization_id === null
    ? everywhere(rows, carriedBy(allowed_scopes))
    : permissionsOfMachine(rows, organization_id, allowed_scopes);
}

/**
 * Returns the permissions of a holder of an app's codes, who acts for all users who consented or need not
 * consent.
 */
function permissionsOfRedirect(rows: Rows, id: string): Permission[] {
  const app = standingApp(rows, id);
  if (app === undefined || !app.allowed_grants.includes("auth_code")) return [];
  if (app.first_party)
    return [silence, ...rows.users.flatMap((user) => permissionsOfPerson(rows, user.id, app.allowed_scopes))];
  return rows.consents
    .filter(({ app_id, revoked, granted }) => app_id === id && granted && !revoked)
    .flatMap(({ user_id, scopes }) =>
      permissionsOfPerson(
        rows,
        user_id,
        scopes.filter((scope) => app.allowed_scopes.includes(scope)),
      ),
    );
}

function permissionsOfAccount(rows: Rows, id: string): Permission[] {
  const account = rows.accounts.find((each) => each.id === id && each.active);
  return account === undefined
    ? []
    : permissionsOfMachine(rows, account.organization_id, account.allowed_scopes);
}

/** Returns all permissions that an actor has through these credentials. */
export function permissionsHeld(rows: Rows, holder: Holder): ReadonlySet<Permission> {
  const of = (ids: ReadonlySet<string>, permissions: (rows: Rows, id: string) => Permission[]) =>
    [...ids].flatMap((id) => permissions(rows, id));
  return new Set([
    ...of(holder.keys, permissionsOfKey),
    ...of(holder.people, permissionsOfPerson),
    ...of(holder.secrets, permissionsOfSecret),
    ...of(holder.redirects, permissionsOfRedirect),
    ...of(holder.accounts, permissionsOfAccount),
  ]);
}
