/**
 * The console ends records irreversibly only after the user has seen what ends and has typed the
 * confirmation.
 */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { aPerson, browserOf, cookieOf, password, signInAs, testBrowser } from "../support/app.ts";
import {
  aConsent,
  aMembership,
  anApiKey,
  anApp,
  anOrganization,
  aSecret,
  aServiceAccount,
  aSession,
  aToken,
  aUser,
  later,
} from "../support/builders.ts";
import { codePoint } from "../support/code_point.ts";
import { type ConsoleFixture, confirmOn, consoleFixture, fillIn, formOn, shown } from "../support/console.ts";
import { inForm } from "../support/form.ts";
import { listed } from "../support/listed.ts";

describe("deactivating, revoking and deleting in the console", () => {
  let it: ConsoleFixture;
  before(async () => {
    it = await consoleFixture();
  });
  const root = () => it.browsers["platform administrator"];
  const soon = () => later(3600, it.server.now());
  const tokenOf = (input: { app_id: string; user_id?: string | null; service_account_id?: string }) =>
    aToken(it.store, { access_expires_at: soon(), ...input });

  test("the page before a deletion shows what else ends, and changes nothing", async () => {
    const app = await anApp(it.store, { name: "Doomed", client_id: "doomed" });
    for (let index = 0; index < 3; index++) {
      const { id: user_id } = await aUser(it.store);
      await aConsent(it.store, { app_id: app.id, user_id });
      await tokenOf({ app_id: app.id, user_id });
    }
    const page = await root().get(`/console/apps/${app.id}/delete`);
    assert.match(page.body, /Delete Doomed\?/);
    assert.match(page.body, /3 tokens are revoked immediately/);
    assert.match(page.body, /3 people are signed out of it/);
    assert.match(page.body, /<code>doomed<\/code>/);
    assert.ok(await it.store.find("oauth_apps", { id: app.id }));
    for (const confirm of ["", "Doomed", "doomed2", "DOOMED"]) {
      const wrong = await fillIn(root(), `/console/apps/${app.id}/delete`, { confirm });
      assert.equal(wrong.statusCode, 422, confirm);
      assert.match(wrong.body, /This does not match/);
      assert.match(wrong.body, /3 tokens are revoked immediately/);
    }
    assert.ok(await it.store.find("oauth_apps", { id: app.id }));
    const done = await fillIn(root(), `/console/apps/${app.id}/delete`, { confirm: " doomed " });
    assert.equal(done.headers.location, "/console/apps?done=deleted");
    assert.equal(await it.store.find("oauth_apps", { id: app.id }), undefined);
    const list = await root().get("/console/apps?done=deleted");
    assert.match(list.body, /App deleted\./);
    assert.doesNotMatch((await root().get("/console/apps?done=toString")).body, /role="status"/);
  });

  test("design 6.18: users, organizations, apps and service accounts are deactivated on separate pages", async () => {
    const user = await aPerson(it, { name: "Offie" });
    const session = await aSession(it.store, { user_id: user.id, expires_at: soon() });
    const organization = await anOrganization(it.store, { name: "Offcorp", slug: "offcorp" });
    const app = await anApp(it.store, { name: "Offapp", organization_id: organization.id });
    const account = await aServiceAccount(it.store, { organization_id: organization.id });
    const token = await tokenOf({ app_id: app.id, user_id: user.id });
    await tokenOf({ app_id: it.orders.id, user_id: user.id });
    for (const [path, id] of [
      ["service-accounts", account.id],
      ["apps", app.id],
      ["users", user.id],
      ["organizations", organization.id],
    ] as const) {
      // The form neither shows nor accepts `active`.
      const edit = await root().get(`/console/${path}/${id}/edit`);
      const { action, fields } = formOn(edit);
      assert.equal(fields.active, undefined);
      const unchanged = await root().post(action, { ...fields, active: "false" });
      assert.match(String(unchanged.headers.location), /done=unchanged/);
      const page = await root().get(`/console/${path}/${id}/switch-off`);
      assert.match(
        page.body,
        path === "users" || path === "apps" ? /1 token is revoked immediately/ : /<form/,
      );
      const off = await confirmOn(root(), `/console/${path}/${id}/switch-off`);
      assert.equal(off.headers.location, `/console/${path}/${id}?done=switched_off`, off.body);
      const record = await root().get(`/console/${path}/${id}`);
      assert.match(record.body, /Inactive/);
      assert.doesNotMatch(record.body, /switch-off/);
      // The record is already deactivated.
      assert.equal((await root().get(`/console/${path}/${id}/switch-off`)).statusCode, 303);
      const on = await fillIn(root(), `/console/${path}/${id}/edit`, { active: "true" });
      assert.equal(on.headers.location, `/console/${path}/${id}?done=switched_on`, on.body);
      await confirmOn(root(), `/console/${path}/${id}/switch-off`);
      const off_again = await root().get(`/console/${path}/${id}`);
      const { action: button, fields: sent } = formOn(off_again);
      assert.equal(button, `/console/${path}/${id}/switch-on`);
      assert.equal((await root().get(button)).headers.location, `/console/${path}/${id}`);
      const pressed = await root().post(button, sent);
      assert.equal(pressed.headers.location, `/console/${path}/${id}?done=switched_on`, pressed.body);
      assert.doesNotMatch((await root().get(`/console/${path}/${id}`)).body, /switch-on/);
      assert.equal((await root().post(button, sent)).headers.location, `/console/${path}/${id}`);
    }
    assert.notEqual((await it.store.find("sessions", { id: session.id }))?.ended_at, null);
    assert.equal((await it.store.find("oauth_tokens", { id: token.id }))?.revoked, true);
  });

  test("an operator can sign a user out everywhere or revoke all access, after a page that shows what ends", async () => {
    const user = await aPerson(it, { name: "Stolen" });
    const usual = { user_id: user.id, app_id: it.orders.id };
    const session = await aSession(it.store, { user_id: user.id, expires_at: soon() });
    const key = await anApiKey(it.store, { user_id: user.id });
    await aConsent(it.store, usual);
    const token = await tokenOf(usual);
    const own = `/console/users/${user.id}`;
    const record = await root().get(own);
    for (const [path, done, said] of [
      ["sign-out", "signed_out", [/1 session ends/]],
      [
        "revoke-everything",
        "access_revoked",
        [/1 token is revoked immediately/, /1 API key no longer works/, /1 consent is withdrawn/],
      ],
    ] as const) {
      assert.ok(record.body.includes(`href="${own}/${path}"`), path);
      const page = await root().get(`${own}/${path}`);
      for (const each of said) assert.match(page.body, each);
      const answer = await confirmOn(root(), `${own}/${path}`);
      assert.equal(answer.headers.location, `${own}?done=${done}`, answer.body);
      assert.match((await root().get(`${own}?done=${done}`)).body, /role="status"/);
    }
    assert.notEqual((await it.store.find("sessions", { id: session.id }))?.ended_at, null);
    assert.equal((await it.store.find("api_keys", { id: key.id }))?.revoked, true);
    assert.equal((await it.store.find("oauth_tokens", { id: token.id }))?.revoked, true);
    assert.equal((await it.store.find("users", { id: user.id }))?.active, true);
    for (const path of ["sign-out", "revoke-everything"]) {
      const admin = await it.browsers["organization admin"].get(own);
      assert.ok(!admin.body.includes(`${own}/${path}`));
      const refused = await it.browsers["organization admin"].get(`${own}/${path}`);
      assert.ok([403, 404].includes(refused.statusCode), path);
      const self = `/console/users/${it.people["platform administrator"].id}`;
      assert.ok(!(await root().get(self)).body.includes(`${self}/${path}`));
    }
  });

  test("removing a member ends the membership and nothing else, and the page says so", async () => {
    const member = await aPerson(it);
    const { id } = await aMembership(it.store, { user_id: member.id, organization_id: it.acme.id });
    await aSession(it.store, { user_id: member.id, expires_at: soon() });
    const page = await root().get(`/console/memberships/${id}/delete`);
    assert.match(page.body, /Nothing else is affected/);
    assert.doesNotMatch(page.body, /loses access|session ends/);
  });

  test("a record is deleted by typing its name, or its id if the viewer may not read the name", async () => {
    for (const [name, typed] of [
      ["Dep\u{200B}loy\u{202E}  key\t", "Deploy key"],
      ["Cafe\u{301}", "Café"],
    ] as const) {
      const { id } = await anApiKey(it.store, { name, organization_id: it.acme.id, user_id: null });
      const done = await fillIn(root(), `/console/api-keys/${id}/revoke`, { confirm: typed });
      assert.equal(done.statusCode, 303, typed);
      assert.equal((await it.store.find("api_keys", { id }))?.revoked, true);
    }
    const { id } = await anApiKey(it.store, {
      name: "\u{200B}\u{2060}",
      organization_id: it.acme.id,
      user_id: null,
    });
    for (const confirm of ["", " ", "\u{200B}", id]) {
      const wrong = await fillIn(root(), `/console/api-keys/${id}/revoke`, { confirm });
      assert.equal(wrong.statusCode, 422, confirm);
    }
    await confirmOn(root(), `/console/api-keys/${id}/revoke`);
    assert.equal((await it.store.find("api_keys", { id }))?.revoked, true);
  });

  test("administrators cannot deactivate themselves, and the last administrator cannot be deactivated", async () => {
    const { id } = it.people["platform administrator"];
    const off = await confirmOn(root(), `/console/users/${id}/switch-off`);
    assert.equal(off.statusCode, 403);
    assert.match(off.body, /deactivate yourself/);
    const removed = await confirmOn(root(), `/console/users/${id}/delete`);
    assert.equal(removed.statusCode, 403);
    assert.match(removed.body, /delete yourself/);
  });

  test("the page for deleting a user who created nothing in organizations asks for no successor", async () => {
    const maker = await aPerson(it, { name: "Alone" });
    await anApp(it.store, { owner_id: maker.id });
    const url = `/console/users/${maker.id}/delete`;
    assert.doesNotMatch((await root().get(url)).body, /name="successor"/);
    await anApp(it.store, { owner_id: maker.id, organization_id: it.acme.id });
    assert.match((await root().get(url)).body, /name="successor"/);
  });

  test("a user who created records of organizations can be deleted only with a successor", async () => {
    const maker = await aPerson(it, { name: "Maker", email: "maker@example.com" });
    const app = await anApp(it.store, { owner_id: maker.id, organization_id: it.acme.id });
    const url = `/console/users/${maker.id}/delete`;
    const refused = await confirmOn(root(), url);
    assert.equal(refused.statusCode, 409);
    assert.match(refused.body, /name a successor/);
    const unknown = await confirmOn(root(), url, { successor: "nobody@example.com" });
    assert.equal(unknown.statusCode, 422);
    assert.match(unknown.body, /value="nobody@example.com"/);
    const done = await confirmOn(root(), url, { successor: it.people["organization admin"].email });
    assert.equal(done.statusCode, 303, done.body);
    assert.equal(
      (await it.store.find("oauth_apps", { id: app.id }))?.owner_id,
      it.people["organization admin"].id,
    );
  });

  test("the last owner of an organization cannot be removed, and the page says why", async () => {
    const [owned] = await it.store.list("memberships", { organization_id: it.acme.id, role: "owner" });
    const refused = await confirmOn(root(), `/console/memberships/${owned?.id}/delete`);
    assert.equal(refused.statusCode, 409);
    assert.match(refused.body, /this is the last owner of the organization/);
  });

  test("a record that changed after the page was shown is revoked only after the page is shown again", async () => {
    const app = await anApp(it.store, { name: "Moving", client_id: "moving" });
    const url = `/console/apps/${app.id}/revoke`;
    const { action, fields } = formOn(await root().get(url));
    await fillIn(root(), `/console/apps/${app.id}/edit`, { name: "Moved" });
    const stale = await root().post(action, { ...fields, confirm: "moving" });
    assert.equal(stale.statusCode, 412);
    assert.match(stale.body, /the record has changed since it was read/);
    assert.equal((await it.store.find("oauth_apps", { id: app.id }))?.revoked_at, null);
    const { fields: anew } = formOn(stale);
    assert.equal((await root().post(action, { ...anew, confirm: "moving" })).statusCode, 303);
    const missing = await root().post(action.replace("revoke", "delete"), {
      csrf_token: anew.csrf_token ?? "",
      confirm: "moving",
    });
    assert.equal(missing.statusCode, 412);
  });

  test("R-10: an administrator sets a user's new password on a page that shows what ends", async () => {
    const user = await aPerson(it, { name: "Changer", email: "changer@example.com" });
    const session = await aSession(it.store, { user_id: user.id, expires_at: soon() });
    const url = `/console/users/${user.id}/change-password`;
    const page = await root().get(url);
    assert.match(page.body, /1 session ends/);
    assert.doesNotMatch(page.body, /name="current_password"/);
    const empty = await confirmOn(root(), url);
    assert.equal(empty.statusCode, 422);
    assert.match(empty.body, /id="field-password"[^>]*aria-invalid/);
    const weak = await confirmOn(root(), url, { password: "password1" });
    assert.equal(weak.statusCode, 422);
    assert.doesNotMatch(weak.body, /password1/);
    const set = await confirmOn(root(), url, { password: "brand new and long enough" });
    assert.equal(set.statusCode, 303, set.body);
    assert.notEqual((await it.store.find("sessions", { id: session.id }))?.ended_at, null);
    const browser = testBrowser(it.app);
    it.clock.advance(1);
    assert.equal((await signInAs(browser, user, { password: "brand new and long enough" })).statusCode, 302);

    // The session in which users change their own password continues.
    const own = `/console/users/${user.id}/change-password`;
    const changed = await confirmOn(browser, own, {
      password,
      current_password: "brand new and long enough",
    });
    assert.equal(changed.statusCode, 303, changed.body);
    assert.equal((await browser.get("/account")).statusCode, 200);
  });

  test("the console first shows what ends when an app becomes public or a consent is narrowed", async () => {
    const app = await anApp(it.store, { name: "Going public", client_id: "going-public", public: false });
    await aSecret(it.store, { app_id: app.id });
    const edit = formOn(await root().get(`/console/apps/${app.id}/edit`));
    assert.equal(edit.fields.public, undefined);
    const page = await root().get(`/console/apps/${app.id}/change-public`);
    assert.match(page.body, /1 secret no longer works/);
    assert.equal((await confirmOn(root(), `/console/apps/${app.id}/change-public`)).statusCode, 303);
    assert.equal((await it.store.find("oauth_apps", { id: app.id }))?.public, true);
    assert.deepEqual(await it.store.list("oauth_app_secrets", { app_id: app.id }), []);

    const user_id = (await aUser(it.store)).id;
    const consent = await aConsent(it.store, { app_id: app.id, user_id, scopes: ["openid", "profile"] });
    const token = await aToken(it.store, {
      app_id: app.id,
      user_id,
      scopes: ["profile"],
      access_expires_at: soon(),
    });
    const url = `/console/consents/${consent.id}/change-scopes`;
    assert.match((await root().get(url)).body, /1 token is revoked immediately/);
    const same = await confirmOn(root(), url);
    assert.match(String(same.headers.location), /done=unchanged/);
    const wider = await confirmOn(root(), url, { scopes: "openid\nprofile\nemail" });
    assert.equal(wider.statusCode, 422);
    assert.match(wider.body, /3: is not in the consent/);
    const narrowed = await confirmOn(root(), url, { scopes: "openid" });
    assert.equal(narrowed.statusCode, 303, narrowed.body);
    assert.deepEqual((await it.store.find("oauth_consents", { id: consent.id }))?.scopes, ["openid"]);
    assert.equal((await it.store.find("oauth_tokens", { id: token.id }))?.revoked, true);
  });

  test("a count beyond the limit is shown as a minimum", async () => {
    const { store } = it;
    const app = await anApp(store, { name: "Crowded" });
    const { impactOf } = store;
    Object.assign(store, { impactOf: async () => ({ tokens: 10_000, people: 12 }) });
    try {
      const page = await root().get(`/console/apps/${app.id}/delete`);
      assert.match(page.body, /at least 10,000 tokens are revoked immediately/);
      const spanish = await root().get(`/console/apps/${app.id}/delete`, { "accept-language": "es" });
      assert.match(spanish.body, /al menos 10[. ]?000 tokens se revocan al instante/);
    } finally {
      Object.assign(store, { impactOf });
    }
  });

  test("a caller from another organization, or from none, cannot end anything in this one", async () => {
    const outsider = await aPerson(it, { name: "Outsider" });
    const other = await anOrganization(it.store);
    await aMembership(it.store, { user_id: outsider.id, organization_id: other.id, role: "owner" });
    const browser = await browserOf(it, outsider);
    for (const { resourceType, path } of shown) {
      const id = it.ids[resourceType as keyof ConsoleFixture["ids"]];
      for (const step of ["edit", "delete", "revoke", "switch-off"]) {
        for (const stranger of [browser, it.browsers.stranger]) {
          const page = await stranger.get(`/console/${path}/${id}/${step}`);
          assert.ok([403, 404].includes(page.statusCode), `${path}/${step} ${page.statusCode}`);
        }
      }
    }
  });
});

describe("invalid input in the console", () => {
  test("H-1: no input in the console causes a server error", async () => {
    const it = await consoleFixture();
    const browser = it.browsers["platform administrator"];
    const { csrf_token } = formOn(await browser.get("/console/users/new")).fields;
    const filters = shown.flatMap((each) => each.filters.map(({ name }) => name));
    const names = [...new Set(filters), "cursor", "limit", "done"];
    const strange = fc.oneof(
      fc.string({ maxLength: 30, unit: codePoint }),
      fc.constantFrom(
        ...["", "\0", "\ud800", "true"],
        it.acme.id,
        "acme",
        "{}",
        "[]",
        "[".repeat(5000),
        "-1",
        "1e999",
        "__proto__",
      ),
      fc.constantFrom("2030-01-01T00:00", "+275760-09-13T00:00:00.001Z", "0000-00-00T00:00", "9".repeat(400)),
    );
    const formNames = listed`
      name email password organization_id app_id user_id scopes metadata settings jwk public_key_pem
      expires_at expire_others_in redirect_uris access_token_ttl active etag form_id confirm successor
      slug role permissions service_account_id allowed_grants id
    `;
    const dictionary = (keys: readonly string[]) =>
      fc.array(fc.tuple(fc.constantFrom(...keys), strange), { maxLength: 8 });
    const encoded = (text: string) => encodeURIComponent(text.toWellFormed());
    const pairs = (list: readonly (readonly [string, string])[]) =>
      list.map(([name, text]) => `${name}=${encoded(text)}`).join("&");
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...shown),
        dictionary(names),
        dictionary(formNames),
        fc.constantFrom("new", "edit", "delete", "revoke", "switch-off", "change-scopes"),
        async ({ path, resourceType }, query, form, step) => {
          const list = await browser.get(`/console/${path}?${pairs(query)}`);
          assert.ok(list.statusCode < 500, `${path}?${pairs(query)} ${list.statusCode}`);
          const prefilled = await browser.get(`/console/${path}/new?${pairs(form)}`);
          assert.ok(prefilled.statusCode < 500, `${path}/new?${pairs(form)}`);
          const id = it.ids[resourceType as keyof ConsoleFixture["ids"]];
          const url = step === "new" ? `/console/${path}/new` : `/console/${path}/${id}/${step}`;
          const cookie = cookieOf(browser);
          const posted = await it.app.inject({
            method: "POST",
            url,
            headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
            payload: `csrf_token=${csrf_token}&${pairs(form)}`,
          });
          assert.ok(
            posted.statusCode < 500,
            `${url} ${pairs(form)} ${posted.statusCode} ${it.logged.at(-1)}`,
          );
        },
      ),
      { numRuns: inForm(80, 250) },
    );
  });
});
