import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import {
  inviteMember,
  listInvitations,
  withdrawInvitation,
} from "../../src/admin/invitations/invitations.ts";
import { roles } from "../../src/records/names/names.ts";
import type { Store } from "../../src/storage/store.ts";
import { aMembership, anInvitation, anotherOfItsKey, aUser, later } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import {
  type ManagementFixture,
  managementFixture,
  type Requester,
  requesters,
} from "../support/management_fixture.ts";
import { refused, testContext } from "./context.ts";

/** The roles to which each caller may invite; the code of a problem if they may not invite. */
const mayGive: Readonly<Record<Requester, readonly string[] | "forbidden" | "not_found">> = {
  platform_administrator: roles,
  owner: roles,
  admin: ["admin", "developer", "member"],
  developer: "forbidden",
  member: "forbidden",
  member_with_permission: "forbidden",
  outsider: "not_found",
  subject: "not_found",
  organization_key: "forbidden",
  narrow_user_key: "forbidden",
  service_account: "forbidden",
  client: "forbidden",
  client_of_nobody: "forbidden",
  narrow_token: "forbidden",
};

for (const database of databasesInForm)
  describe(`invitations on ${database.name}`, () => {
    let store: Store;
    let fixture: ManagementFixture;
    before(async () => {
      store = await database.open();
      fixture = await managementFixture(store);
    });
    const contextOf = (requester: Requester) => testContext(store, fixture.actors[requester]);

    for (const requester of requesters)
      test(`a caller of the kind ${requester} may invite to the roles that they may grant, and to no other`, async () => {
        const context = contextOf(requester);
        for (const role of roles) {
          const requested = { email: `${role}.${requester}@example.com`, role };
          const input = mayGive[requester];
          if (typeof input === "string") {
            await refused(inviteMember(context, fixture.acme.id, requested), input);
            continue;
          }
          const outcome = await inviteMember(context, fixture.acme.id, requested);
          const expected = input.includes(role) ? "invited" : "role_above";
          assert.equal(outcome.type === "refused" ? outcome.error : outcome.type, expected, role);
        }
        const input = mayGive[requester];
        if (typeof input === "string") return;
        assert.deepEqual((await listInvitations(context, fixture.acme.id)).roles, input);
      });

    test("a caller can neither withdraw nor replace an invitation to a role above their own", async () => {
      const { id, email } = await anInvitation(store, {
        organization_id: fixture.acme.id,
        invited_by: fixture.people.owner.id,
        role: "owner",
      });
      const admin = contextOf("admin");
      await refused(withdrawInvitation(admin, fixture.acme.id, id), "forbidden");
      assert.deepEqual(await inviteMember(admin, fixture.acme.id, { email, role: "member" }), {
        type: "refused",
        error: "invited_above",
      });
      await withdrawInvitation(contextOf("owner"), fixture.acme.id, id);
      assert.equal(await store.find("invitations", { id }), undefined);
    });

    test("a new invitation replaces an open one to the same mailbox, but not one to a look-alike address", async () => {
      const { id, email } = await anInvitation(store, {
        organization_id: fixture.acme.id,
        invited_by: fixture.people.owner.id,
        expires_at: later(7 * 86_400),
      });
      const invite = (to: string) =>
        inviteMember(contextOf("owner"), fixture.acme.id, { email: to, role: "member" });
      assert.deepEqual(await invite(anotherOfItsKey(email)), { type: "refused", error: "look_alike" });
      assert.ok(await store.find("invitations", { id }));
      assert.equal((await invite(email.toUpperCase())).type, "invited");
      assert.equal(await store.find("invitations", { id }), undefined);
    });

    test("P-9: a refused invitation, or one to a look-alike address, does not count towards the daily limit of the mailbox", async () => {
      const context = { ...contextOf("owner"), onInvitation() {} };
      const invite = (email: string) => inviteMember(context, fixture.acme.id, { email, role: "member" });
      const email = "vic@stra\u00dfe.example";
      const outcome = await invite("vic@strasse.example");
      for (let again = 0; again < 3; again++)
        assert.deepEqual(await invite(email), { type: "refused", error: "look_alike" });
      assert.ok(outcome.type === "invited");
      for (let again = 0; again < 2; again++) await invite("vic@strasse.example");
      const [{ id } = assert.fail()] = await store.list("invitations", { email: "vic@strasse.example" });
      await withdrawInvitation(contextOf("owner"), fixture.acme.id, id);
      for (let again = 0; again < 3; again++) assert.equal((await invite(email)).type, "invited");
      const fourth = await invite(email);
      assert.equal(fourth.type === "refused" && fourth.error, "throttled");
    });

    test("an invitation can be withdrawn only in its own organization", async () => {
      const { id } = await anInvitation(store, {
        organization_id: fixture.acme.id,
        invited_by: fixture.people.owner.id,
      });
      const outsider = contextOf("outsider");
      await refused(withdrawInvitation(outsider, fixture.other.id, id), "not_found");
      await refused(withdrawInvitation(outsider, fixture.acme.id, id), "not_found");
      assert.ok(await store.find("invitations", { id }));
      await withdrawInvitation(contextOf("admin"), fixture.acme.id, id.toUpperCase());
      const [event] = await store.list("audit_events", { type: "invitation.withdrawn", target_id: id });
      assert.equal(event?.actor_id, fixture.people.admin.id);
      assert.equal(event?.organization_id, fixture.acme.id);
    });

    test("an address is invited in the same way whether or not it belongs to a user", async () => {
      const requested = { email: fixture.people.outsider.email, role: "member" };
      assert.equal((await inviteMember(contextOf("admin"), fixture.acme.id, requested)).type, "invited");
      const member = { email: fixture.people.member.email.toUpperCase(), role: "member" };
      assert.deepEqual(await inviteMember(contextOf("admin"), fixture.acme.id, member), {
        type: "refused",
        error: "member",
      });
    });

    test("L-15: a member whose address is stored in its earlier normalized form is found by the exact address", async () => {
      const email = "stra\u00dfe@example.com";
      const { id: user_id } = await aUser(store, { email, email_key: email });
      await aUser(store, { email: "strasse@example.com" });
      await aMembership(store, { user_id, organization_id: fixture.acme.id });
      assert.deepEqual(await inviteMember(contextOf("admin"), fixture.acme.id, { email, role: "member" }), {
        type: "refused",
        error: "member",
      });
    });

    test("a deactivated organization cannot invite users", async () => {
      await store.update("organizations", { id: fixture.other.id }, { active: false });
      const requested = { email: "late@example.com", role: "member" };
      assert.deepEqual(await inviteMember(contextOf("platform_administrator"), fixture.other.id, requested), {
        type: "refused",
        error: "inactive",
      });
    });
  });
