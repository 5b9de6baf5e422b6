import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { listRecords } from "../../src/admin/manage/list_records.ts";
import { getRecord, revokeRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { anAuthorization, redeem } from "../storage/authorization.ts";
import { aCode, later } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { refused, testContext } from "./context.ts";

const codes = resourceOf("auth_codes");

for (const database of databasesInForm)
  describe(`authorization codes in the management API on ${database.name}`, async () => {
    const context = testContext(await database.open());
    const { store, clock } = context;

    test("A-26: an authorization code that is revoked expires immediately, stays unused, and cannot be redeemed", async () => {
      const of = await anAuthorization(store);
      const { code, organization } = of;
      clock.advance(10);
      const ended = await revokeRecord(context, codes, code.id);
      assert.deepEqual([ended.used, ended.used_at, ended.expires_at], [false, null, later(10).toISOString()]);
      assert.equal(await redeem(store, of, later(10)), "ended");
      const [event] = await store.list("audit_events", { target_id: code.id });
      assert.deepEqual(
        [event?.type, event?.target_table, event?.organization_id],
        ["authorization_code.revoked", "oauth_auth_codes", organization.id],
      );
    });

    test("revoking a used or expired authorization code changes nothing and writes no audit event", async () => {
      const used = await aCode(store, { used: true, used_at: later(5), expires_at: later(10_000) });
      const expired = await aCode(store, { expires_at: later(1) });
      clock.advance(10);
      for (const code of [used, expired]) {
        await revokeRecord(context, codes, code.id);
        assert.deepEqual(await store.find("oauth_auth_codes", { id: code.id }), code);
        assert.equal(await store.count("audit_events", { target_id: code.id }), 0);
      }
      await refused(revokeRecord(context, codes, randomUUID()), "not_found");
    });

    test("neither a single authorization code nor a list of them shows the stored hash", async () => {
      const code = await aCode(store, { state: "state-of-the-client" });
      const { data } = await listRecords(context, codes, { app_id: code.app_id });
      const shown = await getRecord(context, codes, code.id);
      assert.equal(shown.state, "state-of-the-client");
      for (const record of [...data, shown]) assert.ok(!Object.hasOwn(record, "code_signature"));
      assert.ok(!JSON.stringify([data, shown]).includes(code.code_signature.toString("base64url")));
    });
  });
