/** An export continues only as long as its reader has the permission. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Actor } from "../../src/admin/access/actor.ts";
import { exportRecords } from "../../src/admin/manage/export_records.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import type { Store } from "../../src/storage/store.ts";
import { aMembership, anOrganization, aSession, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { refused, testContext } from "./context.ts";

/** More records than an export reads at once. */
const several = 250;

for (const database of databasesInForm) {
  describe(`a list exported as a file on ${database.name}`, () => {
    async function fixture() {
      const store = await database.open();
      const admin = await aUser(store, { is_platform_admin: true });
      // Another administrator, so that the first one may lose the role.
      await aUser(store, { is_platform_admin: true });
      for (let index = 0; index < several; index += 1) await aUser(store, { name: `Person ${index}` });
      const session = await aSession(store, { user_id: admin.id });
      const actor: Actor = { kind: "user", user: admin, session_id: session.id };
      return { store, admin, session, context: testContext(store, actor) };
    }

    for (const [what, take] of [
      [
        "is no longer an administrator",
        async (store, { user_id }) => {
          await store.update("users", { id: user_id }, { is_platform_admin: false });
        },
      ],
      [
        "is switched off",
        async (store, { user_id }) => {
          await store.update("users", { id: user_id }, { active: false });
        },
      ],
      [
        "is signed out",
        async (store, { session_id }) => {
          await store.update("sessions", { id: session_id }, { ended_at: new Date("2030-01-01T00:00:00Z") });
        },
      ],
    ] as const satisfies [
      string,
      (store: Store, ids: { user_id: string; session_id: string }) => Promise<void>,
    ][])
      test(`H-40: an export in progress returns no further page once its caller ${what}`, async () => {
        const { store, admin, session, context } = await fixture();
        const pages = await exportRecords(context, resourceOf("users"), {}, "jsonl");
        let reported = 0;
        const reading = async () => {
          for await (const page of pages) {
            reported += page.length;
            if (reported === page.length) await take(store, { user_id: admin.id, session_id: session.id });
          }
        };
        await refused(reading(), "forbidden");
        assert.equal(reported, 200);
      });

    test("H-40: an export is recorded in the audit log of an organization of its caller, and of no other", async () => {
      const store = await database.open();
      const reader = await aUser(store);
      const [own, foreign] = [await anOrganization(store), await anOrganization(store)];
      await aMembership(store, { user_id: reader.id, organization_id: own.id, role: "admin" });
      const context = testContext(store, { kind: "user", user: reader });
      for (const { id } of [own, foreign])
        await exportRecords(context, resourceOf("apps"), { organization_id: id }, "csv");
      const events = await store.list("audit_events", { type: "records_exported" });
      assert.deepEqual(
        events.map(({ organization_id }) => organization_id).toSorted(),
        [own.id, null].toSorted(),
      );
    });
  });
}
