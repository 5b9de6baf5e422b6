import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { importPerson } from "../../src/admin/imports/import_people.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { anAttribute, anOrganization } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { testContext } from "./context.ts";

describe("attributes of imported users", () => {
  async function setUp() {
    const store = (await databases[0]?.open()) ?? assert.fail("no database");
    const admin = testContext(store);
    const define = async (name: string, more: object = {}) =>
      resourceOf("attributes").create?.(admin, { record_type: "users", name, ...more });
    await define("floor", { value_type: "number" });
    await define("teams", { value_type: "list" });
    await define("nickname", { writers: ["user"] });
    const add = (external_id: string, attributes: unknown) =>
      importPerson(
        admin,
        { external_id, email: `${external_id}@example.com`, attributes },
        { source: "old" },
      );
    const valuesOf = async (external_id: string) =>
      (await store.find("users", { email_key: `${external_id}@example.com` }))?.attributes;
    return { add, admin, define, store, valuesOf };
  }

  test("MG-6: attributes defined on this server are imported with their types, and other values are reported as lost", async () => {
    const { add, valuesOf } = await setUp();
    const given = {
      ...{ given_name: "Ada", locale: ["de-AT"], floor: "3", teams: "blue", preferred_username: "ada" },
      ...{ tier: "gold", nickname: "A", phone_number: "5", zoneinfo: ["Europe/Vienna", "UTC"], __proto: 1 },
    };
    const { status, losses } = await add("ada", given);
    assert.equal(status, "created");
    const kept = { given_name: "Ada", locale: "de-AT", floor: 3, teams: ["blue"], preferred_username: "ada" };
    assert.deepEqual(await valuesOf("ada"), kept);
    assert.deepEqual(losses.map(({ path, code }) => [path, code]).sort(), [
      ["/attributes/__proto", "no_attribute"],
      ["/attributes/nickname", "attribute_not_yours"],
      ["/attributes/phone_number", "not_of_pattern"],
      ["/attributes/tier", "no_attribute"],
      ["/attributes/zoneinfo", "not_text"],
    ]);
    assert.equal((await add("ada", given)).status, "unchanged");
    // Values that an earlier run imported are not changed.
    assert.equal((await add("ada", { floor: 4 })).status, "unchanged");
    assert.deepEqual(await valuesOf("ada"), kept);
  });

  test("MG-6: attributes of memberships are imported if a request could set them, and are otherwise reported as lost", async () => {
    const { store, admin } = await setUp();
    const { id: organization_id } = await anOrganization(store, { slug: "acme" });
    await anAttribute(store, { name: "desk", record_type: "memberships", organization_id });
    await anAttribute(store, { name: "risk", record_type: "memberships", writers: ["provider"] });
    const add = async (external_id: string, attributes: object) => {
      const line = { external_id, email: `${external_id}@example.com` };
      const memberships = [{ organization: "acme", role: "member", attributes }];
      const { id = "", losses } = await importPerson(admin, { ...line, memberships }, { source: "old" });
      const membership = await store.find("memberships", { user_id: id });
      return [membership?.attributes, ...losses.map(({ path, code }) => `${path} ${code}`)];
    };
    assert.deepEqual(await add("ada", { desk: "4" }), [{ desk: "4" }]);
    const at = "/memberships/0/attributes";
    assert.deepEqual(await add("bea", { desk: { a: 1 }, none: "x" }), [
      null,
      `${at}/desk not_text`,
      `${at}/none no_attribute`,
    ]);
    assert.deepEqual(await add("cid", { risk: "low" }), [null, `${at}/risk attribute_not_yours`]);
  });

  test("MG-6: a user with a taken username or too large attributes is imported without them, and their loss is reported", async () => {
    const { add, define, valuesOf } = await setUp();
    await add("ada", { preferred_username: "ada" });
    const bea = await add("bea", { preferred_username: "ADA", given_name: "Bea" });
    assert.deepEqual(
      [bea.status, bea.losses.map(({ path, code }) => `${path} ${code}`)],
      ["created", ["/attributes/preferred_username taken"]],
    );
    assert.deepEqual(await valuesOf("bea"), { given_name: "Bea" });
    await define("preferred_username", { pattern: "[^,]+" });
    const eve = await add("eve", { preferred_username: "ada@example.com" });
    assert.deepEqual(eve.losses, [
      { path: "/attributes/preferred_username", code: "address_not_own", params: {} },
    ]);
    const cleo = await add("cleo", { teams: Array.from({ length: 90 }, () => "x".repeat(250)) });
    assert.deepEqual([cleo.status, cleo.losses.map(({ code }) => code)], ["created", ["too_many_bytes"]]);
    const dora = await add("dora", "text");
    assert.deepEqual([dora.status, dora.losses.map(({ path }) => path)], ["created", ["/attributes"]]);
  });
});
