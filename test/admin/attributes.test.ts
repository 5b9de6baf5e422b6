import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { AdminContext } from "../../src/admin/access/actor.ts";
import type { Input } from "../../src/admin/access/errors.ts";
import { listRecords } from "../../src/admin/manage/list_records.ts";
import { createRecord, getRecord, removeRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { patchRecord } from "../../src/admin/manage/patch_record.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { Problem } from "../../src/errors.ts";
import { recordClaims } from "../../src/oauth/organizations/claims.ts";
import { issuer } from "../support/authorization_server.ts";
import { aMembership, anApp, anAttribute, anEvent, anOrganization, aUser } from "../support/builders.ts";
import { databases, databasesInForm } from "../support/databases.ts";
import { errorsOf, testContext } from "./context.ts";

const [attributes, users, memberships, organizations] = (
  ["attributes", "users", "memberships", "organizations"] as const
).map(resourceOf);

for (const database of databasesInForm.slice(0, 1))
  describe("attributes with a definition, in management", async () => {
    assert.ok(attributes && users && memberships && organizations);
    const store = await database.open();
    const root = testContext(store);
    const as = (user: Awaited<ReturnType<typeof aUser>>): AdminContext => ({
      ...root,
      actor: { kind: "user", user },
    });
    const define = (values: Input) => createRecord(root, attributes, values);

    test("OC-7: an invalid attribute definition is refused with the reason", async () => {
      const { id: organization_id } = await anOrganization(store);
      const wrong: [Input, string][] = [
        [{ name: "Shoe Size" }, "/name not_attribute_name"],
        [{ name: "size", pattern: "(a+)+" }, "/pattern not_pattern"],
        [{ name: "size", writers: ["scim"] }, "/writers/0 not_one_of"],
        [{ name: "size", claim: "iss" }, "/claim reserved_claim"],
        [{ name: "size", claim: "given_name", scopes: ["profile"] }, "/claim reserved_claim"],
        [{ name: "size", claim: "size" }, "/scopes claim_without_scope"],
        [{ name: "size", organization_id }, "/organization_id attribute_of_users"],
        [{ name: "given_name", claim: "first", scopes: ["profile"] }, "/claim fixed_for_standard"],
        [{ name: "given_name", value_type: "list" }, "/value_type fixed_for_standard"],
        [{ name: "size", record_type: "apps", writers: ["user"] }, "/writers written_by_admins"],
      ];
      for (const [values, expected] of wrong)
        assert.deepEqual(await errorsOf(define({ record_type: "users", ...values })), [expected]);
    });

    test("OC-7: an attribute name or claim can be defined only once, and an organization cannot redefine the server's", async () => {
      const { id: organization_id } = await anOrganization(store);
      const badge = { name: "badge", record_type: "memberships", claim: "badge", scopes: ["profile"] };
      await define(badge);
      assert.deepEqual(await errorsOf(define({ ...badge, claim: null })), ["/name taken"]);
      assert.deepEqual(await errorsOf(define({ ...badge, name: "pin" })), ["/claim taken"]);
      assert.deepEqual(await errorsOf(define({ ...badge, organization_id })), [
        "/name taken",
        "/claim taken",
      ]);
      await define({ ...badge, organization_id, name: "pin", claim: "pin" });
    });

    test("OC-7: an attribute's value must have the type, be within the limits and match the pattern of its definition", async () => {
      const { id } = await aUser(store);
      const of = { record_type: "users" };
      await define({ ...of, name: "code", pattern: "[A-Z]{2}-[0-9]+", max: 6 });
      await define({ ...of, name: "age", value_type: "number", max: 150 });
      await define({ ...of, name: "vip", value_type: "boolean" });
      await define({ ...of, name: "born", value_type: "date" });
      await define({ ...of, name: "teams", value_type: "list", max: 2, pattern: "[a-z]+" });
      const wrong: [string, unknown, string][] = [
        ["code", "ab-1", "not_of_pattern"],
        ["code", "AB-12345", "too_long"],
        ["code", 7, "not_text"],
        ["age", "7", "not_number"],
        ["age", 151, "too_large"],
        ["vip", "yes", "not_boolean"],
        ["born", "2026-02-30", "not_date"],
        ["teams", ["a", "b", "c"], "list_too_long"],
        ["teams", ["A"], "not_of_pattern"],
        ["teams", "a", "not_list_of_strings"],
        ["code", { a: 1 }, "not_text"],
        ["nothing", "x", "no_attribute"],
        ["constructor", "x", "no_attribute"],
        ["given_name", "Ada\u202e", "invisible_characters"],
        ["phone_number", "01632 960001", "not_of_pattern"],
      ];
      for (const [name, value, code] of wrong)
        assert.deepEqual(await errorsOf(updateRecord(root, users, id, { attributes: { [name]: value } })), [
          `/attributes/${name} ${code}`,
        ]);
      const values = { code: "AB-12", age: 36, vip: true, born: "1815-12-10", teams: ["a", "b"] };
      const changed = await updateRecord(root, users, id, { attributes: values });
      assert.deepEqual(changed.attributes, values);
      const patched = await patchRecord(root, users, id, { attributes: { age: null, given_name: "Ada" } });
      assert.deepEqual(patched.attributes, {
        code: "AB-12",
        vip: true,
        born: "1815-12-10",
        teams: ["a", "b"],
        given_name: "Ada",
      });
    });

    test("OC-7: a record whose attributes exceed the size limit in bytes is refused", async () => {
      const { id } = await aUser(store);
      const names = Array.from({ length: 20 }, (_, index) => `note_${index}`);
      for (const name of names) await define({ name, record_type: "users", max: 1024 });
      const long = Object.fromEntries(names.map((name) => [name, "x".repeat(1000)]));
      const refused = await errorsOf(updateRecord(root, users, id, { attributes: long }));
      assert.deepEqual(refused, ["/attributes too_many_bytes"]);
      // A text that is refused for its size is not matched against the pattern.
      await define({ name: "words", record_type: "users", value_type: "list", pattern: "[a-z]{1,256}" });
      const words = Array.from({ length: 90 }, () => "X".repeat(250));
      const large = await errorsOf(updateRecord(root, users, id, { attributes: { words } }));
      assert.deepEqual(large, ["/attributes too_many_bytes"]);
    });

    test("OC-7: attribute values that the writer may not read do not count toward the size limit", async () => {
      const organization = await anOrganization(store);
      const long = { record_type: "memberships", value_type: "list" } as const;
      await anAttribute(store, { ...long, name: "remarks", readers: [] });
      await anAttribute(store, { ...long, name: "notes" });
      const entries = (count: number) => Array.from({ length: count }, () => "x".repeat(250));
      const { id } = await aMembership(store, { organization_id: organization.id });
      const actor = {
        kind: "organization",
        organization,
        api_key_id: id,
        scopes: ["postern:manage"],
      } as const;
      const write = (context: AdminContext, attributes: Input) =>
        patchRecord(context, memberships, id, { attributes }).then(
          () => [],
          (error: unknown) => errorsOf(Promise.reject(error)),
        );
      const limit = 64;
      for (const hidden of [0, limit]) {
        if (hidden > 0) assert.deepEqual(await write(root, { remarks: entries(hidden) }), []);
        const key = { ...root, actor };
        assert.deepEqual(await write(key, { notes: entries(limit) }), []);
        assert.deepEqual(await write(key, { notes: entries(limit + 1) }), ["/attributes too_many_bytes"]);
        assert.deepEqual(await write(key, { none: entries(limit + 1) }), ["/attributes/none no_attribute"]);
      }
      assert.deepEqual(await write(root, { remarks: entries(limit + 1) }), ["/attributes too_many_bytes"]);
    });

    test("OC-7: a username is unique without regard to case, and is not an email address", async () => {
      const [ada, bob] = [await aUser(store), await aUser(store)];
      const named = (id: string, preferred_username: string) =>
        updateRecord(root, users, id, { attributes: { preferred_username } });
      await named(ada.id, "Countess");
      assert.deepEqual(await errorsOf(named(bob.id, "countess")), ["/attributes/preferred_username taken"]);
      assert.deepEqual(await errorsOf(named(bob.id, "ada@acme.example")), [
        "/attributes/preferred_username not_of_pattern",
      ]);
      await updateRecord(root, users, ada.id, { attributes: {} });
      await named(bob.id, "countess");
    });

    test("OC-7: a redefined username keeps its default pattern unless one is given, and look-alikes of a username are taken", async () => {
      const username = { record_type: "users", name: "preferred_username", scopes: ["profile"] };
      const definition = await define({ ...username, claim: "preferred_username" });
      const [ada, bob] = [await aUser(store), await aUser(store)];
      const named = (id: string, preferred_username: string) =>
        updateRecord(root, users, id, { attributes: { preferred_username } });
      for (const name of ["boss ", "b\uff4fss", "ada@acme.example"])
        assert.deepEqual(await errorsOf(named(ada.id, name)), [
          "/attributes/preferred_username not_of_pattern",
        ]);
      assert.deepEqual(await errorsOf(named(ada.id, "x".repeat(65))), [
        "/attributes/preferred_username too_long",
      ]);
      await updateRecord(root, attributes, String(definition.record.id), { pattern: "[^,]+" });
      await named(ada.id, "boss");
      for (const name of ["boss ", "BOSS", "b\uff4fss", "b\u043ess", "b.oss"])
        assert.deepEqual(await errorsOf(named(bob.id, name)), ["/attributes/preferred_username taken"]);
      await removeRecord(root, attributes, String(definition.record.id));
    });

    test("OC-7: only the user's own verified email address may be a username, and it follows a change of the address", async () => {
      const username = { record_type: "users", name: "preferred_username", scopes: ["profile"] };
      const definition = await define({ ...username, claim: "preferred_username", pattern: "[^,]+" });
      const email_verified_at = root.now();
      const [ada, bob] = [await aUser(store, { email_verified_at }), await aUser(store)];
      const named = (id: string, preferred_username: string) =>
        updateRecord(root, users, id, { attributes: { preferred_username } });
      for (const name of [bob.email, "none@acme.example", bob.email.replace("@", "\uff20")])
        assert.deepEqual(await errorsOf(named(ada.id, name)), [
          "/attributes/preferred_username address_not_own",
        ]);
      assert.deepEqual(await errorsOf(named(bob.id, bob.email)), [
        "/attributes/preferred_username address_not_own",
      ]);
      await named(ada.id, ada.email);
      const app = await anApp(store, {
        claims: { preferred_username: ["id_token"] },
        email_as_username: true,
      });
      const usernameOf = async (id: string) => {
        const user = await store.find("users", { id });
        const scopes = ["profile", "email"];
        const claimed = { user, member: undefined, app, scopes, resources: [], audience: [] };
        return (await recordClaims(claimed, "id_token", { store, issuer })).preferred_username;
      };
      assert.equal(await usernameOf(ada.id), ada.email);
      await updateRecord(root, users, ada.id, { email: "ada@umbrella.example" });
      assert.equal(await usernameOf(ada.id), "ada@umbrella.example");
      const moved = await store.find("users", { id: ada.id });
      assert.deepEqual([moved?.attributes, moved?.username_key], [null, null]);
      await removeRecord(root, attributes, String(definition.record.id));
    });

    test("OC-7: users read and write only the attributes that their definitions allow", async () => {
      const user = await aUser(store, { attributes: { secret_note: "kept", phone_number: "+441632960001" } });
      await anAttribute(store, { name: "secret_note", readers: ["admin"] });
      const own = as(user);
      const wrong = updateRecord(own, users, user.id, { attributes: { preferred_username: "root" } });
      assert.deepEqual(await errorsOf(wrong), ["/attributes/preferred_username attribute_not_yours"]);
      const seen = await updateRecord(own, users, user.id, { attributes: { given_name: "Ada" } });
      assert.deepEqual(seen.attributes, { given_name: "Ada" });
      const { attributes: all } = await getRecord(root, users, user.id);
      assert.deepEqual(all, { given_name: "Ada", secret_note: "kept" });
    });

    test("OC-7: a hidden attribute gets the error of one that does not exist, whatever its value", async () => {
      await anAttribute(store, { name: "risk_level", readers: [] });
      await anAttribute(store, { name: "own_wish", readers: [], writers: ["user"] });
      const withValue = await aUser(store, { attributes: { risk_level: "high", own_wish: "old" } });
      for (const user of [withValue, await aUser(store)]) {
        for (const name of ["risk_level", "own_wish", "no_such_attribute"])
          for (const value of ["high", "low", 1]) {
            const attempt = updateRecord(as(user), users, user.id, { attributes: { [name]: value } });
            const error = await attempt.catch((reason: unknown) => reason);
            assert.ok(error instanceof Problem, name);
            assert.deepEqual(
              error.errors.map(({ path, code }) => `${path} ${code}`),
              [`/attributes/${name} no_attribute`],
            );
            assert.doesNotMatch(JSON.stringify(error.errors[0]?.params), /risk_level|own_wish/);
          }
        await patchRecord(as(user), users, user.id, { attributes: { own_wish: null, locale: "en" } });
        const stored = await store.find("users", { id: user.id });
        assert.deepEqual(stored?.attributes, { ...user.attributes, locale: "en" });
      }
    });

    test("OC-7: an organization cannot write or remove an attribute that it may not read; one without writers is the platform's", async () => {
      const organization = await anOrganization(store);
      const { id, organization_id } = await aMembership(store, { organization_id: organization.id });
      const scopes = ["postern:manage"];
      const key: AdminContext = {
        ...root,
        actor: { kind: "organization", organization, api_key_id: organization.id, scopes },
      };
      await anAttribute(store, { name: "verdict", record_type: "memberships", readers: [] });
      await anAttribute(store, { name: "plan_name", record_type: "organizations", writers: [] });
      const hidden = () => updateRecord(key, memberships, id, { attributes: { verdict: "fine" } });
      assert.deepEqual(await errorsOf(hidden()), ["/attributes/verdict no_attribute"]);
      await updateRecord(root, memberships, id, { attributes: { verdict: "blocked" } });
      assert.deepEqual(await errorsOf(hidden()), ["/attributes/verdict no_attribute"]);
      await patchRecord(key, memberships, id, { attributes: { verdict: null } });
      await updateRecord(key, memberships, id, { attributes: null });
      assert.deepEqual((await getRecord(root, memberships, id)).attributes, { verdict: "blocked" });

      const plan = (context: AdminContext, plan_name: string) =>
        updateRecord(context, organizations, organization_id, { attributes: { plan_name } });
      await plan(root, "basic");
      assert.deepEqual(await errorsOf(plan(key, "gold")), ["/attributes/plan_name attribute_not_yours"]);
      assert.deepEqual((await getRecord(key, organizations, organization_id)).attributes, {
        plan_name: "basic",
      });
    });

    test("OC-7: an organization's administrator reads only attributes whose definition names administrators as readers", async () => {
      const given = { given_name: "Ada", phone_number: "+441632960001", undefined_one: "x" };
      const user = await aUser(store, { attributes: given });
      const { organization_id } = await aMembership(store, {
        user_id: user.id,
        attributes: { floor: 4, mood: "low" },
      });
      const admin = await aUser(store);
      await aMembership(store, { user_id: admin.id, organization_id, role: "admin" });
      await anAttribute(store, {
        name: "floor",
        record_type: "memberships",
        organization_id,
        value_type: "number",
      });
      await anAttribute(store, {
        name: "mood",
        record_type: "memberships",
        organization_id,
        readers: ["user"],
      });
      const context = as(admin);
      assert.deepEqual((await getRecord(context, users, user.id)).attributes, { given_name: "Ada" });
      const [membership] = await store.list("memberships", { user_id: user.id });
      assert.ok(membership);
      assert.deepEqual((await getRecord(context, memberships, membership.id)).attributes, { floor: 4 });
      const changed = await updateRecord(context, memberships, membership.id, { attributes: { floor: 5 } });
      assert.deepEqual(changed.attributes, { floor: 5 });
      const row = await store.find("memberships", { id: membership.id });
      assert.deepEqual(row?.attributes, { floor: 5, mood: "low" });
      const foreign = updateRecord(context, organizations, organization_id, { attributes: { floor: 5 } });
      assert.deepEqual(await errorsOf(foreign), ["/attributes/floor no_attribute"]);
    });

    test("OC-7: the audit log names changed attributes without values, only to callers who may read the attributes", async () => {
      const { id: organization_id } = await anOrganization(store);
      const owner = await aUser(store);
      const own = await aMembership(store, { user_id: owner.id, organization_id, role: "owner" });
      const of = { organization_id, readers: [] } as const;
      const plain = { organization_id, name: "desk" } as const;
      await anAttribute(store, { ...plain, record_type: "memberships" });
      for (const record_type of ["memberships", "organizations", "apps"] as const)
        await anAttribute(store, { ...of, record_type, name: "risk" });
      const app = await createRecord(root, resourceOf("apps"), {
        ...{ name: "App", organization_id, owner_id: owner.id, redirect_uris: ["https://app.example/cb"] },
        attributes: { risk: "hidden-value" },
      });
      const values = { desk: "shown-value", risk: "hidden-value" };
      await updateRecord(root, memberships, own.id, { attributes: values });
      await updateRecord(root, memberships, own.id, { attributes: { ...values, risk: "hidden-value-2" } });
      await updateRecord(root, organizations, organization_id, { attributes: { risk: "hidden-value" } });
      await removeRecord(root, resourceOf("apps"), String(app.record.id));
      const stored = await store.list("audit_events", { organization_id });
      assert.doesNotMatch(JSON.stringify(stored), /-value/);
      const old = { before: { attributes: null }, after: { attributes: values } };
      const about = { target_table: "memberships", target_id: own.id, organization_id } as const;
      await anEvent(store, { ...about, type: "membership.updated", details: old });
      const key: AdminContext = {
        ...root,
        actor: {
          ...{ kind: "organization", api_key_id: own.id, scopes: ["postern:audit_events:read"] },
          organization: (await store.find("organizations", { id: organization_id })) ?? assert.fail(),
        },
      };
      const changesFor = async (reader: AdminContext) => {
        const { data } = await listRecords(reader, resourceOf("audit_events"), { organization_id });
        const changes = data.filter(({ type }) => type === "membership.updated");
        const named = changes.map(({ details }) => JSON.stringify((details as typeof old).after.attributes));
        return { data: JSON.stringify(data), named: named.sort() };
      };
      for (const reader of [as(owner), key]) {
        const { data, named } = await changesFor(reader);
        assert.doesNotMatch(data, /risk|-value/);
        assert.deepEqual(named, ['["desk"]', '["desk"]', "[]"]);
      }
      const { named } = await changesFor(root);
      assert.deepEqual(named, ['["desk","risk"]', '["risk"]', JSON.stringify(values)]);
    });
  });

for (const database of databases)
  test(`OC-7: a provider cannot become the writer of an attribute that already has values, on ${database.name}`, async () => {
    assert.ok(attributes);
    const store = await database.open();
    const context = testContext(store);
    const [acme, other] = [await anOrganization(store), await anOrganization(store)];
    const user = await aUser(store, { attributes: { given_name: "Ada", is_new: false } });
    for (const { id: organization_id } of [acme, other])
      await aMembership(store, { user_id: user.id, organization_id, attributes: { badge: ["7"] } });
    const define = (values: Input) => createRecord(context, attributes, { writers: ["provider"], ...values });
    for (const values of [
      { record_type: "users", name: "given_name" },
      { record_type: "users", name: "is_new", value_type: "boolean" },
      { record_type: "memberships", name: "badge", value_type: "list", organization_id: acme.id },
    ])
      assert.deepEqual(await errorsOf(define(values)), ["/writers values_of_others"], JSON.stringify(values));
    await define({ record_type: "users", name: "badge" });
    await store.update("memberships", { organization_id: acme.id }, { attributes: { desk: "2" } });
    await define({ record_type: "memberships", name: "badge", organization_id: acme.id });
    const { id } = await anAttribute(store, { name: "given_name", writers: ["user", "admin"] });
    const change = (changes: Input) => updateRecord(context, attributes, id, changes);
    assert.deepEqual(await errorsOf(change({ writers: ["provider"] })), ["/writers values_of_others"]);
    await store.update("users", { id: user.id }, { attributes: null });
    await change({ writers: ["provider"] });
    await store.update("users", { id: user.id }, { attributes: { given_name: "Ada" } });
    await change({ label: "First name" });
  });

for (const database of databases)
  test(`attribute definitions and claims are found on ${database.name}, also after a change`, async () => {
    const store = await database.open();
    const { id: organization_id } = await anOrganization(store);
    const names = async (...owners: string[]) =>
      (await store.attributeDefinitions(...owners)).map(({ name }) => name).toSorted();
    assert.deepEqual(await names(organization_id), []);
    await anAttribute(store, { name: "ours", record_type: "memberships", organization_id });
    await anAttribute(store, { name: "theirs" });
    assert.deepEqual(await names(organization_id), ["ours", "theirs"]);
    assert.deepEqual(await names(), ["theirs"]);
    assert.equal((await store.claimsOfApps()).size, 0);
    assert.ok(attributes);
  });
