import { reason } from "../../../errors/field_errors.ts";
import type { Membership, User } from "../../../records/definition/definition.ts";
import { isRole } from "../../../records/definition/permissions.ts";
import { administratorsLock, ownersLock, recordLock, userLock } from "../../../records/names/lock_names.ts";
import { roleNamesLock } from "../../access/used_names.ts";
import type { Outcome, Passage, Refused } from "../../manage/manifest_passage.ts";
import type { ManifestRules } from "../../manage/manifest_rules.ts";

type Refusing<T extends "users" | "organizations" | "memberships"> = Pick<
  ManifestRules<T>,
  "refusals" | "locks"
>;

const isAdministrator = (user: User | undefined) => user?.is_platform_admin === true && user.active;
const losesAdministrator = ({ before, after }: Passage<"users">) =>
  isAdministrator(before) && !isAdministrator(after);

const isOwner = (membership: Membership | undefined) => membership?.role === "owner";
const losesOwner = ({ before, after }: Passage<"memberships">) => isOwner(before) && !isOwner(after);

async function hasOwner(outcome: Outcome, organization_id: string): Promise<boolean> {
  for (const { user_id } of await outcome.list("memberships", { organization_id, role: "owner" })) {
    if ((await outcome.list("users", { id: user_id, active: true })).length > 0) return true;
  }
  return false;
}

async function ownerless(outcome: Outcome, organization_id: string): Promise<Refused[]> {
  const organization = await outcome.stored.find("organizations", { id: organization_id });
  if (outcome.goes("organizations", organization_id) || (await hasOwner(outcome, organization_id))) return [];
  return [["last_owner", reason("last_owner", { organization: String(organization?.slug) })]];
}

export const refusingUsers: Refusing<"users"> = {
  async refusals(user, outcome) {
    const refused: Refused[] = [];
    if (losesAdministrator(user)) {
      const administrators = await outcome.list("users", { is_platform_admin: true, active: true });
      if (administrators.length === 0) refused.push(["last_administrator", reason("last_administrator")]);
    }
    if (user.after !== undefined) return refused;
    const apps = await outcome.list("oauth_apps", { owner_id: user.id });
    const accounts = await outcome.list("service_accounts", { created_by: user.id });
    if (apps.length + accounts.length > 0) {
      const ofOrganizations = accounts.length > 0 || apps.some((app) => app.organization_id !== null);
      const why = reason("still_owns", { apps: apps.length, service_accounts: accounts.length });
      refused.push([ofOrganizations ? "successor_required" : "conflict", why]);
    }
    const owned = await outcome.stored.list("memberships", { user_id: user.id, role: "owner" });
    for (const { organization_id } of owned) refused.push(...(await ownerless(outcome, organization_id)));
    return refused;
  },
  locks: async (user, stored) => {
    const isDeleted = user.after === undefined;
    const owned = isDeleted ? await stored.list("memberships", { user_id: user.id, role: "owner" }) : [];
    return [
      ...(user.before !== undefined && !isAdministrator(user.after) ? [administratorsLock()] : []),
      ...(isDeleted ? [userLock(user.id)] : []),
      ...owned.map(({ organization_id }) => ownersLock(organization_id)),
    ];
  },
};

export const refusingOrganizations: Refusing<"organizations"> = {
  async refusals({ id, after }, outcome) {
    if (after !== undefined) return [];
    const apps = await outcome.list("oauth_apps", { organization_id: id });
    const accounts = await outcome.list("service_accounts", { organization_id: id });
    const refused: Refused[] = [];
    if (apps.length + accounts.length > 0) {
      const why = reason("still_has", { apps: apps.length, service_accounts: accounts.length });
      refused.push(["conflict", why]);
    }
    for (const provider of await outcome.list("providers", { organization_id: id })) {
      const links = (await outcome.list("oauth_accounts", { provider_id: provider.id })).length;
      if (links > 0) refused.push(["links_exist", reason("still_linked", { links })]);
    }
    return refused;
  },
  // Creating a linked account requires the lock of its provider, so these locks prevent new ones.
  locks: async ({ id, after }, stored) =>
    after === undefined
      ? (await stored.list("providers", { organization_id: id })).map((it) => recordLock("providers", it.id))
      : [],
};

export const refusingMemberships: Refusing<"memberships"> = {
  async refusals(membership, outcome) {
    const { before } = membership;
    return before !== undefined && losesOwner(membership) ? ownerless(outcome, before.organization_id) : [];
  },
  // Deleting a membership ends tokens and sessions of its user, under the user's lock.
  locks: (membership) => {
    const { before, after } = membership;
    const isText = after !== undefined && !isRole(after.role);
    const named = isText ? [roleNamesLock()] : [];
    if (before === undefined) return named;
    return [
      ...named,
      ...(after === undefined ? [userLock(before.user_id)] : []),
      ...(isOwner(after) ? [] : [ownersLock(before.organization_id)]),
    ];
  },
};
