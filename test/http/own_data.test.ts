import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { notOwn, ownRowsOf } from "../../src/people/account/export_data.ts";
import { fieldsOf, type TableName, tables } from "../../src/records/definition/definition.ts";
import { insertAny } from "../storage/any_row.ts";
import { aPersonAt, submit } from "../support/account.ts";
import {
  aConsent,
  aMembership,
  anApiKey,
  anApp,
  anAttribute,
  anEvent,
  anOAuthAccount,
  anOrganization,
  aToken,
  aUser,
  later,
} from "../support/builders.ts";

type Json = Readonly<Record<string, unknown>>;
type File = { readonly version: number; readonly records: Readonly<Record<string, readonly Json[]>> };

async function setUp() {
  const it = await aPersonAt({ days: 0, sends_mail: false, identity_settings: { self_service: ["export"] } });
  const file = async () => {
    const answer = await submit(it.browser, "/account/data");
    assert.equal(answer.statusCode, 200, answer.body);
    return { answer, data: answer.json() as File };
  };
  return { ...it, file };
}

describe("SS-11: the file with a user's data", () => {
  test("the file contains every table that refers to a user, or the table has a reason to be left out", () => {
    for (const table of Object.keys(tables) as TableName[]) {
      const refers = Object.entries(fieldsOf(table)).some(
        ([name, { references }]) => references?.table === "users" || name === "user_id",
      );
      if (!refers) continue;
      assert.notEqual(ownRowsOf(table) === undefined, notOwn[table] === undefined, table);
    }
  });

  test("the file contains only the user's own rows", async () => {
    const it = await setUp();
    const { id: user_id } = it.user;
    const stranger = (await aUser(it.store, { email: "eve@example.com" })).id;
    const organization_id = (await anOrganization(it.store)).id;
    const own = await anApp(it.store, { owner_id: user_id, organization_id: null, name: "Mine" });
    const shared = await anApp(it.store, { owner_id: user_id, organization_id, name: "Ours" });
    const made: Record<string, string> = { oauth_apps: own.id };
    for (const id of [user_id, stranger]) {
      const rows = {
        memberships: await aMembership(it.store, { user_id: id, organization_id }),
        api_keys: await anApiKey(it.store, { user_id: id }),
        oauth_accounts: await anOAuthAccount(it.store, { user_id: id }),
        oauth_consents: await aConsent(it.store, { user_id: id, app_id: shared.id }),
        oauth_tokens: await aToken(it.store, { user_id: id, app_id: shared.id }),
        audit_events: await anEvent(it.store, { actor_kind: "user", actor_id: id }),
      };
      if (id !== user_id) continue;
      for (const [table, row] of Object.entries(rows)) made[table] = row.id;
    }
    const { answer, data } = await it.file();
    assert.match(String(answer.headers["content-disposition"]), /^attachment/);
    assert.equal(answer.headers["cache-control"], "no-store");
    assert.doesNotMatch(answer.body, new RegExp(stranger));
    assert.doesNotMatch(answer.body, /eve@example/);
    assert.equal(data.records.users?.[0]?.email, "ada@example.com");
    assert.equal(data.records.sessions?.length, 1);
    for (const [table, id] of Object.entries(made)) {
      assert.deepEqual(
        data.records[table]?.map((row) => row.id),
        [id],
        table,
      );
    }
  });

  test("OC-7: the file leaves out attributes that the user may not read", async () => {
    const it = await setUp();
    const { id: organization_id } = await anOrganization(it.store);
    const given = { given_name: "Ada", risk: "high", undefined_one: "x" };
    await it.store.update("users", { id: it.user.id }, { attributes: given });
    await anAttribute(it.store, { name: "risk", readers: ["admin"] });
    const membership = { user_id: it.user.id, organization_id, attributes: { floor: "4", mood: "low" } };
    await aMembership(it.store, membership);
    const ofMembership = { record_type: "memberships", organization_id } as const;
    await anAttribute(it.store, { ...ofMembership, name: "floor" });
    await anAttribute(it.store, { ...ofMembership, name: "mood", readers: ["admin"] });
    const details = { after: { attributes: { floor: "4", mood: "low" } } };
    const act = { actor_kind: "user", actor_id: it.user.id, target_table: "memberships" } as const;
    const type = "membership.updated";
    const { id: eventId } = await anEvent(it.store, { ...act, type, organization_id, details });
    const { data } = await it.file();
    assert.deepEqual(data.records.users?.[0]?.attributes, { given_name: "Ada" });
    assert.deepEqual(data.records.memberships?.[0]?.attributes, { floor: "4" });
    const event = data.records.audit_events?.find(({ id }) => id === eventId);
    assert.deepEqual(event?.details, { after: { attributes: ["floor", "mood"] } });
  });

  test("the file contains all of the user's rows", async () => {
    const it = await setUp();
    for (let row = 0; row < 450; row += 1)
      await insertAny(it.store, "devices", { users: it.user.id }, { expires_at: later(60) });
    const { data } = await it.file();
    assert.equal(new Set(data.records.devices?.map(({ id }) => id)).size, 450);
  });

  test("the file contains no secret, and matches its published schema", async () => {
    const it = await setUp();
    await anApiKey(it.store, { user_id: it.user.id });
    const token = await aToken(it.store, { user_id: it.user.id });
    const { answer, data } = await it.file();
    const url = "/account/data/schema.json";
    const published = await it.app.inject(url);
    const looked = await it.app.inject({ method: "HEAD", url });
    assert.deepEqual([looked.statusCode, looked.body], [200, ""]);
    assert.equal(looked.headers["content-length"], published.headers["content-length"]);
    const schema = published.json() as {
      properties: {
        records: {
          properties: Record<string, { items: { required: string[]; properties: Record<string, Json> } }>;
          required: string[];
        };
      };
    };
    const { records } = schema.properties;
    assert.deepEqual(Object.keys(data.records), records.required);
    for (const [table, rows] of Object.entries(data.records)) {
      const { required = [], properties = {} } = records.properties[table]?.items ?? {};
      assert.deepEqual(Object.keys(properties).toSorted(), required.toSorted());
      for (const row of rows) assert.deepEqual(Object.keys(row).toSorted(), required.toSorted(), table);
      for (const name of Object.keys(properties)) {
        const { sensitive, internal, kind } = fieldsOf(table as TableName)[name] ?? {};
        assert.ok(!sensitive && !internal && kind !== "signature", `${table}.${name}`);
      }
    }
    const secrets = [it.user.password_hash ?? "", token.access_token_signature.toString("hex")];
    for (const secret of secrets) assert.ok(secret !== "" && !answer.body.includes(secret));
  });
});
