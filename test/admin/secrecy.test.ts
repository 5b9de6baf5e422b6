import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { shownOf } from "../../src/admin/changes/record_view.ts";
import { listRecords } from "../../src/admin/manage/list_records.ts";
import { createRecord, getRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf, resources } from "../../src/admin/resources/resources.ts";
import { fieldsOf, type Row, type TableName, tables } from "../../src/records/definition/definition.ts";
import type { ResourceType } from "../../src/records/definition/permissions.ts";
import { publicView } from "../../src/records/definition/view.ts";
import { aCode, anOrganization, aSession, aToken } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { testContext } from "./context.ts";

const names = Object.keys(tables) as TableName[];

/** The encodings in which bytes may appear. */
const writings = ["hex", "base64", "base64url", "latin1"] as const;

function assertAbsent(text: string, secret: string | Buffer, where: string): void {
  const forms = typeof secret === "string" ? [secret] : writings.map((form) => secret.toString(form));
  for (const form of forms) assert.ok(!text.includes(JSON.stringify(form).slice(1, -1)), where);
  if (Buffer.isBuffer(secret)) assert.ok(!text.includes(JSON.stringify([...secret])), where);
}

test("no response or audit event contains a sensitive field or a stored hash of any table", () => {
  const secretText = fc.string({ minLength: 8 }).map((text) => `secret-${text}`);
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((array) => Buffer.from(array));
  fc.assert(
    fc.property(fc.constantFrom(...names), secretText, bytes, (table, secret, hash) => {
      const row: Record<string, unknown> = {};
      for (const [name, field] of Object.entries(fieldsOf(table))) {
        if (field.kind === "signature") row[name] = hash;
        else if (field.sensitive === true || field.internal === true) row[name] = secret;
        else row[name] = field.kind === "time" ? new Date(0) : (field.default ?? "shown");
      }
      const whole = row as unknown as Row<TableName>;
      for (const view of [publicView(table, whole), shownOf(table, whole, Object.keys(row))]) {
        assertAbsent(JSON.stringify(view), secret, table);
        if (new Set(hash).size > 1) assertAbsent(JSON.stringify(view), hash, table);
      }
    }),
  );
});

for (const database of databasesInForm)
  test(`on ${database.name}, no response, event or log line contains a secret that was sent or issued, or a hash`, async () => {
    const lines: unknown[] = [];
    const log = { info: (fields: object, message: string) => lines.push(fields, message) };
    const context = { ...testContext(await database.open()), log };
    const { store } = context;
    const mark = () => `marked-${randomBytes(12).toString("hex")}`;
    const secrets: (string | Buffer)[] = [];
    const secret = () => {
      const text = mark();
      secrets.push(text);
      return text;
    };
    const answers: unknown[] = [];
    const make = async (resourceType: ResourceType, input: object, change: object) => {
      const { record, once } = await createRecord(context, resourceOf(resourceType), { ...input });
      secrets.push(
        ...Object.values(once).flatMap((text) =>
          text.includes("\n") ? text.split("\n").slice(1, 3) : [text],
        ),
      );
      answers.push(
        record,
        await updateRecord(context, resourceOf(resourceType), String(record.id), { ...change }),
      );
      return String(record.id);
    };

    const user_id = await make(
      "users",
      { email: "a@example.com", name: "Ada", password: secret() },
      { password: secret() },
    );
    const { id: organization_id } = await anOrganization(store);
    await make(
      "linked_accounts",
      { user_id, provider: "p", provider_user_id: "1", access_token: secret(), refresh_token: secret() },
      { access_token: secret(), refresh_token: secret() },
    );
    await make("api_keys", { name: "k", user_id }, { name: "l" });
    const app_id = await make("apps", { name: "App", owner_id: user_id, secrets: [secret()] }, { name: "B" });
    await make("apps", { name: "Other", owner_id: user_id }, { name: "C" });
    await make("app_secrets", { app_id, value: secret() }, { expires_at: null });
    await make("app_secrets", { app_id }, { expires_at: "2031-01-01T00:00:00Z" });
    const service_account_id = await make(
      "service_accounts",
      { email: "ci@example.com", name: "CI", organization_id, created_by: user_id },
      { name: "CD" },
    );
    await make("key_pairs", { service_account_id, algorithm: "ES256" }, { active: false });
    await createRecord(context, resourceOf("signing_keys"), {});
    await aToken(store, { app_id, user_id });
    await aSession(store, { user_id });
    await aCode(store, { app_id, user_id });

    for (const table of names)
      for (const row of (await store.list(table)) as Record<string, unknown>[])
        for (const [name, field] of Object.entries(fieldsOf(table))) {
          const value = row[name];
          const isSecret = field.sensitive === true || field.kind === "signature";
          if (isSecret && (typeof value === "string" || Buffer.isBuffer(value))) secrets.push(value);
        }
    for (const resource of resources) {
      const { data } = await listRecords(context, resource, { limit: "200" });
      answers.push(data);
      for (const { id } of data) answers.push(await getRecord(context, resource, String(id)));
    }
    assert.ok(secrets.length > 20);
    const reported = JSON.stringify([answers, await store.list("audit_events"), lines]);
    for (const each of secrets) assertAbsent(reported, each, `${database.name}: a secret was told`);
  });

describe("this secrecy check itself", () => {
  test("the check finds a secret in any encoding", () => {
    const bytes = randomBytes(32);
    for (const form of ["hex", "base64", "base64url"] as const) {
      const reported = JSON.stringify({ reported: bytes.toString(form) });
      assert.throws(() => assertAbsent(reported, bytes, "here"), assert.AssertionError);
    }
    assert.throws(() => assertAbsent('{"a":"x-secret-y"}', "secret", "here"), assert.AssertionError);
  });
});
