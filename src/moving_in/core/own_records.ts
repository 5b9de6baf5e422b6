/**
 * The records to which a file may refer: those that its import creates or created earlier, and those that the
 * map names. Other records of this server may have the same names, and users must not gain access through
 * them (MG-12).
 */
import { isStrings, textOfJson } from "../../records/names/json_shapes.ts";
import { providerPresets } from "../../records/names/names.ts";
import type { Entry, ImportMap, LinkedAccount, Loss, MovedPerson } from "./moved.ts";

export type Manifest = Record<(typeof sections)[number], Record<string, unknown>[]>;

export const sections = ["organizations", "roles", "groups", "providers", "apps"] as const;

export interface RefusedRecord {
  readonly section: (typeof sections)[number];
  readonly entry: Entry;
  readonly object: string;
  readonly reason: string;
}

type Lose = (loss: Loss) => void;

const notOfImport = (what: string) => `this import did not create the ${what} with this name`;

const ofOrganizations = { roles: "role", groups: "group", providers: "provider" } as const;

/**
 * Removes the roles, groups and providers whose organization the import may not change, and returns them.
 * Also removes from groups the roles that the import does not create.
 */
export function removeForeign(
  manifest: Manifest,
  { organization: named }: Pick<ImportMap, "organization">,
  lose: Lose,
): RefusedRecord[] {
  const slugs = new Set<unknown>([named, ...manifest.organizations.map(({ slug }) => slug)]);
  const removed = (["roles", "groups", "providers"] as const).flatMap((section) => {
    const what = ofOrganizations[section];
    const isForeign = ({ organization }: Entry) => organization !== undefined && !slugs.has(organization);
    const foreign = manifest[section].filter(isForeign);
    manifest[section] = manifest[section].filter((entry) => !isForeign(entry));
    return foreign.map((entry) => {
      const object = `${what} ${textOfJson(entry.name ?? entry.display_name ?? entry.slug)}`;
      const reason = `organization ${textOfJson(entry.organization)}: ${notOfImport("organization")}`;
      lose({ object, member: "", reason: `the ${what} is not imported: ${reason}` });
      return { section, entry, object, reason };
    });
  });
  for (const group of manifest.groups) {
    const { organization, roles, display_name } = group;
    if (!isStrings(roles)) continue;
    const isOwn = (name: string) =>
      manifest.roles.some((role) => role.name === name && role.organization === organization);
    const object = `group ${textOfJson(display_name)}`;
    for (const name of roles)
      if (!isOwn(name)) lose({ object, member: `role ${name}`, reason: notOfImport("role") });
    group.roles = roles.filter(isOwn);
  }
  return removed;
}

/**
 * Returns a function that removes a user's references to records outside `accepted`, and reports them as
 * losses. References that the operator wrote into the map are kept. A linked account whose provider is not in
 * the file or the map, but has a preset's name, refers to the preset instead.
 */
export function withOwnRecords(
  accepted: Manifest,
  described: readonly Entry[],
  { providers, organization }: Pick<ImportMap, "providers" | "organization">,
  lose: Lose,
): (person: MovedPerson) => MovedPerson {
  const keyOf = (...names: readonly unknown[]) => JSON.stringify(names);
  const slugsOf = (entries: readonly Entry[]) => entries.map(({ slug }) => slug);
  const own: Readonly<Record<"organization" | "role" | "group" | "provider", ReadonlySet<string>>> = {
    organization: new Set([...slugsOf(accepted.organizations), organization].map((slug) => keyOf(slug))),
    role: new Set(accepted.roles.map((entry) => keyOf(entry.organization, entry.name))),
    group: new Set(accepted.groups.map((entry) => keyOf(entry.organization, entry.display_name))),
    provider: new Set(
      [...slugsOf(accepted.providers), ...Object.values(providers)].map((slug) => keyOf(slug)),
    ),
  };
  const inFile = new Set(slugsOf(described));
  return (person) => {
    const isOwn = (what: keyof typeof own, ...names: readonly string[]) => {
      const is = own[what].has(keyOf(...names));
      const object = `user ${person.email}`;
      if (!is) lose({ object, member: `${what} ${names.join(" ")}`, reason: notOfImport(what) });
      return is;
    };
    const linked = (account: LinkedAccount): LinkedAccount[] => {
      const { provider = "", provider_user_id } = account;
      const isKnown = inFile.has(provider) || own.provider.has(keyOf(provider));
      const preset = isKnown ? undefined : providerPresets.find((name) => name === provider);
      if (preset !== undefined) return [{ preset, provider_user_id }];
      return isOwn("provider", provider) ? [account] : [];
    };
    const { memberships, linked_accounts } = person;
    return {
      ...person,
      ...(linked_accounts && { linked_accounts: linked_accounts.flatMap(linked) }),
      ...(memberships && {
        memberships: memberships
          .filter(({ organization: slug }) => isOwn("organization", slug))
          .map(({ role_ids, groups, ...more }) => ({
            ...more,
            ...(role_ids && { role_ids: role_ids.filter((role) => isOwn("role", more.organization, role)) }),
            ...(groups && { groups: groups.filter((group) => isOwn("group", more.organization, group)) }),
          })),
      }),
    };
  };
}
