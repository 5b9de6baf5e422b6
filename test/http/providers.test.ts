import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import type { Provider } from "../../src/people/core/proofs/provider_account.ts";
import { presetErrors } from "../../src/providers/presets/preset_errors.ts";
import { wholeDraft } from "../../src/providers/presets/provider_draft.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { insertAny } from "../storage/any_row.ts";
import { cookieOf, followed, submit, testMail } from "../support/account.ts";
import { aPerson, hiddenField, signInAs, testApp, testBrowser } from "../support/app.ts";
import { anApp, anOAuthAccount, anOrganization, start } from "../support/builders.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";
import { routesOf } from "../support/routes.ts";
import {
  aProvider,
  leaveFor,
  returnAs,
  scriptedClient,
  upstreamPerson,
  visitProvider,
} from "../support/scripted_providers.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";

const proved = { email_verified_at: start };

async function setUp(overrides: Partial<Provider> = {}) {
  const mail = testMail();
  const scripted = scriptedClient();
  const it = await testApp({ mail: mail.outbox, provider_client: scripted });
  const { slug } = await aProvider(it.store, overrides);
  const browser = testBrowser(it.app);
  const visit = (who = upstreamPerson(), person = browser, redirect = "/account") =>
    visitProvider(person, scripted, who, { slug, redirect });
  const continueAt = `/sign-in/${slug}/continue`;
  const answer = (fields: Record<string, string>, person = browser) =>
    submit(person, continueAt, undefined, fields);
  const me = async (person = browser) => (await person.get("/account")).body;
  /** Creates a user who is linked to the provider account of this test. */
  const linked = async (user: Partial<User> = {}) => {
    const person = await aPerson(it, { ...proved, ...user });
    const key = { provider: slug, provider_user_id: "upstream-1" };
    await anOAuthAccount(it.store, { user_id: person.id, ...key });
    return person;
  };
  return { ...it, ...mail, scripted, browser, visit, answer, continueAt, me, linked };
}

const canContinue = ({ body }: LightMyRequestResponse) =>
  /<main[\s\S]*(<a [^>]*href="\/(login|account)|<form method="post" action="\/sign-in\/)[\s\S]*<\/main>/.test(
    body,
  );

describe("signing in through an external provider", () => {
  test("BL-9: a provider's sign-out ends the user's session, and its response says only whether the token is valid", async () => {
    const it = await setUp();
    const user = await it.linked();
    await it.visit(upstreamPerson({ sid: "theirs" }));
    assert.match(await it.me(), new RegExp(user.email));
    const send = (payload: string, slug = "example") =>
      it.app.inject({
        method: "POST",
        url: `/sign-in/${slug}/backchannel-logout`,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload,
      });
    const said = (subject: string, sid: string) => {
      const expires_at = new Date(it.clock.now().getTime() + 120_000);
      it.scripted.logouts.set(sid, { subject, sid, jti: sid, expires_at });
      return formOf({ logout_token: sid });
    };
    const answerTo = async (payload: string) => {
      const { statusCode, headers, body } = await send(payload);
      assert.equal(headers["cache-control"], "no-store");
      return [statusCode, body.replace(/"error_uri":"[^"]*"/, "")];
    };
    const nothing = await answerTo(said("nobody", "other"));
    const forged = await answerTo("logout_token=forged");
    assert.deepEqual(await answerTo("logout_token=other"), forged, "a token is accepted once");
    assert.equal(forged[0], 400);
    assert.match(
      String(forged[1]),
      /"error":"invalid_request".*the logout token is not valid for this provider/,
    );
    assert.match(await it.me(), new RegExp(user.email));
    assert.deepEqual(await answerTo(said("upstream-1", "theirs")), nothing);
    assert.deepEqual(nothing, [200, ""]);
    assert.equal(await it.me(), "");
    for (const [payload, slug, status] of [
      ["", "example", 400],
      ["logout_token=a&logout_token=b", "example", 400],
      ["logout_token=forged", "unknown", 404],
    ] as const)
      assert.equal((await send(payload, slug)).statusCode, status, `${payload} ${slug}`);
  });

  test("EP-3: a sign-in through a provider starts only by the server's own form", async () => {
    const { browser, scripted, app } = await setUp();
    const get = await browser.get("/sign-in/example");
    assert.ok([404, 405].includes(get.statusCode));
    const page = await browser.get("/login");
    const csrf_token = hiddenField(page, "csrf_token");
    assert.equal((await browser.post("/sign-in/example", { redirect: "/" })).statusCode, 403);
    const foreign = { "sec-fetch-site": "cross-site" };
    assert.equal((await browser.post("/sign-in/example", { csrf_token }, foreign)).statusCode, 403);
    assert.equal((await testBrowser(app).post("/sign-in/example", { csrf_token })).statusCode, 403);
    assert.equal((await browser.post("/sign-in/nobody", { csrf_token })).statusCode, 404);
    assert.equal(scripted.begun.length, 0);
    const begun = await browser.post("/sign-in/example", { csrf_token, redirect: "/account" });
    assert.equal(begun.statusCode, 303);
    assert.equal(scripted.begun[0]?.redirect_uri, "https://id.example/sign-in/example/callback");
  });

  test("EP-17: the login page shows the active providers of server and application, without contacting them", async () => {
    const { browser, store, scripted } = await setUp();
    const acme = await anOrganization(store);
    const other = await anOrganization(store);
    await aProvider(store, { slug: "acme-sso", label: "Acme SSO", organization_id: acme.id });
    await aProvider(store, { slug: "other-sso", label: "Other SSO", organization_id: other.id });
    await aProvider(store, { slug: "off", label: "Switched off", active: false });
    const client = await anApp(store, { organization_id: acme.id });
    const request = `/oauth/authorize?${formOf(authorizeParameters(client))}`;
    const labels = async (redirect: string) => {
      const { body } = await browser.get(`/login?redirect=${encodeURIComponent(redirect)}`);
      return [...body.matchAll(/Continue with ([^<]+)</g)].map(([, label]) => label);
    };
    assert.deepEqual(await labels("/account"), ["Example"]);
    assert.deepEqual(await labels(request), ["Example", "Acme SSO"]);
    assert.equal(scripted.begun.length, 0);
  });

  test("SS-14: the method used last is shown first, and the cookie for it names no user", async () => {
    const { browser, store, visit, scripted, linked } = await setUp();
    await aProvider(store, { slug: "before", label: "Before" });
    await linked();
    assert.equal((await visit()).headers.location, "/account");
    const last = "__Host-postern_last";
    assert.equal(decodeURIComponent(browser.cookies.get(last) ?? ""), "provider:example");
    const { body } = await browser.get("/login?account=another");
    assert.match(body, /Continue with Example[\s\S]*name="password"[\s\S]*Continue with Before/);
    browser.cookies.set(last, "provider:<b>");
    assert.equal((await browser.get("/login?account=another")).statusCode, 200);
    await leaveFor(browser);
    assert.equal(scripted.begun.length, 2);
  });

  test("SS-3: after a provider, the page of the second factor masks an address that was not typed here", async () => {
    const { browser, identity, visit, linked } = await setUp();
    await anAuthenticatorApp(await linked({ email: "grace@home.example" }), identity);
    assert.equal((await visit()).headers.location, "/sign-in/second-factor");
    const { body } = await browser.get("/sign-in/second-factor");
    assert.match(body, /g•••@home\.example/);
    assert.doesNotMatch(body, /grace/);
  });

  test("EP-10: a page shows the new account before it is created; then the request continues", async () => {
    const { browser, visit, answer, store, continueAt, me } = await setUp();
    const back = await visit(upstreamPerson(), browser, "/account/sessions");
    assert.equal(back.headers.location, continueAt);
    const page = await browser.get(continueAt);
    assert.match(page.body, /ann@firm\.example/);
    assert.match(page.body, /value="Ann Ax"/);
    assert.match(
      page.body,
      /This account will be created[\s\S]*Account there<\/dt><dd><bdi>ann@firm\.example</,
    );
    assert.equal(await store.count("users"), 0);
    const cancelled = await answer({ answer: "cancel" });
    assert.equal(cancelled.headers.location, "/login?redirect=%2Faccount%2Fsessions");
    assert.equal((await browser.get(continueAt)).statusCode, 400, "nothing waits any more");
    assert.equal(await store.count("users"), 0);
    await visit(upstreamPerson(), browser, "/account/sessions");
    assert.equal((await answer({ answer: "create", name: " " })).statusCode, 422);
    const made = await answer({ answer: "create", name: "Ann" });
    assert.equal(made.headers.location, "/account/sessions");
    assert.match(await me(), /ann@firm\.example/);
    assert.equal((await browser.get(continueAt)).statusCode, 400, "it was used");
  });

  test("EP-10: if the provider does not vouch for the address, a code is mailed first, known address or not", async () => {
    const { browser, visit, answer, store, continueAt, mails, mailedCode, me } = await setUp();
    await visit(upstreamPerson({ email_assurance: "none" }));
    const page = await browser.get(continueAt);
    assert.match(page.body, /name="email"/);
    assert.doesNotMatch(page.body, /answer" value="create"/);
    const led = await answer({ answer: "mail", email: "ann@firm.example" });
    assert.match((await followed(browser, led)).body, /ann@firm\.example[\s\S]*name="code"/);
    assert.equal((await mails())[0]?.to, "ann@firm.example");
    const code = await mailedCode();
    const wrong = await answer({ answer: "code", code: code === "0000 0000" ? "1" : "00000000" });
    assert.equal(wrong.statusCode, 422);
    assert.equal((await answer({ answer: "code", code })).headers.location, continueAt);
    assert.equal(await store.count("users"), 0);
    assert.equal((await answer({ answer: "create", name: "Ann" })).headers.location, "/account");
    assert.match(await me(), /ann@firm\.example/);
  });

  test("EP-10: without mail, the page says why it creates no account, and whom to ask", async () => {
    const scripted = scriptedClient();
    const { app, store } = await testApp({ provider_client: scripted });
    const { slug } = await aProvider(store);
    const browser = testBrowser(app);
    const who = upstreamPerson({ email_assurance: "none" });
    await visitProvider(browser, scripted, who, { slug, redirect: "/account" });
    const { body } = await browser.get(`/sign-in/${slug}/continue`);
    assert.match(
      body,
      /cannot create an account for you, because it sends no email[^<]*ask an administrator/,
    );
  });

  test("EP-11: the page for proving the address does not reveal whether there is an account", async () => {
    const it = await setUp();
    await aPerson(it, { ...proved, email: "known@firm.example" });
    const bodies: string[] = [];
    for (const name of ["known", "fresh"]) {
      const person = testBrowser(it.app);
      const email = `${name}@firm.example`;
      await it.visit(upstreamPerson({ email, email_assurance: "none", subject: name }), person);
      const page = await person.get(it.continueAt);
      const sent = await followed(person, await it.answer({ answer: "mail", email }, person));
      for (const { body } of [page, sent]) {
        const [own, token] = [/(?<=[?&]to=|%3Fto%3D)[\w.-]+/g, /name="csrf_token" value="[^"]*"/g];
        bodies.push(body.replaceAll(name, "").replaceAll(own, "").replaceAll(token, ""));
      }
    }
    assert.equal(bodies[0], bodies[2]);
    assert.equal(bodies[1], bodies[3]);
  });

  test("EP-11: a user who signs in another way is asked to link the account, is notified by mail, and continues", async () => {
    const it = await setUp();
    const { browser, visit, answer, continueAt, store, mails, me } = it;
    const user = await aPerson(it, { ...proved, email: "ann@firm.example" });
    await visit(undefined, browser, "/account/sessions");
    const page = await browser.get(continueAt);
    const href = /href="(\/login\?account=another[^"]*)"/.exec(page.body)?.[1]?.replaceAll("&amp;", "&");
    const login = await browser.get(href ?? "");
    const signedIn = await signInAs(browser, user, { redirect: hiddenField(login, "redirect") });
    assert.equal(signedIn.headers.location, continueAt);
    assert.match((await browser.get(continueAt)).body, /value="link"/);
    assert.equal(await store.count("oauth_accounts"), 0);
    assert.equal((await answer({ answer: "link" })).headers.location, "/account/sessions");
    assert.equal(await store.count("oauth_accounts", { user_id: user.id }), 1);
    assert.match(await me(), /ann@firm\.example/);
    assert.equal((await mails()).length, 1);
    assert.equal((await visit(undefined, testBrowser(it.app))).headers.location, "/account");
  });

  test("EP-11: after the mailed code the second factor is required, and only then the link", async () => {
    const it = await setUp();
    const { visit, answer, store, mailedCode, me } = it;
    const user = await aPerson(it, { ...proved, email: "ann@firm.example" });
    await insertAny(store, "totp_authenticators", { users: user.id });
    await visit();
    await answer({ answer: "mail", email: user.email });
    const next = await answer({ answer: "code", code: await mailedCode() });
    assert.equal(next.headers.location, "/sign-in/second-factor");
    assert.equal(await store.count("oauth_accounts"), 0);
    assert.equal(await store.count("sessions", { user_id: user.id }), 0);
    assert.doesNotMatch(await me(), /ann@firm/);
  });

  test("EP-1 no provider can have a slug that is a page below /sign-in/", async () => {
    const identity_settings = {
      extra_sign_in: ["passkey", "totp"],
      self_service: ["deletion"],
      recovery_delay_hours: 72,
    } as const;
    const mail = testMail().outbox;
    const { app } = await testApp({ mail, provider_client: scriptedClient(), identity_settings });
    const words = new Set(routesOf(app).flatMap(({ path }) => /^\/sign-in\/([^/:]+)/.exec(path)?.[1] ?? []));
    for (const word of ["lost-factors", "undo-deletion", "passkey-offer", "passkey-upgrade"])
      assert.ok(words.has(word), word);
    for (const slug of words) {
      const errors = presetErrors(wholeDraft({ slug, preset: "google" }));
      assert.deepEqual(
        errors.map(({ path, code }) => [path, code]),
        [["/slug", "reserved_slug"]],
        slug,
      );
    }
  });

  test("EP-12, EP-13: accounts are linked and unlinked on the account page, and each change is mailed", async () => {
    const it = await setUp();
    const { browser, store, mails, scripted } = it;
    const path = "/account/linked-accounts";
    const link = async (person = browser) => {
      const sent = await submit(person, path, `${path}/link`, { provider: "example" });
      assert.equal(sent.statusCode, 303, sent.body);
      return returnAs(person, scripted, scripted.begun.at(-1)?.state ?? "");
    };
    const unlink = ({ id = "" } = {}) => submit(browser, path, `${path}/${id}/unlink`);
    const user = await aPerson(it, proved);
    await signInAs(browser, user);
    const page = await browser.get(path);
    assert.match(page.body, /Link Example/);
    assert.match(String(page.headers["content-security-policy"]), /form-action 'self' https:/);
    assert.equal((await link()).headers.location, `${path}?done=account_linked`);
    const [row] = await store.list("oauth_accounts", { user_id: user.id });
    const elsewhere = testBrowser(it.app);
    await signInAs(elsewhere, await aPerson(it, proved));
    const refused = await link(elsewhere);
    assert.equal(refused.statusCode, 409);
    assert.ok(!refused.body.includes(user.email) && canContinue(refused));
    assert.equal((await unlink(row)).headers.location, `${path}?done=account_unlinked`);
    assert.equal((await mails()).length, 2);
    await link();
    const [opener] = await store.list("oauth_accounts", { user_id: user.id });
    const methods = [
      { kind: "provider", credential: opener?.id ?? "", at: it.clock.now().getTime() },
    ] as const;
    await store.update("sessions", { user_id: user.id }, { methods });
    assert.equal((await unlink(opener)).headers.location, "/logout", "the link had opened the session");
    assert.ok(![...browser.cookies.keys()].some((name) => name.endsWith("session")));
    await signInAs(browser, user);
    const key = { provider: "example", provider_user_id: "upstream-1" };
    const only = await anOAuthAccount(store, { user_id: user.id, ...key });
    await store.update("users", { id: user.id }, { password_hash: null });
    assert.notEqual((await unlink(only)).statusCode, 303);
    assert.equal(await store.count("oauth_accounts", { id: only.id }), 1);
  });

  test("the list of sessions names the provider of each sign-in", async () => {
    const it = await setUp({ label: "Acme staff" });
    await it.linked();
    await it.visit();
    const { body } = await it.browser.get("/account/sessions");
    assert.match(body, /<bdi>Acme staff<\/bdi>/);
    assert.doesNotMatch(body, /Another provider/);
  });

  test("EP-6: a response by form_post arrives without cookies, and counts if the same browser continues", async () => {
    const { app, browser, scripted, continueAt } = await setUp({ preset: "apple" });
    const state = await leaveFor(browser);
    scripted.people.set("posted", upstreamPerson());
    const apple = testBrowser(app);
    const fields = { state, code: "posted", user: '{"name":{}}' };
    const posted = await apple.post("/sign-in/example/callback", fields, { "sec-fetch-site": "cross-site" });
    assert.equal(posted.statusCode, 303);
    const address = String(posted.headers.location);
    assert.match(address, /^\/sign-in\/example\/callback\?form=/);
    assert.equal(scripted.expected.length, 0);
    const stranger = await apple.get(address);
    assert.equal(stranger.statusCode, 400);
    assert.equal(scripted.expected.length, 0, "the attacker's browser gets a refusal");
    const again = await apple.post("/sign-in/example/callback", fields);
    assert.equal((await browser.get(String(again.headers.location))).headers.location, continueAt);
    const made = await apple.post("/sign-in/example/callback", { state: "made up", code: "c" });
    assert.equal((await browser.get(String(made.headers.location))).statusCode, 400);
    const long = await apple.post("/sign-in/example/callback", { state, code: "c".repeat(5000) });
    assert.equal(long.statusCode, 413);
    const fat = "c".repeat(4000);
    const wide = await apple.post("/sign-in/example/callback", { state, code: fat, error: fat, user: fat });
    assert.equal(wide.statusCode, 413);
  });

  test("EP-18: a response that no sign-in started is refused, with a button to start one", async () => {
    const { browser, visit } = await setUp();
    for (const query of ["", "state=x&code=y", "state=&code=y", "error=access_denied"]) {
      const answer = await browser.get(`/sign-in/example/callback?${query}`);
      assert.equal(answer.statusCode, 400, query);
      assert.match(answer.body, /action="\/sign-in\/example"/);
      assert.ok(canContinue(answer));
    }
    assert.equal((await visit()).statusCode, 303);
  });

  test("EP-18: if another account is signed in, the user must confirm before anything changes", async () => {
    const it = await setUp();
    const { browser, visit, answer, continueAt, me, linked } = it;
    const [ann, bob] = [await linked(), await aPerson(it, proved)];
    await signInAs(browser, bob);
    assert.equal((await visit()).headers.location, continueAt);
    assert.ok((await me()).includes(bob.email));
    assert.ok((await browser.get(continueAt)).body.includes(ann.email));
    assert.equal((await answer({ answer: "switch" })).headers.location, "/account");
    assert.ok((await me()).includes(ann.email));
  });

  test("EP-3: with sign-ins in two windows, the second one continues after the first has signed in", async () => {
    const { browser, scripted, linked } = await setUp();
    await linked();
    const first = await leaveFor(browser);
    const second = await leaveFor(browser, { redirect: "/account/sessions" });
    assert.equal((await returnAs(browser, scripted, first)).headers.location, "/account");
    const late = String((await returnAs(browser, scripted, second)).headers.location);
    assert.equal(late, `/login?redirect=${encodeURIComponent("/account/sessions")}`);
    assert.equal((await browser.get(late)).headers.location, "/account/sessions");
  });

  test("EP-15: a third-party app gets a code after a provider sign-in only through this server's consent page", async () => {
    const { browser, store, visit, scripted, linked, clock } = await setUp();
    await linked();
    const client = await anApp(store, { first_party: false, name: "Third Party" });
    const request = `/oauth/authorize?${formOf(authorizeParameters(client, { prompt: "login" }))}`;
    const back = await visit(upstreamPerson({ auth_time: clock.now() }), browser, request);
    const { prompt, max_age } = scripted.begun.at(-1) ?? {};
    assert.deepEqual([prompt, max_age, back.headers.location], ["login", 0, request]);
    assert.match((await browser.get(request)).body, /Third Party[\s\S]*name="decision"/);
    assert.equal(await store.count("oauth_auth_codes"), 0);
  });

  test("EP-15: a provider sign-in without auth_time satisfies no max_age, prompt=login or sensitive operation", async () => {
    const it = await setUp({ slug: "github", preset: "github" });
    const { browser, store, visit, scripted, linked } = it;
    const ann = await linked({ password_hash: null });
    const client = await anApp(store, { first_party: true });
    const request = (overrides: Record<string, string>) =>
      `/oauth/authorize?${formOf(authorizeParameters(client, overrides))}`;
    assert.equal((await visit(undefined, browser, request({}))).headers.location, request({}));
    const plain = await browser.get(request({}));
    assert.match(String(plain.headers.location), /[?&]code=/);
    const [code] = await store.list("oauth_auth_codes");
    assert.ok(code && !("auth_time" in JSON.parse(code.request_data ?? "{}")), "no time is told");
    const begun = scripted.begun.length;
    for (const overrides of [{ max_age: "86400" }, { prompt: "login" }]) {
      const requested = await browser.get(request(overrides));
      assert.match(String(requested.headers.location), /^\/login\?/, JSON.stringify(overrides));
      const sent = await submit(browser, String(requested.headers.location), "/sign-in/github");
      assert.equal(sent.statusCode, 400);
      assert.match(sent.body, /cannot ask you for one/);
      assert.ok(canContinue(sent));
      assert.doesNotMatch(sent.body, /action="\/sign-in\//, "the same provider once more leads nowhere");
    }
    assert.equal(scripted.begun.length, begun);
    const silent = await browser.get(request({ max_age: "86400", prompt: "none" }));
    assert.match(String(silent.headers.location), /error=login_required/);
    const write = await it.app.inject({
      method: "POST",
      url: "/api/v1/api-keys",
      headers: { cookie: cookieOf(browser), origin: "https://id.example" },
      payload: { name: "a key", user_id: ann.id, scopes: [] },
    });
    assert.equal(write.statusCode, 401, "nor does it change anything through the API");
  });

  test("EP-9, EP-10: a user whose account is missing or inactive is shown other methods", async () => {
    const { visit, linked } = await setUp({ sign_up: "never" });
    const none = await visit();
    const off = await linked({ active: false });
    const refused = await visit();
    for (const page of [none, refused]) {
      assert.equal(page.statusCode, 403);
      assert.ok(canContinue(page) && !page.body.includes(off.email));
    }
  });

  test("EP-17: without any provider there is no button, no route and no cookie for them", async () => {
    const { app } = await testApp();
    const browser = testBrowser(app);
    const page = await browser.get("/login");
    assert.doesNotMatch(page.body, /\/sign-in\//);
    assert.equal((await browser.get("/sign-in/example/callback")).statusCode, 404);
  });
});
