import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import type { Provider } from "../../src/identity/providers/provider_account.ts";
import { createOutbox } from "../../src/ops/mail.ts";
import { presetFaults } from "../../src/providers/preset_faults.ts";
import { wholeDraft } from "../../src/providers/provider_draft.ts";
import { UpstreamFault } from "../../src/providers/upstream_fault.ts";
import type { UpstreamIdentity } from "../../src/providers/upstream_identity.ts";
import { shortIdText } from "../../src/web/short_id.ts";
import { insertAny } from "../storage/any_row.ts";
import { aPerson, hiddenField, signInAs, type TestBrowser, testApp, testBrowser } from "../support/app.ts";
import { anApp, anOAuthAccount, anOrganization, start } from "../support/builders.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";
import { aProvider, scriptedLeg, upstreamPerson } from "../support/scripted_providers.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";

const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };
const proved = { email_verified_at: start };

/** The paths of all routes; a branch of the tree goes on where its parent ends. */
function pathsOf(app: FastifyInstance): string[] {
  const branch: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const [, indent = "", part = "", methods] = /^([│ ]*)[├└]── (.*?)( \(.*\))?$/.exec(line) ?? [];
      branch.splice(indent.length / 4, Number.POSITIVE_INFINITY, part);
      return methods === undefined ? [] : [branch.join("")];
    });
}

async function setUp(given: Partial<Provider> = {}) {
  const outbox = createOutbox({ ...silent, now: () => new Date(0) });
  const leg = scriptedLeg();
  const it = await testApp({ mail: outbox, provider_leg: leg });
  const provider = await aProvider(it.store, given);
  const browser = testBrowser(it.app);
  let codes = 0;

  /** Presses the button of the login page; where the browser is sent. */
  async function begin(person: TestBrowser = browser, redirect = "/account", slug = provider.slug) {
    const page = await person.get(`/login?account=another&redirect=${encodeURIComponent(redirect)}`);
    return press(page, person, slug);
  }

  async function press(page: LightMyRequestResponse, person: TestBrowser, slug = provider.slug) {
    const sent = await person.post(`/sign-in/${slug}`, {
      csrf_token: hiddenField(page, "csrf_token"),
      redirect: hiddenField(page, "redirect"),
    });
    assert.equal(sent.statusCode, 303, sent.body);
    return new URL(String(sent.headers.location)).searchParams.get("state") ?? "";
  }

  /** Comes back from there; `here` is what it is answered. */
  async function comeBack(
    state: string,
    who: UpstreamIdentity | UpstreamFault = upstreamPerson(),
    person: TestBrowser = browser,
  ) {
    codes += 1;
    leg.people.set(`code-${codes}`, who);
    const query = new URLSearchParams({ state, code: `code-${codes}` });
    return person.get(`/sign-in/${provider.slug}/callback?${query}`);
  }

  const visit = async (who?: UpstreamIdentity, person = browser, redirect = "/account") =>
    comeBack(await begin(person, redirect), who, person);

  const continueAt = `/sign-in/${provider.slug}/continue`;
  async function answer(fields: Record<string, string>, person = browser) {
    const page = await person.get(continueAt);
    return person.post(continueAt, { csrf_token: hiddenField(page, "csrf_token"), ...fields });
  }

  const mails = async () => {
    await outbox.settled();
    return outbox.kept();
  };
  const me = async (person = browser) => (await person.get("/account")).body;
  return { ...it, leg, provider, browser, begin, press, comeBack, visit, answer, continueAt, mails, me };
}

const hasWayOn = ({ body }: LightMyRequestResponse) =>
  /<main[\s\S]*(<a [^>]*href="\/(login|account)|<form method="post" action="\/sign-in\/)[\s\S]*<\/main>/.test(
    body,
  );

describe("signing in through an external provider", () => {
  test("EP-3: it begins by a form of ours alone", async () => {
    const { browser, leg, app } = await setUp();
    const get = await browser.get("/sign-in/example");
    assert.ok([404, 405].includes(get.statusCode));
    const page = await browser.get("/login");
    const csrf_token = hiddenField(page, "csrf_token");
    assert.equal((await browser.post("/sign-in/example", { redirect: "/" })).statusCode, 403);
    const foreign = { "sec-fetch-site": "cross-site" };
    assert.equal((await browser.post("/sign-in/example", { csrf_token }, foreign)).statusCode, 403);
    assert.equal((await testBrowser(app).post("/sign-in/example", { csrf_token })).statusCode, 403);
    assert.equal((await browser.post("/sign-in/nobody", { csrf_token })).statusCode, 404);
    assert.equal(leg.begun.length, 0);
    const begun = await browser.post("/sign-in/example", { csrf_token, redirect: "/account" });
    assert.equal(begun.statusCode, 303);
    assert.equal(leg.begun[0]?.redirect_uri, "https://id.example/sign-in/example/callback");
  });

  test("EP-17: the login page shows what is active for everybody and for the application, unasked", async () => {
    const { browser, store, leg } = await setUp();
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
    assert.equal(leg.begun.length, 0);
  });

  test("SS-14: the method that was used last comes first, and the cookie names no person", async () => {
    const it = await setUp();
    const { browser, store, visit, begin } = it;
    await aProvider(store, { slug: "before", label: "Before" });
    const user = await aPerson(it, proved);
    await anOAuthAccount(store, {
      user_id: user.id,
      provider: "example",
      provider_user_id: "upstream-1",
    });
    assert.equal((await visit()).headers.location, "/account");
    const cookie = [...browser.cookies].find(([name]) => name.endsWith("last"))?.[1];
    assert.equal(decodeURIComponent(cookie ?? ""), "provider:example");
    const { body } = await browser.get("/login?account=another");
    const places = ["Continue with Example", 'name="password"', "Continue with Before"].map((text) =>
      body.indexOf(text),
    );
    assert.deepEqual(
      places,
      places.toSorted((one, two) => one - two),
    );
    assert.ok(places.every((place) => place > 0));
    browser.cookies.set("__Host-postern_last", "provider:<b>");
    assert.equal((await browser.get("/login?account=another")).statusCode, 200);
    await begin();
  });

  test("SS-3: the second step after a provider masks an address that was not typed here", async () => {
    const it = await setUp();
    const { browser, store, identity, visit } = it;
    const user = await aPerson(it, { ...proved, email: "grace@home.example" });
    await anOAuthAccount(store, { user_id: user.id, provider: "example", provider_user_id: "upstream-1" });
    await anAuthenticatorApp(user, identity);
    assert.equal((await visit()).headers.location, "/sign-in/second-factor");
    const { body } = await browser.get("/sign-in/second-factor");
    assert.match(body, /g•••@home\.example/);
    assert.doesNotMatch(body, /grace/);
  });

  test("EP-10: a page says what will be made; then the person is in, and the request goes on", async () => {
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

  test("EP-10: without a trusted address a code is mailed first, to known and unknown alike", async () => {
    const { browser, visit, answer, store, continueAt, mails, me } = await setUp();
    await visit(upstreamPerson({ email_verdict: "none" }));
    const page = await browser.get(continueAt);
    assert.match(page.body, /name="email"/);
    assert.doesNotMatch(page.body, /answer" value="create"/);
    const sent = await answer({ answer: "mail", email: "ann@firm.example" });
    assert.equal(sent.statusCode, 200);
    const [mail] = await mails();
    assert.equal(mail?.to, "ann@firm.example");
    const code = /\b\d{4} \d{4}\b/.exec(mail?.text ?? "")?.[0] ?? "";
    const wrong = await answer({ answer: "code", code: code === "0000 0000" ? "1" : "00000000" });
    assert.equal(wrong.statusCode, 422);
    const right = await answer({ answer: "code", code });
    assert.equal(right.headers.location, continueAt);
    assert.equal(await store.count("users"), 0);
    assert.equal((await answer({ answer: "create", name: "Ann" })).headers.location, "/account");
    assert.match(await me(), /ann@firm\.example/);
  });

  test("EP-11: the page to prove an account is the same whether there is one", async () => {
    const it = await setUp();
    await aPerson(it, { ...proved, email: "known@firm.example" });
    const bodies: string[] = [];
    for (const name of ["known", "fresh"]) {
      const person = testBrowser(it.app);
      const email = `${name}@firm.example`;
      await it.visit(upstreamPerson({ email, email_verdict: "none", subject: name }), person);
      const page = await person.get(it.continueAt);
      const sent = await it.answer({ answer: "mail", email }, person);
      for (const { body } of [page, sent]) {
        bodies.push(body.replaceAll(name, "").replaceAll(/name="csrf_token" value="[^"]*"/g, ""));
      }
    }
    assert.equal(bodies[0], bodies[2]);
    assert.equal(bodies[1], bodies[3]);
  });

  test("EP-11: who signs in as usual is asked to link, told by mail, and goes on where they wanted to", async () => {
    const it = await setUp();
    const { browser, visit, answer, continueAt, store, mails, me } = it;
    const user = await aPerson(it, { ...proved, email: "ann@firm.example" });
    await visit(undefined, browser, "/account/sessions");
    const page = await browser.get(continueAt);
    const href = /href="(\/login\?account=another[^"]*)"/.exec(page.body)?.[1]?.replaceAll("&amp;", "&");
    assert.ok(href);
    const login = await browser.get(href);
    const { email } = user;
    const signedIn = await signInAs(browser, { email }, { redirect: hiddenField(login, "redirect") });
    assert.equal(signedIn.headers.location, continueAt);
    assert.match((await browser.get(continueAt)).body, /value="link"/);
    assert.equal(await store.count("oauth_accounts"), 0);
    const linked = await answer({ answer: "link" });
    assert.equal(linked.headers.location, "/account/sessions");
    assert.equal(await store.count("oauth_accounts", { user_id: user.id }), 1);
    assert.match(await me(), /ann@firm\.example/);
    const kinds = (await mails()).map(({ subject }) => subject);
    assert.equal(kinds.length, 1);
    const again = testBrowser(it.app);
    assert.equal((await visit(undefined, again)).headers.location, "/account");
  });

  test("EP-11: a code of the mailbox is followed by the second factor, and only then by the link", async () => {
    const it = await setUp();
    const { visit, answer, store, mails, me } = it;
    const user = await aPerson(it, { ...proved, email: "ann@firm.example" });
    await insertAny(store, "totp_authenticators", { users: user.id });
    await visit();
    await answer({ answer: "mail", email: user.email });
    const code = /\b\d{4} \d{4}\b/.exec((await mails())[0]?.text ?? "")?.[0] ?? "";
    const next = await answer({ answer: "code", code });
    assert.equal(next.headers.location, "/sign-in/second-factor");
    assert.equal(await store.count("oauth_accounts"), 0);
    assert.equal(await store.count("sessions", { user_id: user.id }), 0);
    assert.doesNotMatch(await me(), /ann@firm/);
  });

  test("EP-1 no provider has the name of a page below /sign-in/", async () => {
    const extra_sign_in = ["passkey", "totp"] as const;
    const identity_settings = {
      extra_sign_in,
      self_service: ["deletion"],
      recovery_delay_hours: 72,
    } as const;
    const mail = createOutbox({ ...silent, now: () => new Date(0) });
    const { app } = await testApp({ mail, provider_leg: scriptedLeg(), identity_settings });
    const words = new Set(pathsOf(app).flatMap((path) => /^\/sign-in\/([^/:]+)/.exec(path)?.[1] ?? []));
    for (const word of ["lost-factors", "undo-deletion", "passkey-offer", "passkey-upgrade"]) {
      assert.ok(words.has(word), word);
    }
    for (const slug of words) {
      const faults = presetFaults(wholeDraft({ slug, preset: "google" }));
      assert.deepEqual(
        faults.map(({ path, code }) => [path, code]),
        [["/slug", "reserved_slug"]],
        slug,
      );
    }
  });

  test("EP-12, EP-13: accounts are linked and unlinked on the account page, each told by mail", async () => {
    const it = await setUp();
    const { browser, store, mails, comeBack, leg } = it;
    const user = await aPerson(it, proved);
    await signInAs(browser, user);
    const path = "/account/linked-accounts";
    const page = await browser.get(path);
    assert.match(page.body, /Link Example/);
    assert.match(String(page.headers["content-security-policy"]), /form-action 'self' https:/);
    const csrf_token = hiddenField(page, "csrf_token");
    const sent = await browser.post(`${path}/link`, { csrf_token, provider: "example" });
    assert.equal(sent.statusCode, 303, sent.body);
    const back = await comeBack(leg.begun.at(-1)?.state ?? "");
    assert.equal(back.headers.location, `${path}?done=account_linked`);
    const [link] = await store.list("oauth_accounts", { user_id: user.id });
    assert.ok(link);
    const other = await aPerson(it, proved);
    const elsewhere = testBrowser(it.app);
    await signInAs(elsewhere, other);
    const theirs = hiddenField(await elsewhere.get(path), "csrf_token");
    await elsewhere.post(`${path}/link`, { csrf_token: theirs, provider: "example" });
    const refused = await comeBack(leg.begun.at(-1)?.state ?? "", upstreamPerson(), elsewhere);
    assert.equal(refused.statusCode, 409);
    assert.ok(!refused.body.includes(user.email));
    assert.ok(hasWayOn(refused));
    const removed = await browser.post(`${path}/${link.id}/unlink`, { csrf_token });
    assert.equal(removed.headers.location, `${path}?done=account_unlinked`);
    assert.equal((await mails()).length, 2);
    const key = { user_id: user.id, provider: "example", provider_user_id: "upstream-1" };
    const only = await anOAuthAccount(store, key);
    await store.update("users", { id: user.id }, { password_hash: null });
    const lastWay = await browser.post(`${path}/${only.id}/unlink`, { csrf_token });
    assert.notEqual(lastWay.statusCode, 303);
    assert.equal(await store.count("oauth_accounts", { id: only.id }), 1);
  });

  test("EP-6: a response by form arrives without cookies, and counts where the browser that began fetches it", async () => {
    const { app, browser, begin, leg, continueAt } = await setUp({ preset: "apple" });
    const state = await begin();
    leg.people.set("posted", upstreamPerson());
    const apple = testBrowser(app);
    const fields = { state, code: "posted", user: '{"name":{}}' };
    const posted = await apple.post("/sign-in/example/callback", fields, { "sec-fetch-site": "cross-site" });
    assert.equal(posted.statusCode, 303);
    const address = String(posted.headers.location);
    assert.match(address, /^\/sign-in\/example\/callback\?form=/);
    assert.equal(leg.expected.length, 0);
    const stranger = await apple.get(address);
    assert.equal(stranger.statusCode, 400);
    assert.equal(leg.expected.length, 0, "the attacker's browser gets a refusal");
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

  test("EP-16: turning back leads to the login page with the request intact", async () => {
    const { browser, begin } = await setUp();
    const state = await begin(browser, "/account/sessions");
    const back = await browser.get(`/sign-in/example/callback?state=${state}&error=access_denied`);
    assert.equal(back.headers.location, `/login?redirect=${encodeURIComponent("/account/sessions")}`);
  });

  test("EP-16: a failure has an id that explains it, and the second one leads to the list of methods", async () => {
    const { browser, begin, comeBack, store } = await setUp();
    const fault = new UpstreamFault("iss", { expected: "https://a.example", received: "https://b.example" });
    const first = await comeBack(await begin(), fault);
    assert.equal(first.statusCode, 400);
    assert.match(first.body, /action="\/sign-in\/example"/);
    assert.ok(hasWayOn(first));
    const fields = ["csrf_token", "redirect", "failures"].map((name) => [name, hiddenField(first, name)]);
    const sent = await browser.post("/sign-in/example", Object.fromEntries(fields));
    const state = new URL(String(sent.headers.location)).searchParams.get("state") ?? "";
    const second = await comeBack(state, fault);
    assert.doesNotMatch(second.body, /action="\/sign-in\/example"/);
    assert.ok(hasWayOn(second));
    await store.flush();
    const refusals = await store.list("refusals", {}, { order_by: "id" });
    assert.equal(refusals.length, 2);
    const refusal = refusals.find(({ short_id }) => first.body.includes(shortIdText(short_id)));
    assert.deepEqual(refusal?.evidence, [
      {
        kind: "upstream",
        name: "example: iss",
        received: "https://b.example",
        expected: "https://a.example",
      },
    ]);
  });

  test("EP-17: a provider that is down is told in words, and every other method stays", async () => {
    const { browser, leg, press } = await setUp();
    leg.begin = async () => {
      throw new UpstreamFault("timeout");
    };
    const page = await browser.get("/login?redirect=/account");
    const fields = {
      csrf_token: hiddenField(page, "csrf_token"),
      redirect: hiddenField(page, "redirect"),
    };
    const answer = await browser.post("/sign-in/example", fields);
    assert.equal(answer.statusCode, 400);
    assert.match(answer.body, /is not responding/);
    assert.ok(hasWayOn(answer));
    assert.equal((await browser.get("/login")).statusCode, 200);
    assert.ok(press);
  });

  test("EP-18: a response that nobody asked for is refused with a button to begin here", async () => {
    const { app, browser, visit, begin, store } = await setUp();
    for (const query of ["", "state=x&code=y", "state=&code=y", "error=access_denied"]) {
      const answer = await browser.get(`/sign-in/example/callback?${query}`);
      assert.equal(answer.statusCode, 400, query);
      assert.match(answer.body, /action="\/sign-in\/example"/);
      assert.ok(hasWayOn(answer));
    }
    const attacker = testBrowser(app);
    const state = await begin(attacker);
    const planted = await browser.get(`/sign-in/example/callback?state=${state}&code=attackers`);
    assert.equal(planted.statusCode, 400);
    assert.equal(await store.count("sessions"), 0);
    assert.equal((await visit()).statusCode, 303);
  });

  test("EP-18: another account that is signed in is asked before anything changes", async () => {
    const it = await setUp();
    const { browser, store, visit, answer, continueAt, me } = it;
    const [ann, bob] = [await aPerson(it, proved), await aPerson(it, proved)];
    const key = { provider: "example", provider_user_id: "upstream-1" };
    await anOAuthAccount(store, { user_id: ann.id, ...key });
    await signInAs(browser, bob);
    const back = await visit();
    assert.equal(back.headers.location, continueAt);
    assert.match(await me(), new RegExp(bob.email));
    assert.match((await browser.get(continueAt)).body, new RegExp(ann.email));
    assert.equal((await answer({ answer: "switch" })).headers.location, "/account");
    assert.match(await me(), new RegExp(ann.email));
  });

  test("EP-3: the second of two windows goes on after the first has signed in", async () => {
    const it = await setUp();
    const { browser, begin, comeBack, store } = it;
    const ann = await aPerson(it, proved);
    const key = { provider: "example", provider_user_id: "upstream-1" };
    await anOAuthAccount(store, { user_id: ann.id, ...key });
    const first = await begin(browser, "/account");
    const second = await begin(browser, "/account/sessions");
    assert.equal((await comeBack(first)).headers.location, "/account");
    const late = await comeBack(second);
    assert.equal(late.headers.location, `/login?redirect=${encodeURIComponent("/account/sessions")}`);
    const on = await browser.get(String(late.headers.location));
    assert.equal(on.headers.location, "/account/sessions");
  });

  test("EP-15: our own consent stands between a provider and a code for a third party", async () => {
    const it = await setUp();
    const { browser, store, visit, leg } = it;
    const ann = await aPerson(it, proved);
    const key = { provider: "example", provider_user_id: "upstream-1" };
    await anOAuthAccount(store, { user_id: ann.id, ...key });
    const client = await anApp(store, { first_party: false, name: "Third Party" });
    const asked = authorizeParameters(client, { prompt: "login" });
    const request = `/oauth/authorize?${formOf(asked)}`;
    const back = await visit(upstreamPerson({ auth_time: it.clock.now() }), browser, request);
    assert.equal(leg.begun.at(-1)?.prompt, "login");
    assert.equal(leg.begun.at(-1)?.max_age, 0);
    assert.equal(back.headers.location, request);
    const page = await browser.get(request);
    assert.match(page.body, /Third Party/);
    assert.match(page.body, /name="decision"/);
    assert.equal(await store.count("oauth_auth_codes"), 0);
  });

  test("EP-15: a sign-in that a provider does not date satisfies no max_age, prompt=login or API", async () => {
    const it = await setUp({ slug: "github", preset: "github" });
    const { browser, store, visit, leg } = it;
    const ann = await aPerson(it, { ...proved, password_hash: null });
    await anOAuthAccount(store, { user_id: ann.id, provider: "github", provider_user_id: "upstream-1" });
    const client = await anApp(store, { first_party: true });
    const request = (given: Record<string, string>) =>
      `/oauth/authorize?${formOf(authorizeParameters(client, given))}`;
    assert.equal((await visit(undefined, browser, request({}))).headers.location, request({}));
    const plain = await browser.get(request({}));
    assert.match(String(plain.headers.location), /[?&]code=/);
    const [code] = await store.list("oauth_auth_codes");
    assert.ok(code && !("auth_time" in JSON.parse(code.request_data ?? "{}")), "no time is told");
    const begun = leg.begun.length;
    for (const given of [{ max_age: "86400" }, { prompt: "login" }]) {
      const asked = await browser.get(request(given));
      assert.match(String(asked.headers.location), /^\/login\?/, JSON.stringify(given));
      const login = await browser.get(String(asked.headers.location));
      const sent = await browser.post("/sign-in/github", {
        csrf_token: hiddenField(login, "csrf_token"),
        redirect: hiddenField(login, "redirect"),
      });
      assert.equal(sent.statusCode, 400);
      assert.match(sent.body, /cannot ask you for one/);
      assert.ok(hasWayOn(sent));
      assert.doesNotMatch(sent.body, /action="\/sign-in\//, "the same provider once more leads nowhere");
    }
    assert.equal(leg.begun.length, begun);
    const silent = await browser.get(request({ max_age: "86400", prompt: "none" }));
    assert.match(String(silent.headers.location), /error=login_required/);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const write = await it.app.inject({
      method: "POST",
      url: "/api/v1/api-keys",
      headers: { cookie, origin: "https://id.example", "content-type": "application/json" },
      payload: { name: "a key", user_id: ann.id, scopes: [] },
    });
    assert.equal(write.statusCode, 401, "nor does it change anything through the API");
  });

  test("EP-9, EP-10: who cannot have an account, or not use it, is shown another way", async () => {
    const it = await setUp({ sign_up: "never" });
    const { browser, visit, store } = it;
    const none = await visit();
    assert.equal(none.statusCode, 403);
    assert.ok(hasWayOn(none));
    const off = await aPerson(it, { ...proved, active: false });
    const key = { provider: "example", provider_user_id: "upstream-1" };
    await anOAuthAccount(store, { user_id: off.id, ...key });
    const refused = await visit(undefined, browser);
    assert.equal(refused.statusCode, 403);
    assert.ok(hasWayOn(refused));
    assert.ok(!refused.body.includes(off.email));
  });

  test("EP-17: with no provider there is no button, no route and no cookie", async () => {
    const { app } = await testApp();
    const browser = testBrowser(app);
    const page = await browser.get("/login");
    assert.doesNotMatch(page.body, /\/sign-in\//);
    assert.equal((await browser.get("/sign-in/example/callback")).statusCode, 404);
  });
});
