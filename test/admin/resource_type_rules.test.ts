/** Rules of single resource types, tested through the functions that every interface of management calls. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { AdminContext } from "../../src/admin/access/actor.ts";
import {
  createRecord,
  getRecord,
  removeRecord,
  revokeRecord,
  updateRecord,
} from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import type { AuditEvent, User } from "../../src/records/definition/definition.ts";
import {
  aConsent,
  aMembership,
  anApp,
  anOrganization,
  aSession,
  aToken,
  aUser,
} from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { column } from "../support/lists.ts";
import { problem, refused, testContext } from "./context.ts";

async function eventsOf({ store }: AdminContext, target_id: unknown): Promise<AuditEvent[]> {
  return store.list("audit_events", { target_id: String(target_id) });
}

for (const database of databasesInForm) {
  describe(`rules of management on ${database.name}`, () => {
    test("RFC 9700 4.15: only a platform administrator may choose an app's id, or a client_id that looks like an id", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const [user, victim, acme] = [await aUser(store), await anApp(store), await anOrganization(store)];
      const membership = { user_id: user.id, organization_id: acme.id, role: "owner" };
      await createRecord(context, resourceOf("memberships"), membership);
      const asUser = { ...context, actor: { kind: "user", user } as const };
      const requested = { name: "Mine", organization_id: acme.id };
      const apps = resourceOf("apps");
      await refused(createRecord(asUser, apps, { ...requested, id: victim.owner_id }), "forbidden /id");
      await refused(
        createRecord(asUser, apps, { ...requested, client_id: victim.id }),
        "invalid_record /client_id",
      );
      const { record } = await createRecord(asUser, apps, { ...requested, client_id: "mine" });
      assert.equal(record.owner_id, user.id);
    });

    test("a request by id changes the app with that id, even if another app has it as its client_id", async () => {
      const context = testContext(await database.open());
      const apps = resourceOf("apps");
      const app = await anApp(context.store);
      const other = await anApp(context.store, { client_id: app.id });
      const changed = await updateRecord(context, apps, app.id, { name: "Changed" });
      assert.equal(changed.id, app.id);
      await revokeRecord(context, apps, app.id);
      await removeRecord(context, apps, app.id);
      const kept = await context.store.find("oauth_apps", { id: other.id });
      assert.deepEqual([kept?.name, kept?.revoked_at], [other.name, null]);
    });

    test("a platform administrator adds members by email or by id", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const [root, guest] = [await aUser(store, { is_platform_admin: true }), await aUser(store)];
      const [acme, other] = [await anOrganization(store), await anOrganization(store)];
      const memberships = resourceOf("memberships");
      const asRoot = { ...context, actor: { kind: "user", user: root } as const };
      const requested = { organization_id: acme.id, role: "member" };
      for (const email of ["nobody@example.com", guest.id, 7, ""])
        await refused(createRecord(asRoot, memberships, { ...requested, email }), "invalid_record /email");
      await refused(
        createRecord(asRoot, memberships, { ...requested, email: guest.email, user_id: guest.id }),
        "invalid_record /email",
      );
      const { record } = await createRecord(asRoot, memberships, {
        organization_id: other.id,
        role: "member",
        email: guest.email.toUpperCase(),
      });
      assert.equal(record.user_id, guest.id);
      const again = await createRecord(asRoot, memberships, { ...requested, user_id: guest.id });
      assert.equal(again.record.organization_id, acme.id);
    });

    test("every secret that is created or deleted together with its app has an audit event and a log line", async () => {
      const lines: { event?: string }[] = [];
      const context = {
        ...testContext(await database.open()),
        log: { info: (fields: object) => lines.push(fields) },
      };
      const { id: owner_id } = await aUser(context.store);
      const { record } = await createRecord(context, resourceOf("apps"), { name: "App", owner_id });
      await updateRecord(context, resourceOf("apps"), String(record.id), { public: true });
      const expected = ["app.created", "app_secret.created", "app.updated", "app_secret.deleted"];
      assert.deepEqual(column(lines, "event"), expected);
      const events = await context.store.list("audit_events");
      assert.deepEqual(events.map(({ type }) => type).sort(), expected.sort());
    });

    test("a user whose records must stay is deleted with a successor, and unknown parameters are refused by name", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const users = resourceOf("users");
      const [ada, bob, acme] = [await aUser(store), await aUser(store), await anOrganization(store)];
      const app = await anApp(store, { owner_id: ada.id, organization_id: acme.id });
      await refused(
        removeRecord(context, users, ada.id, undefined, { heir: bob.id }),
        "invalid_record /heir",
      );
      await refused(removeRecord(context, users, ada.id), "successor_required");
      assert.equal((await eventsOf(context, ada.id)).length, 0, "a refused deletion is undone whole");
      await removeRecord(context, users, ada.id, undefined, { successor: bob.email });
      assert.equal((await store.find("oauth_apps", { id: app.id }))?.owner_id, bob.id);
    });

    test("users must enter their current password to set a new one, and their session continues", async () => {
      const context = testContext(await database.open());
      const { store, clock } = context;
      const users = resourceOf("users");
      const password = "correct horse battery";
      const { record } = await createRecord(context, users, {
        email: "a@example.com",
        name: "Ada",
        password,
      });
      const id = String(record.id);
      const [here, there] = [await aSession(store, { user_id: id }), await aSession(store, { user_id: id })];
      const user = await store.find("users", { id });
      assert.ok(user !== undefined);
      const actor = { kind: "user", user, session_id: here.id } as const;
      const self = { ...context, actor };
      clock.advance(1);
      const next = { password: "another long phrase" };
      for (const wrong of [
        next,
        { ...next, current_password: "wrong wrong" },
        { current_password: password },
      ])
        await refused(updateRecord(self, users, id, wrong), "invalid_record /current_password");
      await updateRecord(self, users, id, { ...next, current_password: password });
      assert.equal((await store.find("sessions", { id: here.id }))?.ended_at, null);
      assert.deepEqual((await store.find("sessions", { id: there.id }))?.ended_at, clock.now());
      const [, changed] = await eventsOf(context, id);
      assert.deepEqual(changed?.details, { before: {}, after: {}, also_changed: ["password_hash"] });
      assert.deepEqual([changed?.actor_kind, changed?.actor_id], ["user", id]);
    });

    test("SU-6: a user whose session ended during the request sets no password, not even a first one", async () => {
      const context = testContext(await database.open());
      const { store, clock } = context;
      const user = await aUser(store, { password_hash: null });
      const { id } = user;
      const here = await aSession(store, { user_id: id });
      const self = { ...context, actor: { kind: "user", user, session_id: here.id } as const };
      const hash: typeof context.passwords.hash = async (...values) => {
        // The owner signs out everywhere while the password is hashed.
        await store.update("sessions", { id: here.id }, { ended_at: clock.now() });
        return context.passwords.hash(...values);
      };
      const slow = { ...self, passwords: { ...context.passwords, hash } };
      await refused(
        updateRecord(slow, resourceOf("users"), id, { password: "another long phrase" }),
        "unauthorized",
      );
      assert.equal((await store.find("users", { id }))?.password_hash, null);
      // If another password was set meanwhile, which signed the user out, the error is a conflict.
      const there = await aSession(store, { user_id: id });
      const other = { ...self, actor: { kind: "user", user, session_id: there.id } as const };
      const late: typeof context.passwords.hash = async (...values) => {
        clock.advance(1);
        await updateRecord(context, resourceOf("users"), id, { password: "the password of the owner" });
        return context.passwords.hash(...values);
      };
      await refused(
        updateRecord({ ...other, passwords: { ...context.passwords, hash: late } }, resourceOf("users"), id, {
          password: "another long phrase",
        }),
        "conflict",
      );
    });

    test("G-5: users must enter their current password to change their email address (security finding 2)", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const password_hash = await context.passwords.hash("correct horse battery staple");
      const users = resourceOf("users");
      const root = await aUser(store, { is_platform_admin: true, password_hash });
      const self = { ...context, actor: { kind: "user", user: root } as const };
      const email = "new@example.com";
      const unproven = problem("invalid_record", ["/current_password"]);
      for (const values of [{ email }, { email, current_password: "wrong wrong" }, { current_password: "x" }])
        await assert.rejects(updateRecord(self, users, root.id, values), unproven, JSON.stringify(values));
      await updateRecord(self, users, root.id, { email: root.email, name: "The same address" });
      await updateRecord(self, users, root.id, { email, current_password: "correct horse battery staple" });
      assert.equal((await store.find("users", { id: root.id }))?.email, email);

      const other = await aUser(store, { password_hash });
      await updateRecord(self, users, other.id, { email: "another's@example.com" });
      const without = await aUser(store, { is_platform_admin: true });
      const themselves = { ...context, actor: { kind: "user", user: without } as const };
      await updateRecord(themselves, users, without.id, { email: "no-password@example.com" });
      const plain = { ...context, actor: { kind: "user", user: other } as const };
      await refused(updateRecord(plain, users, other.id, { email: "mine@example.com" }), "forbidden /email");
    });

    test("SS-7: an email address restored by its owner can at first be changed only by another administrator", async () => {
      const context = testContext(await database.open());
      const { store, clock } = context;
      const users = resourceOf("users");
      const email_locked_until = new Date(clock.now().getTime() + 72 * 3_600_000);
      const root = await aUser(store, { is_platform_admin: true, email_locked_until });
      const other = await aUser(store, { is_platform_admin: true });
      const as = (user: User) => ({ ...context, actor: { kind: "user", user } as const });
      const email = "again@example.com";
      await refused(updateRecord(as(root), users, root.id, { email }), "forbidden /email");
      await updateRecord(as(root), users, root.id, { email: root.email, name: "The same address" });
      await updateRecord(as(other), users, root.id, { email });
      assert.equal((await store.find("users", { id: root.id }))?.email, email);
      clock.advance(72 * 3600);
      await updateRecord(as(root), users, root.id, { email: "own@example.com" });
      assert.equal((await store.find("users", { id: root.id }))?.email, "own@example.com");
    });

    test("G-10: the number and length of a membership's extra permissions are limited (security finding 23)", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const { id } = await aMembership(store);
      const memberships = resourceOf("memberships");
      for (const permissions of [Array.from({ length: 101 }, (_, n) => `p${n}`), ["x".repeat(65)]])
        await refused(updateRecord(context, memberships, id, { permissions }), "invalid_record /permissions");
      const most = Array.from({ length: 100 }, (_, n) => `${n}`.padStart(64, "p"));
      const changed = await updateRecord(context, memberships, id, { permissions: most });
      assert.deepEqual(changed.permissions, most);
    });

    test("C-9: creating a secret can shorten the life of the app's other secrets, and never extends it", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const app = await anApp(store);
      const secrets = resourceOf("app_secrets");
      const make = (more: object = {}) => createRecord(context, secrets, { app_id: app.id, ...more });
      const [old, short] = [await make(), await make({ expires_at: "2030-01-01T00:00:10.000Z" })];
      const { record } = await make({ expire_others_in: 60 });
      const expiryOf = async (id: unknown) => (await getRecord(context, secrets, String(id))).expires_at;
      assert.equal(await expiryOf(old.record.id), new Date(context.now().getTime() + 60_000).toISOString());
      assert.equal(await expiryOf(short.record.id), "2030-01-01T00:00:10.000Z");
      assert.equal(await expiryOf(record.id), null);
      await refused(
        make({ value: "", expires_at: "soon", expire_others_in: -1, nonsense: true, secret_hash: "x" }),
        "invalid_record /secret_hash /nonsense /value /expires_at /expire_others_in",
      );
      await refused(
        make({ app_id: crypto.randomUUID(), value: "chosen-elsewhere" }),
        "invalid_record /app_id",
      );
      const isPublic = await anApp(store, { public: true });
      await refused(make({ app_id: isPublic.id }), "invalid_record /app_id");
      const shortened = await eventsOf(context, old.record.id);
      assert.deepEqual(shortened.map(({ type }) => type).sort(), [
        "app_secret.created",
        "app_secret.updated",
      ]);
      const chosen = await make({ value: "chosen-elsewhere" });
      assert.deepEqual(chosen.once, {});
      await refused(make({ value: "chosen-elsewhere" }), "conflict");
    });

    test("B-5: an app has at most ten active secrets, however they were created (security finding 9)", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const apps = resourceOf("apps");
      const secrets = resourceOf("app_secrets");
      const values = (count: number) =>
        Array.from({ length: count }, (_, n) => `the secret number ${n} of it`);
      let hashes = 0;
      let atOnce = 0;
      let most = 0;
      const hash: typeof context.passwords.hash = async (...all) => {
        assert.deepEqual(all.slice(1), ["management", "system"]);
        hashes += 1;
        atOnce += 1;
        most = Math.max(most, atOnce);
        const made = await context.passwords.hash(...all);
        atOnce -= 1;
        return made;
      };
      const counting = { ...context, passwords: { ...context.passwords, hash } };
      const input = { name: "A", owner_id: (await anApp(store)).owner_id };
      const make = (count: number) => createRecord(counting, apps, { ...input, secrets: values(count) });
      await refused(make(11), "too_many_secrets /secrets");
      await refused(make(2000), "too_many_secrets /secrets");
      assert.equal(hashes, 0);
      const app_id = String((await make(9)).record.id);
      assert.deepEqual([hashes, most], [9, 1]);

      const add = (more: object = {}) => createRecord(counting, secrets, { app_id, ...more });
      const last = (await add()).record;
      hashes = 0;
      await refused(add(), "too_many_secrets /app_id");
      assert.equal(hashes, 0);
      await refused(add({ expire_others_in: 60 }), "too_many_secrets /app_id");
      // An ended secret makes room for another. It cannot be reactivated when there is no room left.
      const ended = { expires_at: new Date(context.now().getTime() - 1000).toISOString() };
      await updateRecord(context, secrets, String(last.id), ended);
      const results = await Promise.allSettled([add(), add(), add()]);
      assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
      await refused(
        updateRecord(context, secrets, String(last.id), { expires_at: null }),
        "too_many_secrets /app_id",
      );
      await add({ expire_others_in: 0 });
      await add();
    });

    test("B-6: a secret chosen by the caller has at least 20 characters, by the operator at least 8 (security finding 15)", async () => {
      const operator = testContext(await database.open());
      const { id: organization_id } = await anOrganization(operator.store);
      const app = await anApp(operator.store, { organization_id });
      await aMembership(operator.store, { organization_id, user_id: app.owner_id, role: "owner" });
      const user = await operator.store.find("users", { id: app.owner_id });
      assert.ok(user);
      const owner = { ...operator, actor: { kind: "user", user } as const };
      const secrets = resourceOf("app_secrets");
      const give = (context: typeof operator, value: string) =>
        createRecord(context, secrets, { app_id: app.id, value });
      for (const value of ["a", "x".repeat(19)]) await refused(give(owner, value), "invalid_record /value");
      await give(owner, "x".repeat(20));
      await refused(give(operator, "seven77"), "invalid_record /value");
      const warnings: string[] = [];
      await give({ ...operator, warn: (text: string) => warnings.push(text) } as typeof operator, "eight888");
      assert.equal(warnings.length, 1);
      assert.ok(!warnings.join().includes("eight888"));
      const withSecret = { name: "A", organization_id, secrets: ["a"] };
      await refused(createRecord(owner, resourceOf("apps"), withSecret), "invalid_record /secrets/0");
    });

    test("a consent can only be narrowed by a change, and not given to another user", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const consents = resourceOf("consents");
      const consent = await aConsent(store, { scopes: ["openid", "email"] });
      const { user_id, app_id } = consent;
      const wide = await aToken(store, { user_id, app_id, scopes: ["openid", "email"] });
      const narrow = await aToken(store, { user_id, app_id, scopes: ["openid"] });
      await refused(
        updateRecord(context, consents, consent.id, { scopes: ["openid", "profile"], revoked: true }),
        "invalid_record /revoked /scopes/1",
      );
      await updateRecord(context, consents, consent.id, { scopes: ["openid"] });
      assert.equal((await store.find("oauth_tokens", { id: wide.id }))?.revoked_reason, "consent_withdrawn");
      assert.equal((await store.find("oauth_tokens", { id: narrow.id }))?.revoked, false);
      await revokeRecord(context, consents, consent.id);
      await refused(updateRecord(context, consents, consent.id, { scopes: [] }), "revoked");
    });
  });
}
