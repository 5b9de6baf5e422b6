/**
 * Membership by consent, and what members of organizations see of each other
 * (docs/decisions/registration-and-invitations.md).
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { submit, testMail } from "../support/account.ts";
import { aPerson, signInAs, type TestApp, type TestBrowser, testApp, testBrowser } from "../support/app.ts";
import { aMembership, anOrganization, aRole } from "../support/builders.ts";
import { databasesInForm, type TestDatabase } from "../support/databases.ts";
import { type ApiServer, anApiKeyText, apiServer, bearer } from "./api/server.ts";

async function setUp(database: TestDatabase, { sends_mail = true } = {}) {
  const mail = testMail();
  const it = await apiServer(database, sends_mail ? { mail: mail.outbox } : {});
  const { store } = it;
  const acme = await anOrganization(store, { name: "Acme" });
  const admin = await aPerson(it, { email: "adela@example.com", name: "Adela" });
  const last_login_at = new Date("2029-01-01T00:00:00Z");
  const stranger = await aPerson(it, { email: "root@example.com", is_platform_admin: true, last_login_at });
  await aMembership(store, { user_id: admin.id, organization_id: acme.id, role: "admin" });
  const { key } = await anApiKeyText(it, { user_id: admin.id, scopes: ["postern:manage"] });
  const requested = { organization_id: acme.id, role: "member", email: stranger.email };
  const members = () => store.count("memberships", { organization_id: acme.id });
  return { ...it, ...mail, acme, admin, stranger, asAdmin: bearer(key), requested, members };
}

type Given = Readonly<Record<string, unknown>>;

async function post({ app }: ApiServer, headers: Readonly<Record<string, string>>, overrides: Given) {
  const answer = await app.inject({
    method: "POST",
    url: "/api/v1/memberships",
    headers,
    payload: overrides,
  });
  return { status: answer.statusCode, body: answer.json() as Given, headers: answer.headers };
}

for (const database of databasesInForm)
  describe(`requests to add a member on ${database.name}`, () => {
    test("P-1: an admin can only invite people by email, and not add a member directly (security finding 8)", async () => {
      const it = await setUp(database);
      const { acme, admin, stranger, requested } = it;
      const above = await post(it, it.asAdmin, { ...requested, role: "owner" });
      assert.deepEqual([above.status, above.body.code], [403, "forbidden"]);

      const answers = [];
      for (const email of [stranger.email, "nobody@example.com"]) {
        const { status, body, headers } = await post(it, it.asAdmin, { ...requested, role: "admin", email });
        assert.equal(headers.location, undefined);
        const { id, email: echoed, ...rest } = body;
        assert.match(String(id), /^[0-9a-f-]{36}$/);
        assert.equal(echoed, email);
        answers.push([status, rest]);
      }
      const now = it.clock.now();
      const expires_at = new Date(now.getTime() + 7 * 86_400_000).toISOString();
      const invitation = {
        organization_id: acme.id,
        role: "admin",
        ...{ role_ids: [], app_role_ids: [] },
        invited_by: admin.id,
        expires_at,
        created_at: now.toISOString(),
      };
      assert.deepEqual(answers, [
        [202, invitation],
        [202, invitation],
      ]);
      assert.equal(await it.members(), 1);
      const mailed = (await it.mails()).map(({ to }) => to);
      assert.deepEqual(mailed.toSorted(), ["nobody@example.com", "root@example.com"]);
      const seen = await it.app.inject({ url: `/api/v1/users/${stranger.id}`, headers: it.asAdmin });
      assert.equal(seen.statusCode, 404);
    });

    test("P-1: an admin cannot add a user by id, and learns not whether the id exists (security finding 8)", async () => {
      const it = await setUp(database);
      const [there, nowhere] = await Promise.all(
        [it.stranger.id, crypto.randomUUID()].map(async (user_id) => {
          const { status, body } = await post(it, it.asAdmin, { ...it.requested, email: undefined, user_id });
          return [status, { ...body, request_id: undefined }];
        }),
      );
      assert.equal(there?.[0], 403);
      assert.deepEqual(there, nowhere);
      assert.equal(await it.members(), 1);
    });

    test("P-1: an organization's API key cannot invite, and a platform administrator adds directly (security finding 8)", async () => {
      const it = await setUp(database);
      const { requested } = it;
      const { key } = await anApiKeyText(it, { organization_id: it.acme.id, scopes: ["postern:manage"] });
      assert.equal((await post(it, bearer(key), requested)).status, 403);
      const made = await post(it, bearer(it.key), requested);
      assert.deepEqual([made.status, made.body.user_id], [201, it.stranger.id]);
      assert.match(String(made.headers.location), /^\/api\/v1\/memberships\//);
    });

    test("P-1: errors of an invitation are reported field by field (security finding 8)", async () => {
      const it = await setUp(database);
      const requested = { ...it.requested, email: "grace@example.com" };
      const faulty: readonly (readonly [Given, number, readonly string[]])[] = [
        [{ ...requested, email: "no address" }, 422, ["/email"]],
        [{ ...requested, email: 7 }, 422, ["/email"]],
        [{ organization_id: requested.organization_id, role: "member" }, 422, ["/email"]],
        [{ ...requested, role: "king" }, 422, ["/role"]],
        [{ ...requested, permissions: ["users:read"] }, 422, ["/permissions"]],
        [{ ...requested, nonsense: 1 }, 422, ["/nonsense"]],
        [{ ...requested, id: crypto.randomUUID() }, 403, ["/id"]],
        [{ ...requested, email: it.admin.email }, 409, ["/email"]],
      ];
      for (const [overrides, expected, paths] of faulty) {
        const { status, body } = await post(it, it.asAdmin, overrides);
        const errors = body.errors as readonly { path: string }[];
        assert.deepEqual([status, errors?.map(({ path }) => path)], [expected, paths], JSON.stringify(body));
      }
      assert.equal(await it.store.count("invitations"), 0);
    });

    test("OC-6: an invitation through the API may name only roles of its organization", async () => {
      const it = await setUp(database);
      const { store, acme } = it;
      const role = await aRole(store, { organization_id: acme.id, name: "editor" });
      const other = await anOrganization(store);
      const foreign = await aRole(store, { organization_id: other.id, name: "foreign" });
      const invite = (organization_id: string, role_ids: unknown) =>
        post(it, it.asAdmin, { role: "member", email: "new@example.com", organization_id, role_ids });
      for (const wrong of [["foreign"], [foreign.id], ["none"], "editor", [7]]) {
        const { status, body } = await invite(acme.id, wrong);
        assert.deepEqual([status, body.code], [422, "invalid_record"], JSON.stringify(wrong));
      }
      // To a caller who may not invite, the error does not reveal whether a role exists.
      const answers = [await invite(other.id, ["foreign"]), await invite(other.id, ["none"])];
      assert.deepEqual(
        answers.map(({ status }) => status),
        [404, 404],
      );
      assert.equal(await store.count("invitations"), 0);
      const { body } = await invite(acme.id, ["editor", role.id]);
      assert.deepEqual(body.role_ids, [role.id]);
      const again = await it.app.inject({
        method: "POST",
        url: `/api/v1/organizations/${acme.id}/invitations/${body.id}/send-again`,
        headers: it.asAdmin,
      });
      assert.deepEqual(again.json().role_ids, [role.id]);
      assert.equal(await store.count("invitations"), 1);
    });

    test("P-1: a server without mail says so, and invites no one (security finding 8)", async () => {
      const it = await setUp(database, { sends_mail: false });
      for (const email of [it.stranger.email, "nobody@example.com"]) {
        const { status, body } = await post(it, it.asAdmin, { ...it.requested, email });
        assert.deepEqual([status, body.code], [409, "mail_off"]);
        assert.ok(String(body.detail).includes(`/console/organizations/${it.acme.id}/invite`));
      }
      assert.equal(await it.store.count("invitations"), 0);
    });

    test("P-2: members of an organization do not see each other's fields reserved for the platform (security finding 8)", async () => {
      const it = await setUp(database);
      const { store, acme, admin, stranger } = it;
      const membership = { user_id: stranger.id, organization_id: acme.id, role: "member" };
      await aMembership(store, membership);
      const get = async (headers: Readonly<Record<string, string>>, url: string) => {
        const answer = await it.app.inject({ url: `/api/v1/${url}`, headers });
        return { status: answer.statusCode, body: answer.json(), etag: answer.headers.etag };
      };
      const confidential = (record: Given) =>
        ["is_platform_admin", "last_login_at"].filter((name) => Object.hasOwn(record, name));
      const both = ["is_platform_admin", "last_login_at"];

      const other = await get(it.asAdmin, `users/${stranger.id}`);
      assert.deepEqual([other.body.name, confidential(other.body)], [stranger.name, []]);
      const own = await get(it.asAdmin, `users/${admin.id}`);
      assert.deepEqual(confidential(own.body), both);
      const root = await get(bearer(it.key), `users/${stranger.id}`);
      assert.deepEqual(confidential(root.body), both);

      const list = await get(it.asAdmin, "users");
      const reported = Object.fromEntries(list.body.data.map((user: Given) => [user.id, confidential(user)]));
      assert.deepEqual(reported, { [admin.id]: both, [stranger.id]: [] });
      // These fields cannot be found out by filtering a list either, and a change of them does not change the
      // ETag.
      const narrowed = await get(it.asAdmin, "users?is_platform_admin=true");
      assert.deepEqual([narrowed.status, narrowed.body.code], [400, "invalid_filter"]);
      assert.equal((await get(bearer(it.key), "users?is_platform_admin=true")).status, 200);
      await store.update("users", { id: stranger.id }, { is_platform_admin: false, last_login_at: null });
      assert.equal((await get(it.asAdmin, `users/${stranger.id}`)).etag, other.etag);
    });
  });

describe("members and invitations in the console", () => {
  async function signedIn(overrides: Parameters<typeof testApp>[0] = {}) {
    const it: TestApp = await testApp({ throttle: false, ...overrides });
    const acme = await anOrganization(it.store, { name: "Acme" });
    const admin = await aPerson(it, { email: "adela@example.com", name: "Adela" });
    await aMembership(it.store, { user_id: admin.id, organization_id: acme.id, role: "admin" });
    const browser: TestBrowser = testBrowser(it.app);
    await signInAs(browser, admin);
    return { ...it, acme, browser, admin };
  }

  test("P-1: only platform administrators get a form that adds members; others get the invitation (security finding 8)", async () => {
    const { browser, acme, store } = await signedIn();
    assert.equal((await browser.get("/console/memberships/new")).statusCode, 403);
    const page = await browser.get(`/console/organizations/${acme.id}`);
    assert.ok(page.body.includes(`/console/organizations/${acme.id}/invite`));
    const way = `href="/console/organizations/${acme.id}/invite">Invite a member</a>`;
    assert.ok((await browser.get("/console/memberships")).body.includes(way));
    assert.ok((await browser.get(`/console/memberships?organization_id=${acme.id}`)).body.includes(way));
    const overrides = { email: "root@example.com", organization_id: acme.id, role: "member" };
    const forced = await submit(
      browser,
      `/console/organizations/${acme.id}/invite`,
      "/console/memberships/new",
      overrides,
    );
    assert.equal(forced.statusCode, 403);
    assert.equal(await store.count("memberships", { organization_id: acme.id }), 1);
  });

  test("P-1: the list of memberships offers an invitation only with permission and for one organization (security finding 8)", async () => {
    const { acme, browser, admin, ...it } = await signedIn();
    const { store } = it;
    const invites = ({ body }: { body: string }) => body.includes("Invite a member");
    const developer = await aPerson(it, { email: "dev@example.com", name: "Dev" });
    await aMembership(store, { user_id: developer.id, organization_id: acme.id, role: "developer" });
    const theirs = testBrowser(it.app);
    await signInAs(theirs, developer);
    assert.ok(!invites(await theirs.get("/console/memberships")));
    const other = await anOrganization(store);
    await aMembership(store, { user_id: admin.id, organization_id: other.id, role: "owner" });
    assert.ok(!invites(await browser.get("/console/memberships")));
    assert.ok(invites(await browser.get(`/console/memberships?organization_id=${other.id}`)));
  });

  test("P-2: the console does not show members of an organization these fields of each other either (security finding 8)", async () => {
    const it = await signedIn();
    const { browser, acme } = it;
    const last_login_at = new Date("2021-03-04T05:06:00Z");
    const root = await aPerson(it, { name: "Root", is_platform_admin: true, last_login_at });
    await aMembership(it.store, { user_id: root.id, organization_id: acme.id, role: "member" });
    for (const path of [`/console/users/${root.id}`, "/console/users", `/console/organizations/${acme.id}`]) {
      const { body, statusCode } = await browser.get(path);
      assert.equal(statusCode, 200, path);
      assert.doesNotMatch(body, /2021-03-04|Platform administrator/, path);
    }
    assert.doesNotMatch((await browser.get("/console/users")).body, /name="is_platform_admin"/);
    const asRoot = testBrowser(it.app);
    await signInAs(asRoot, root);
    assert.match((await asRoot.get("/console/users")).body, /name="is_platform_admin"/);
    assert.match((await asRoot.get(`/console/users/${root.id}`)).body, /Platform administrator/);
  });
});
