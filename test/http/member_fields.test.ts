/** Members of JSON objects have separate fields in the console; the other members stay JSON. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { putTogether, takenApart } from "../../src/records/formats/known_members.ts";
import { aPerson, browserOf, testApp } from "../support/app.ts";
import { anApp, anOrganization } from "../support/builders.ts";
import { type ConsoleFixture, consoleFixture, fillIn, formOn } from "../support/console.ts";

describe("the fields of an object value, such as settings, in a form", () => {
  let it: ConsoleFixture;
  before(async () => {
    it = await consoleFixture();
  });
  const root = () => it.browsers["platform administrator"];
  const settingsOf = async (id: string) => (await it.store.find("organizations", { id }))?.settings;
  const errorAt = (body: string, name: string) =>
    new RegExp(`id="field-${name.replaceAll(".", "\\.")}-error">([^<]*)<`).exec(body)?.[1];

  test("each field of the object is saved alone, and the rest of the object is unchanged", async () => {
    const settings = { theme: "x", brand: { name: "Globex" }, sign_up: { policy: "closed" } };
    const { id } = await anOrganization(it.store, { slug: "members-globex", settings });
    const url = `/console/organizations/${id}/edit`;
    const { fields } = formOn(await root().get(url));
    assert.equal(fields["settings.brand.name"], "Globex");
    assert.equal(fields["settings.sign_up.policy"], "closed");
    assert.deepEqual(JSON.parse(String(fields.settings)), { theme: "x" });
    assert.equal((await fillIn(root(), url)).headers.location, `/console/organizations/${id}?done=unchanged`);

    const coloured = {
      "settings.brand.accent": "#0E6655",
      "settings.sign_up.policy": "domains",
      "settings.sign_up.domains": "a.example\r\nb.example",
    };
    assert.equal((await fillIn(root(), url, coloured)).statusCode, 303);
    assert.deepEqual(await settingsOf(id), {
      theme: "x",
      brand: { name: "Globex", accent: "#0E6655" },
      sign_up: { policy: "domains", domains: ["a.example", "b.example"] },
    });
    const page = await root().get(`/console/organizations/${id}`);
    assert.match(page.body, /<h2>Branding<\/h2>[\s\S]*?Color[\s\S]*?#0E6655/);
    assert.match(page.body, /People with an address in the email domains/);

    const cleared = {
      settings: "",
      "settings.brand.accent": "",
      "settings.brand.name": "",
      "settings.sign_up.policy": "",
      "settings.sign_up.domains": "",
    };
    assert.equal((await fillIn(root(), url, cleared)).statusCode, 303);
    assert.equal(await settingsOf(id), null);
  });

  test("an invalid field shows its error, and a whole object pasted as JSON is accepted", async () => {
    const { id } = await anOrganization(it.store, { slug: "members-faulty", settings: null });
    const url = `/console/organizations/${id}/edit`;
    const faulty = await fillIn(root(), url, {
      "settings.brand.accent": "verdigris",
      "settings.brand.logo_url": "http://plain.example/logo.png",
      "settings.sign_up.policy": "domains",
      "settings.sign_up.domains": "good.example\r\nnot a domain",
    });
    assert.equal(faulty.statusCode, 422);
    assert.match(String(errorAt(faulty.body, "settings.brand.accent")), /^must be a color such as/);
    assert.match(String(errorAt(faulty.body, "settings.brand.logo_url")), /^must be an https URL/);
    assert.match(
      String(errorAt(faulty.body, "settings.sign_up.domains")),
      /^Entry 2: must be an email domain/,
    );
    assert.match(faulty.body, /id="field-settings\.brand\.accent"[^>]* value="verdigris"/);
    const broken = await fillIn(root(), url, { settings: '{\n  "a": tru\n}', "settings.brand.name": "Kept" });
    assert.equal(errorAt(broken.body, "settings"), "must be valid JSON; the error is at line 2, column 8");
    assert.match(broken.body, /id="field-settings\.brand\.name"[^>]* value="Kept"/);

    const pasted = '{ "own": 1, "brand": { "name": "Pasted", "accent": "#112233" } }';
    const both = await fillIn(root(), url, { settings: pasted, "settings.brand.accent": "#445566" });
    assert.equal(both.statusCode, 303);
    assert.deepEqual(await settingsOf(id), { own: 1, brand: { name: "Pasted", accent: "#445566" } });
    const list = await fillIn(root(), url, { settings: "[1]" });
    assert.equal(errorAt(list.body, "settings"), "must be an object");
  });

  test("fields reserved for platform administrators are shown only to them, and kept by others' changes", async () => {
    const { id } = it.acme;
    await it.store.update("organizations", { id }, { settings: { audience: "urn:acme" } });
    const url = `/console/organizations/${id}/edit`;
    assert.match((await root().get(url)).body, /id="field-settings\.audience"[^>]* value="urn:acme"/);
    const admin = it.browsers["organization admin"];
    assert.doesNotMatch((await admin.get(url)).body, /id="field-settings\.audience"/);
    assert.equal((await fillIn(admin, url, { "settings.brand.name": "Acme!" })).statusCode, 303);
    assert.deepEqual(await settingsOf(id), { audience: "urn:acme", brand: { name: "Acme!" } });
  });

  test("the object fields of an app are its links, scope descriptions and a lifetime", async () => {
    const metadata = {
      own: [1],
      scope_descriptions: { openid: { en: "Know you", de: "Sie kennen" } },
      refresh_reuse_window: 30,
    };
    const { id } = await anApp(it.store, { owner_id: it.people["organization admin"].id, metadata });
    const url = `/console/apps/${id}/edit`;
    const { fields } = formOn(await root().get(url));
    assert.equal(fields["metadata.scope_descriptions"], "openid = Know you");
    assert.equal(fields["metadata.refresh_reuse_window"], "30");
    const changed = await fillIn(root(), url, {
      "metadata.tos_uri": "https://app.example/terms",
      "metadata.scope_descriptions": "openid = Know who you are\r\nplain",
      "metadata.refresh_reuse_window": "1",
      "metadata.refresh_reuse_window.unit": "min",
    });
    assert.equal(changed.statusCode, 303, changed.body);
    assert.deepEqual((await it.store.find("oauth_apps", { id }))?.metadata, {
      own: [1],
      scope_descriptions: { openid: { en: "Know who you are", de: "Sie kennen" } },
      refresh_reuse_window: 60,
      tos_uri: "https://app.example/terms",
    });
    const faulty = await fillIn(root(), url, { "metadata.refresh_reuse_window": "61" });
    assert.match(String(errorAt(faulty.body, "metadata.refresh_reuse_window")), /from 0 to 60/);
  });

  test("the object fields of a provider depend on its kind", async () => {
    const requested = async (preset: string) =>
      Object.keys(formOn(await root().get(`/console/providers/new?preset=${preset}`)).fields).filter((name) =>
        name.startsWith("settings"),
      );
    assert.deepEqual(await requested("apple"), ["settings.team_id", "settings.key_id"]);
    assert.ok((await requested("oauth2")).includes("settings.claim_names.subject"));
    assert.deepEqual(await requested("google"), []);
    const input = {
      label: "Own",
      slug: "own-oauth",
      client_id: "c",
      client_secret: "a secret of ours",
      authorization_endpoint: "https://own.example/a",
      token_endpoint: "https://own.example/t",
      userinfo_endpoint: "https://own.example/u",
    };
    const faulty = await fillIn(root(), "/console/providers/new?preset=oauth2", {
      ...input,
      "settings.claim_names.subject": "",
    });
    assert.equal(errorAt(faulty.body, "settings.claim_names.subject"), "is required");
    const made = await fillIn(root(), "/console/providers/new?preset=oauth2", input);
    assert.equal(made.statusCode, 303, made.body);
    const [row] = await it.store.list("providers", { slug: "own-oauth" });
    assert.deepEqual(row?.settings, { claim_names: { subject: "id", email: "email", name: "name" } });
  });
});

test("an object that is split into fields is put together again without a change", () => {
  const member = { kind: "string" } as const;
  const members = { "settings.a": member, "settings.b.c": member };
  for (const value of [
    {},
    { a: "1" },
    { a: 1 },
    { b: { c: "x", d: null } },
    { b: "text" },
    { b: {} },
    { z: [] },
  ]) {
    const apart = takenApart(value, members);
    assert.deepEqual(putTogether(apart.rest, apart.members), value);
  }
  assert.deepEqual(takenApart({ b: { c: "x" } }, members), { members: { "settings.b.c": "x" }, rest: {} });
  assert.equal(takenApart(null, members).rest, null);
});

test("an organization's form and page say that the server does not allow registration, only while that is so", async () => {
  const said = /This server does not allow registration/;
  for (const sign_up of ["closed", "invited"] as const) {
    const app = await testApp({ throttle: false, identity_settings: { sign_up } });
    const { store } = app;
    const root = await browserOf(app, await aPerson(app, { is_platform_admin: true }));
    const bodyAt = async (url: string) => (await root.get(url)).body;
    const closed = sign_up === "closed";
    const invites = { sign_up: { policy: "invited" } };
    const { id } = await anOrganization(store, { slug: `inviting-${sign_up}`, settings: invites });
    const quiet = await anOrganization(store, { slug: `quiet-${sign_up}` });
    for (const url of ["/console/organizations/new", `/console/organizations/${quiet.id}/edit`])
      assert.equal(said.test(await bodyAt(url)), closed, url);
    assert.equal(said.test(await bodyAt(`/console/organizations/${id}`)), closed);
    assert.doesNotMatch(await bodyAt(`/console/organizations/${quiet.id}`), said);
  }
});
