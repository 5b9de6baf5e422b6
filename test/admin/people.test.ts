import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listRecords } from "../../src/admin/manage/list_records.ts";
import { createRecord, getRecord, removeRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { detail } from "../../src/errors/details.ts";
import { anApp, anOrganization, aResource, aRole, aSession, aToken, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { refused, testContext } from "./context.ts";

const good = "correct horse battery staple";
const users = resourceOf("users");
const organizations = resourceOf("organizations");
const memberships = resourceOf("memberships");

for (const database of databasesInForm)
  describe(`users and organizations on ${database.name}`, () => {
    test("a user is found by id and by email in any case, and the password is stored as Argon2id", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const requested = { email: "Ada@Example.com", name: "Ada", password: good };
      const { record } = await createRecord(context, users, requested);
      const id = String(record.id);
      const { data } = await listRecords(context, users, { email: "aDA@example.COM" });
      assert.deepEqual(data, [record]);
      assert.deepEqual(await getRecord(context, users, id.toUpperCase()), record);
      const password_hash = (await store.find("users", { id }))?.password_hash ?? "";
      assert.match(password_hash, /^\$argon2id\$/);
      assert.equal(await context.passwords.verify(password_hash, good), true);
      const [event] = await store.list("audit_events");
      assert.deepEqual(
        [event?.type, event?.actor_kind, event?.actor_id, event?.target_id, event?.outcome],
        ["user.created", "system", "test", id, "success"],
      );
    });

    test("L-15: a second user with the same email address in another case is refused as a conflict that names the field", async () => {
      const context = testContext(await database.open());
      await createRecord(context, users, { email: "ada@example.com", name: "Ada" });
      await refused(
        createRecord(context, users, { email: "ADA@example.com", name: "Ada" }),
        "conflict /email",
      );
      assert.equal(await context.store.count("users"), 1);
      assert.equal(await context.store.count("audit_events"), 1);
    });

    test("all invalid fields are named at once, and fields that only the server sets are refused", async () => {
      const context = testContext(await database.open());
      await refused(
        createRecord(context, users, {
          email: "nobody",
          avatar_url: "ftp://x",
          password_hash: "$argon2id$stolen",
          email_key: "x",
          tokens_not_before: null,
          created_at: "2020-01-01T00:00:00Z",
          colour: "red",
          password: "short",
        }),
        `invalid_record /password_hash /email_key /tokens_not_before /created_at /colour /name /email /avatar_url
          /password`,
      );
    });

    test("deactivating a user ends sessions and tokens, and reactivating the user does not revive them", async () => {
      const context = testContext(await database.open());
      const { store, clock } = context;
      const user = await aUser(store);
      const session = await aSession(store, { user_id: user.id });
      const token = await aToken(store, { user_id: user.id });
      clock.advance(5);
      assert.equal((await updateRecord(context, users, user.id, { active: false })).active, false);
      assert.deepEqual((await store.find("users", { id: user.id }))?.tokens_not_before, clock.now());
      clock.advance(5);
      assert.equal((await updateRecord(context, users, user.id, { active: true })).active, true);
      assert.equal(
        (await store.find("sessions", { id: session.id }))?.ended_at?.getTime(),
        clock.now().getTime() - 5000,
      );
      assert.equal((await store.find("oauth_tokens", { id: token.id }))?.revoked_reason, "user_disabled");
    });

    test("a new password ends all tokens of the user, and all sessions except the one that set it", async () => {
      const context = testContext(await database.open());
      const { store, clock } = context;
      const requested = { email: "ada@example.com", name: "Ada", password: good };
      const id = String((await createRecord(context, users, requested)).record.id);
      const [kept, other] = [await aSession(store, { user_id: id }), await aSession(store, { user_id: id })];
      const token = await aToken(store, { user_id: id });
      const user = (await store.find("users", { id })) ?? assert.fail();
      const self = { ...context, actor: { kind: "user", user, session_id: kept.id } as const };
      clock.advance(5);
      const change = { password: "another long phrase", current_password: good };
      await updateRecord(self, users, id, change);
      assert.equal((await store.find("sessions", { id: kept.id }))?.ended_at, null);
      assert.deepEqual((await store.find("sessions", { id: other.id }))?.ended_at, clock.now());
      assert.equal((await store.find("oauth_tokens", { id: token.id }))?.revoked_reason, "password_changed");
      const { password_hash, tokens_not_before } = (await store.find("users", { id })) ?? assert.fail();
      assert.equal(await context.passwords.verify(password_hash ?? "", "another long phrase"), true);
      assert.deepEqual(tokens_not_before, clock.now());
      clock.advance(5);
      await updateRecord(context, users, id, { password: "a phrase of the operator's" });
      assert.deepEqual((await store.find("sessions", { id: kept.id }))?.ended_at, clock.now());
    });

    test("the successor of a deleted user is named by id or email in any case, and must exist", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const bob = await aUser(store);
      for (const named of [bob.id.toUpperCase(), bob.email.toUpperCase()]) {
        const [ada, acme] = [await aUser(store), await anOrganization(store)];
        const app = await anApp(store, { owner_id: ada.id, organization_id: acme.id });
        const remove = (successor: string) => removeRecord(context, users, ada.id, undefined, { successor });
        for (const nobody of ["nobody@example.com", crypto.randomUUID(), "a\0b@example.com", "\ud800"])
          await refused(remove(nobody), "not_found");
        await remove(named);
        assert.equal((await store.find("oauth_apps", { id: app.id }))?.owner_id, bob.id);
        await refused(getRecord(context, users, ada.id), "not_found");
      }
    });

    test("the pages of a list together contain every record once", async () => {
      const context = testContext(await database.open());
      const made = new Set<unknown>();
      for (let count = 0; count < 5; count++) made.add((await aUser(context.store)).id);
      const seen: unknown[] = [];
      let cursor: string | null = null;
      do {
        const page = await listRecords(context, users, {
          limit: "2",
          ...(cursor === null ? {} : { cursor }),
        });
        assert.ok(page.data.length <= 2);
        seen.push(...page.data.map(({ id }) => id));
        cursor = page.next_cursor;
      } while (cursor !== null);
      assert.equal(seen.length, 5);
      assert.deepEqual(new Set(seen), made);
    });

    test("a membership needs an existing user and organization, is unique, and can change neither", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const [ada, bob] = [await aUser(store), await aUser(store)];
      const [acme, other] = [await anOrganization(store), await anOrganization(store)];
      const requested = { user_id: ada.id, organization_id: acme.id, role: "owner" };
      const { record } = await createRecord(context, memberships, requested);
      const id = String(record.id);
      await createRecord(context, memberships, { ...requested, user_id: bob.id });
      await refused(createRecord(context, memberships, requested), "conflict /user_id /organization_id");
      const gone = { ...requested, user_id: "01890000-0000-7000-8000-000000000000" };
      await refused(createRecord(context, memberships, gone), "invalid_record /user_id");
      await refused(
        updateRecord(context, memberships, id, { organization_id: other.id }),
        "invalid_record /organization_id",
      );
      const changed = await updateRecord(context, memberships, id, { role: "member", permissions: ["read"] });
      assert.deepEqual([changed.role, changed.permissions], ["member", ["read"]]);
      assert.equal((await listRecords(context, memberships, { user_id: ada.id })).data.length, 1);
      await removeRecord(context, memberships, id);
      assert.equal((await listRecords(context, memberships, {})).data.length, 1);
    });

    test("OC-6: a membership's role cannot look like a built-in role nor be the name of a custom role", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const user = await aUser(store);
      const organization = await anOrganization(store);
      await aRole(store, { organization_id: organization.id, name: "editor" });
      const shared = await aRole(store, { name: "support" });
      await aRole(store, { organization_id: (await anOrganization(store)).id, name: "theirs" });
      const ids = { user_id: user.id, organization_id: organization.id };
      const alike = ["supp0rt", "ѕuppοrt", "süpport", "$upport", "ed1tor"];
      const wrong = ["ADMIN", "Admin", "own\u0435r", "member ", "Editor", "support", shared.id, ...alike];
      for (const role of wrong)
        await refused(createRecord(context, memberships, { ...ids, role }), "invalid_record /role");
      // Spec 2.3 allows other names, and the name of another organization's role is one of them.
      const { id } = (await createRecord(context, memberships, { ...ids, role: "theirs" })).record;
      for (const role of wrong)
        await refused(updateRecord(context, memberships, String(id), { role }), "invalid_record /role");
      // A membership that was stored before this rule existed keeps its role.
      await store.update("memberships", { id: String(id) }, { role: "Admin" });
      const changed = await updateRecord(context, memberships, String(id), {
        ...{ role: "Admin", permissions: ["billing"] },
      });
      assert.deepEqual([changed.role, changed.permissions], ["Admin", ["billing"]]);
      assert.equal((await updateRecord(context, memberships, String(id), { role: "admin" })).role, "admin");
    });

    test("OC-6: a role of the server cannot look like a role of an organization", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const roles = resourceOf("roles");
      const { id: organization_id } = await anOrganization(store, { slug: "acme" });
      await aRole(store, { organization_id, name: "audit0r" });
      const { id } = await aRole(store, { name: "support" });
      for (const name of ["audit0r", "auditor", "Auditor", "аudіtor"]) {
        await refused(createRecord(context, roles, { name }), "conflict /name");
        await assert.rejects(updateRecord(context, roles, id, { name }), {
          detail: detail("role_of_organization", { role: "audit0r", organization: "acme" }),
        });
      }
      const renamed = await updateRecord(context, roles, id, { name: "Support" });
      assert.equal(renamed.name, "Support");
      await createRecord(context, roles, { name: "inspector" });
    });

    test("OC-6: a name of a role or group is refused if it contains separators or outer spaces, or imitates another name", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const { id: organization_id } = await anOrganization(store);
      const { id: resource_id } = await aResource(store);
      const [roles, groups, appRoles] = [resourceOf("roles"), resourceOf("groups"), resourceOf("app_roles")];
      await aRole(store, { name: "support" });
      for (const name of ["x,owner", " x", "x\u00a0", "x\t", "x\u200b"]) {
        await refused(createRecord(context, roles, { organization_id, name }), "invalid_record /name");
        await refused(createRecord(context, appRoles, { resource_id, name }), "invalid_record /name");
        const membership = { user_id: (await aUser(store)).id, organization_id, role: name };
        await refused(createRecord(context, memberships, membership), "invalid_record /role");
        const group = { organization_id, display_name: name };
        if (name.includes(",")) await createRecord(context, groups, group);
        else await refused(createRecord(context, groups, group), "invalid_record /display_name");
      }
      for (const name of ["Support", "supp0rt", "ѕupport", "sup-port"])
        await refused(createRecord(context, roles, { organization_id, name }), "conflict /name");
      const clerk = await createRecord(context, appRoles, { resource_id, name: "Clerk" });
      await refused(createRecord(context, appRoles, { resource_id, name: "ｃlerk" }), "conflict /name");
      const id = String(clerk.record.id);
      assert.equal((await updateRecord(context, appRoles, id, { name: "clerk" })).name, "clerk");
      // A role that was stored before this rule existed keeps its name.
      const older = await aRole(store, { organization_id, name: "a,b " });
      const changed = await updateRecord(context, roles, older.id, { name: "a,b ", description: "Old" });
      assert.deepEqual([changed.name, changed.description], ["a,b ", "Old"]);
    });

    test("deactivating an organization ends the tokens of its apps immediately", async () => {
      const context = testContext(await database.open());
      const { store, clock } = context;
      const { record } = await createRecord(context, organizations, { slug: "acme", name: "Acme" });
      const id = String(record.id);
      const app = await anApp(store, { organization_id: id });
      const token = await aToken(store, { app_id: app.id });
      clock.advance(1);
      await updateRecord(context, organizations, id, { active: false });
      assert.deepEqual((await store.find("organizations", { id }))?.tokens_not_before, clock.now());
      assert.equal(
        (await store.find("oauth_tokens", { id: token.id }))?.revoked_reason,
        "organization_disabled",
      );
    });

    test("an id in an invalid format is answered as not found", async () => {
      const context = testContext(await database.open());
      for (const id of ["acme", "a\0b", "\ud800", ""])
        for (const work of [
          () => getRecord(context, organizations, id),
          () => updateRecord(context, users, id, { name: "Ada" }),
          () => removeRecord(context, memberships, id),
        ])
          await refused(work(), "not_found");
    });

    test("a change without fields writes nothing", async () => {
      const context = testContext(await database.open());
      const { record } = await createRecord(context, users, { email: "ada@example.com", name: "Ada" });
      context.clock.advance(10);
      const same = await updateRecord(context, users, String(record.id), { name: "Ada", active: true });
      assert.deepEqual(same, record);
      assert.equal(await context.store.count("audit_events"), 1);
    });
  });
