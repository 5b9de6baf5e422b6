import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdminContext } from "../../src/admin/access/actor.ts";
import type { Input } from "../../src/admin/access/errors.ts";
import { createRecord, removeRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { Problem } from "../../src/errors.ts";
import { aMembership, anApp, anAttribute, anOrganization } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { errorsOf, testContext } from "./context.ts";

const [attributes, organizations] = (["attributes", "organizations"] as const).map(resourceOf);

async function factsOf(work: Promise<unknown>): Promise<object[]> {
  const error = await work.catch((reason: unknown) => reason);
  assert.ok(error instanceof Problem, String(error));
  return error.errors.map(({ path, code, params }) => ({ path, code, ...params }));
}

for (const database of databases)
  test(`OC-7: the server defines no attribute name whose stored values belong to an organization, on ${database.name}`, async () => {
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
  test(`OC-7: the server defines no claim that organizations use, on ${database.name}`, async () => {
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
  test(`OC-7: an organization defines no name over values that it may not read, on ${database.name}`, async () => {
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
