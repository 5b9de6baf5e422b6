import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createRecord } from "../../src/admin/manage/manage.ts";
import { createApiKey, revokeApiKey } from "../../src/admin/records/api_keys.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { activeApiKey } from "../../src/oauth/presented/active_api_key.ts";
import { anOrganization, aUser, later } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { refused, testContext } from "./context.ts";

for (const database of databasesInForm)
  describe(`API keys on ${database.name}`, () => {
    async function ready() {
      const context = testContext(await database.open());
      const { store } = context;
      const [user, organization] = [await aUser(store), await anOrganization(store)];
      const find = (text: string) => activeApiKey(text, context);
      return { context, store, user, organization, find };
    }

    test("an API key belongs to a user or to an organization", async () => {
      const { context, user, organization, find } = await ready();
      const ofUser = await createApiKey(context, { name: "a", user_id: user.id });
      const ofOrganization = await createApiKey(context, { name: "b", organization_id: organization.id });
      const found = await find(ofUser.key);
      assert.ok(found?.user?.id === user.id);
      const other = await find(ofOrganization.key);
      assert.ok(other?.organization?.id === organization.id);
    });

    test("an API key is refused once it is revoked or expired, or its owner is inactive", async () => {
      const { context, store, user, organization, find } = await ready();
      const expires_at = later(60).toISOString();
      const brief = await createApiKey(context, { name: "a", user_id: user.id, expires_at });
      const revoked = await createApiKey(context, { name: "b", user_id: user.id });
      const ofUser = await createApiKey(context, { name: "c", user_id: user.id });
      const ofOrganization = await createApiKey(context, { name: "d", organization_id: organization.id });
      for (const { key } of [brief, revoked, ofUser, ofOrganization]) assert.ok(await find(key));
      await revokeApiKey(context, revoked.row.id);
      assert.equal(await find(revoked.key), undefined);
      context.clock.advance(59);
      assert.ok(await find(brief.key));
      context.clock.advance(1);
      assert.equal(await find(brief.key), undefined);
      await store.update("users", { id: user.id }, { active: false });
      await store.update("organizations", { id: organization.id }, { active: false });
      assert.equal(await find(ofUser.key), undefined);
      assert.equal(await find(ofOrganization.key), undefined);
    });

    test("a text with a wrong checksum causes no database look-up, and an API key is found only by its whole text", async () => {
      const { context, store, user } = await ready();
      const { key } = await createApiKey(context, { name: "a", user_id: user.id });
      let looked = 0;
      const counting = {
        findApiKey(key_hash: Buffer) {
          looked += 1;
          return store.findApiKey(key_hash);
        },
      };
      const changed = `${key.slice(0, 20)}${key[20] === "A" ? "B" : "A"}${key.slice(21)}`;
      for (const text of ["", "pak_", changed, key.slice(0, -1), `${key}0`, key.toLowerCase(), ` ${key}`])
        assert.equal(await activeApiKey(text, { ...context, store: counting }), undefined);
      assert.equal(looked, 0);
      assert.ok(await activeApiKey(key, { ...context, store: counting }));
      assert.equal(looked, 1);
    });

    test("an API key has one owner: its creator, unless the request names another owner", async () => {
      const { context, user, organization } = await ready();
      const keys = resourceOf("api_keys");
      await refused(createRecord(context, keys, { name: "a" }), "invalid_record /user_id");
      await refused(
        createRecord(context, keys, { name: "a", user_id: user.id, organization_id: organization.id }),
        "invalid_record /organization_id",
      );
      const self = { ...context, actor: { kind: "user", user } as const };
      const { record, once } = await createRecord(self, keys, { name: "a" });
      assert.equal(record.user_id, user.id);
      assert.match(once.key ?? "", /^pak_[A-Za-z0-9_-]{51}[0-9A-Za-z]{6}$/);
    });
  });
