import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Actor } from "../../src/admin/access/actor.ts";
import { createRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { manageScope } from "../../src/records/definition/permissions.ts";
import { aMembership, anApp, anOrganization, aServiceAccount, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { refused, testContext } from "./context.ts";

for (const database of databasesInForm)
  describe(`the creator of a record on ${database.name}`, () => {
    test("the owner of a new app is the user who creates it or who is behind the credential that creates it", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const organization = await anOrganization(store);
      const organization_id = organization.id;
      const owner = await aMembership(store, { organization_id, role: "owner" });
      const { user_id } = await aMembership(store, { organization_id, role: "developer" });
      const user = await store.find("users", { id: user_id });
      assert.ok(user !== undefined);
      const account = await aServiceAccount(store, { organization_id, created_by: user_id });
      const app = await anApp(store, { organization_id, owner_id: user_id });
      const scopes = [manageScope];
      const api_key_id = crypto.randomUUID();
      const actors: readonly [Actor, string][] = [
        [{ kind: "user", user }, user_id],
        [{ kind: "organization", organization, api_key_id, scopes }, owner.user_id],
        [{ kind: "service_account", account, scopes }, user_id],
        [{ kind: "client", app, scopes }, user_id],
      ];
      for (const [actor, person] of actors) {
        const requested = { name: "Made", organization_id };
        const { record } = await createRecord({ ...context, actor }, resourceOf("apps"), requested);
        assert.equal(record.owner_id, person, actor.kind);
      }
    });

    test("the operator, or a key of an organization without an owner, has to name the owner of a new app", async () => {
      const context = testContext(await database.open());
      const apps = resourceOf("apps");
      await refused(createRecord(context, apps, { name: "A" }), "invalid_record /owner_id");
      const organization = await anOrganization(context.store);
      const owner = await aUser(context.store);
      const actor: Actor = {
        kind: "organization",
        organization,
        api_key_id: crypto.randomUUID(),
        scopes: [manageScope],
      };
      const requested = { name: "A", organization_id: organization.id };
      const machine = { ...context, actor };
      await refused(createRecord(machine, apps, requested), "invalid_record /owner_id");
      await refused(createRecord(machine, apps, { ...requested, owner_id: owner.id }), "forbidden /owner_id");
    });
  });
