import { isObject } from "../../records/names/json_shapes.ts";
import { needsOrganization } from "../core/granted.ts";
import { membersOf } from "../core/members.ts";
import type { Sink } from "../core/moved.ts";

/** Keycloak creates these roles in every realm, so they are not imported. */
const builtIn = /^(offline_access|uma_authorization|default-roles-.*)$/;

const builtInClients: ReadonlySet<string> = new Set([
  ...["account", "account-console", "admin-cli", "broker", "realm-management", "security-admin-console"],
]);

export interface RealmRoles {
  /**
   * Returns the names of these roles and of all roles that they include. Keycloak's built-in roles, and roles
   * that the file does not define, are left out.
   */
  rolesOf(realmRoles: readonly string[], clientRoles: unknown): string[];
  readonly groups: ReadonlySet<string>;
}

/** The client's name keeps the role distinct from roles of the realm. */
const ofClient = (client: string, role: string) => `${client}:${role}`;

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];

const entriesIn = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : []);

function namesIn(realm: readonly string[], client: unknown): string[] {
  const own = entriesIn(client)
    .filter(([name]) => !builtInClients.has(name))
    .flatMap(([name, roles]) => textsIn(roles).map((role) => ofClient(name, role)));
  return [...realm, ...own];
}

/**
 * Passes the realm's roles and groups on as records of the organization. If there is no organization, reports
 * each as a loss. The name of a group is its whole path, and the group gets the roles of its parents.
 */
export function takeRoles(
  realm: { readonly roles: unknown; readonly groups: readonly unknown[] },
  organization: string | undefined,
  sink: Sink,
): RealmRoles {
  const parts = new Map<string, string[]>();
  const groups = new Set<string>();

  function takeRole(value: unknown, client?: string): void {
    let object = "role ?";
    const role = membersOf(value, () => object, sink.lose);
    const name = role.text("name") ?? "?";
    const whole = client === undefined ? name : ofClient(client, name);
    object = `role ${whole}`;
    const { realm: ofRealm, client: ofClients } = entriesOf(role.raw("composites"));
    parts.set(whole, namesIn(textsIn(ofRealm), ofClients));
    if (client === undefined && builtIn.test(name)) return;
    role.pass("id", "composite", "clientRole", "containerId");
    const description = role.text("description");
    if (organization === undefined) sink.lose({ object, member: "", reason: needsOrganization });
    else sink.role({ organization, name: whole, ...(description !== undefined && { description }) });
    role.lose("attributes", "attributes of roles are not supported");
    role.end();
  }

  function rolesOf(realmRoles: readonly string[], clientRoles: unknown): string[] {
    const found = new Set<string>();
    const add = (name: string) => {
      if (found.has(name)) return;
      found.add(name);
      for (const part of parts.get(name) ?? []) add(part);
    };
    for (const name of namesIn(realmRoles, clientRoles)) add(name);
    return [...found].filter((name) => !builtIn.test(name) && parts.has(name));
  }

  function takeGroup(value: unknown, above: readonly string[]): void {
    let object = "group ?";
    const group = membersOf(value, () => object, sink.lose);
    const path = group.text("path") ?? group.text("name") ?? "?";
    object = `group ${path}`;
    const roles = [...new Set([...above, ...rolesOf(group.texts("realmRoles"), group.raw("clientRoles"))])];
    const external_id = group.text("id");
    if (organization === undefined) sink.lose({ object, member: "", reason: needsOrganization });
    else {
      groups.add(path);
      sink.group({
        ...{ organization, display_name: path, roles },
        ...(external_id !== undefined && { external_id }),
      });
    }
    group.pass("name", "parentId", "subGroupCount");
    group.lose("description", "not supported");
    group.lose("attributes", "attributes of groups are not supported");
    for (const each of group.list("subGroups")) takeGroup(each, roles);
    group.end();
  }

  const { realm: ofRealm, client: ofClients } = entriesOf(realm.roles);
  for (const each of Array.isArray(ofRealm) ? ofRealm : []) takeRole(each);
  for (const [client, list] of entriesIn(ofClients))
    if (!builtInClients.has(client))
      for (const each of Array.isArray(list) ? list : []) takeRole(each, client);
  for (const each of realm.groups) takeGroup(each, []);
  return { rolesOf, groups };
}

function entriesOf(value: unknown): { readonly realm: unknown; readonly client: unknown } {
  const own = (name: string) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined);
  return { realm: own("realm"), client: own("client") };
}
