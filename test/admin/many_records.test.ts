/** What an export and a new record cost in an organization with many records. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Actor, type AdminContext, permissionsOfActor } from "../../src/admin/access/actor.ts";
import { scopeErrors } from "../../src/admin/access/grantable.ts";
import { importPeople } from "../../src/admin/imports/import_people.ts";
import { createRecord } from "../../src/admin/manage/manage.ts";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { exportManifest } from "../../src/admin/manifest/export.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { roleNameKey } from "../../src/records/formats/role_names.ts";
import type { Connection, Driver } from "../../src/storage/database/driver.ts";
import type { Store } from "../../src/storage/store.ts";
import {
  aMembership,
  anApiKey,
  anApp,
  anAppRole,
  anOrganization,
  aResource,
  aRole,
  aServiceAccount,
  aUser,
  insertMany,
  start,
} from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { refused, testContext } from "./context.ts";

interface Cost {
  reads: number;
  rows: number;
}

/** Returns the same object; its reads, and those of its transactions, are added to the cost. */
function counted<T extends object>(target: T, cost: Cost): T {
  const reads = ["find", "list", "listColumns", "count"];
  return new Proxy(target, {
    get(from, name) {
      const value: unknown = Reflect.get(from, name);
      if (typeof value !== "function") return value;
      if (name === "transaction")
        return (work: (tx: object) => unknown) => value.call(from, (tx: object) => work(counted(tx, cost)));
      if (!reads.includes(String(name))) return value;
      return async (...input: unknown[]) => {
        const found = await value.apply(from, input);
        cost.reads += 1;
        cost.rows += Array.isArray(found) ? found.length : 1;
        return found;
      };
    },
  });
}

async function costOf(
  context: AdminContext & { readonly store: Store },
  work: (of: AdminContext) => Promise<unknown>,
): Promise<Cost> {
  const cost = { reads: 0, rows: 0 };
  await work({ ...context, store: counted(context.store, cost) });
  return cost;
}

const named = (word: string, count: number) => Array.from({ length: count }, (_, n) => `${word} ${n}`);

describeInForm("an organization with many records", (database) => {
  test("an export reads each of them a fixed number of times, and other requests get their turn", async () => {
    async function exported(count: number) {
      const context = testContext(await database.open());
      const { store } = context;
      const { id: organization_id } = await anOrganization(store);
      const { id: resource_id } = await aResource(store, { organization_id, scopes: {} });
      const { id: owner_id } = await aUser(store);
      await aRole(store, { name: "server" });
      for (const name of named("r", count)) {
        await anAppRole(store, { resource_id, name });
        await aRole(store, { organization_id, name });
        await aMembership(store, { organization_id, role: `text ${name}` });
        await anApp(store, { organization_id, owner_id, allowed_scopes: ["z:r"] });
        await anApiKey(store, { organization_id, scopes: ["z:r"] });
        await aServiceAccount(store, { organization_id, created_by: owner_id, allowed_scopes: ["z:r"] });
      }
      let [turns, isDone] = [0, false];
      const turn = () => {
        turns += 1;
        if (!isDone) setImmediate(turn);
      };
      setImmediate(turn);
      const cost = await costOf(context, async (of) => {
        const { app_roles, memberships } = await exportManifest(of);
        assert.deepEqual([app_roles?.length, memberships?.length], [count, count]);
      });
      isDone = true;
      return { ...cost, turns };
    }
    const [small, large] = [await exported(30), await exported(60)];
    assert.ok(large.reads <= 2 * small.reads, `${large.reads} reads instead of ${small.reads}`);
    assert.ok(large.rows <= 2 * small.rows, `${large.rows} rows instead of ${small.rows}`);
    assert.ok(small.turns > 10, String(small.turns));
  });

  test("the unknown scopes of an app role are left out of an export all at once", async () => {
    const context = testContext(await database.open());
    const { id: resource_id } = await aResource(context.store, { scopes: { read: "Read" } });
    await anAppRole(context.store, { resource_id, scopes: [...named("x", 500), "read"] });
    const warnings: string[] = [];
    const { app_roles } = await exportManifest({ ...context, warn: (warning) => warnings.push(warning) });
    assert.deepEqual(app_roles?.[0]?.scopes, ["read"]);
    assert.match(warnings[499] ?? "", /\/scopes\/499: left out/);
  });

  test("for a plain scope that may be granted anyway, no apps are read", async () => {
    const context = testContext(await database.open());
    const unread = () => assert.fail("reads a list");
    const reads = { find: context.store.find, list: unread, listColumns: unread };
    const owner = { user_id: null, organization_id: (await anOrganization(context.store)).id };
    const actorPermissions = await permissionsOfActor(context);
    assert.deepEqual(await scopeErrors(reads, actorPermissions, owner, "scopes", ["z:r"]), []);
  });

  test("a new app role reads as few rows as the first one, up to the limit; so does a new custom role", async () => {
    const context = testContext(await database.open());
    const { store } = context;
    const { id: organization_id } = await anOrganization(store);
    const { id: resource_id } = await aResource(store, { organization_id, scopes: {} });
    const { user_id } = await aMembership(store, { organization_id, role: "owner" });
    const user = (await store.find("users", { id: user_id })) ?? assert.fail();
    const actor: Actor = { kind: "user", user };
    const kinds = [
      ["app_roles", { resource_id }],
      ["roles", { organization_id }],
    ] as const;
    for (const [table, owner] of kinds) {
      const create = (name: string, as: Actor = actor): Promise<Cost> =>
        costOf({ ...context, actor: as }, (of) => createRecord(of, resourceOf(table), { ...owner, name }));
      const first = await create("first");
      await insertMany(store, table, 998, (n) => ({
        ...{ id: store.newId(start), name: `r ${n}`, created_at: start, updated_at: start, ...owner },
        name_key: roleNameKey(Object.values(owner)[0] ?? null, `r ${n}`),
      }));
      await refused(create("FIRST"), "conflict /name");
      assert.deepEqual(await create("last"), first);
      await refused(create("beyond"), "invalid_record /name");
      await create("beyond", context.actor);
    }
    assert.equal((await exportManifest(context)).app_roles?.length, 1001);
  });

  test("a new API reads as few rows as the first one, up to the limit; so does a new app", async () => {
    const context = testContext(await database.open());
    const { store } = context;
    const { id: organization_id } = await anOrganization(store);
    const membership = await aMembership(store, { organization_id, role: "developer" });
    const owner_id = membership.user_id;
    const actor: Actor = {
      kind: "user",
      user: (await store.find("users", { id: owner_id })) ?? assert.fail(),
    };
    const identifierOf = (name: string) => `urn:postern:organization:${organization_id}:${name}`;
    const kinds = {
      resources: {
        input: (name: string) => ({ organization_id, name, identifier: identifierOf(name) }),
        make: (name: string) => aResource(store, { organization_id, identifier: identifierOf(name) }),
      },
      apps: {
        input: (name: string) => ({
          organization_id,
          name,
          owner_id,
          redirect_uris: ["https://a.example/cb"],
        }),
        make: () => anApp(store, { organization_id, owner_id }),
      },
    };
    for (const [kind, { input, make }] of Object.entries(kinds)) {
      const create = (name: string, as: Actor = actor): Promise<Cost> =>
        costOf({ ...context, actor: as }, (of) =>
          createRecord(of, resourceOf(kind as keyof typeof kinds), input(name)),
        );
      const first = await create("first");
      for (const name of named("r", 998)) await make(name.replace(" ", ""));
      assert.deepEqual(await create("last"), first);
      await refused(create("beyond"), "invalid_record /name");
      await create("beyond", context.actor);
    }
  });

  test("an organization may name an API below one of its own APIs, but not below another's", async () => {
    const context = testContext(await database.open());
    const { store } = context;
    const { id: organization_id } = await anOrganization(store);
    const { user_id } = await aMembership(store, { organization_id, role: "developer" });
    const user = (await store.find("users", { id: user_id })) ?? assert.fail();
    await aResource(store, { organization_id, identifier: "https://acme.example/api" });
    await aResource(store, { organization_id, identifier: "urn:acme" });
    await aResource(store, { identifier: "https://other.example/api" });
    const create = (identifier: string) =>
      createRecord({ ...context, actor: { kind: "user", user } }, resourceOf("resources"), {
        ...{ organization_id, identifier, name: "x" },
      });
    for (const identifier of [
      "https://acme.example/api/v1/orders?x=/",
      "https://ACME.example:443/api/",
      "urn:acme:a:b",
    ])
      await create(identifier);
    for (const identifier of [
      "https://acme.example/apix",
      "https://other.example/api/v1",
      "urn:acmeb:a",
      "urn:x",
    ])
      await refused(create(identifier), "forbidden /identifier", identifier);
  });

  test("a manifest with many roles reads the roles of all organizations once", async () => {
    const context = testContext(await database.open());
    const { id: organization_id } = await anOrganization(context.store);
    for (const name of named("custom", 50)) await aRole(context.store, { organization_id, name });
    const applied = (count: number) =>
      costOf(context, (of) =>
        applyManifest({ roles: named("server", count).map((name) => ({ name })) }, of, { dryRun: true }),
      );
    const [few, many] = [await applied(2), await applied(22)];
    const more = (many.rows - few.rows) / 20;
    assert.ok(more < 20, `${more} rows for each role`);
  });

  test("an import batch reads the custom roles of an organization once", async () => {
    const context = testContext(await database.open());
    const { id: organization_id, slug } = await anOrganization(context.store);
    for (const name of named("custom", 50)) await aRole(context.store, { organization_id, name });
    const imported = (word: string, count: number) =>
      costOf(context, (of) =>
        importPeople(
          of,
          named(word, count).map((name) => ({
            external_id: name,
            email: `${name.replace(" ", "")}@example.com`,
            memberships: [{ organization: slug, role: `text ${name}` }],
          })),
          { source: "csv", dry_run: false },
        ),
      );
    const [few, many] = [await imported("a", 2), await imported("b", 22)];
    const more = (many.rows - few.rows) / 20;
    assert.ok(more < 20, `${more} rows for each user`);
    assert.equal(await context.store.count("memberships", { organization_id }), 24);
  });

  test("deleting an API takes as many statements with 50 app roles as with one, and reads only members of its organization", async () => {
    const sent: string[] = [];
    const around = (driver: Driver): Driver => {
      const noting = (connection: Connection): Connection => ({
        ...connection,
        run(text, parameters) {
          sent.push(text);
          return connection.run(text, parameters);
        },
      });
      return {
        ...driver,
        transaction: (work, options) => driver.transaction((on) => work(noting(on)), options),
      };
    };
    const context = testContext(await database.open({ around }));
    const { id: organization_id } = await anOrganization(context.store);
    async function statements(count: number) {
      const { id } = await aResource(context.store, { organization_id });
      const roles = await Promise.all(
        named("r", count).map((name) => anAppRole(context.store, { resource_id: id, name })),
      );
      const app_role_ids = roles.map((role) => role.id);
      const holder = await aMembership(context.store, { organization_id, app_role_ids });
      sent.length = 0;
      await resourceOf("resources").remove?.(context, id);
      assert.deepEqual((await context.store.find("memberships", { id: holder.id }))?.app_role_ids, []);
      return sent.filter((text) => text.startsWith("UPDATE"));
    }
    const one = await statements(1);
    assert.deepEqual(await statements(50), one);
    assert.equal(one.filter((text) => text.includes("organization_id = ")).length, 3);
  });
});
