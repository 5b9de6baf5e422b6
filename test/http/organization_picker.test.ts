import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { pushRequest } from "../../src/oauth/authorize/push_request.ts";
import type { OAuthApp, Organization, User } from "../../src/records/definition/definition.ts";
import { aPerson, browserOf, hiddenField, type TestApp, testApp } from "../support/app.ts";
import { aMembership, anApp, anOrganization } from "../support/builders.ts";
import { authorizeParameters, endpointRequest, formOf } from "../support/flows.ts";

const languages = {
  de: /Organisation auswählen/,
  en: /Choose an organization/,
  es: /Elige una organización/,
  fr: /Choisir une organisation/,
  ja: /組織の選択/,
  pt: /Escolher uma organização/,
  zh: /选择组织/,
};

describe("the page that asks for an organization", () => {
  let it: TestApp;
  let user: User;
  let client: OAuthApp;
  const organizations: Organization[] = [];
  before(async () => {
    it = await testApp({ throttle: false, settings: { extra_features: ["par"] } });
    user = await aPerson(it);
    client = await anApp(it.store, {
      public: true,
      organization_mode: "required",
      allowed_scopes: ["openid", "organization", "roles"],
    });
    for (const name of ["Beta <b>", "Alpha"]) {
      const organization = await anOrganization(it.store, { name });
      organizations.push(organization);
      await aMembership(it.store, { user_id: user.id, organization_id: organization.id, role: "admin" });
    }
  });

  test("OC-1: discovery lists the organization parameters once tokens of an app can be for an organization", async () => {
    const off = await testApp();
    const told = async ({ app }: TestApp) =>
      (await app.inject("/.well-known/openid-configuration")).json<Record<string, unknown>>();
    const before = await told(off);
    assert.equal(Object.hasOwn(before, "organization_parameter_supported"), false);
    await anApp(off.store, { organization_mode: "optional" });
    const names = ["organization", "roles", "groups", "permissions"];
    for (const document of [await told(off), await told(it)]) {
      assert.equal(document.organization_parameter_supported, true);
      for (const member of ["scopes_supported", "claims_supported"])
        assert.deepEqual((document[member] as string[]).slice(-4), names);
    }
    assert.deepEqual(
      (before.scopes_supported as string[]).filter((name) => names.includes(name)),
      [],
    );
  });

  const parameters = (given = {}) =>
    authorizeParameters(client, { scope: "openid organization roles", ...given });

  test("OC-1: the page is shown after sign-in and before consent, without scripts, in every language", async () => {
    const browser = await browserOf(it, user);
    const address = `/oauth/authorize?${formOf(parameters())}`;
    const page = await browser.get(address);
    assert.equal(page.statusCode, 200);
    assert.match(page.body, languages.en);
    assert.doesNotMatch(page.body, /type="search"|<b>/);
    assert.ok(page.body.indexOf("Alpha") < page.body.indexOf("Beta &lt;b&gt;"));
    for (const [language, title] of Object.entries(languages))
      assert.match((await browser.get(address, { "accept-language": language })).body, title);
    const [beta] = organizations;
    const fields = {
      redirect: hiddenField(page, "redirect"),
      csrf_token: hiddenField(page, "csrf_token"),
    };
    const consent = await browser.post("/organization", { ...fields, organization: beta?.id ?? "" });
    assert.match(consent.body, /See your role at Beta &lt;b&gt;/);
    assert.match(consent.body, /<dt>Organization<\/dt><dd><bdi>Beta &lt;b&gt;<\/bdi>/);
    const done = await browser.post("/consent", {
      decision: "allow",
      request: hiddenField(consent, "request"),
      csrf_token: hiddenField(consent, "csrf_token"),
    });
    assert.ok(new URL(String(done.headers.location)).searchParams.get("code"));
    const [code] = await it.store.list("oauth_auth_codes", { user_id: user.id });
    const membership = await it.store.find("memberships", { id: code?.membership_id ?? "" });
    assert.equal(membership?.organization_id, beta?.id);
    // The next request requires a choice again, because the session does not store it (OC-2).
    assert.match((await browser.get(address)).body, languages.en);
  });

  test("OC-1: a search shows the organizations that match, and keeps the request if none does", async () => {
    const browser = await browserOf(it, user);
    const page = await browser.get(`/oauth/authorize?${formOf(parameters())}`);
    const fields = {
      redirect: hiddenField(page, "redirect"),
      csrf_token: hiddenField(page, "csrf_token"),
    };
    const found = await browser.post("/organization", { ...fields, search: "alph" });
    assert.match(found.body, /Alpha/);
    assert.doesNotMatch(found.body, /Beta/);
    const none = await browser.post("/organization", { ...fields, search: '"><i>' });
    assert.match(none.body, /No organization of yours matches/);
    assert.match(none.body, /value="&quot;&gt;&lt;i&gt;"/);
    assert.equal(hiddenField(none, "redirect"), fields.redirect);
  });

  test("OC-1: the page names the account, offers another account, and can be cancelled", async () => {
    const browser = await browserOf(it, user);
    const address = `/oauth/authorize?${formOf(parameters())}`;
    const page = await browser.get(address);
    assert.match(page.body, new RegExp(`<dt>Signed in as</dt><dd>.*${user.email}`));
    const another = /<a href="([^"]*)">Use another account/.exec(page.body)?.[1]?.replaceAll("&amp;", "&");
    assert.match((await browser.get(another ?? "")).body, /Choose an account/);
    const cancelled = await browser.post("/organization", {
      redirect: hiddenField(page, "redirect"),
      csrf_token: hiddenField(page, "csrf_token"),
      decision: "deny",
    });
    assert.match(String(cancelled.headers.location), /^https:\/\/app\.example\/cb\?error=access_denied/);
  });

  test("the consent page shows the scopes of APIs before those of every app", async () => {
    const allowed_scopes = ["openid", "profile", "email", "offline_access", "orders:read"];
    const app = await anApp(it.store, { public: true, allowed_scopes });
    const asked = authorizeParameters(app, { scope: allowed_scopes.join(" ") });
    const page = await (await browserOf(it, user)).get(`/oauth/authorize?${formOf(asked)}`);
    const names = [...page.body.matchAll(/<code>([a-z_:]+)<\/code>/g)].map(([, name]) => name);
    assert.deepEqual(names.slice(0, 3), ["orders:read", "openid", "profile"]);
  });

  test("OC-1: a form from another site chooses nothing, and a foreign redirect gets no code", async () => {
    const browser = await browserOf(it, user);
    const page = await browser.get(`/oauth/authorize?${formOf(parameters())}`);
    const redirect = hiddenField(page, "redirect");
    const csrf_token = hiddenField(page, "csrf_token");
    const organization = organizations[0]?.id ?? "";
    const forged = await browser.post("/organization", { redirect, organization, csrf_token: "forged" });
    assert.deepEqual([forged.statusCode, forged.headers.location], [302, redirect]);
    for (const elsewhere of ["https://evil.example/", `${it.server.issuer}/account`]) {
      const answer = await browser.post("/organization", { redirect: elsewhere, csrf_token, organization });
      assert.equal(answer.statusCode, 302);
      assert.doesNotMatch(String(answer.headers.location), /evil|code=/);
    }
  });

  test("OC-8: a user who is not a member sees whom to contact, and can return to the application", async () => {
    const organization = await anOrganization(it.store, { name: "Gamma & Co" });
    const app = await anApp(it.store, { organization_id: organization.id, who_may_sign_in: "members" });
    const browser = await browserOf(it, user);
    const page = await browser.get(`/oauth/authorize?${formOf(authorizeParameters(app))}`);
    assert.equal(page.statusCode, 403);
    assert.match(page.body, /is for members of <bdi class="name">Gamma &amp; Co<\/bdi>/);
    assert.match(page.body, /href="https:\/\/app\.example\/cb\?error=access_denied/);
    assert.match(page.body, /Use another account/);
  });

  test("OC-1: a pushed request keeps its parameters, and the chosen organization is not in the URL", async () => {
    const pushed = async (given = {}) => {
      const { request_uri } = await pushRequest(endpointRequest(parameters(given)), it.server);
      return `/oauth/authorize?${formOf({ client_id: client.client_id, request_uri })}`;
    };
    const browser = await browserOf(it, user);
    const address = await pushed();
    const page = await browser.get(address);
    assert.match(page.body, languages.en);
    assert.equal(hiddenField(page, "redirect"), it.server.issuer + address);
    const named = await pushed({ organization: organizations[1]?.slug });
    // Parameters next to `request_uri` are ignored.
    const consent = await browser.get(`${named}&organization=${organizations[0]?.slug}`);
    assert.match(consent.body, /See your role at Alpha/);
  });
});
