/**
 * The records of a file that are not imported, and the access that the file's users must not gain through
 * other records with the same names (MG-12).
 */
import { isStrings, textOfJson } from "../../records/names/json_shapes.ts";
import type { ImportMap, Loss, MovedPerson } from "./moved.ts";

type Entry = Readonly<Record<string, unknown>>;

export interface RefusedRecord {
  readonly section: "organizations" | "roles" | "groups" | "providers" | "apps";
  readonly entry: Entry;
  readonly object: string;
  readonly reason: string;
}

/**
 * Removes refused roles from the groups of their organization, because another role of this server may have
 * the same name.
 */
export function removeRefusedRoles(
  groups: readonly Record<string, unknown>[],
  refused: readonly RefusedRecord[],
  lose: (loss: Loss) => void,
): void {
  for (const { section, entry } of refused) {
    if (section !== "roles") continue;
    for (const group of groups) {
      const { organization, roles, display_name } = group;
      if (organization !== entry.organization || !isStrings(roles)) continue;
      const left = roles.filter((name) => name !== entry.name);
      if (left.length === roles.length) continue;
      group.roles = left;
      const object = `group ${textOfJson(display_name)}`;
      lose({ object, member: `role ${textOfJson(entry.name)}`, reason: notOfImport("role") });
    }
  }
}

const notOfImport = (what: string) => `this import did not create the ${what} with this name`;

/**
 * Removes users' references to refused records, because other organizations, roles, groups and providers of
 * this server may have the same names. References that the operator wrote into the map are kept.
 */
export function withoutRefused(
  refused: readonly RefusedRecord[],
  { providers, organization }: Pick<ImportMap, "providers" | "organization">,
  lose: (loss: Loss) => void,
): (person: MovedPerson) => MovedPerson {
  const keyOf = (section: RefusedRecord["section"], ...names: readonly unknown[]) =>
    JSON.stringify([section, ...names]);
  const keys = new Set(
    refused.map(({ section, entry }) => {
      if (section === "roles") return keyOf(section, entry.organization, entry.name);
      if (section === "groups") return keyOf(section, entry.organization, entry.display_name);
      return keyOf(section, entry.slug);
    }),
  );
  const named: ReadonlySet<unknown> = new Set([...Object.values(providers), organization]);
  return (person) => {
    if (keys.size === 0) return person;
    const isOurs = (what: string, section: RefusedRecord["section"], ...names: readonly string[]) => {
      const isRefused = keys.has(keyOf(section, ...names)) && !(names.length === 1 && named.has(names[0]));
      if (isRefused)
        lose({
          object: `user ${person.email}`,
          member: `${what} ${names.join(" ")}`,
          reason: notOfImport(what),
        });
      return !isRefused;
    };
    const { memberships, linked_accounts } = person;
    return {
      ...person,
      ...(linked_accounts && {
        linked_accounts: linked_accounts.filter(({ provider }) => isOurs("provider", "providers", provider)),
      }),
      ...(memberships && {
        memberships: memberships
          .filter(({ organization: slug }) => isOurs("organization", "organizations", slug))
          .map(({ role_ids, groups, ...more }) => ({
            ...more,
            ...(role_ids && {
              role_ids: role_ids.filter((role) => isOurs("role", "roles", more.organization, role)),
            }),
            ...(groups && {
              groups: groups.filter((group) => isOurs("group", "groups", more.organization, group)),
            }),
          })),
      }),
    };
  };
}
