import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sendForm, submit } from "../support/account.ts";
import { aPerson, hiddenField, signInAs, testApp, testBrowser } from "../support/app.ts";
import { softwareAuthenticator } from "../support/authenticator.ts";
import { anApp } from "../support/builders.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";
import {
  aKnownBrowser,
  aPasskey,
  optionsOf,
  signInByPasskey,
  storeCodes,
  testSite,
} from "../support/passkeys.ts";

async function setUp(extra_sign_in: readonly ["passkey"] | readonly [] = ["passkey"]) {
  const it = await testApp({ throttle: false, identity_settings: { extra_sign_in } });
  const user = await aPerson(it);
  return { ...it, user, browser: await aKnownBrowser(it, user) };
}

const offer = (redirect: string) => `/sign-in/passkey-offer?redirect=${encodeURIComponent(redirect)}`;

describe("the offer to create a passkey after a sign-in", () => {
  test("PK-13 after a sign-in by password, the user is offered a passkey, can create it, and continues", async () => {
    const { browser, user, store } = await setUp();
    const client = await anApp(store, { first_party: true });
    const redirect = `/oauth/authorize?${formOf(authorizeParameters(client))}`;
    const answer = await signInAs(browser, user, { redirect });
    assert.equal(answer.headers.location, offer(redirect));
    const page = await browser.get(offer(redirect));
    assert.match(page.body, /Sign in faster next time/);
    assert.doesNotMatch(String(page.headers["content-security-policy"]), /form-action/);
    const options = optionsOf(page) as { challenge: string; user: { id: string } };
    const device = softwareAuthenticator({ ...testSite, user_handle: options.user.id });
    const answered = { answer: JSON.stringify(device.register(options.challenge)) };
    const made = await sendForm(browser, page, "/account/passkeys", answered);
    assert.doesNotMatch(String(made.headers["content-security-policy"]), /form-action/);
    assert.equal(made.headers["cross-origin-opener-policy"], undefined);
    assert.equal(await store.count("passkeys", {}), 0);
    const done = await storeCodes(browser, made);
    assert.equal(done.headers.location, redirect);
    assert.equal(done.headers["cross-origin-opener-policy"], undefined);
    assert.match(String((await browser.get(redirect)).headers.location), /[?&]code=/);
    assert.equal(await store.count("passkeys", { user_id: user.id }), 1);
  });

  test("PK-13 a user who has a passkey gets no offer", async () => {
    const { browser, user, identity } = await setUp();
    const { device } = await aPasskey(user, identity);
    assert.equal((await signInByPasskey(browser, device)).headers.location, "/account");
  });

  test("PK-13 after the user declines, the browser gets no offer for 30 days", async () => {
    const it = await setUp();
    const { browser, user } = it;
    const [again, other] = [await aKnownBrowser(it, user), await aKnownBrowser(it, user)];
    await signInAs(browser, user, { redirect: "/account" });
    const later = await submit(browser, offer("/account"));
    assert.equal(later.headers.location, "/account");
    const [cookie] = later.cookies.filter(({ name }) => name.endsWith("passkey_offer"));
    assert.equal(cookie?.maxAge, 30 * 86_400);
    again.cookies.set(cookie?.name ?? "", cookie?.value ?? "");
    assert.equal((await signInAs(again, user, { redirect: "/account" })).headers.location, "/account");
    const there = await signInAs(other, user, { redirect: "/account" });
    assert.equal(there.headers.location, offer("/account"));
  });

  test("PK-13, MF-12 a browser known for less than a day gets no offer", async () => {
    const { app, user } = await setUp();
    const young = testBrowser(app);
    assert.equal((await signInAs(young, user, { redirect: "/account" })).headers.location, "/account");
    assert.equal((await young.get(offer("/account"))).headers.location, "/account");
  });

  test("PK-13 the page of the offer redirects only within this server", async () => {
    const { browser, user } = await setUp();
    await signInAs(browser, user);
    const page = await browser.get(offer("https://evil.example/"));
    assert.equal(hiddenField(page, "redirect"), "/");
    const later = await sendForm(browser, page, "/sign-in/passkey-offer", { redirect: "//evil.example" });
    assert.equal(later.headers.location, "/");
  });

  test("if the setting is off, there is no offer", async () => {
    const { browser, user } = await setUp([]);
    const answer = await signInAs(browser, user, { redirect: "/account" });
    assert.equal(answer.headers.location, "/account");
    assert.equal((await browser.get(offer("/account"))).statusCode, 404);
  });
});
