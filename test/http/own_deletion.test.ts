import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { dueUsers, removeDueUsers, type StuckAccounts } from "../../src/admin/records/due_deletions.ts";
import { requestDeletion, toSettle } from "../../src/admin/records/own_deletion.ts";
import { updateUser } from "../../src/admin/records/users.ts";
import { UnavailableError } from "../../src/errors.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { testContext } from "../admin/context.ts";
import { aPersonAt, press, submit } from "../support/account.ts";
import { aPerson, signInAs, type TestBrowser, testBrowser } from "../support/app.ts";
import {
  aMembership,
  anApiKey,
  anApp,
  anOAuthAccount,
  anOrganization,
  aServiceAccount,
  aToken,
  aUser,
} from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { aPasskey, signInByPasskey } from "../support/passkeys.ts";
import { aProvider, scriptedClient, visitProvider } from "../support/scripted_providers.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";

const day = 86_400;
const path = "/account/deletion";
const undo = "/sign-in/undo-deletion";
const unmailed = { successor: undefined, enqueueCancelLink: async () => {} };

async function setUp(person: Partial<User> = {}) {
  const identity_settings = { self_service: ["deletion"], extra_sign_in: ["passkey", "totp"] } as const;
  const client = scriptedClient();
  const it = await aPersonAt({ person, days: 0, identity_settings, provider_client: client });
  it.clock.advance(1);
  const ask = async (fields: Record<string, string> = {}) => {
    const answer = await submit(it.browser, "/account", path, fields);
    it.clock.advance(1);
    return answer;
  };
  const stored = () => it.store.find("users", { id: it.user.id });
  const keep = (from: TestBrowser) => press(from, undo);
  const admin = { ...testContext(it.store), now: it.server.now };
  /** The job that the server runs every minute. */
  const sweep = () => removeDueUsers(admin);
  return { ...it, admin, client, ask, stored, keep, sweep };
}

type Setting = Awaited<ReturnType<typeof setUp>>;
type Enter = (browser: TestBrowser) => Promise<LightMyRequestResponse>;

/** Every first factor, prepared while the account is active. */
const signIns: Readonly<Record<string, (it: Setting) => Promise<Enter>>> = {
  async password({ enter }) {
    return enter;
  },
  async "password of an account with a second factor"({ user, identity, enter }) {
    await anAuthenticatorApp(user, identity);
    return enter;
  },
  async passkey({ user, identity }) {
    const { device } = await aPasskey(user, identity);
    return (browser) => signInByPasskey(browser, device);
  },
  async provider({ user, store, client }) {
    const { slug, id: provider_id } = await aProvider(store);
    const input = { provider: slug, provider_id, provider_user_id: "upstream-1" };
    await anOAuthAccount(store, { user_id: user.id, ...input });
    return (browser) => visitProvider(browser, client);
  },
};

describe("SS-12: self-service account deletion", () => {
  test("SS-12 a user deactivated by an administrator meanwhile cannot undo the deletion and so reactivate themselves", async () => {
    const it = await setUp();
    await it.ask();
    const link = await it.linkTo(undo);
    assert.equal((await testBrowser(it.app).get(link)).statusCode, 200);
    await updateUser(it.admin, it.user.id, { active: false });
    assert.equal((await testBrowser(it.app).get(link)).statusCode, 404);
    const row = await it.stored();
    assert.deepEqual([row?.active, row?.deletion_at], [false, null]);
  });

  test("the request ends sessions, tokens and keys immediately, and a mail says how to keep the account", async () => {
    const it = await setUp();
    const token = await aToken(it.store, { user_id: it.user.id });
    assert.match((await it.browser.get(path)).body, /for 14 days/i);
    const answer = await it.ask();
    assert.equal(answer.statusCode, 200, answer.body);
    assert.equal((await it.stored())?.active, false);
    assert.equal((await it.browser.get("/account")).statusCode, 302);
    assert.equal((await it.store.find("oauth_tokens", { id: token.id }))?.revoked, true);
    assert.equal((await it.mails())[0]?.subject, "Your account at id.example will be deleted");
    assert.match(await it.linkTo(undo), /token=/);
  });

  test("the deletion can be undone once, in the browser in which the user entered a correct password", async () => {
    const it = await setUp();
    await it.ask();
    const stranger = testBrowser(it.app);
    assert.equal((await it.enter(stranger, { password: "wrong" })).statusCode, 401);
    assert.equal((await stranger.get(undo)).statusCode, 404);
    assert.equal((await it.enter(stranger)).headers.location, undo);
    assert.equal((await testBrowser(it.app).get(undo)).statusCode, 404, "another browser gets nothing of it");
    assert.equal((await it.keep(stranger)).statusCode, 200);
    assert.equal((await it.keep(stranger)).statusCode, 404);
    assert.equal((await it.stored())?.deletion_at, null);
    it.clock.advance(1);
    await it.enter(stranger);
    assert.equal((await stranger.get("/account")).statusCode, 200);
    it.clock.advance(20 * day);
    assert.equal(await it.sweep(), 0);
  });

  for (const [way, come] of Object.entries(signIns)) {
    test(`the deletion can be undone after a correct ${way}, unless an administrator deactivated the user`, async () => {
      const it = await setUp();
      const enter = await come(it);
      assert.equal((await requestDeletion(it.admin, it.user, unmailed)).type, "asked");
      it.clock.advance(1);
      const stranger = testBrowser(it.app);
      assert.equal((await stranger.get(undo)).statusCode, 404);
      const right = await enter(stranger);
      assert.equal(right.headers.location, undo, right.body);
      assert.equal((await stranger.get("/account")).statusCode, 302, "nobody is signed in");
      assert.equal((await it.keep(stranger)).statusCode, 200);
      assert.equal((await it.stored())?.active, true);
      it.clock.advance(31);
      assert.notEqual((await enter(stranger)).headers.location, undo);
      await it.store.update("users", { id: it.user.id }, { active: false });
      it.clock.advance(31);
      const off = await enter(testBrowser(it.app));
      assert.notEqual(off.headers.location, undo);
      assert.ok([401, 403].includes(off.statusCode), `${off.statusCode}`);
    });
  }

  test("SS-12 the deletion is not stored if the mail that can undo it cannot be, and is retried", async () => {
    const it = await setUp();
    const { store } = it.identity;
    const gone = async () => {
      throw new UnavailableError("away", "the database is away", undefined);
    };
    Object.assign(it.identity, { store: { ...store, enqueueMail: gone } });
    assert.equal((await it.ask()).statusCode, 503);
    assert.deepEqual([(await it.stored())?.active, (await it.stored())?.deletion_at], [true, null]);
    Object.assign(it.identity, { store });
    assert.equal((await it.ask()).statusCode, 200);
    assert.match(await it.linkTo(undo), /token=/);
  });

  test("the page states how much will be deleted, and which organizations need a successor", async () => {
    const it = await setUp();
    const organization_id = (await anOrganization(it.store, { name: "Globex" })).id;
    await aMembership(it.store, { user_id: it.user.id, organization_id });
    await anApp(it.store, { owner_id: it.user.id });
    for (const _ of [1, 2]) await anApp(it.store, { owner_id: it.user.id, organization_id });
    await aServiceAccount(it.store, { created_by: it.user.id, organization_id });
    await anApiKey(it.store, { user_id: it.user.id });
    await aPasskey(it.user, it.identity);
    await anAuthenticatorApp(it.user, it.identity);
    const { body } = await it.browser.get(path);
    const lines = [...body.matchAll(/<li>(.*?)<\/li>/g)].map(([, line = ""]) => line.replace(/<[^>]+>/g, ""));
    for (const line of [
      "1 session ends",
      "1 app no longer works",
      "1 API key no longer works",
      "1 membership of an organization ends",
      "1 passkey is removed",
      "1 authenticator app is removed",
      "Globex: 3",
    ]) {
      assert.ok(lines.includes(line), `${line} in ${lines.join(" | ")}`);
    }
    assert.ok(!lines.some((line) => /linked account|loses? access/.test(line)), lines.join(" | "));
  });

  test("the link of the mail undoes the deletion only after its button is pressed", async () => {
    const it = await setUp();
    await it.ask();
    const link = await it.linkTo(undo);
    for (const method of ["GET", "HEAD"] as const) await it.app.inject({ method, url: link });
    assert.equal((await it.stored())?.active, false);
    assert.equal((await press(testBrowser(it.app), link)).statusCode, 200);
    assert.equal((await it.stored())?.active, true);
    assert.equal((await press(testBrowser(it.app), link)).statusCode, 404);
  });

  test("after 14 days the account is deleted; the audit log keeps the id, and the address is free for a new user", async () => {
    const it = await setUp();
    await aProvider(it.store, { slug: "example" });
    await anOAuthAccount(it.store, { user_id: it.user.id, provider: "example" });
    await it.ask();
    it.clock.advance(14 * day - 10);
    assert.equal(await it.sweep(), 0);
    it.clock.advance(20);
    assert.equal((await signInAs(testBrowser(it.app), it.user)).statusCode, 401);
    assert.equal(await it.sweep(), 1);
    assert.equal(await it.store.count("ephemera", { kind: "upstream_revocation" }), 1, "EP-19");
    assert.equal(await it.stored(), undefined);
    for (const table of ["sessions", "oauth_accounts", "memberships"] as const) {
      assert.equal(await it.store.count(table, { user_id: it.user.id }), 0, table);
    }
    const events = await it.store.list("audit_events", { target_id: it.user.id });
    assert.ok(events.some(({ type }) => type === "user.deleted"));
    const audit = JSON.stringify(await it.store.list("audit_events"));
    assert.doesNotMatch(audit, /ada@example/);
    const own = await it.store.list("audit_events", { actor_id: it.user.id });
    assert.ok(own.every(({ client_ip, user_agent }) => client_ip === null && user_agent === null));
    const again = await aPerson(it, { email: "ada@example.com" });
    assert.notEqual(again.id, it.user.id);
    assert.equal((await signInAs(testBrowser(it.app), again)).statusCode, 302);
  });

  test("apps and service accounts of organizations can be given only to a member", async () => {
    const it = await setUp();
    const organization_id = (await anOrganization(it.store)).id;
    const app = await anApp(it.store, { owner_id: it.user.id, organization_id });
    const account = await aServiceAccount(it.store, { created_by: it.user.id, organization_id });
    const heir = await aUser(it.store, { email: "bob@example.com" });
    await aUser(it.store, { email: "eve@example.com" });
    await aMembership(it.store, { user_id: heir.id, organization_id });
    for (const successor of ["", "eve@example.com", "nobody@example.com", "ada@example.com"]) {
      const refused = await it.ask({ successor });
      assert.equal(refused.statusCode, 409, successor);
      assert.equal((await it.stored())?.active, true);
    }
    assert.equal((await it.ask({ successor: "bob@example.com" })).statusCode, 200);
    assert.equal((await it.store.find("oauth_apps", { id: app.id }))?.owner_id, heir.id);
    assert.equal((await it.store.find("service_accounts", { id: account.id }))?.created_by, heir.id);
    it.clock.advance(14 * day + 1);
    assert.equal(await it.sweep(), 1);
    assert.ok(await it.store.find("oauth_apps", { id: app.id }));
  });

  test("the last platform administrator cannot delete the account, and sees the reason", async () => {
    const it = await setUp({ is_platform_admin: true });
    const refused = await it.ask();
    assert.equal(refused.statusCode, 409);
    assert.match(refused.body, /the last platform administrator/);
    await aUser(it.store, { is_platform_admin: true });
    assert.equal((await it.ask()).statusCode, 200);
  });

  test("the deletion is cancelled when an administrator reactivates the user", async () => {
    const it = await setUp();
    await it.ask();
    await updateUser(it.admin, it.user.id, { active: true });
    assert.equal((await it.stored())?.deletion_at, null);
    it.clock.advance(15 * day);
    assert.equal(await it.sweep(), 0);
  });

  test("SS-12 the page lists what prevents the deletion, and has no button until that is resolved", async () => {
    const it = await setUp();
    const { store, user, browser } = it;
    const { id: organization_id } = await anOrganization(store, { name: "Acme <b>" });
    await aMembership(store, { user_id: user.id, organization_id, role: "owner" });
    const other = await aUser(store, { active: false });
    await aMembership(store, { user_id: other.id, organization_id, role: "owner" });
    const reported = await browser.get(path);
    assert.match(reported.body, /last owner of an organization[\s\S]*<bdi>Acme &lt;b&gt;<\/bdi>/);
    assert.doesNotMatch(reported.body, /action="\/account\/deletion"/);
    const refused = await submit(browser, "/account", path);
    assert.equal(refused.statusCode, 409);
    assert.match(refused.body, /the last owner/);
    assert.equal((await it.stored())?.active, true);
    await store.update("users", { id: other.id }, { active: true });
    assert.match((await browser.get(path)).body, /action="\/account\/deletion"/);
    // If the last two owners request the deletion at the same moment, one of them stays.
    const requested = await Promise.all(
      [user, other].map((each) => requestDeletion(it.admin, each, unmailed)),
    );
    assert.deepEqual(requested.map(({ type }) => type).toSorted(), ["asked", "refused"]);
    const stays = requested[0]?.type === "asked" ? other : user;
    const { owned } = await toSettle(it.admin, stays);
    assert.deepEqual(owned, ["Acme <b>"]);
  });

  for (const database of databasesInForm) {
    test(`SS-12 an account that cannot be deleted does not delay others, and is reported once, on ${database.name}`, async () => {
      const store = await database.open();
      const { now } = testContext(store);
      const reported: string[] = [];
      const warn = (message: string) => reported.push(message);
      const at = (hours: number) => new Date(now().getTime() + hours * 3_600_000);
      const stuck: StuckAccounts = new Map();
      const look = (hours: number) =>
        removeDueUsers({ ...testContext(store), now: () => at(hours), warn }, stuck);
      const { id: organization_id } = await anOrganization(store);
      const blocked: User[] = [];
      // All these accounts are due at the same time, and they are more than one run examines.
      for (let count = 0; count < 25; count++) {
        const owner = await aUser(store, { active: false, deletion_at: at(-2) });
        await anApp(store, { owner_id: owner.id, organization_id });
        blocked.push(owner);
      }
      const free = await aUser(store, { active: false, deletion_at: at(-1) });
      assert.equal(await look(0), 0);
      assert.equal(reported.length, 20);
      assert.equal(await look(0.01), 1, "the others had their turn");
      assert.equal(await store.find("users", { id: free.id }), undefined);
      assert.equal(reported.length, 25);
      assert.match(reported[0] ?? "", /cannot be deleted: .*successor/);
      const [first] = blocked;
      const heir = await aUser(store);
      assert.ok(first);
      await store.update("oauth_apps", { owner_id: first.id }, { owner_id: heir.id });
      assert.equal(await look(0.5), 0, "not before its pause is over");
      // All 25 are due again, and two runs cover all of them, in any order.
      assert.equal((await look(1.1)) + (await look(1.11)), 1);
      for (const hours of [1.2, 1.3, 4, 30, 60]) await look(hours);
      assert.equal(reported.length, 25, "nothing is said twice");
      assert.equal(stuck.size, 24);
      assert.deepEqual(new Set([...stuck.values()].map(({ pause }) => pause <= 86_400_000)), new Set([true]));
      const due: string[] = [];
      for await (const { id } of dueUsers({ store }, at(0))) due.push(id);
      assert.equal(due.length, 24);
      // If the deletion of an account is canceled, the account is removed from `stuck` too.
      for (const { id } of blocked) await store.update("users", { id }, { active: true, deletion_at: null });
      assert.equal(await look(100), 0);
      assert.deepEqual([stuck.size, reported.length], [0, 25]);
    });

    test(`accounts are deleted when due, once, and no others, on ${database.name}`, async () => {
      const store = await database.open();
      const context = testContext(store);
      const at = (seconds: number) => new Date(context.now().getTime() + seconds * 1000);
      const due = await aUser(store, { active: false, deletion_at: at(-1) });
      const later = await aUser(store, { active: false, deletion_at: at(60) });
      const off = await aUser(store, { active: false });
      const active = await aUser(store, {});
      const reported: string[] = [];
      const warning = { ...context, warn: (message: string) => reported.push(message) };
      const runs = await Promise.all([removeDueUsers(warning), removeDueUsers(warning)]);
      assert.deepEqual(runs.toSorted(), [0, 1]);
      assert.deepEqual(reported, [], "nothing is wrong where another process was first");
      const left = (await store.list("users")).map(({ id }) => id);
      assert.ok(!left.includes(due.id));
      for (const { id } of [later, off, active]) assert.ok(left.includes(id));
    });
  }
});
