import assert from "node:assert/strict";
import { test } from "node:test";
import { examineDeletions } from "../../src/cli/doctor_deletions.ts";
import { aMembership, anApp, anOrganization, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";

for (const database of databasesInForm)
  test(`SS-12 the doctor names accounts that are overdue, and what they wait for, on ${database.name}`, async () => {
    const store = await database.open();
    const now = new Date("2030-02-01T00:00:00Z");
    const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
    await aUser(store, { active: false, deletion_at: hoursAgo(0.9) });
    await aUser(store, { active: false, deletion_at: hoursAgo(-1) });
    await aUser(store, { active: false });
    assert.deepEqual(await examineDeletions(store, now), {
      check: "accounts to delete",
      ok: true,
      detail: "none is overdue",
    });
    const { id: organization_id } = await anOrganization(store, { name: "Acme" });
    const owner = await aUser(store, { active: false, deletion_at: hoursAgo(2) });
    await aMembership(store, { user_id: owner.id, organization_id, role: "owner" });
    await anApp(store, { owner_id: owner.id, organization_id });
    const found = await examineDeletions(store, now);
    assert.equal(found.ok, false);
    const wants = "another active owner of Acme and a successor for 1 apps and service accounts";
    assert.ok(
      found.detail.startsWith(`1 overdue: ${owner.id} since 2030-01-31T22:00:00.000Z, for want of ${wants}`),
    );
  });
