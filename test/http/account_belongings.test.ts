import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { resources } from "../../src/admin/resources/resources.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import { isUseful, permissions, type ResourceType } from "../../src/records/definition/permissions.ts";
import {
  aPersonAt,
  cookieOf,
  isActive,
  landed,
  places,
  type Setting,
  sendForm,
  setUp,
  submit,
  tokensOf,
} from "../support/account.ts";
import { aPerson, hiddenField, signInAs, type TestApp, testBrowser } from "../support/app.ts";
import {
  aConsent,
  aMembership,
  anApiKey,
  anApp,
  anOAuthAccount,
  anOrganization,
  aResource,
  aSession,
  aToken,
  aUser,
  later,
} from "../support/builders.ts";
import { codePoint } from "../support/code_point.ts";
import { credentialsOf } from "../support/flows.ts";
import { inForm } from "../support/form.ts";
import { aPasskey } from "../support/passkeys.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };

describe("connected apps", () => {
  let it: Setting;
  let asking: OAuthApp;
  let authorization: string;
  before(async () => {
    it = await setUp();
    const { store } = it;
    const organization = await anOrganization(store, { name: "Globex" });
    asking = await anApp(store, {
      name: "Orders",
      organization_id: organization.id,
      logo_url: "https://a.example/logo.png",
      metadata: { scope_descriptions: { "orders:read": "See your orders" } },
    });
    authorization = String(await credentialsOf(it, asking));
  });

  test("A-20: a scope is described in the words of the API and the organization that it gives access to", async () => {
    const { store, user, browser } = await setUp();
    const acme = await anOrganization(store, { name: "Acme" });
    const membership = await aMembership(store, { user_id: user.id, organization_id: acme.id });
    const identifier = "https://stock.example";
    const api = await aResource(store, { identifier, scopes: { "stock:read": "See what is in stock" } });
    const scopes = ["openid", "roles", "stock:read"];
    const listed = async () => (await browser.get("/account/apps")).body;
    const consented = await anApp(store, { name: "Stock" });
    await aConsent(store, {
      ...{ user_id: user.id, app_id: consented.id, scopes },
      scopes_by_resource: { [api.id]: scopes, [acme.id]: ["openid", "roles"] },
    });
    for (const words of [/See what is in stock/, /See your role at Acme/])
      assert.match(await listed(), words);
    assert.doesNotMatch(await listed(), /does not say what this is for/);
    await store.remove("oauth_consents", { app_id: consented.id });
    assert.match(await listed(), /No connected apps/);
    await aToken(store, {
      ...{ user_id: user.id, app_id: consented.id, scopes },
      ...{ audience: [identifier], membership_id: membership.id },
    });
    for (const words of [/See what is in stock/, /See your role at Acme/])
      assert.match(await listed(), words);
    assert.doesNotMatch(await listed(), /does not say what this is for/);
  });

  test("A-20: a connected app is listed with its scopes, and withdrawing access ends its tokens immediately", async () => {
    const { browser } = it;
    assert.match((await browser.get("/account/apps")).body, /No connected apps/);
    const input = { scope: "openid offline_access orders:read" };
    const tokens = await tokensOf(it, browser, asking, authorization, input);
    const { body } = await browser.get("/account/apps");
    for (const words of [
      />Orders</,
      /by <bdi>Globex</,
      /See your orders/,
      /Confirm your identity/,
      /<span class="portrait portrait-client" aria-hidden="true">O</,
    ])
      assert.match(body, words);
    const url = `/account/apps/${asking.id}/withdraw`;
    assert.ok(body.includes(`href="${url}"`));
    const requested = await browser.get(url);
    assert.match(requested.body, /Withdraw the access of Orders\?/);
    assert.match(requested.body, /One token is revoked immediately/);
    assert.equal(await isActive(it, authorization, tokens.access_token), true, "nothing has happened yet");
    const done = await landed(browser, await submit(browser, url));
    assert.match(done, /No connected apps/);
    for (const token of [tokens.access_token, tokens.refresh_token])
      assert.equal(await isActive(it, authorization, token), false);
    assert.equal((await browser.get(url)).statusCode, 404);
    const [event] = await it.store.list("audit_events", { type: "consent.revoked" });
    assert.equal(event?.actor_id, it.user.id);
  });

  test("apps that need no consent are listed while they have tokens, and can be removed", async () => {
    const { browser, store } = it;
    const client = await anApp(store, { name: "Intranet", first_party: true });
    const proof = String(await credentialsOf(it, client));
    const [one, two] = [
      await tokensOf(it, browser, client, proof),
      await tokensOf(it, browser, client, proof, { scope: "profile openid" }),
    ];
    const { body } = await browser.get("/account/apps");
    assert.match(body, />Intranet</);
    assert.match(body, /without asking/);
    const url = `/account/apps/${client.id}/withdraw`;
    assert.match((await browser.get(url)).body, /2 tokens are revoked immediately/);
    await landed(browser, await submit(browser, url));
    for (const { access_token, refresh_token } of [one, two]) {
      assert.equal(await isActive(it, proof, access_token), false);
      assert.equal(await isActive(it, proof, refresh_token), false);
    }
    assert.doesNotMatch((await browser.get("/account/apps")).body, />Intranet</);
    const [event] = await store.list("audit_events", { type: "app.access_ended" });
    assert.equal(event?.target_id, client.id);
  });

  test("a user's connected apps are unaffected when another user withdraws access", async () => {
    const { browser } = it;
    const tokens = await tokensOf(it, browser, asking, authorization);
    const other = testBrowser(it.app);
    await signInAs(other, await aPerson(it));
    const url = `/account/apps/${asking.id}/withdraw`;
    assert.equal((await other.get(url)).statusCode, 404);
    assert.equal((await submit(other, "/account", url)).statusCode, 404);
    assert.equal(await isActive(it, authorization, tokens.access_token), true);
  });
});

describe("API keys", () => {
  const newKey = "/account/api-keys/new";
  const backup = { name: "Backup", lifetime: "30" };
  const keyIn = ({ body }: { readonly body: string }) =>
    /<div class="secret"><code>([^<]+)<\/code>/.exec(body)?.[1] ?? "";
  const callsWith = async ({ app }: TestApp, key: string) =>
    (await app.inject({ url: "/api/v1/users", headers: { authorization: `Bearer ${key}` } })).statusCode;

  test("a form submitted twice creates one API key, and shows it both times", async () => {
    const { browser, store, user } = await setUp();
    const page = await browser.get(newKey);
    const send = () => sendForm(browser, page, newKey, { ...backup, scope: "postern:users:read" });
    const keys = [keyIn(await send()), keyIn(await send())];
    assert.match(keys[0] ?? "", /^pak_/);
    assert.equal(keys[0], keys[1]);
    assert.equal((await store.list("api_keys", { user_id: user.id })).length, 1);
  });

  test("an API key is shown once, works immediately, and stops working when it is revoked", async () => {
    const it = await setUp();
    const { browser, store, user, clock } = it;
    const empty = await browser.get("/account/api-keys");
    assert.match(empty.body, /No API keys yet/);
    const requested = await browser.get(newKey);
    assert.match(requested.body, /value="postern:users:read"/);
    const scope = ["postern:users:read", "postern:sessions:read"];
    const made = await submit(browser, newKey, newKey, { ...backup, scope });
    assert.equal(made.statusCode, 200, made.body);
    assert.equal(made.headers["cache-control"], "no-store");
    const key = keyIn(made);
    assert.equal(await callsWith(it, key), 200);
    const [row] = await store.list("api_keys", { user_id: user.id });
    assert.deepEqual(row?.scopes, scope);
    assert.deepEqual(row?.expires_at, later(30 * 86_400, clock.now()));

    const url = `/account/api-keys/${row?.id}/revoke`;
    for (const place of [...places, url]) {
      assert.ok(!(await browser.get(place)).body.includes(key), place);
    }
    assert.match((await browser.get("/account/api-keys")).body, /2 scopes/);
    assert.match((await browser.get(url)).body, /Revoke Backup\?/);
    assert.equal(await callsWith(it, key), 200);
    assert.match(await landed(browser, await submit(browser, url)), /No API keys yet/);
    assert.equal(await callsWith(it, key), 401);
  });

  test("an API key gets only the scopes that its owner may grant", async () => {
    const { browser, store, user } = await setUp();
    await anApp(store, { owner_id: user.id, allowed_scopes: ["openid", "orders:read"] });
    const offered = async () => {
      const { body } = await browser.get(newKey);
      const said = [...body.matchAll(/name="scope(?:\.\w+)?" value="([^"]+)"/g)];
      return [...new Set(said.flatMap(([, words = ""]) => words.split(" ")))];
    };
    const mine = await offered();
    assert.ok(mine.includes("orders:read"));
    const others = ["openid", "postern:manage", "postern:read"];
    for (const scope of [...others, "postern:organizations:read", "postern:signing_keys:read"])
      assert.ok(!mine.includes(scope), scope);
    const make = (scope: readonly string[]) =>
      submit(browser, newKey, newKey, { name: "All", lifetime: "never", scope });
    const refused = await make(["postern:users:read", "postern:manage"]);
    assert.equal(refused.statusCode, 422);
    assert.match(refused.body, /grant some of these/);
    assert.match(refused.body, /value="postern:users:read"[^>]* checked/);
    assert.equal(await store.count("api_keys", { user_id: user.id }), 0);
    assert.equal((await make(mine)).statusCode, 200);

    await aMembership(store, { user_id: user.id, role: "owner" });
    assert.ok((await offered()).includes("postern:organizations:read"));
    await store.update("users", { id: user.id }, { is_platform_admin: true });
    const all = await offered();
    assert.ok(!all.includes("postern:audit_events:write"));
    assert.ok(all.includes("postern:manage") && all.includes("postern:signing_keys:write"));
    assert.equal((await make(all)).statusCode, 200);
  });

  test("the scopes of an API key are chosen in a grid with no access, read or write for each resource type", async () => {
    const { browser, store, user } = await setUp();
    const page = await browser.get(newKey);
    assert.match(page.body, /name="scope\.users" value="" checked><span class="unseen">users: No access/);
    assert.doesNotMatch(page.body, /name="scope\.(?:signing_keys|audit_events" value="[^"]*write)/);
    const input = await submit(browser, newKey, newKey, {
      name: "Grid",
      lifetime: "7",
      "scope.users": "postern:users:read postern:users:write",
      "scope.sessions": "postern:sessions:read",
      "scope.apps": "",
    });
    assert.equal(input.statusCode, 200, input.body);
    const [key] = await store.list("api_keys", { user_id: user.id });
    const expected = ["postern:users:read", "postern:users:write", "postern:sessions:read"];
    assert.deepEqual(key?.scopes, expected);
    const every = new Map(resources.map((each) => [each.resourceType, each]));
    for (const permission of permissions) {
      const { create, update, remove, revoke, verbs } =
        every.get(permission.split(":")[0] as ResourceType) ?? {};
      const isWritten = [create, update, remove, revoke, verbs].some((verb) => verb !== undefined);
      assert.equal(isUseful(permission), permission.endsWith(":read") || isWritten, permission);
    }
  });

  test("an error in the form of a new API key is shown at its field", async () => {
    const { browser, store } = await setUp();
    const right = { name: "Backup", lifetime: "7", scope: ["postern:users:read"] };
    for (const [fields, words] of [
      [{ name: "" }, /id="name-error"/],
      [{ name: "x".repeat(300) }, /id="name-error"/],
      [{ lifetime: "8" }, /id="lifetime-error"/],
      [{ lifetime: ["7", "7"] }, /id="lifetime-error"/],
      [{ scope: [] }, /id="scopes-error">Choose at least one/],
      [{ scope: ["no such scope"] }, /id="scopes-error"/],
    ] as const) {
      const answer = await submit(browser, newKey, newKey, { ...right, ...fields });
      assert.equal(answer.statusCode, 422, JSON.stringify(fields));
      assert.match(answer.body, words);
      assert.equal(answer.body.split(" autofocus").length, 2);
    }
    assert.equal(await store.count("api_keys"), 0);
  });

  test("API keys are listed page by page; expired ones are marked and revoked ones left out", async () => {
    const { browser, store, user, clock } = await setUp();
    for (let count = 0; count < 26; count++) await anApiKey(store, { user_id: user.id });
    await anApiKey(store, { user_id: user.id, name: "old", expires_at: clock.now() });
    await anApiKey(store, { user_id: user.id, name: "gone", revoked: true });
    await anApiKey(store, { user_id: (await aUser(store)).id, name: "another's" });
    const first = await browser.get("/account/api-keys");
    const next = /href="(\/account\/api-keys\?cursor=[^"]+)"/.exec(first.body)?.[1] ?? "";
    const second = await browser.get(next);
    const all = `${first.body}${second.body}`;
    assert.equal(all.match(/\/revoke"/g)?.length, 27);
    assert.match(all, />old<[\s\S]*?>Expired</);
    assert.equal(all.split(">Expired<").length, 2);
    assert.doesNotMatch(all, />gone<|another/);
    assert.equal((await browser.get("/account/api-keys?cursor=nonsense")).statusCode, 400);
  });
});

describe("linked accounts and organizations", () => {
  test("a linked account is shown without its tokens, and unlinked after a confirmation", async () => {
    const { browser, store, user } = await setUp();
    assert.match((await browser.get("/account/linked-accounts")).body, /No linked accounts/);
    const input = { provider: "github", provider_user_id: "ada-99", access_token: "sealed-upstream-token" };
    const account = await anOAuthAccount(store, { user_id: user.id, ...input });
    const { body } = await browser.get("/account/linked-accounts");
    assert.match(body, /github[\s\S]*ada-99/);
    assert.doesNotMatch(body, /sealed-upstream-token/);
    const url = `/account/linked-accounts/${account.id}/unlink`;
    assert.match((await browser.get(url)).body, /Unlink your account at github\?/);
    await landed(browser, await submit(browser, url));
    assert.equal(await store.find("oauth_accounts", { id: account.id }), undefined);
  });

  test("an organization shows the user's role and permissions, and its last owner cannot leave", async () => {
    const { browser, store, user } = await setUp();
    const organization = await anOrganization(store, { name: "Globex" });
    const where = { organization_id: organization.id };
    const membership = await aMembership(store, { ...where, user_id: user.id, role: "owner" });
    const { body } = await browser.get("/account/organizations");
    assert.match(body, />Globex<[\s\S]*>Owner</);
    assert.match(body, /Change app secrets</);
    assert.doesNotMatch(body, /with your permissions/);
    const url = `/account/organizations/${membership.id}/leave`;
    assert.match((await browser.get(url)).body, /Leave Globex\?[\s\S]*Owner/);
    const refused = await submit(browser, url);
    assert.equal(refused.statusCode, 409);
    assert.match(refused.body, /You are the last owner of this organization/);
    assert.ok(await store.find("memberships", { id: membership.id }));
    await aMembership(store, { ...where, role: "owner" });
    assert.match(await landed(browser, await submit(browser, url)), /No organizations/);
    assert.equal(await store.find("memberships", { id: membership.id }), undefined);
  });

  test("an unknown role is shown by its name, and a deactivated organization as inactive", async () => {
    const { browser, store, user } = await setUp();
    const organization = await anOrganization(store, { name: "Initech", active: false });
    await aMembership(store, { user_id: user.id, organization_id: organization.id, role: "juggler" });
    const { body } = await browser.get("/account/organizations");
    assert.match(body, />juggler<[\s\S]*>Switched off<[\s\S]*has no permissions there/);
  });
});

describe("records of other users", () => {
  test("records of other users are not found, not even by a platform administrator, and stay unchanged", async () => {
    const extra_sign_in = ["passkey", "totp"] as const;
    const person = { is_platform_admin: true };
    const { browser, store, identity } = await aPersonAt({
      days: 0,
      person,
      identity_settings: { extra_sign_in },
    });
    const other = await aUser(store);
    const { passkey } = await aPasskey(other, identity);
    const phone = await anAuthenticatorApp(other, identity);
    const session = await aSession(store, { user_id: other.id });
    const key = await anApiKey(store, { user_id: other.id });
    const account = await anOAuthAccount(store, { user_id: other.id });
    const membership = await aMembership(store, { user_id: other.id });
    const client = await anApp(store);
    const csrf_token = hiddenField(await browser.get("/account"), "csrf_token");
    for (const url of [
      `/account/sessions/${session.id}/end`,
      `/account/api-keys/${key.id}/revoke`,
      `/account/linked-accounts/${account.id}/unlink`,
      `/account/organizations/${membership.id}/leave`,
      `/account/apps/${client.id}/withdraw`,
      `/account/passkeys/${passkey.id}/rename`,
      `/account/passkeys/${passkey.id}/remove`,
      `/account/authenticator-apps/${phone.id}/rename`,
      `/account/authenticator-apps/${phone.id}/remove`,
      "/account/sessions/none/end",
      "/account/api-keys/%00/revoke",
      "/account/apps/none/withdraw",
    ]) {
      assert.equal((await browser.post(url, { csrf_token, name: "Mine" })).statusCode, 404, url);
      assert.ok([404, 405].includes((await browser.get(url)).statusCode), url);
    }
    assert.equal((await store.find("sessions", { id: session.id }))?.ended_at, null);
    assert.equal((await store.find("api_keys", { id: key.id }))?.revoked, false);
    assert.ok(await store.find("oauth_accounts", { id: account.id }));
    assert.ok(await store.find("memberships", { id: membership.id }));
    assert.equal((await store.find("passkeys", { id: passkey.id }))?.name, "Key");
    assert.equal((await store.find("totp_authenticators", { id: phone.id }))?.name, "Phone");
  });
});

describe("H-1: no input to the account pages causes a server error", () => {
  test("every response has a status below 500", async () => {
    const it = await setUp();
    const { browser, store, user } = it;
    const key = await anApiKey(store, { user_id: user.id });
    const membership = await aMembership(store, { user_id: user.id, role: "owner" });
    const csrf_token = hiddenField(await browser.get("/account"), "csrf_token");
    const paths = [
      "/account",
      "/account/password",
      "/account/api-keys/new",
      `/account/api-keys/${key.id}/revoke`,
      `/account/organizations/${membership.id}/leave`,
      "/account/sessions/x/end",
      "/account/apps/x/withdraw",
    ];
    const names = ["name", "avatar_url", "email", "etag", "current_password", "password", "password_again"];
    const more = ["lifetime", "scope", "id", "done", "cursor", "__proto__", "constructor", "a[b]"];
    const value = fc.oneof(
      fc.constantFrom("", "7", "never", "__proto__", "postern:manage", "\r\nx: y", '"', "9".repeat(3000)),
      fc.string({ unit: codePoint, maxLength: 40 }),
    );
    const pair = fc.tuple(fc.constantFrom(...names, ...more), value);
    const sent = fc.tuple(fc.constantFrom(...paths), fc.array(pair, { maxLength: 8 }));
    await fc.assert(
      fc.asyncProperty(sent, async ([url, pairs]) => {
        const encode = (part: string) => encodeURIComponent(part.toWellFormed());
        const fields = pairs.map(([name, text]) => `${encode(name)}=${encode(text)}`);
        const cookie = cookieOf(browser);
        const answer = await it.app.inject({
          method: "POST",
          url,
          headers: { ...form, cookie },
          payload: [`csrf_token=${csrf_token}`, ...fields].join("&"),
        });
        assert.ok(answer.statusCode < 500, `${answer.statusCode} ${answer.body}`);
        const query = fields.join("&");
        const read = await it.app.inject({ url: `${url}?${query}`, headers: { cookie } });
        assert.ok(read.statusCode < 500, `${read.statusCode} ${read.body}`);
      }),
      { numRuns: inForm(100, 300) },
    );
  });
});
