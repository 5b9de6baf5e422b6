import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { TokenPreview } from "../../src/records/names/token_preview.ts";
import { aPerson, signInAs, testApp, testBrowser } from "../support/app.ts";
import {
  aGroup,
  aGroupMember,
  aMembership,
  anApp,
  anAttribute,
  anOrganization,
  aResource,
  aRole,
  aUser,
} from "../support/builders.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";
import { anApiKeyText } from "./api/server.ts";

test("OC-7: discovery lists the claims of built-in attributes that an app requests, and the scope phone", async () => {
  const it = await testApp();
  const told = async () =>
    (await it.app.inject("/.well-known/openid-configuration")).json<Record<string, string[]>>();
  const before = await told();
  await anApp(it.store, {
    claims: { roles: ["id_token"], locale: ["userinfo"], phone_number: ["userinfo"] },
  });
  const { claims_supported = [], scopes_supported = [], ...others } = await told();
  const { claims_supported: claims = [], scopes_supported: scopes = [], ...same } = before;
  assert.deepEqual(claims_supported, [...claims, "locale", "phone_number"]);
  assert.deepEqual(scopes_supported, [...scopes, "phone"]);
  assert.deepEqual(others, same);
});

test("OC-7: the consent page names the attributes that a scope releases, whatever the API's description says", async () => {
  const it = await testApp();
  const acme = await anOrganization(it.store);
  const api = await aResource(it.store, {
    organization_id: acme.id,
    scopes: { phone: "See the weather", hr: "See the weather" },
  });
  await anAttribute(it.store, { name: "salary", label: "Salary", claim: "salary", scopes: ["hr"] });
  // The user may not read this attribute, so the consent page must not mention it.
  await anAttribute(it.store, { name: "risk", claim: "risk", scopes: ["hr"], readers: ["admin"] });
  const app = await anApp(it.store, {
    organization_id: acme.id,
    allowed_scopes: ["openid", "phone", "hr"],
    resources: [api.identifier],
    claims: { phone_number: ["id_token"], salary: ["id_token"], risk: ["id_token"] },
  });
  const consentOf = async () => {
    const browser = testBrowser(it.app);
    await signInAs(browser, await aPerson(it));
    const parameters = authorizeParameters(app, { scope: "openid phone hr", resource: api.identifier });
    return browser.get(`/oauth/authorize?${formOf(parameters)}`);
  };
  const page = await consentOf();
  assert.equal(page.statusCode, 200);
  assert.match(page.body, /See your phone number/);
  assert.match(page.body, /<dt>Details about you<\/dt><dd><bdi>Salary<\/bdi><\/dd>/);
  assert.equal(page.body.match(/See the weather/g)?.length, 1);
  await it.store.update("oauth_apps", { id: app.id }, { claims: { locale: ["id_token"] } });
  const without = await consentOf();
  assert.doesNotMatch(without.body, /Details about you/);
  assert.equal(without.body.match(/See the weather/g)?.length, 2);
});

describe("the preview of a user's tokens in the management API and the console", () => {
  /**
   * Returns an app of Acme, an admin of Acme, a member with attributes, and a user without an organization.
   */
  async function scene() {
    const it = await testApp();
    const { id: organization_id } = await anOrganization(it.store, { slug: "acme" });
    const admin = await aPerson(it);
    await aMembership(it.store, { user_id: admin.id, organization_id, role: "admin" });
    const attributes = { given_name: "Ada", phone_number: "+441632960001" };
    const member = await aUser(it.store, { attributes });
    await aMembership(it.store, { user_id: member.id, organization_id });
    const stranger = await aUser(it.store, { attributes });
    const app = await anApp(it.store, {
      organization_id,
      organization_mode: "auto",
      allowed_scopes: ["openid", "profile", "phone", "organization"],
      claims: { given_name: ["id_token"], phone_number: ["id_token"] },
    });
    const { key } = await anApiKeyText(it, { user_id: admin.id, scopes: ["postern:read"] });
    const ask = (query: Record<string, string>, headers = { authorization: `Bearer ${key}` }) =>
      it.app.inject({ url: `/api/v1/apps/${app.id}/token-preview`, query, headers });
    return { it, admin, member, stranger, app, ask };
  }

  test("OC-3: a caller sees the token preview for records that they may read, and the preview issues no token", async () => {
    const { it, member, stranger, ask } = await scene();
    const answer = await ask({ user: member.email, scope: "openid profile phone organization" });
    assert.equal(answer.statusCode, 200, answer.body);
    const { claims } = answer.json<TokenPreview>();
    const of = (claim: string) => claims.id_token.find((each) => each.claim === claim);
    assert.deepEqual(of("given_name"), {
      ...{ claim: "given_name", source: "attribute", scopes: ["profile"], value: "Ada" },
    });
    assert.match(JSON.stringify(of("organization")), /"slug":"acme"/);
    // An administrator of the organization may not read phone numbers.
    assert.equal(of("phone_number")?.absent, "value_empty");
    assert.ok(!answer.body.includes("+441632960001"));
    assert.equal((await ask({ user: stranger.id })).statusCode, 404);
    assert.equal((await ask({ user: "none@acme.example" })).statusCode, 404);
    assert.equal((await ask({ user: member.id, resource: "https://api.example" })).statusCode, 400);
    assert.equal((await ask({ users: member.id })).statusCode, 400);
    assert.equal((await ask({}, { authorization: "Bearer none" })).statusCode, 401);
    assert.equal(await it.store.count("oauth_tokens"), 0);
  });

  // `test/oauth/organizations/preview.test.ts` tests that the preview agrees with tokens and endpoints.
  test("OC-3: the roles and groups in the management API equal those in the token preview", async () => {
    const { it, app, ask } = await scene();
    const { key } = await anApiKeyText(it, {
      user_id: (await aPerson(it, { is_platform_admin: true })).id,
      scopes: ["postern:read"],
    });
    const headers = { authorization: `Bearer ${key}` };
    const allowed_scopes = ["openid", "roles", "groups"];
    await it.store.update("oauth_apps", { id: app.id }, { allowed_scopes });
    const organization_id = app.organization_id ?? "";
    const roles = [await aRole(it.store, { organization_id }), await aRole(it.store), await aRole(it.store)];
    const ids = roles.map(({ id }) => id);
    const group = await aGroup(it.store, { organization_id, role_ids: ids.slice(1) });
    for (const [role_ids, groups] of [
      [[], []],
      [ids.slice(0, 1), []],
      [[], [group]],
      [ids.slice(0, 2), [group]],
    ] as const) {
      const user = await aUser(it.store);
      const membership = await aMembership(it.store, { user_id: user.id, organization_id, role_ids });
      for (const each of groups) await aGroupMember(it.store, membership, each);
      const list = async (path: string) =>
        (await it.app.inject({ url: `/api/v1/${path}`, headers })).json<{
          data: Record<string, unknown>[];
        }>().data;
      const include = "include=role_names,group_role_names";
      const [told] = await list(`memberships?user_id=${user.id}&${include}`);
      const inGroups = await list(`group-members?user_id=${user.id}&include=group`);
      const preview = (
        await ask({ user: user.id, scope: allowed_scopes.join(" ") }, headers)
      ).json<TokenPreview>();
      const claim = (name: string) =>
        preview.claims.access_token.find((each) => each.claim === name)?.value as string[] | undefined;
      const { role_names } = (told?.included ?? {}) as { role_names?: string[] };
      assert.deepEqual(role_names?.toSorted(), claim("roles")?.toSorted());
      assert.deepEqual(
        inGroups.map(({ included }) => (included as { group: { display_name: string } }).group.display_name),
        claim("groups") ?? [],
      );
    }
  });

  test("OC-3: the preview asks which organization is meant, among those of the user that the caller may read", async () => {
    const { it, admin, member, stranger, app, ask } = await scene();
    const { id: umbrella } = await anOrganization(it.store, { slug: "umbrella", name: "Zzz" });
    await aMembership(it.store, { user_id: member.id, organization_id: umbrella });
    const choice = async () => {
      const { not_issued, organizations } = (await ask({ user: member.id })).json<TokenPreview>();
      return [not_issued, organizations];
    };
    // The preview does not name an organization that the caller may not read.
    assert.deepEqual(await choice(), [undefined, undefined]);
    await aMembership(it.store, { user_id: admin.id, organization_id: umbrella, role: "admin" });
    assert.deepEqual(await choice(), ["organization_not_chosen", ["acme", "umbrella"]]);
    const named = (await ask({ user: member.id, organization: "umbrella" })).json<TokenPreview>();
    assert.equal(named.not_issued, undefined);
    const { id: foreign } = await anOrganization(it.store, { slug: "foreign" });
    await aMembership(it.store, { user_id: member.id, organization_id: foreign });
    for (const organization of ["foreign", foreign, "unknown"]) {
      const outside = (await ask({ user: member.id, organization })).json<TokenPreview>();
      assert.equal(outside.not_issued, "not_member", organization);
    }
    await it.store.remove("memberships", { organization_id: foreign });
    await it.store.update("oauth_apps", { id: app.id }, { organization_mode: "required" });
    await it.store.update("users", { id: admin.id }, { is_platform_admin: true });
    const browser = testBrowser(it.app);
    await signInAs(browser, admin);
    const path = `/console/token-preview?app=${app.client_id}`;
    const several = await browser.get(`${path}&user=${member.id}`);
    assert.match(several.body, /Name one of: <code>acme<\/code> <code>umbrella<\/code>/);
    assert.match((await browser.get(`${path}&user=${stranger.id}`)).body, /the user belongs to none/);
  });

  test("OC-3: the preview does not reveal whether a foreign user exists, by address, id or membership", async () => {
    const { it, admin, member, stranger, app, ask } = await scene();
    const { id: organization_id } = await anOrganization(it.store, { slug: "evil" });
    const hidden = await aMembership(it.store, { user_id: member.id, organization_id });
    const alike = async (one: Record<string, string>, other: Record<string, string>, of = ask) => {
      const typed = Object.values(other).flatMap((value, index) => [
        [value, Object.values(one)[index] ?? ""],
      ]);
      const [known, unknown] = [await of(one), await of(other)];
      const body = typed.reduce((text, [to = "", from = ""]) => text.replace(from, to), known.body);
      assert.equal(known.statusCode, unknown.statusCode);
      assert.equal(
        body.replace(/"request_id":"[^"]*"/, ""),
        unknown.body.replace(/"request_id":"[^"]*"/, ""),
      );
      return known;
    };
    const none = "00000000-0000-4000-8000-000000000000";
    const byEmail = await alike({ user: stranger.email }, { user: "none@acme.example" });
    assert.ok(!byEmail.body.includes(stranger.id));
    await alike({ user: stranger.id }, { user: none });
    const foreign = { user: member.email, organization: "evil" };
    const answer = await alike(foreign, { ...foreign, organization: "none" });
    assert.ok(!answer.body.includes(hidden.id));
    await alike({ ...foreign, organization: organization_id }, { ...foreign, organization: none });
    const { key } = await anApiKeyText(it, { user_id: admin.id, scopes: ["postern:apps:read"] });
    const headers = { authorization: `Bearer ${key}` };
    const url = `/api/v1/apps/${app.id}/token-preview`;
    const narrow = (query: Record<string, string>) => it.app.inject({ url, query, headers });
    for (const user of [member.email, member.id, stranger.email])
      assert.equal((await alike({ user }, { user: "none@acme.example" }, narrow)).statusCode, 403);
    const { key: withUsers } = await anApiKeyText(it, {
      user_id: admin.id,
      scopes: ["postern:apps:read", "postern:users:read"],
    });
    const query = { user: member.id, organization: "acme" };
    const refused = await ask(query, { authorization: `Bearer ${withUsers}` });
    assert.equal(refused.statusCode, 403);
  });

  test("OC-3: the console shows the token preview, and the pages of an app, a user and an API link to it", async () => {
    const { it, admin, member, app } = await scene();
    const browser = testBrowser(it.app);
    await signInAs(browser, admin);
    const page = await browser.get(`/console/token-preview?app=${app.client_id}&user=${member.id}`);
    assert.equal(page.statusCode, 200);
    assert.match(page.body, /<code>given_name<\/code>[\s\S]*&quot;Ada&quot;/);
    const path = `/console/token-preview?app=${app.client_id}`;
    const refused = await browser.get(`${path}&user=x`);
    assert.equal(refused.statusCode, 404);
    assert.match(refused.body, /id="user-error">This does not exist/);
    const outside = await browser.get(`${path}&user=${member.email}&organization=x`);
    assert.match(outside.body, /access_denied\): the user is not a member of this organization/);
    const unknown = await browser.get("/console/token-preview?app=none");
    assert.match(unknown.body, /id="app-error">/);
    const record = await browser.get(`/console/apps/${app.id}`);
    assert.ok(record.body.includes(`/console/token-preview?app=${app.id}`));
    assert.ok(
      (await browser.get(`/console/users/${member.id}`)).body.includes("/console/token-preview?user="),
    );
  });
});
