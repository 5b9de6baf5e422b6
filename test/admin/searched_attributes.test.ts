/**
 * Filters of lists by attribute (OC-7): the records that each caller finds, and the filters that are refused.
 */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { AdminContext } from "../../src/admin/access/actor.ts";
import { exportRecords } from "../../src/admin/manage/export_records.ts";
import { listRecords } from "../../src/admin/manage/list_records.ts";
import { updateRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { Problem } from "../../src/errors.ts";
import type { AttributeDefinition, User } from "../../src/records/definition/definition.ts";
import { isObject } from "../../src/records/names/json_shapes.ts";
import { valueTable } from "../../src/storage/database/search_words.ts";
import type { Store } from "../../src/storage/store.ts";
import { aMembership, anApiKey, anApp, anAttribute, anOrganization, aUser } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { testContext } from "./context.ts";

const users = resourceOf("users");
const readers: readonly AttributeDefinition["readers"][] = [["user", "admin"], ["admin"], ["user"], []];
const long = "x".repeat(200);

for (const database of databases)
  describe(`OC-7: records are found by attributes on ${database.name}`, () => {
    let store: Store;
    let root: AdminContext;
    let callers: Record<string, AdminContext>;

    before(async () => {
      store = await database.open();
      root = testContext(store);
      for (const searchable of [true, false])
        for (const each of readers)
          await anAttribute(store, { name: nameOf(each, searchable), readers: each, searchable });
      const types = ["number", "boolean", "date", "list"] as const;
      for (const value_type of types)
        await anAttribute(store, { name: value_type, value_type, searchable: true });
      const values = { number: 1.5, boolean: true, date: "2026-11-28", list: ["Ada", "Bob"] };
      const given = Object.fromEntries(
        readers.flatMap((each) => [true, false].map((searchable) => [nameOf(each, searchable), "Sales"])),
      );
      const acme = await anOrganization(store);
      const member = async (role: "admin" | "member", attributes: User["attributes"]) => {
        const user = await aUser(store, { attributes });
        await aMembership(store, { user_id: user.id, organization_id: acme.id, role });
        return user;
      };
      const admin = await member("admin", { ...given, ...values });
      const plain = await member("member", { ...given, given_name: long });
      await member("member", { ...given, ...values, list: ["bob"], number: 2 });
      await aUser(store, { attributes: given });
      const key = await anApiKey(store, { organization_id: acme.id });
      const of = (actor: AdminContext["actor"]): AdminContext => ({ ...root, actor });
      const scopes = ["postern:read"];
      callers = {
        root,
        admin: of({ kind: "user", user: admin }),
        member: of({ kind: "user", user: plain }),
        key: of({ kind: "organization", organization: acme, api_key_id: key.id, scopes }),
      };
    });

    const nameOf = (each: readonly string[], searchable: boolean) =>
      ["note", ...each, searchable ? "searched" : "kept"].join("_");

    const found = async (context: AdminContext, attribute: string) =>
      (await listRecords(context, users, { attribute })).data.map(({ id }) => id);

    const refusal = async (work: Promise<unknown>) => {
      const error = await work.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof Problem, String(error));
      return error.errors;
    };

    test("each caller finds exactly the users whose attribute they may read, and may not filter by others", async () => {
      for (const [caller, context] of Object.entries(callers)) {
        const { data } = await listRecords(context, users, {});
        const unknown = await refusal(found(context, "nothing:Sales"));
        assert.equal(unknown[0]?.code, "no_searchable_attribute");
        for (const searchable of [true, false])
          for (const each of readers) {
            const name = nameOf(each, searchable);
            const what = `${caller} ${name}`;
            const mayAsk = searchable && (caller === "root" || each.includes("admin"));
            if (!mayAsk) {
              assert.deepEqual(await refusal(found(context, `${name}:Sales`)), unknown, what);
              continue;
            }
            const seen = data.filter(
              ({ attributes }) => isObject(attributes) && attributes[name] === "Sales",
            );
            assert.deepEqual(
              await found(context, `${name}:sales`),
              seen.map(({ id }) => id),
              what,
            );
            assert.deepEqual(await found(context, `${name}:Sale`), [], what);
          }
      }
      const names = JSON.stringify(await refusal(found(callers.admin as AdminContext, "nothing:Sales")));
      assert.match(names, /note_admin_searched/);
      assert.doesNotMatch(names, /note_user_searched|note_searched|kept/);
    });

    test("attributes of every type, entries of lists, and long texts can be found", async () => {
      const counted = async (attribute: string) => (await found(root, attribute)).length;
      assert.equal(await counted("number: 1.50"), 1);
      assert.equal(await counted("boolean:true"), 2);
      assert.equal(await counted("date:2026-11-28"), 2);
      assert.equal(await counted("list:ADA"), 1);
      assert.equal(await counted("list:bob"), 2);
      for (const [attribute, code] of [
        ["number:many", "not_number"],
        ["boolean:1", "not_boolean"],
        ["date:today", "not_date"],
        ["list:", "empty"],
        ["list", "no_searchable_attribute"],
        ["lists", "no_searchable_attribute"],
      ] as const)
        assert.equal((await refusal(counted(attribute)))[0]?.code, code, attribute);
      await anAttribute(store, { name: "given_name", max: 1024, searchable: true });
      assert.equal((await refusal(counted(`given_name:${long}x`)))[0]?.code, "too_long");
      assert.equal(await counted(`given_name:${long}`), 1);
      assert.equal(await counted(`given_name:${long.slice(1)}y`), 0);
    });

    test("a search finds the current value of an attribute, and nothing once the user is deleted", async () => {
      const name = nameOf(["admin"], true);
      const user = await aUser(store, { attributes: { [name]: "Old" } });
      assert.deepEqual(await found(root, `${name}:old`), [user.id]);
      await updateRecord(root, users, user.id, { attributes: { [name]: "New" } });
      assert.deepEqual(await found(root, `${name}:old`), []);
      assert.deepEqual(await found(root, `${name}:new`), [user.id]);
      const { data } = await listRecords(root, users, { attribute: `${name}:new`, q: "nothing" });
      assert.deepEqual(data, []);
      await store.remove("users", { id: user.id });
      const left = await store.transaction((tx) =>
        tx.connection.all(`SELECT word FROM ${valueTable("users")} WHERE word LIKE '%=new'`, []),
      );
      assert.deepEqual(left, []);
    });

    test("the audit event of an export names the attribute that was searched, not the value", async () => {
      const name = nameOf(["admin"], true);
      for await (const _ of await exportRecords(root, users, { attribute: `${name}:Sales` }, "csv"));
      const [event] = await store.list("audit_events", { type: "records_exported" });
      assert.deepEqual(event?.details?.query, { attribute: name });
    });

    test("memberships, organizations and apps are found by attributes of the server and of their organization", async () => {
      const [acme, other] = [await anOrganization(store), await anOrganization(store)];
      const admin = await aUser(store);
      const sales = { team: "Sales", desk: "D4" };
      const own = { user_id: admin.id, organization_id: acme.id };
      const self = await aMembership(store, { ...own, role: "admin", attributes: sales });
      const made: Record<string, string[]> = { memberships: [], apps: [] };
      for (const { id: organization_id } of [acme, other]) {
        const member = await aMembership(store, { organization_id, attributes: sales });
        const app = await anApp(store, { organization_id, owner_id: admin.id, attributes: sales });
        made.memberships?.push(member.id);
        made.apps?.push(app.id);
      }
      const searched = { searchable: true, readers: ["admin"] } as const;
      for (const record_type of ["memberships", "apps"] as const) {
        await anAttribute(store, { ...searched, record_type, name: "team" });
        await anAttribute(store, { ...searched, record_type, name: "desk", organization_id: acme.id });
      }
      const callersOf = { root, admin: { ...root, actor: { kind: "user", user: admin } } } as const;
      for (const type of ["memberships", "apps"] as const) {
        const list = async (caller: keyof typeof callersOf, query: Record<string, string>, within?: string) =>
          (await listRecords(callersOf[caller], resourceOf(type), query, { within })).data
            .map(({ id }) => id)
            .filter((id) => id !== self.id || caller === "admin")
            .toSorted();
        const both = made[type]?.toSorted();
        const [here = ""] = made[type] ?? [];
        const [team, desk] = [{ attribute: "team:SALES" }, { attribute: "desk:d4" }];
        assert.deepEqual(await list("root", team), both);
        // An administrator's own membership is not found by an attribute that members may not read about
        // themselves.
        assert.deepEqual(await list("admin", team), [here]);
        for (const caller of ["root", "admin"] as const) {
          assert.equal((await refusal(list(caller, desk)))[0]?.code, "no_searchable_attribute");
          assert.deepEqual(await list(caller, { ...desk, organization_id: acme.id }), [here]);
          assert.deepEqual(await list(caller, desk, acme.id), [here]);
          const foreign = await refusal(list(caller, { ...desk, organization_id: other.id }));
          assert.doesNotMatch(JSON.stringify(foreign), /desk/);
        }
      }
      await anAttribute(store, { ...searched, record_type: "organizations", name: "tier" });
      const gold = await anOrganization(store, { attributes: { tier: "gold" } });
      const found = await listRecords(root, resourceOf("organizations"), { attribute: "tier:Gold" });
      assert.deepEqual(
        found.data.map(({ id }) => id),
        [gold.id],
      );
    });

    test("an organization's attribute is no filter for users outside it, and its name is not revealed to them", async () => {
      const { id: organization_id } = await anOrganization(store);
      await anAttribute(store, {
        ...{ organization_id, record_type: "memberships", name: "grade", searchable: true },
      });
      const outsider: AdminContext = { ...root, actor: { kind: "user", user: await aUser(store) } };
      const query = { organization_id, attribute: "grade:A" };
      const refused = await refusal(listRecords(outsider, resourceOf("memberships"), query));
      assert.equal(refused[0]?.code, "no_searchable_attribute");
      assert.doesNotMatch(JSON.stringify(refused), /grade/);
    });
  });
