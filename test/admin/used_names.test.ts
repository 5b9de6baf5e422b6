import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdminContext } from "../../src/admin/access/actor.ts";
import type { Input } from "../../src/admin/access/errors.ts";
import { createRecord, removeRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { Problem } from "../../src/errors.ts";
import { aMembership, anApp, anAttribute, anOrganization, aUser } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { errorsOf, testContext } from "./context.ts";

const [attributes, organizations] = (["attributes", "organizations"] as const).map(resourceOf);

async function factsOf(work: Promise<unknown>): Promise<object[]> {
  const error = await work.catch((reason: unknown) => reason);
  assert.ok(error instanceof Problem, String(error));
  return error.errors.map(({ path, code, params }) => ({ path, code, ...params }));
}

for (const database of databases)
  test(`OC-7: the server cannot define an attribute under a name for which organizations store values, on ${database.name}`, async () => {
    assert.ok(attributes && organizations);
    const root = testContext(await database.open());
    const { id: organization_id } = await anOrganization(root.store);
    const level = { name: "level", record_type: "organizations" };
    const { record } = await createRecord(root, attributes, { ...level, organization_id });
    await updateRecord(root, organizations, organization_id, { attributes: { level: "gold" } });
    const refusal = () => factsOf(createRecord(root, attributes, level));
    const used = { path: "/name", code: "used_by_organizations" };
    assert.deepEqual(await refusal(), [{ ...used, definitions: 1, records: 1 }]);
    await removeRecord(root, attributes, String(record.id));
    assert.deepEqual(await refusal(), [{ ...used, definitions: 0, records: 1 }]);
    await updateRecord(root, organizations, organization_id, { attributes: null });
    await createRecord(root, attributes, level);
  });

for (const database of databases)
  test(`OC-7: the server cannot define a claim that organizations already use, on ${database.name}`, async () => {
    assert.ok(attributes && organizations);
    const root = testContext(await database.open());
    const { id: organization_id } = await anOrganization(root.store);
    const of = { organization_id, record_type: "memberships", scopes: ["profile"], claim: "tier" };
    const theirs = await createRecord(root, attributes, { ...of, name: "level" });
    await aMembership(root.store, { organization_id, attributes: { level: "gold" } });
    await aMembership(root.store, { attributes: { level: "gold" } });
    const refusal = [{ path: "/claim", code: "used_by_organizations", definitions: 1, records: 1 }];
    const define = (values: Input) => createRecord(root, attributes, { claim: "tier", ...values });
    for (const record_type of ["organizations", "apps"])
      assert.deepEqual(await factsOf(define({ record_type, name: "tier" })), refusal);
    const own = await define({ record_type: "users", name: "tier", claim: null });
    const change = () =>
      updateRecord(root, attributes, String(own.record.id), {
        claim: "tier",
        scopes: ["profile"],
      });
    assert.deepEqual(await factsOf(change()), refusal);
    await removeRecord(root, attributes, String(theirs.record.id));
    await change();
  });

for (const database of databases)
  test(`OC-7: an organization cannot define an attribute over stored values that it may not read, on ${database.name}`, async () => {
    assert.ok(attributes);
    const root = testContext(await database.open());
    const { store } = root;
    const organization = await anOrganization(store, { attributes: { risk: "high" } });
    const { id: organization_id } = organization;
    await aMembership(store, { organization_id, attributes: { risk: "high" } });
    await anApp(store, { organization_id, attributes: { risk: "high" } });
    const key = (its: typeof organization): AdminContext => ({
      ...root,
      actor: {
        ...{ kind: "organization", api_key_id: its.id, scopes: ["postern:manage"] },
        organization: its,
      },
    });
    for (const record_type of ["memberships", "organizations", "apps"] as const) {
      const hidden = await anAttribute(store, { name: "risk", record_type, readers: [] });
      const define = (by: AdminContext, its = organization): Promise<unknown> =>
        createRecord(by, attributes, { name: "risk", record_type, organization_id: its.id });
      assert.deepEqual(await errorsOf(define(key(organization))), ["/name taken"]);
      await removeRecord(root, attributes, hidden.id);
      assert.deepEqual(await errorsOf(define(key(organization))), ["/name taken"]);
      const other = await anOrganization(store);
      await define(key(other), other);
      await define(root);
    }
  });

for (const database of databases)
  test(`OC-7: a credential cannot expose stored attribute values that it may not read, on ${database.name}`, async () => {
    assert.ok(attributes && organizations);
    const root = testContext(await database.open());
    const { store } = root;
    const organization = await anOrganization(store, { attributes: { desk: "2" } });
    const { id: organization_id } = organization;
    const key: AdminContext = {
      ...root,
      actor: {
        ...{ kind: "organization", api_key_id: organization_id, scopes: ["postern:manage"] },
        organization,
      },
    };
    const user = await aUser(store, { is_platform_admin: true });
    const narrow: AdminContext = {
      ...root,
      actor: { kind: "user", user, scopes: ["postern:attributes:read", "postern:attributes:write"] },
    };
    const of = { organization_id, record_type: "organizations" } as const;
    const hidden = await anAttribute(store, {
      ...of,
      name: "risk",
      readers: [],
      writers: [],
      scopes: ["profile"],
    });
    const kept = await anAttribute(store, { ...of, name: "plan", readers: ["admin"], writers: [] });
    const shown = await anAttribute(store, { ...of, name: "desk", readers: ["admin"] });
    const change = (by: AdminContext, { id }: typeof hidden, changes: Input) =>
      updateRecord(by, attributes, id, changes);
    const attempts: [typeof hidden, Input, string][] = [
      [hidden, { readers: ["admin"] }, "/readers"],
      [hidden, { readers: ["user"] }, "/readers"],
      [hidden, { claim: "risk" }, "/claim"],
      [hidden, { writers: ["admin"] }, "/writers"],
      [kept, { writers: ["admin"] }, "/writers"],
    ];
    for (const by of [key, narrow])
      for (const [which, changes] of attempts) {
        await change(by, which, changes);
        await change(root, which, { readers: which.readers, claim: null, writers: [] });
      }
    const attribute_values = { desk: "2", risk: "high", plan: "gold" };
    await updateRecord(root, organizations, organization_id, { attributes: attribute_values });
    for (const [by, code] of [
      [key, "platform_only"],
      [narrow, "full_credential_only"],
    ] as const)
      for (const [which, changes, path] of attempts)
        assert.deepEqual(await errorsOf(change(by, which, changes)), [`${path} ${code}`]);
    await change(key, hidden, { label: "Risk" });
    await change(key, shown, { readers: ["admin", "user"], claim: "desk" });
    await change(root, hidden, { claim: "risk" });
    for (const scopes of [[], ["profile", "email"]]) {
      assert.deepEqual(await errorsOf(change(key, hidden, { scopes })), ["/scopes platform_only"]);
      assert.deepEqual(await errorsOf(change(narrow, hidden, { scopes })), ["/scopes full_credential_only"]);
    }
    await change(root, hidden, { readers: ["admin"], writers: ["admin"] });
    await removeRecord(narrow, attributes, hidden.id);
    const again = () => createRecord(narrow, attributes, { ...of, name: "risk", readers: ["admin"] });
    assert.deepEqual(await errorsOf(again()), ["/name full_credential_only"]);
    await updateRecord(root, organizations, organization_id, { attributes: null });
    await again();
  });

for (const database of databases)
  test(`OC-7: deleting the definition of a built-in attribute does not expose values to a credential, on ${database.name}`, async () => {
    assert.ok(attributes);
    const root = testContext(await database.open());
    const { store } = root;
    const user = await aUser(store, { is_platform_admin: true });
    const scopes = ["postern:attributes:read", "postern:attributes:write"];
    const narrow: AdminContext = { ...root, actor: { kind: "user", user, scopes } };
    const define = (name: string, readers: readonly ("user" | "admin")[]) =>
      anAttribute(store, { name, record_type: "users", readers, scopes: ["profile"], claim: name });
    const hidden = await define("locale", []);
    const shown = await define("given_name", ["user", "admin"]);
    await removeRecord(narrow, attributes, (await define("zoneinfo", [])).id);
    await aUser(store, { attributes: { locale: "en", given_name: "Ada" } });
    const errors = await errorsOf(removeRecord(narrow, attributes, hidden.id));
    assert.deepEqual(errors, ["/readers full_credential_only"]);
    assert.deepEqual(await store.find("attribute_definitions", { id: hidden.id }), hidden);
    await removeRecord(narrow, attributes, shown.id);
    await removeRecord(root, attributes, hidden.id);
  });
