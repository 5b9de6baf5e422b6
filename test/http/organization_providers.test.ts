/** An organization's provider in the browser: the notice before it may sign the user in. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { updateRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import type { Provider } from "../../src/people/core/proofs/provider_account.ts";
import { testContext } from "../admin/context.ts";
import { sendForm, submit, testMail } from "../support/account.ts";
import { aPerson, password, signInAs, type TestBrowser, testApp, testBrowser } from "../support/app.ts";
import {
  aMembership,
  anApp,
  anInvitation,
  anOAuthAccount,
  anOrganization,
  start,
} from "../support/builders.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";
import { aProvider, scriptedClient, upstreamPerson, visitProvider } from "../support/scripted_providers.ts";

const continueAt = "/sign-in/acme/continue";
const email = "ann@firm.example";

async function setUp(overrides: Partial<Provider> = {}) {
  const mail = testMail();
  const client = scriptedClient();
  const it = await testApp({ mail: mail.outbox, provider_client: client });
  const organization = await anOrganization(it.store, { name: "Rocket Works" });
  const own = { organization_id: organization.id, email_trust: "never", sign_up: "never" } as const;
  await aProvider(it.store, { slug: "acme", label: "Acme SSO", ...own, ...overrides });
  /**
   * Goes to the provider and returns as a user without an email address, as the provider's owner could
   * choose.
   */
  const visit = (browser: TestBrowser) => {
    const who = upstreamPerson({ email: undefined, auth_time: it.clock.now() });
    return visitProvider(browser, client, who, { slug: "acme" });
  };
  const answer = (browser: TestBrowser, fields: Record<string, string>) =>
    submit(browser, continueAt, undefined, fields);
  /** Enters the mailed code. */
  const proveByMail = async (browser: TestBrowser) => {
    await answer(browser, { answer: "mail", email });
    return answer(browser, { answer: "code", code: await mail.mailedCode() });
  };
  const links = () => it.store.count("oauth_accounts");
  return { ...it, client, organization, visit, answer, proveByMail, links };
}

describe("an organization's own provider in the browser", () => {
  test("EP-11: after the mailed code a page explains the link, and only its button creates the link", async () => {
    const it = await setUp();
    const user = await aPerson(it, { email, email_verified_at: start });
    await aMembership(it.store, { user_id: user.id, organization_id: it.organization.id });
    const browser = testBrowser(it.app);
    await it.visit(browser);
    assert.equal((await it.proveByMail(browser)).headers.location, continueAt);
    assert.equal(await it.links(), 0);
    const page = await browser.get(continueAt);
    const reported = page.body.replaceAll(/<[^>]*>/g, "");
    assert.match(
      reported,
      /Acme SSO of Rocket Works could then sign you in, and administrators of Rocket Works/,
    );
    assert.match(page.body, /ann@firm\.example/);
    const linked = await it.answer(browser, { answer: "link" });
    assert.equal(linked.headers.location, "/account");
    assert.equal(await it.links(), 1);
    assert.equal((await it.visit(testBrowser(it.app))).headers.location, "/account");
  });

  test("EP-11: a mailed code does not open the account of a user outside the organization, and the page says what to do", async () => {
    for (const is_platform_admin of [false, true]) {
      const it = await setUp();
      await aPerson(it, { email, email_verified_at: start, is_platform_admin });
      const browser = testBrowser(it.app);
      await it.visit(browser);
      const refused = await it.proveByMail(browser);
      assert.equal(refused.statusCode, 403);
      assert.match(refused.body, /href="\/login/);
      assert.equal(await it.links(), 0);
      const owner = testBrowser(it.app);
      await it.visit(owner);
      assert.equal((await owner.get("/account")).statusCode, 302);
    }
  });

  test("EP-1: a platform administrator cannot sign in through an organization's provider, even with an existing link", async () => {
    const it = await setUp();
    const user = await aPerson(it, { email, email_verified_at: start, is_platform_admin: true });
    const key = { provider: "acme", provider_user_id: "upstream-1" };
    await anOAuthAccount(it.store, { user_id: user.id, ...key });
    const browser = testBrowser(it.app);
    const refused = await it.visit(browser);
    assert.equal(refused.statusCode, 403);
    assert.ok(!refused.body.includes(email));
    assert.equal((await browser.get("/console")).statusCode, 302);
    assert.equal(await it.store.count("sessions", { user_id: user.id }), 0);
  });

  test("EP-12: linking requires a fresh proof of identity, and continues after it", async () => {
    const it = await setUp();
    const user = await aPerson(it, { email, email_verified_at: start });
    await aMembership(it.store, { user_id: user.id, organization_id: it.organization.id });
    const browser = testBrowser(it.app);
    await it.visit(browser);
    it.clock.advance(1);
    await signInAs(browser, user, { redirect: continueAt });
    it.clock.advance(360);
    const requested = await it.answer(browser, { answer: "link" });
    assert.match(requested.body, /name="sudo_password"/);
    const done = await sendForm(browser, requested, continueAt, { sudo_password: password });
    assert.equal(done.headers.location, "/account");
    assert.equal(await it.store.count("oauth_accounts", { user_id: user.id }), 1);
    assert.equal((await browser.get("/account")).statusCode, 200, "with the cookie of the proof");
  });

  test("P-1: an invited user sees the organization and the role before the account exists, and then reaches its app", async () => {
    for (const email_trust of ["domains", "claim"] as const) {
      const it = await setUp({ email_trust, sign_up: "invited", email_domains: ["firm.example"] });
      const organization_id = it.organization.id;
      const invited_by = (await aPerson(it, { email: "owner@firm.example" })).id;
      await aMembership(it.store, { user_id: invited_by, organization_id, role: "owner" });
      await anInvitation(it.store, { email, organization_id, invited_by, role: "developer" });
      const own = { organization_id, who_may_sign_in: "members", first_party: true } as const;
      const app = await anApp(it.store, own);
      const redirect = `/oauth/authorize?${formOf(authorizeParameters(app))}`;
      const browser = testBrowser(it.app);
      const email_assurance = email_trust === "domains" ? "authoritative" : "verified";
      const who = upstreamPerson({ email, email_assurance });
      await visitProvider(browser, it.client, who, { slug: "acme", redirect });
      const page = (await browser.get(continueAt)).body.replaceAll(/<[^>]*>/g, " ");
      const created = await it.answer(browser, { answer: "create", name: "Ann" });
      const opened = await browser.get(String(created.headers.location));
      if (email_trust === "domains") {
        assert.match(page, /Member of\s+Rocket Works\s+Role\s+Developer/);
        assert.match(String(opened.headers.location), /[?&]code=/);
      } else {
        assert.doesNotMatch(page, /Member of/);
        assert.match(page, /You have an invitation to\s+Rocket Works/);
        assert.equal(opened.statusCode, 403);
        assert.match(opened.body, /If you have an invitation, open the link in its email/);
      }
    }
  });

  test("P-1: a form whose page announced other roles creates nothing, and the page announces the new ones", async () => {
    const it = await setUp({ email_trust: "claim", sign_up: "anyone" });
    const organization_id = it.organization.id;
    const invited_by = (await aPerson(it, { email: "owner@firm.example" })).id;
    await aMembership(it.store, { user_id: invited_by, organization_id, role: "owner" });
    const browser = testBrowser(it.app);
    const who = upstreamPerson({ email, email_assurance: "authoritative" });
    await visitProvider(browser, it.client, who, { slug: "acme" });
    const asMember = await browser.get(continueAt);
    await anInvitation(it.store, { email, organization_id, invited_by, role: "owner" });
    const fields = { answer: "create", name: "Ann" };
    const again = await sendForm(browser, asMember, continueAt, fields);
    assert.equal(again.statusCode, 409);
    assert.match(again.body.replaceAll(/<[^>]*>/g, " "), /Member of\s+Rocket Works\s+Role\s+Owner/);
    assert.equal(await it.store.find("users", { email }), undefined);
    const created = await sendForm(browser, again, continueAt, fields);
    assert.equal(created.headers.location, "/account");
    assert.equal(await it.store.count("memberships", { organization_id, role: "owner" }), 2);
  });

  test("EP-8: after a change of the provider's record, a user who had returned before must sign in there again", async () => {
    const it = await setUp({ email_trust: "domains", sign_up: "anyone", email_domains: ["firm.example"] });
    const browser = testBrowser(it.app);
    const who = upstreamPerson({ email, email_assurance: "authoritative" });
    await visitProvider(browser, it.client, who, { slug: "acme" });
    const page = await browser.get(continueAt);
    assert.equal(page.statusCode, 200);
    it.clock.advance(1);
    const { id } = (await it.store.find("providers", { slug: "acme" })) ?? assert.fail();
    const admin = { ...testContext(it.store), now: it.clock.now };
    await updateRecord(admin, resourceOf("providers"), id, { email_trust: "never" });
    const refused = await sendForm(browser, page, continueAt, { answer: "create", name: "Ann" });
    assert.equal(refused.statusCode, 400);
    assert.equal(await it.store.find("users", { email }), undefined);
    assert.match((await browser.get(continueAt)).body, /Start the sign-in here/);
  });
});
