/** In any order of attempts, no actor creates a record with more permissions than their own. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { permissionsAnywhere, permissionsIn } from "../../src/admin/access/access.ts";
import { type Actor, type EffectivePermissions, permissionsOfActor } from "../../src/admin/access/actor.ts";
import { guardChange, guardNew } from "../../src/admin/guards/guards.ts";
import { Problem } from "../../src/errors.ts";
import type { NewRow, Row, TableName } from "../../src/records/definition/definition.ts";
import { managementScopes, permissions } from "../../src/records/definition/permissions.ts";
import { roles } from "../../src/records/names/names.ts";
import { anApiKey, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { aMembership, type ManagementFixture, managementFixture } from "../support/management_fixture.ts";

/** Returns all permissions of the actor as texts, each with `own` or the organization in which it applies. */
function powersOf(actorPermissions: EffectivePermissions): Set<string> {
  const anywhere = permissionsAnywhere({ ...actorPermissions, organizations: new Map() });
  return new Set([
    ...[...anywhere].map((permission) => `own ${permission}`),
    ...[...actorPermissions.organizations].flatMap(([id, { role }]) => [
      ...[...permissionsIn(actorPermissions, id)].map((permission) => `${id} ${permission}`),
      ...(role === "owner" ? [`${id} ownership`] : []),
    ]),
  ]);
}

const grants = fc.record({
  role: fc.constantFrom(...roles, "accountant"),
  permissions: fc.option(fc.array(fc.constantFrom(...permissions), { maxLength: 3 })),
  scopes: fc.uniqueArray(fc.constantFrom(...managementScopes, "token:introspect", "orders:read"), {
    maxLength: 4,
  }),
});

const maker = fc.record({
  kind: fc.constantFrom("user", "organization", "service_account", "client"),
  role: fc.constantFrom(...roles, "accountant"),
  permissions: fc.option(fc.array(fc.constantFrom(...permissions), { maxLength: 4 })),
  scopes: fc.option(fc.uniqueArray(fc.constantFrom(...managementScopes), { maxLength: 12 })),
});

const things = [
  "memberships",
  "user key",
  "organization key",
  "joint key",
  "service_accounts",
  "oauth_apps",
] as const;
const attempt = fc.record({
  thing: fc.constantFrom(...things),
  isNew: fc.boolean(),
  toSelf: fc.boolean(),
  grants,
});

type Maker = typeof maker extends fc.Arbitrary<infer M> ? M : never;
type Attempt = typeof attempt extends fc.Arbitrary<infer A> ? A : never;

async function actorOf(fixture: ManagementFixture, made: Maker): Promise<Actor> {
  const { store, acme, account, app } = fixture;
  const scopes = made.scopes ?? ["postern:manage"];
  switch (made.kind) {
    case "organization":
      return { kind: "organization", organization: acme, api_key_id: randomUUID(), scopes };
    case "service_account":
      return { kind: "service_account", account, scopes };
    case "client":
      return { kind: "client", app, scopes };
    default: {
      const user = await aUser(store);
      const { role, permissions } = made;
      await aMembership(store, { user_id: user.id, organization_id: acme.id, role, permissions });
      return { kind: "user", user, ...(made.scopes === null ? {} : { scopes: made.scopes }) };
    }
  }
}

const refusals = ["forbidden", "not_found"];

/**
 * Makes the attempt. Returns the permissions that the record gained; undefined if the attempt was refused.
 */
async function tryIt(
  fixture: ManagementFixture,
  maker: Actor,
  tried: Attempt,
): Promise<Set<string> | undefined> {
  const { store, acme, people } = fixture;
  const actorPermissions = await permissionsOfActor({ store, actor: maker });
  const { role, permissions, scopes } = tried.grants;

  async function write<T extends TableName>(
    table: T,
    row: Row<T>,
    before: Partial<Row<T>>,
  ): Promise<boolean> {
    const { id } = row as { id: string };
    try {
      await store.transaction(async (tx) => {
        if (tried.isNew) {
          await guardNew(tx, actorPermissions, table, row as unknown as NewRow<T>);
          await tx.insert(table, row as unknown as NewRow<T>);
          return;
        }
        const changes = Object.fromEntries(
          Object.keys(before).map((name) => [name, (row as Record<string, unknown>)[name]]),
        ) as Partial<Row<T>>;
        await tx.insert(table, { ...row, ...before } as unknown as NewRow<T>);
        await guardChange(tx, actorPermissions, table, { ...row, ...before }, changes);
        await tx.update(table, { id } as never, changes);
      });
      return true;
    } catch (error) {
      if (error instanceof Problem && refusals.includes(error.code)) return false;
      throw error;
    }
  }
  const powers = async (actor: Actor) => powersOf(await permissionsOfActor({ store, actor }));
  const self = maker.kind === "user" ? maker.user : people.guest;
  const holder = tried.toSelf ? self : people.guest;

  switch (tried.thing) {
    case "memberships": {
      const user = await aUser(store);
      const row = { ...fixture.memberships.member, id: randomUUID(), user_id: user.id, role, permissions };
      const before = { role: "accountant", permissions: null };
      const done = await write("memberships", row, before);
      // Every user has the same rights to their own records.
      const gained = await powers({ kind: "user", user });
      return done ? new Set([...gained].filter((power) => !power.startsWith("own "))) : undefined;
    }
    case "service_accounts": {
      const row = { ...fixture.account, ...distinctAccount(), created_by: holder.id, allowed_scopes: scopes };
      if (!(await write("service_accounts", row, { allowed_scopes: [] }))) return undefined;
      return powers({ kind: "service_account", account: row, scopes });
    }
    case "oauth_apps": {
      const row = {
        ...fixture.app,
        id: randomUUID(),
        client_id: randomUUID(),
        owner_id: holder.id,
        allowed_scopes: scopes,
      };
      if (!(await write("oauth_apps", row, { allowed_scopes: [] }))) return undefined;
      return powers({ kind: "client", app: row, scopes });
    }
    default: {
      const user_id = tried.thing === "organization key" ? null : holder.id;
      const organization_id = tried.thing === "user key" ? null : acme.id;
      const made = await anApiKey(store, { user_id, organization_id });
      await store.remove("api_keys", { id: made.id });
      if (!(await write("api_keys", { ...made, scopes }, { scopes: [] }))) return undefined;
      const asUser = await powers({ kind: "user", user: holder, scopes });
      const asOrganization = await powers({
        kind: "organization",
        organization: acme,
        api_key_id: made.id,
        scopes,
      });
      if (user_id === null) return asOrganization;
      return organization_id === null ? asUser : new Set([...asUser, ...asOrganization]);
    }
  }
}

function distinctAccount() {
  const email = `${randomUUID()}@machines.example`;
  return { id: randomUUID(), email, email_key: email };
}

for (const database of databasesInForm)
  describe(`the permissions that a caller may grant, on ${database.name}`, async () => {
    const fixture = await managementFixture(await database.open());

    test("a caller without platform administration creates no record with more permissions than their own", async () => {
      let granted = 0;
      await fc.assert(
        fc.asyncProperty(maker, fc.array(attempt, { minLength: 1, maxLength: 6 }), async (made, attempts) => {
          const actor = await actorOf(fixture, made);
          for (const tried of attempts) {
            const before = powersOf(await permissionsOfActor({ store: fixture.store, actor }));
            const gained = await tryIt(fixture, actor, tried);
            if (gained === undefined) continue;
            granted += gained.size;
            const beyond = [...gained].filter((power) => !before.has(power));
            assert.deepEqual(beyond, [], JSON.stringify(tried));
          }
        }),
        { numRuns: database.name === "SQLite" ? 400 : 100 },
      );
      assert.ok(granted > 0, "nothing was ever granted, so nothing was shown");
    });
  });
