import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  createMembership,
  deleteMembership,
  listMemberships,
  updateMembership,
} from "../../src/admin/memberships.ts";
import { createOrganization, getOrganization, updateOrganization } from "../../src/admin/organizations.ts";
import {
  createUser,
  deactivateUser,
  deleteUser,
  getUser,
  listUsers,
  reactivateUser,
  setPassword,
  updateUser,
} from "../../src/admin/users.ts";
import { anApp, anOrganization, aSession, aToken, aUser } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { problem, testContext } from "./context.ts";

const good = "correct horse battery staple";

for (const database of databases) {
  describe(`people and organizations on ${database.name}`, () => {
    test("a user is found again by id and by e-mail in any case, and the password is kept as Argon2id", async () => {
      const context = testContext(await database.open());
      const user = await createUser(context, { email: "Ada@Example.com", name: "Ada", password: good });
      assert.equal((await getUser(context, "aDA@example.COM")).id, user.id);
      assert.equal((await getUser(context, user.id.toUpperCase())).id, user.id);
      assert.match(user.password_hash ?? "", /^\$argon2id\$/);
      assert.equal(await context.passwords.verify(user.password_hash ?? "", good), true);
      const [event] = await context.store.list("audit_events");
      assert.deepEqual(
        [event?.type, event?.actor_kind, event?.actor_id, event?.target_id, event?.outcome],
        ["user.created", "system", "test", user.id, "success"],
      );
    });

    test("L-15: a second user with the same e-mail in another case is a conflict that names the field", async () => {
      const context = testContext(await database.open());
      await createUser(context, { email: "ada@example.com", name: "Ada" });
      await assert.rejects(
        createUser(context, { email: "ADA@example.com", name: "Ada" }),
        problem("conflict", ["/email"]),
      );
      assert.equal(await context.store.count("users"), 1);
      assert.equal(await context.store.count("audit_events"), 1);
    });

    test("every faulty member is named at once, and what the server sets cannot be given", async () => {
      const context = testContext(await database.open());
      await assert.rejects(
        createUser(context, {
          email: "nobody",
          avatar_url: "ftp://x",
          password_hash: "$argon2id$stolen",
          email_key: "x",
          tokens_not_before: null,
          created_at: "2020-01-01T00:00:00Z",
          colour: "red",
          password: "short",
        }),
        problem("invalid_record", [
          "/password_hash",
          "/email_key",
          "/tokens_not_before",
          "/created_at",
          "/colour",
          "/name",
          "/email",
          "/avatar_url",
          "/password",
        ]),
      );
    });

    test("a deactivated user has no live session and no live token, and comes back with neither", async () => {
      const context = testContext(await database.open());
      const { store, clock } = context;
      const user = await aUser(store);
      const session = await aSession(store, { user_id: user.id });
      const token = await aToken(store, { user_id: user.id });
      clock.advance(5);
      const off = await deactivateUser(context, user.email);
      assert.deepEqual([off.active, off.tokens_not_before], [false, clock.now()]);
      clock.advance(5);
      await reactivateUser(context, user.email);
      assert.equal(
        (await store.find("sessions", { id: session.id }))?.ended_at?.getTime(),
        clock.now().getTime() - 5000,
      );
      assert.equal((await store.find("oauth_tokens", { id: token.id }))?.revoked_reason, "user_disabled");
      assert.equal((await getUser(context, user.id)).active, true);
    });

    test("a new password ends every token and every session but the one it was changed in", async () => {
      const context = testContext(await database.open());
      const { store, clock } = context;
      const user = await createUser(context, { email: "ada@example.com", name: "Ada", password: good });
      const [kept, other] = [
        await aSession(store, { user_id: user.id }),
        await aSession(store, { user_id: user.id }),
      ];
      const token = await aToken(store, { user_id: user.id });
      clock.advance(5);
      await setPassword(context, user.id, "another long phrase", { keep_session: kept.id });
      assert.equal((await store.find("sessions", { id: kept.id }))?.ended_at, null);
      assert.notEqual((await store.find("sessions", { id: other.id }))?.ended_at, null);
      assert.equal((await store.find("oauth_tokens", { id: token.id }))?.revoked_reason, "password_changed");
      const { password_hash, tokens_not_before } = await getUser(context, user.id);
      assert.equal(await context.passwords.verify(password_hash ?? "", "another long phrase"), true);
      assert.deepEqual(tokens_not_before, clock.now());
    });

    test("deleting a user who made an organization's apps needs a successor, who then owns them", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const [ada, bob, acme] = [await aUser(store), await aUser(store), await anOrganization(store)];
      const app = await anApp(store, { owner_id: ada.id, organization_id: acme.id });
      await assert.rejects(deleteUser(context, ada.email), problem("successor_required"));
      await deleteUser(context, ada.email, bob.email);
      assert.equal((await store.find("oauth_apps", { id: app.id }))?.owner_id, bob.id);
      await assert.rejects(getUser(context, ada.email), problem("not_found"));
    });

    test("a list comes in pages that hold every record once", async () => {
      const context = testContext(await database.open());
      const made = new Set<string>();
      for (let count = 0; count < 5; count++) made.add((await aUser(context.store)).id);
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listUsers(context, { limit: 2, cursor });
        assert.ok(page.data.length <= 2);
        seen.push(...page.data.map(({ id }) => id));
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      assert.equal(seen.length, 5);
      assert.deepEqual(new Set(seen), made);
      for (const wrong of [{ limit: 0 }, { limit: 201 }, { limit: 1.5 }, { cursor: "x" }]) {
        await assert.rejects(listUsers(context, wrong), problem("invalid_page"));
      }
    });

    test("a membership is of a user and an organization that are there, once, and keeps them", async () => {
      const context = testContext(await database.open());
      const [ada, acme, other] = [
        await aUser(context.store),
        await anOrganization(context.store),
        await anOrganization(context.store),
      ];
      const asked = { user_id: ada.id, organization_id: acme.id, role: "owner" };
      const membership = await createMembership(context, asked);
      const bob = await aUser(context.store);
      await createMembership(context, { ...asked, user_id: bob.id });
      await assert.rejects(
        createMembership(context, asked),
        problem("conflict", ["/user_id", "/organization_id"]),
      );
      const gone = { ...asked, user_id: "01890000-0000-7000-8000-000000000000" };
      await assert.rejects(createMembership(context, gone), problem("invalid_record", ["/user_id"]));
      await assert.rejects(
        updateMembership(context, membership.id, { organization_id: other.id }),
        problem("invalid_record", ["/organization_id"]),
      );
      const changed = await updateMembership(context, membership.id, {
        role: "member",
        permissions: ["read"],
      });
      assert.deepEqual([changed.role, changed.permissions], ["member", ["read"]]);
      assert.equal((await listMemberships(context, { user_id: ada.id })).data.length, 1);
      await deleteMembership(context, membership.id);
      assert.equal((await listMemberships(context)).data.length, 1);
    });

    test("switching an organization off ends the tokens of its apps at once", async () => {
      const context = testContext(await database.open());
      const { store, clock } = context;
      const acme = await createOrganization(context, { slug: "acme", name: "Acme" });
      const app = await anApp(store, { organization_id: acme.id });
      const token = await aToken(store, { app_id: app.id });
      clock.advance(1);
      await updateOrganization(context, "acme", { active: false });
      assert.deepEqual((await getOrganization(context, "acme")).tokens_not_before, clock.now());
      assert.equal(
        (await store.find("oauth_tokens", { id: token.id }))?.revoked_reason,
        "organization_disabled",
      );
    });

    test("text that no database can look up is simply not there", async () => {
      const context = testContext(await database.open());
      for (const name of ["a\0b@example.com", "\ud800"]) {
        await assert.rejects(getUser(context, name), problem("not_found"));
        await assert.rejects(getOrganization(context, name), problem("not_found"));
      }
    });

    test("changing nothing writes nothing", async () => {
      const context = testContext(await database.open());
      const user = await createUser(context, { email: "ada@example.com", name: "Ada" });
      context.clock.advance(10);
      assert.deepEqual(await updateUser(context, user.id, { name: "Ada", active: true }), user);
      assert.equal(await context.store.count("audit_events"), 1);
    });
  });
}
