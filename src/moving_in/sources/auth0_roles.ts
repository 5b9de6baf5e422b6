/** Auth0: organizations with their members, and the roles of the tenant with their users. */
import type { Granted } from "../core/granted.ts";
import { membersOf } from "../core/members.ts";
import type { ImportMap, Sink } from "../core/moved.ts";
import { slugOf } from "../core/slug.ts";

export interface Tenant {
  readonly granted: Granted;
  /**
   * Slugs of organizations by Auth0's ID. The export has several lines for an organization: one for each page
   * of its members.
   */
  readonly organizations: Map<string, string>;
  /** Roles by Auth0's ID. The export has several lines for a role: one for each page of its users. */
  readonly roles: Map<string, { readonly name: string; readonly description: string | undefined }>;
}

/**
 * Reads an organization as Auth0's API lists it, with the response about the organization's members added as
 * `members`.
 */
export function takeOrganization(value: unknown, { organizations, granted }: Tenant, sink: Sink): void {
  let object = "organization ?";
  const found = membersOf(value, () => object, sink.lose);
  const name = found.text("name") ?? "";
  object = `organization ${name}`;
  const id = found.text("id") ?? name;
  const slug = organizations.get(id) ?? slugOf(name, "organization");
  for (const each of found.list("members")) {
    const member = membersOf(each, object, sink.lose, "members");
    const names = member
      .list("roles")
      .flatMap((role) => membersOf(role, object, sink.lose).text("name") ?? []);
    const user = member.text("user_id");
    if (user === undefined) sink.lose({ object, member: "members", reason: "a member without a user_id" });
    else granted.give(user, slug, { role_ids: names });
  }
  if (organizations.has(id)) return;
  organizations.set(id, slug);
  sink.organization({ slug, name: found.text("display_name") ?? name });
  found.pass("display_name");
  found.end();
}

/** Reads a role as Auth0's API lists it, with the response about the role's users added as `users`. */
export function takeRole(
  value: unknown,
  { roles, granted }: Tenant,
  { organization }: ImportMap,
  sink: Sink,
): void {
  let object = "role ?";
  const found = membersOf(value, () => object, sink.lose);
  const name = found.text("name") ?? "?";
  object = `role ${name}`;
  const id = found.text("id") ?? name;
  for (const each of found.list("users")) {
    const user = membersOf(each, object, sink.lose, "users").text("user_id");
    if (user === undefined) sink.lose({ object, member: "users", reason: "a user without a user_id" });
    else granted.give(user, organization, { role_ids: [name] });
  }
  if (roles.has(id)) return;
  roles.set(id, { name, description: found.text("description") });
  found.lose("permissions", "not imported: define app roles of the API");
  found.end();
}

/**
 * Passes the roles on as roles of the organization that the map names, and of every organization whose
 * members have them.
 */
export function endRoles(tenant: Tenant, { organization }: ImportMap): void {
  const { granted, roles } = tenant;
  const descriptions = new Map<string, string>();
  for (const { name, description } of roles.values()) {
    if (description !== undefined) descriptions.set(name, description);
    if (organization !== undefined || !granted.knows(name)) granted.role(organization, name);
  }
  granted.end(descriptions);
}
