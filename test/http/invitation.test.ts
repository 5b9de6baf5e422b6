import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Organization } from "../../src/records/definition/definition.ts";
import { aPersonAt, followed, type Setting, sendForm, submit, withCookie } from "../support/account.ts";
import { altered } from "../support/altered.ts";
import { aPerson, hiddenField, password, signInAs, type TestBrowser, testBrowser } from "../support/app.ts";
import { aMembership, anAppRole, anOrganization, aResource, aRole } from "../support/builders.ts";

const fresh = "an entirely new password";
const guest = "grace@example.com";

interface Inviting extends Setting {
  readonly acme: Organization;
  /** Path of the page on which users are invited. */
  readonly page: string;
}

/**
 * Returns the owner of an organization, signed in. By default the server has no mail, so the page shows the
 * link.
 */
async function setUp({ sends_mail = false } = {}): Promise<Inviting> {
  const it = await aPersonAt({ sends_mail, days: 0 });
  const acme = await anOrganization(it.store, { name: "Acme" });
  await aMembership(it.store, { user_id: it.user.id, organization_id: acme.id, role: "owner" });
  return { ...it, acme, page: `/console/organizations/${acme.id}/invite` };
}

type Given = Readonly<Record<string, string>>;

const invite = ({ browser, page }: Pick<Inviting, "browser" | "page">, overrides: Given = {}) =>
  submit(browser, page, page, { email: guest, role: "developer", ...overrides });

/** Returns the path and query of the link that the page shows. */
function linkOf({ body }: { body: string }): string {
  const link = /<div class="secret"><code>([^<]+)<\/code>/.exec(body)?.[1] ?? "";
  assert.match(link, /^https:\/\/id\.example\/invitation\?token=pot_[\w-]{51}$/);
  return link.slice("https://id.example".length);
}

const makeAccount = (browser: TestBrowser, link: string, overrides: Given = {}) =>
  submit(browser, link, undefined, { name: "Grace", password: fresh, ...overrides });

const membershipOf = async ({ store, acme }: Inviting, email: string) => {
  const user = await store.find("users", { email });
  return user && store.find("memberships", { user_id: user.id, organization_id: acme.id });
};

describe("inviting a user on the console", () => {
  test("P-11: if mail is set up, the link of an invitation is sent only to the mailbox (security finding 26)", async () => {
    const it = await setUp({ sends_mail: true });
    const answer = await followed(it.browser, await invite(it));
    assert.match(answer.body, /grace@example\.com<\/bdi> is invited/);
    assert.doesNotMatch(answer.body, /pot_|hand/);
    const [mail] = await it.mails();
    assert.equal(mail?.to, guest);
    assert.match(mail?.text ?? "", /https:\/\/id\.example\/invitation\?token=pot_[\w-]{51}/);
    assert.match(mail?.text ?? "", /ada@example\.com invites you to join Acme at id\.example/);
    assert.match(mail?.text ?? "", /Developer/);
    const page = await it.browser.get(it.page);
    assert.ok(page.body.includes(guest));
    assert.doesNotMatch(page.body, /pot_/);
    assert.equal(page.headers["cache-control"], "no-store");
  });

  test("OC-6: an invitation to custom roles names them on the page and in the mail, and grants them when accepted", async () => {
    const it = await setUp({ sends_mail: true });
    const { store, acme } = it;
    const role = await aRole(store, { organization_id: acme.id, name: "editor <i>" });
    const server = await aRole(store, { organization_id: null, name: "auditor" });
    const { id: resource_id } = await aResource(store, { identifier: "https://shop.example" });
    const clerk = await anAppRole(store, { resource_id, name: "clerk" });
    const other = await anOrganization(store);
    const foreign = await aRole(store, { organization_id: other.id, name: "foreign" });
    const page = await it.browser.get(it.page);
    assert.match(page.body, /editor &lt;i&gt;/);
    assert.doesNotMatch(page.body, /foreign/);
    const refused = await invite(it, { [`role_ids/${foreign.id}`]: "1" });
    assert.deepEqual([refused.statusCode, await store.count("invitations")], [422, 0]);
    const chosen = [`role_ids/${role.id}`, `role_ids/${server.id}`, `app_role_ids/${clerk.id}`];
    const answer = await followed(
      it.browser,
      await invite(it, Object.fromEntries(chosen.map((name) => [name, "1"]))),
    );
    assert.match(answer.body, /<bdi>editor &lt;i&gt;<\/bdi>.*<bdi>https:\/\/shop\.example#clerk<\/bdi>/s);
    const { text } = (await it.mails())[0] ?? assert.fail();
    assert.match(text, /Developer, editor <i>, auditor, /);
    // If a role is deleted, it is removed from pending invitations too.
    await store.transaction((tx) => store.forgetRoles(tx, "role_ids", [server.id], null));
    const [, path = ""] = /https:\/\/id\.example(\/invitation\S+)/.exec(text) ?? [];
    const guestBrowser = testBrowser(it.app);
    assert.match((await guestBrowser.get(path)).body, /, <bdi>editor &lt;i&gt;<\/bdi>/);
    const joined = await makeAccount(guestBrowser, path);
    assert.match(
      joined.body,
      /Your role: Developer, <bdi>editor &lt;i&gt;<\/bdi>, <bdi>https:\/\/shop\.example#clerk<\/bdi>\./,
    );
    const membership = await membershipOf(it, guest);
    assert.deepEqual(
      [membership?.role, membership?.role_ids, membership?.app_role_ids],
      ["developer", [role.id], [clerk.id]],
    );
  });

  test("without mail, the inviter gets the link to hand over", async () => {
    const answer = await invite(await setUp());
    assert.match(answer.body, /does not send email/);
    linkOf(answer);
  });

  test("the mail is in the language of the inviter", async () => {
    const it = await setUp({ sends_mail: true });
    it.browser.cookies.set("postern_language", "es");
    await invite(it);
    assert.match((await it.mails())[0]?.text ?? "", /te invita a unirte a Acme/);
  });

  test("the answer to an inviter does not reveal whether the address has an account", async () => {
    const it = await setUp({ sends_mail: true });
    await aPerson(it, { email: guest });
    const bodies = new Set<string>();
    for (const email of [guest, "nobody@example.com"]) {
      const answer = await followed(it.browser, await invite(it, { email }));
      const [form = ""] = answer.body.split('<table class="table"');
      const shown = form.replaceAll(/invited(=|%3D)[0-9a-f-]{36}/g, "");
      bodies.add(shown.replaceAll(email, "E").replaceAll(hiddenField(answer, "csrf_token"), "C"));
      await it.store.remove("invitations", {});
    }
    assert.equal(bodies.size, 1, [...bodies].join("\n-----\n"));
    const texts = (await it.mails()).map(({ text }) => text.replace(/pot_[\w-]{51}/, "T"));
    assert.equal(new Set(texts).size, 1);
  });

  test("invalid input is reported at its field, and no invitation is created", async () => {
    const it = await setUp();
    for (const [overrides, reported] of [
      [{ email: "grace" }, /id="email-error">Enter an email address/],
      [{ email: "ada@example.com" }, /id="email-error">The person with this address is already a member/],
      [{ role: "emperor" }, /id="role-error">Choose a role/],
    ] as const) {
      const answer = await invite(it, overrides);
      assert.equal(answer.statusCode, 422);
      assert.match(answer.body, reported);
      assert.match(answer.body, /aria-invalid="true"/);
    }
    assert.equal(await it.store.count("invitations"), 0);
  });

  test("only an owner may invite owners, and a user without the permission gets no form", async () => {
    const it = await setUp();
    const as = async (role: string | undefined) => {
      const user = await aPerson(it);
      if (role !== undefined)
        await aMembership(it.store, { user_id: user.id, organization_id: it.acme.id, role });
      const browser = testBrowser(it.app);
      await signInAs(browser, user);
      return browser;
    };
    const admin = await as("admin");
    const { body } = await admin.get(it.page);
    assert.doesNotMatch(body, /value="owner"/);
    assert.match(body, /value="admin"/);
    const refused = await invite({ ...it, browser: admin }, { role: "owner" });
    assert.equal(refused.statusCode, 422);
    assert.match(refused.body, /grant this role/);
    for (const [role, status] of [
      ["developer", 403],
      ["member", 403],
      [undefined, 404],
    ] as const) {
      const browser = await as(role);
      const form = { email: guest, role: "member", invitation: it.acme.id };
      for (const path of [it.page, `${it.page}/withdraw`])
        assert.equal((await submit(browser, "/account", path, form)).statusCode, status, `${role} ${path}`);
      assert.equal((await browser.get(it.page)).statusCode, status);
    }
    for (const id of ["nonsense", "%00", it.user.id])
      assert.equal((await it.browser.get(`/console/organizations/${id}/invite`)).statusCode, 404, id);
    assert.equal(await it.store.count("invitations"), 0);
  });

  test("the link of a withdrawn invitation no longer works", async () => {
    const it = await setUp();
    const answer = await invite(it);
    const link = linkOf(answer);
    const at = `${it.page}/withdraw`;
    const done = await sendForm(it.browser, answer, at);
    assert.equal(done.statusCode, 303);
    const page = await it.browser.get(String(done.headers.location));
    assert.match(page.body, /Invitation withdrawn/);
    assert.match(page.body, /No open invitations/);
    assert.equal((await testBrowser(it.app).get(link)).statusCode, 404);
    for (const again of [{}, { invitation: "nonsense" }])
      assert.equal((await sendForm(it.browser, answer, at, again)).statusCode, 404);
  });
});

describe("accepting an invitation", () => {
  test("a person without an account enters name and password, and is then a member with a session", async () => {
    const it = await setUp();
    const link = linkOf(await invite(it, { email: "Grace@Example.com" }));
    const visitor = testBrowser(it.app);
    const page = await visitor.get(link);
    assert.match(page.body, /Join <bdi class="name">Acme<\/bdi>\?/);
    assert.match(page.body, /value="Grace@Example\.com" autocomplete="username" readonly/);
    assert.equal(page.headers["referrer-policy"], "no-referrer");
    const done = await makeAccount(visitor, link);
    assert.equal(done.statusCode, 200, done.body);
    assert.match(done.body, /Welcome to/);
    assert.equal((await membershipOf(it, "Grace@Example.com"))?.role, "developer");
    assert.equal((await visitor.get("/logout")).statusCode, 200);
    assert.match((await visitor.get("/logout")).body, /action="\/logout"/);
    const again = testBrowser(it.app);
    assert.equal((await signInAs(again, { email: guest }, { password: fresh })).statusCode, 302);
    assert.equal((await testBrowser(it.app).get(link)).statusCode, 404, "it works once");
    assert.equal(await it.store.count("invitations"), 0);
  });

  test("the new member gets mails in the language of the page, and has one recorded sign-in", async () => {
    const it = await setUp();
    const visitor = testBrowser(it.app);
    visitor.cookies.set("postern_language", "es");
    const done = await makeAccount(visitor, linkOf(await invite(it)));
    assert.equal(done.statusCode, 200, done.body);
    const user = (await it.store.find("users", { email: guest })) ?? assert.fail("no account");
    assert.equal(user.language, "es");
    const reported = it.events.filter(({ type, actor }) => type === "sign_in" && actor?.id === user.id);
    assert.deepEqual(
      reported.map(({ outcome, details }) => [outcome, details]),
      [["success", { method: "password" }]],
    );
  });

  test("L-13: an invalid name or password is reported at its field, and the link stays valid", async () => {
    const it = await setUp();
    const link = linkOf(await invite(it));
    const visitor = testBrowser(it.app);
    for (const [overrides, reported] of [
      [{ name: " " }, /id="name-error"/],
      [{ name: "n".repeat(256) }, /id="name-error"/],
      [{ password: "short" }, /id="password-error">This password is too short/],
      [{ password: "password1" }, /id="password-error">This password is too common/],
      [{ password: "" }, /id="password-error"/],
    ] as const) {
      const answer = await makeAccount(visitor, link, overrides);
      assert.equal(answer.statusCode, 422);
      assert.match(answer.body, reported);
      assert.doesNotMatch(answer.body, /value="(?:short|password1)"/);
    }
    assert.equal(await it.store.count("users", { email: guest }), 0);
    assert.equal((await makeAccount(visitor, link)).statusCode, 200);
  });

  test("a person with an account signs in, returns to the invitation, and joins with one click", async () => {
    const it = await setUp();
    const grace = await aPerson(it, { email: guest });
    const link = linkOf(await invite(it, { role: "admin" }));
    const visitor = testBrowser(it.app);
    const page = await visitor.get(link);
    const href = /href="(\/login\?redirect=[^"]+)"/.exec(page.body)?.[1] ?? "";
    assert.equal(decodeURIComponent(href), `/login?redirect=${link}`);
    const signedIn = await signInAs(visitor, grace, { redirect: link });
    assert.equal(signedIn.headers.location, link);
    const done = await submit(visitor, link);
    assert.equal(done.statusCode, 200);
    assert.equal((await membershipOf(it, guest))?.role, "admin");
    assert.equal(await it.store.count("users"), 2);
  });

  test("a user who is signed in to another account sees that, and cannot accept the invitation", async () => {
    const it = await setUp();
    const grace = await aPerson(it, { email: guest });
    const link = linkOf(await invite(it));
    const page = await it.browser.get(link);
    assert.match(page.body, /signed in as <bdi>ada@example\.com<\/bdi>/);
    assert.match(page.body, /name="account" value="another"/);
    const token = new URL(link, "https://id.example").searchParams.get("token") ?? "";
    const forms = { token, name: "Eve", password: fresh };
    assert.equal((await submit(it.browser, link, undefined, { token })).statusCode, 403);
    assert.equal((await submit(it.browser, link, undefined, forms)).statusCode, 409);
    assert.equal(await membershipOf(it, guest), undefined);

    const login = await sendForm(it.browser, page, "/login", { account: "another" });
    assert.match(login.body, /name="password"/);
    const answer = await sendForm(it.browser, login, "/login", { email: grace.email, password });
    assert.equal(answer.headers.location, link);
    assert.equal((await submit(it.browser, link)).statusCode, 200);
  });

  test("L-6: creating an account by invitation ends the session of another user in the browser", async () => {
    const it = await setUp();
    const link = linkOf(await invite(it));
    const old = withCookie(it.app, it.browser.cookies.get("__Host-postern_session"));
    assert.match((await it.browser.get(link)).body, /signs you out of your current account in this browser/);
    assert.equal((await makeAccount(it.browser, link)).statusCode, 200);
    assert.match(String((await old.get("/console")).headers.location), /^\/login/);
  });

  test("L-5: a form from another site accepts no invitation", async () => {
    const it = await setUp();
    const link = linkOf(await invite(it));
    const token = new URL(link, "https://id.example").searchParams.get("token") ?? "";
    const visitor = testBrowser(it.app);
    await visitor.get(link);
    for (const csrf_token of ["", "forged"]) {
      const answer = await visitor.post("/invitation", { token, csrf_token, name: "Eve", password: fresh });
      assert.equal(answer.statusCode, 403);
      assert.match(answer.body, /out of date/);
    }
    assert.equal(await it.store.count("users", { email: guest }), 0);
  });

  test("an invalid link is answered with an explanation", async () => {
    const it = await setUp();
    const link = linkOf(await invite(it));
    for (const token of ["", "pot_", altered(link.slice(-55)), "%F0%9F"]) {
      const answer = await testBrowser(it.app).get(`/invitation?token=${encodeURIComponent(token)}`);
      assert.equal(answer.statusCode, 404, token);
      assert.match(answer.body, /is no longer valid/);
    }
  });
});
