/** The questions and messages of the console when a management rule prevents an action. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { password } from "../support/app.ts";
import { type ConsoleFixture, consoleFixture, fillIn, formOn } from "../support/console.ts";

describe("rules of management as shown in the console", () => {
  let it: ConsoleFixture;
  before(async () => {
    it = await consoleFixture();
  });

  for (const resourceType of ["apps", "service_accounts"] as const) {
    test(`G-4: the page of ${resourceType} says that a platform administrator deactivated the record (security finding 21)`, async () => {
      const path = `/console/${resourceType.replaceAll("_", "-")}/${it.ids[resourceType]}`;
      const table = resourceType === "apps" ? "oauth_apps" : "service_accounts";
      const admin = it.browsers["organization admin"];
      const said = /A platform administrator switched it off/;
      await it.store.update(table, { id: it.ids[resourceType] }, { active: false });
      const off = (await admin.get(path)).body;
      assert.doesNotMatch(off, said);
      assert.match(off, />Switch on</);
      await it.store.update(table, { id: it.ids[resourceType] }, { switched_off_by_platform: true });
      const held = (await admin.get(path)).body;
      assert.match(held, said);
      assert.doesNotMatch(held, />Switch on</);
      const refused = await fillIn(admin, `${path}/edit`, { active: "true" });
      assert.equal(refused.statusCode, 403);
      assert.match(
        refused.body,
        /was switched off by a platform administrator: only a platform administrator may switch it on/,
      );
      const root = it.browsers["platform administrator"];
      assert.match((await root.get(path)).body, />Switch on</);
      assert.equal((await fillIn(root, `${path}/edit`, { active: "true" })).statusCode, 303);
      assert.doesNotMatch((await admin.get(path)).body, said);
    });
  }

  test("G-2: a form says why a field of a first_party app cannot be changed (security finding 3)", async () => {
    await it.store.update("oauth_apps", { id: it.orders.id }, { first_party: true });
    const admin = it.browsers["organization admin"];
    const path = `/console/apps/${it.orders.id}/edit`;
    const refused = await fillIn(admin, path, { redirect_uris: "https://evil.example/cb" });
    assert.equal(refused.statusCode, 403);
    assert.match(refused.body, /is protected because the app is first_party/);
    assert.equal((await fillIn(admin, path, { name: "Orders 2" })).statusCode, 303);
  });

  test("G-2: actions that would be refused on a first_party app are not offered (security finding 3)", async () => {
    const { id } = it.orders;
    const offers = [/>Rotate the secret</, />New app secret</, />Make it a public app</];
    const pageFor = async (who: "organization admin" | "platform administrator") =>
      (await it.browsers[who].get(`/console/apps/${id}`)).body;
    for (const [first_party, who, isOffered] of [
      [false, "organization admin", true],
      [true, "organization admin", false],
      [true, "platform administrator", true],
    ] as const) {
      await it.store.update("oauth_apps", { id }, { first_party });
      const body = await pageFor(who);
      for (const offer of offers) assert.equal(offer.test(body), isOffered, `${offer} ${who} ${first_party}`);
    }
  });

  test("the deletion of an organization is offered to its owners, but not to its administrators", async () => {
    const path = `/console/organizations/${it.acme.id}`;
    const admin = it.browsers["organization admin"];
    const membership = { user_id: it.people["organization admin"].id, organization_id: it.acme.id };
    for (const role of ["admin", "owner"] as const) {
      await it.store.update("memberships", membership, { role });
      const isOffered = role === "owner";
      assert.equal((await admin.get(path)).body.includes(`${path}/delete`), isOffered);
      assert.equal(/value="delete"/.test((await admin.get("/console/organizations")).body), isOffered);
      assert.equal((await admin.get(`${path}/delete`)).statusCode, isOffered ? 200 : 403);
    }
    await it.store.update("memberships", membership, { role: "admin" });
  });

  test("G-5: the form of the viewer's own user has the password field that a new email requires (security finding 2)", async () => {
    const root = it.browsers["platform administrator"];
    const own = `/console/users/${it.people["platform administrator"].id}/edit`;
    const other = `/console/users/${it.ids.users}/edit`;
    assert.ok("current_password" in formOn(await root.get(own)).fields);
    assert.ok(!("current_password" in formOn(await root.get(other)).fields));
    const email = "root-2@example.com";
    for (const current_password of ["", "not the password"]) {
      const refused = await fillIn(root, own, { email, current_password });
      assert.equal(refused.statusCode, 422);
      assert.doesNotMatch(refused.body, /not the password"/);
    }
    // Browsers may fill in the password field although the email did not change; the password is then
    // ignored.
    assert.equal(
      (await fillIn(root, own, { name: "Root 2", current_password: "not the password" })).statusCode,
      303,
    );
    assert.equal((await fillIn(root, own, { email, current_password: password })).statusCode, 303);
    assert.equal((await fillIn(root, other, { email: "mina-2@example.com" })).statusCode, 303);
  });
});
