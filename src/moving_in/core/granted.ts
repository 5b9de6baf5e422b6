import type { Loss, MovedMembership, Sink } from "./moved.ts";

interface Given {
  readonly role_ids?: readonly string[];
  readonly groups?: readonly string[];
}

/**
 * Collects roles by organization and memberships by user, and passes groups to the sink. Roles and groups
 * without an organization are reported as losses, because an import creates roles and groups only in
 * organizations.
 */
export interface Granted {
  role(organization: string | undefined, name: string, description?: string): void;
  group(organization: string | undefined, display_name: string, external_id: string | undefined): void;
  knows(role: string): boolean;
  /**
   * Makes the user a member with these roles and groups, in addition to those given earlier. The roles also
   * become records of the organization.
   */
  give(user: string, organization: string | undefined, given?: Given): void;
  /** Returns and removes all of the user's memberships, or only the one in `organization`. */
  take(user: string | undefined, organization?: string): MovedMembership[];
  /**
   * Passes the collected roles to the sink. `descriptions` maps role names to descriptions for roles that
   * have none. Memberships that were not taken are reported as losses.
   */
  end(descriptions?: ReadonlyMap<string, string>): void;
}

export const needsOrganization =
  "it belongs to an organization: set organization in the --map file or the form";

export function grantedTo(sink: Sink): Granted {
  const users = new Map<string, Map<string, Record<keyof Given, Set<string>>>>();
  const roles = new Map<string, Map<string, string | undefined>>();
  const names = new Set<string>();
  const lose = (object: string, member: string, reason: Loss["reason"]) =>
    sink.lose({ object, member, reason });

  function role(organization: string | undefined, name: string, description?: string): void {
    if (organization === undefined) {
      lose(`role ${name}`, "", needsOrganization);
      return;
    }
    const own = roles.get(organization) ?? new Map<string, string | undefined>();
    roles.set(organization, own.set(name, own.get(name) ?? description));
    names.add(name);
  }

  return {
    role,
    knows: (name) => names.has(name),
    group(organization, display_name, external_id) {
      if (organization === undefined) lose(`group ${display_name}`, "", needsOrganization);
      else
        sink.group({
          ...{ organization, display_name },
          ...(external_id !== undefined && { external_id }),
        });
    },
    give(user, organization, { role_ids = [], groups = [] } = {}) {
      if (organization === undefined) {
        for (const name of role_ids) lose(`user ${user}`, `role ${name}`, needsOrganization);
        for (const name of groups) lose(`user ${user}`, `group ${name}`, needsOrganization);
        return;
      }
      for (const name of role_ids) role(organization, name);
      const own = users.get(user) ?? new Map<string, Record<keyof Given, Set<string>>>();
      const had = own.get(organization) ?? { role_ids: new Set(), groups: new Set() };
      for (const name of role_ids) had.role_ids.add(name);
      for (const name of groups) had.groups.add(name);
      users.set(user, own.set(organization, had));
    },
    take(user = "", organization) {
      const own = users.get(user);
      const taken = [...(own ?? [])].filter(([slug]) => organization === undefined || slug === organization);
      for (const [slug] of taken) own?.delete(slug);
      return taken.map(([slug, { role_ids, groups }]) => ({
        ...{ organization: slug, role: "member" },
        ...(role_ids.size > 0 && { role_ids: [...role_ids] }),
        ...(groups.size > 0 && { groups: [...groups] }),
      }));
    },
    end(descriptions) {
      for (const [organization, own] of roles)
        for (const [name, described] of own) {
          const description = described ?? descriptions?.get(name);
          sink.role({ organization, name, ...(description !== undefined && { description }) });
        }
      for (const [user, own] of users)
        for (const [slug, { role_ids, groups }] of own)
          lose(
            `user ${user}`,
            ["membership", slug, [...role_ids, ...groups].join(", ")].join(" ").trim(),
            "the export has no such user in the organization",
          );
    },
  };
}
