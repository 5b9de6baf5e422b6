/** Records as data: `$user` and other placeholders represent ids of records created on demand. */
import { randomUUID } from "node:crypto";
import type { Store } from "../../src/storage/store.ts";
import { anApp, anOrganization, aServiceAccount, aUser } from "../support/builders.ts";
import type { ManagementFixture } from "../support/management_fixture.ts";

export type Placeholders = Readonly<Record<string, () => string | Promise<string>>>;

export const placeholdersOf = (store: Store): Placeholders => ({
  $user: async () => (await aUser(store)).id,
  $email: async () => (await aUser(store)).email,
  $organization: async () => (await anOrganization(store)).id,
  $app: async () => (await anApp(store)).id,
  $account: async () => (await aServiceAccount(store)).id,
  $word: () => randomUUID().slice(24),
});

/** Returns placeholders for the existing organizations and users too. */
export const placeholdersAt = ({ store, acme, other, people }: ManagementFixture): Placeholders => ({
  ...placeholdersOf(store),
  $acme: () => acme.id,
  $other: () => other.id,
  $root: () => people.root.id,
  $owner: () => people.owner.id,
  $outsider: () => people.outsider.id,
  $guest: () => people.guest.id,
});

/** Returns the value with each placeholder replaced, at any depth. */
export async function filled(value: unknown, placeholders: Placeholders): Promise<unknown> {
  if (typeof value === "string") {
    const [name = ""] = /\$[a-z_]+/.exec(value) ?? [];
    const found = await placeholders[name]?.();
    return found === undefined ? value : value.replace(name, found);
  }
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return Promise.all(value.map((each) => filled(each, placeholders)));
  const members = Object.entries(value).map(async ([name, each]) => [name, await filled(each, placeholders)]);
  return Object.fromEntries(await Promise.all(members));
}
