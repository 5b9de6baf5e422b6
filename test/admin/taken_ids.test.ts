/** No new record gets the id of another subject of tokens (T-15). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { importPeople } from "../../src/admin/imports/import_people.ts";
import { createRecord, removeRecord } from "../../src/admin/manage/manage.ts";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { detail } from "../../src/errors/details.ts";
import type { Problem } from "../../src/errors.ts";
import { nilUuid } from "../../src/records/names/ids.ts";
import { anApp, anEvent, anOrganization, aServiceAccount, aUser, later } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { problem, refused, testContext } from "./context.ts";

const users = resourceOf("users");

for (const database of databases)
  test(`T-15: a new user cannot get the id of another subject or one that audit events contain, on ${database.title}`, async () => {
    const store = await database.open();
    const admin = testContext(store);
    await aUser(store, { is_platform_admin: true });
    const gone = await createRecord(admin, users, {
      email: "gone@example.com",
      name: "Gone",
      is_platform_admin: true,
    });
    await removeRecord(admin, users, String(gone.record.id));
    const actor_id = store.newId(later(0));
    await anEvent(store, { actor_kind: "user", actor_id });
    const taken = [
      (await anApp(store)).id,
      (await aServiceAccount(store)).id,
      (await anOrganization(store)).id,
      String(gone.record.id),
      actor_id,
    ];
    const free = [store.newId(later(0)), store.newId(later(0))];
    const person = (id: string) => ({ external_id: id, id: id.toUpperCase(), email: `${id}@example.com` });
    const people = [...taken, ...free].map(person);
    for (const dry_run of [true, false]) {
      const results = await importPeople(admin, people, { source: "old", dry_run });
      assert.deepEqual(
        results.map(({ status, id, errors }) => [status, id, errors.map(({ path, code }) => path + code)]),
        [...taken.map(() => ["refused", undefined, ["/idtaken"]]), ...free.map((id) => ["created", id, []])],
      );
    }
    for (const id of taken)
      await refused(
        createRecord(admin, users, { id, email: "new@example.com", name: "New" }),
        "conflict /id",
      );
    const withNilId = { id: nilUuid, email: "nil@example.com", name: "Nil" };
    await refused(createRecord(admin, users, withNilId), "invalid_record /id");
    await refused(applyManifest({ users: [withNilId] }, admin), "invalid_manifest users[0].id");
    const id = store.newId(later(0));
    const made = await createRecord(admin, users, { id, email: "new@example.com", name: "New" });
    assert.equal(made.record.id, id);
  });

for (const database of databases)
  test(`T-15: a new app, organization or service account cannot get another subject's id, on ${database.title}`, async () => {
    const store = await database.open();
    const admin = testContext(store);
    const { id: user_id } = await aUser(store);
    const app = await anApp(store);
    const organization = await anOrganization(store);
    const account = await aServiceAccount(store, { organization_id: organization.id });
    const word = () => `n${store.newId(later(0))}`;
    const create = {
      apps: (id: string) => ({ id, name: "New", owner_id: user_id, client_id: word() }),
      organizations: (id: string) => ({ id, name: "New", slug: word() }),
      service_accounts: (id: string) => ({
        ...{ id, name: "New", organization_id: organization.id, created_by: user_id },
        email: `${word()}@example.com`,
      }),
    };
    for (const name of ["apps", "organizations", "service_accounts"] as const) {
      const input = create[name];
      for (const { id } of [{ id: user_id }, app, organization, account])
        await assert.rejects(createRecord(admin, resourceOf(name), input(id)), (error: Problem) => {
          assert.deepEqual(error.detail, detail("id_taken"));
          return problem("conflict", ["/id"])(error);
        });
      await refused(createRecord(admin, resourceOf(name), input(nilUuid)), "invalid_record /id");
      const id = store.newId(later(0));
      assert.equal((await createRecord(admin, resourceOf(name), input(id))).record.id, id);
    }
  });
