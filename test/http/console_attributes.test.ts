/** Attributes in forms of the console (OC-7). */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { aMembership, anAttribute, aUser } from "../support/builders.ts";
import { type ConsoleFixture, consoleFixture, fillIn, formOn } from "../support/console.ts";

describe("OC-7: attributes in the forms of the console", () => {
  let it: ConsoleFixture;
  before(async () => {
    it = await consoleFixture();
    const server = { writers: ["user", "admin"] } as const;
    await anAttribute(it.store, { ...server, name: "age", label: "Age", value_type: "number", max: 150 });
    await anAttribute(it.store, { ...server, name: "vip", value_type: "boolean" });
    await anAttribute(it.store, { ...server, name: "born", value_type: "date" });
    await anAttribute(it.store, { ...server, name: "teams", value_type: "list" });
    await anAttribute(it.store, { name: "mood", writers: ["user"] });
    const acme = { organization_id: it.acme.id };
    await anAttribute(it.store, { ...acme, name: "floor", label: "Floor", record_type: "memberships" });
    await anAttribute(it.store, { ...acme, name: "wish", record_type: "memberships", readers: ["user"] });
    await anAttribute(it.store, { ...acme, name: "region", record_type: "organizations" });
    await anAttribute(it.store, { ...acme, name: "tier", record_type: "apps", pattern: "[0-9]" });
  });
  const root = () => it.browsers["platform administrator"];
  const errorAt = (body: string, name: string) =>
    new RegExp(`id="field-attributes\\.${name}-error">([^<]*)<`).exec(body)?.[1];

  test("the list of users can be filtered by an attribute once one is searchable", async () => {
    const list = "/console/users";
    assert.doesNotMatch((await root().get(list)).body, /name="attribute"/);
    await anAttribute(it.store, { name: "desk", searchable: true });
    const user = await aUser(it.store, { name: "Desk Holder", attributes: { desk: "D4" } });
    const page = await root().get(`${list}?attribute=desk:d4`);
    assert.match(page.body, /list="field-attribute-list"/);
    assert.match(page.body, /<datalist id="field-attribute-list"><option value="desk:">/);
    assert.match(page.body, /name="attribute"[^>]* value="desk:d4"/);
    assert.deepEqual(
      [...page.body.matchAll(/href="\/console\/users\/([0-9a-f-]{36})"/g)].map(([, id]) => id),
      [user.id],
    );
    const wrong = await root().get(`${list}?attribute=floor:d4`);
    assert.equal(wrong.statusCode, 422);
    assert.match(wrong.body, /id="field-attribute-error">must be a searchable attribute/);
  });

  test("a user's form has a typed field for each defined attribute, and JSON only without definitions", async () => {
    const user = await aUser(it.store, { attributes: { born: "1815-12-10", teams: ["a", "b"] } });
    const url = `/console/users/${user.id}/edit`;
    const page = await root().get(url);
    const { fields } = formOn(page);
    assert.equal(fields["attributes.born"], "1815-12-10");
    assert.equal(String(fields["attributes.teams"]).trim(), "a\nb");
    assert.ok(!("attributes" in fields) && !("attributes.mood" in fields));
    assert.match(page.body, /<label for="field-attributes\.age">Age/);
    assert.match(page.body, /<label for="field-attributes\.given_name">First name/);
    assert.match(page.body, /name="attributes\.age"[^>]* type="number" value="" step="any"/);
    assert.match(page.body, /name="attributes\.born"[^>]* type="date"/);
    assert.match(page.body, /type="checkbox" id="field-attributes\.vip"/);
    assert.equal((await fillIn(root(), url)).headers.location, `/console/users/${user.id}?done=unchanged`);
    const changes = { "attributes.age": "36.5", "attributes.vip": "true", "attributes.teams": "c\r\n" };
    assert.equal((await fillIn(root(), url, { ...changes, "attributes.born": "" })).statusCode, 303);
    const stored = async () => (await it.store.find("users", { id: user.id }))?.attributes;
    assert.deepEqual(await stored(), { age: 36.5, vip: true, teams: ["c"] });

    await it.store.update("users", { id: user.id }, { attributes: { old: 1, mood: "low", age: 7 } });
    const { fields: mixed } = formOn(await root().get(url));
    assert.deepEqual(JSON.parse(String(mixed.attributes)), { old: 1, mood: "low" });
    assert.equal((await fillIn(root(), url, { "attributes.age": "8" })).statusCode, 303);
    assert.deepEqual(await stored(), { old: 1, mood: "low", age: 8 });
  });

  test("an invalid attribute shows its error at the field, and the form keeps what was typed", async () => {
    const user = await aUser(it.store);
    const typed = { "attributes.age": "151", "attributes.born": "soon", "attributes.locale": "?" };
    const refused = await fillIn(root(), `/console/users/${user.id}/edit`, typed);
    assert.equal(refused.statusCode, 422);
    assert.equal(errorAt(refused.body, "age"), "must be at most 150");
    assert.match(String(errorAt(refused.body, "born")), /^must be a date/);
    assert.match(String(errorAt(refused.body, "locale")), /^must match the pattern/);
    assert.match(refused.body, /name="attributes\.age"[^>]* value="151"/);
    assert.match(refused.body, /<a href="#field-attributes\.age">Age<\/a>: must be/);
  });

  test("forms of memberships, organizations and apps show the attributes of their organization that the viewer may write", async () => {
    const admin = it.browsers["organization admin"];
    const { id } = await aMembership(it.store, { organization_id: it.acme.id, attributes: { wish: "x" } });
    const url = `/console/memberships/${id}/edit`;
    const { fields } = formOn(await admin.get(url));
    const shown = Object.keys(fields).filter((name) => name.startsWith("attributes"));
    assert.deepEqual(shown.toSorted(), ["attributes.desk", "attributes.floor"]);
    assert.equal((await fillIn(admin, url, { "attributes.floor": "4" })).statusCode, 303);
    assert.deepEqual((await it.store.find("memberships", { id }))?.attributes, { wish: "x", floor: "4" });

    const organization = `/console/organizations/${it.acme.id}/edit`;
    assert.equal((await fillIn(admin, organization, { "attributes.region": "EU" })).statusCode, 303);
    const acme = await it.store.find("organizations", { id: it.acme.id });
    assert.deepEqual(acme?.attributes, { region: "EU" });

    const app = `/console/apps/${it.orders.id}/edit`;
    const refused = await fillIn(root(), app, { "attributes.tier": "one" });
    assert.match(String(errorAt(refused.body, "tier")), /^must match the pattern/);
    assert.equal((await fillIn(root(), app, { "attributes.tier": "1" })).statusCode, 303);
    assert.deepEqual((await it.store.find("oauth_apps", { id: it.orders.id }))?.attributes, { tier: "1" });
  });

  test("the form of a new record has the attributes of the server and of the chosen organization", async () => {
    const url = `/console/memberships/new?organization_id=${it.acme.id}`;
    const user = await aUser(it.store);
    const { action, fields } = formOn(await root().get(url));
    assert.equal(fields["attributes.floor"], "");
    const typed = { email: user.email, role: "member", "attributes.floor": "7" };
    const made = await root().post(action, { ...fields, ...typed });
    assert.equal(made.statusCode, 303, made.body);
    const [membership] = await it.store.list("memberships", { user_id: user.id });
    assert.deepEqual(membership?.attributes, { floor: "7" });
  });
});
