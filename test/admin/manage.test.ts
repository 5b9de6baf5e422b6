import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import type { AdminContext } from "../../src/admin/access/actor.ts";
import type { Input } from "../../src/admin/access/errors.ts";
import { listRecords } from "../../src/admin/manage/list_records.ts";
import {
  createRecord,
  etagOf,
  getRecord,
  removeRecord,
  representation,
  requireWritable,
  revokeRecord,
  updateRecord,
} from "../../src/admin/manage/manage.ts";
import { type Resource, resourceOf } from "../../src/admin/resources/resources.ts";
import { detail } from "../../src/errors/details.ts";
import { Problem } from "../../src/errors.ts";
import type { AuditEvent } from "../../src/records/definition/definition.ts";
import type { ResourceType } from "../../src/records/definition/permissions.ts";
import { anApp, anOrganization, aServiceAccount, aToken, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { column } from "../support/lists.ts";
import { refused, testContext } from "./context.ts";
import { filled, placeholdersOf } from "./placeholders.ts";

const publicPem = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .publicKey.export({ type: "spki", format: "pem" })
  .toString();

const stale = new Problem("stale", detail("stale"));

/** Returns a check that throws unless the row still has the state that the caller saw. */
function unchanged(resource: Resource, etag: string) {
  return (row: Parameters<typeof representation>[1]) => {
    const everything = { platform: true, user_id: null };
    if (etagOf(representation(resource, row, everything)) !== etag) throw stale;
  };
}

const at = "2031-01-01T00:00:00.000Z";

/**
 * For each resource type, what a test sends: the input of a new record, a change of it, a filter that finds
 * the record, and the name of the secret that is shown once.
 */
const cases: readonly (readonly [ResourceType, Input, change: Input, by: string, once?: string])[] = [
  [
    "users",
    { email: "ada@example.com", name: "Ada" },
    { name: "Ada King", avatar_url: "https://img.example/a" },
    "email",
  ],
  [
    "organizations",
    { slug: "acme", name: "Acme", settings: { b: 1, a: [1, { z: null }] } },
    { plan: "pro" },
    "slug",
  ],
  [
    "memberships",
    { user_id: "$user", organization_id: "$organization", role: "member" },
    { role: "developer", permissions: ["users:read"] },
    "user_id",
  ],
  [
    "linked_accounts",
    { user_id: "$user", provider: "github", provider_user_id: "42", access_token: "upstream" },
    { expires_at: at },
    "provider",
  ],
  [
    "api_keys",
    { name: "ci", user_id: "$user", scopes: ["postern:read"] },
    { name: "deployments" },
    "user_id",
    "key",
  ],
  [
    "apps",
    { name: "Web", owner_id: "$user", client_id: "web" },
    { redirect_uris: ["https://app.example/cb"] },
    "client_id",
    "secret",
  ],
  ["app_secrets", { app_id: "$app" }, { expires_at: at }, "app_id", "secret"],
  [
    "consents",
    { user_id: "$user", app_id: "$app", scopes: ["openid", "email"] },
    { scopes: ["openid"] },
    "app_id",
  ],
  [
    "service_accounts",
    { email: "ci@acme.example", name: "CI", organization_id: "$organization", created_by: "$user" },
    { description: "builds" },
    "email",
  ],
  [
    "key_pairs",
    { service_account_id: "$account", algorithm: "ES256" },
    { active: false },
    "service_account_id",
    "private_key_pem",
  ],
];

for (const database of databasesInForm)
  describe(`management on ${database.name}`, () => {
    async function eventsOf(context: AdminContext, target_id: unknown): Promise<AuditEvent[]> {
      return context.store.list("audit_events", { target_id: String(target_id) });
    }

    for (const [resourceType, values, change, by, once] of cases)
      test(`a record of ${resourceType} is created, found, changed under its tag, ended and deleted, each with an audit event`, async () => {
        const resource = resourceOf(resourceType);
        const lines: { fields: Record<string, unknown> }[] = [];
        const log = { info: (fields: object) => lines.push({ fields: { ...fields } }) };
        const context = { ...testContext(await database.open()), log };
        const input = (await filled(values, placeholdersOf(context.store))) as Input;

        const made = await createRecord(context, resource, input);
        assert.deepEqual(Object.keys(made.once), once === undefined ? [] : [once]);
        const id = String(made.record.id);
        assert.deepEqual(await getRecord(context, resource, id.toUpperCase()), made.record);

        const found = await listRecords(context, resource, { [by]: String(made.record[by]), limit: "1" });
        const listed = found.data.map((record) => record.id);
        assert.deepEqual([listed, found.next_cursor], [[id], null]);
        const elsewhere =
          resource.filters.find(({ name }) => name === by)?.kind === "id" ? crypto.randomUUID() : "other";
        assert.deepEqual((await listRecords(context, resource, { [by]: elsewhere })).data, []);

        const etag = etagOf(made.record);
        context.clock.advance(1);
        const changed = await updateRecord(context, resource, id, change, unchanged(resource, etag));
        for (const [name, value] of Object.entries(change)) assert.deepEqual(changed[name], value);
        assert.notEqual(etagOf(changed), etag);
        await assert.rejects(updateRecord(context, resource, id, change, unchanged(resource, etag)), stale);
        await assert.rejects(
          updateRecord(context, resource, id, {
            nonsense: 1,
            created_at: "2031-01-01T00:00:00Z",
            id: crypto.randomUUID(),
          }),
          (error: Problem) => error.code === "invalid_record" && error.errors.length === 3,
        );

        const types = [`${resource.noun.toLowerCase().replaceAll(" ", "_")}.created`];
        types.push(types[0]?.replace("created", "updated") ?? "");
        context.clock.advance(1);
        if (resource.revoke !== undefined) {
          await assert.rejects(revokeRecord(context, resource, id, unchanged(resource, etag)), stale);
          const revoked = await revokeRecord(context, resource, id);
          assert.ok(revoked.revoked === true || revoked.revoked_at !== null);
          assert.deepEqual(await revokeRecord(context, resource, id), revoked, "twice is once");
          types.push(types[0]?.replace("created", "revoked") ?? "");
        }
        context.clock.advance(1);
        await assert.rejects(removeRecord(context, resource, id, unchanged(resource, etag)), stale);
        await removeRecord(context, resource, id);
        await refused(getRecord(context, resource, id), "not_found");
        await refused(removeRecord(context, resource, id), "not_found");
        types.push(types[0]?.replace("created", "deleted") ?? "");

        const events = await eventsOf(context, id);
        assert.deepEqual(column(events, "type"), types);
        const { before, after } = (events[1]?.details ?? {}) as { before: object; after: object };
        assert.deepEqual(Object.keys(before).sort(), Object.keys(change).sort());
        for (const [name, value] of Object.entries(change)) {
          assert.deepEqual((after as Record<string, unknown>)[name], value);
          assert.deepEqual((before as Record<string, unknown>)[name], made.record[name]);
        }
        const reported = lines.filter(({ fields }) => fields.target_id === id);
        assert.deepEqual(
          reported.map(({ fields }) => fields.event),
          types,
        );
      });

    test("tokens are listed newest first without request data, shown with it, and revoked together with their family", async () => {
      const context = testContext(await database.open());
      const { store, clock } = context;
      const tokens = resourceOf("tokens");
      const first = await aToken(store, { request_data: '{"scope":"openid"}' });
      const { app_id, user_id, family_id } = first;
      clock.advance(1);
      const id = store.newId(clock.now());
      const next = await aToken(store, { id, app_id, user_id, family_id, created_at: clock.now() });
      const other = await aToken(store, { app_id, user_id });
      const { data } = await listRecords(context, tokens, { family_id });
      assert.deepEqual(new Set(data.map((record) => record.id)), new Set([first.id, next.id]));
      assert.ok(data.every((record) => !("request_data" in record)));
      assert.equal((await getRecord(context, tokens, first.id)).request_data, '{"scope":"openid"}');
      const revoked = await revokeRecord(context, tokens, next.id);
      assert.deepEqual([revoked.revoked, revoked.revoked_reason], [true, "revoked"]);
      assert.equal((await store.find("oauth_tokens", { id: first.id }))?.revoked_reason, "revoked");
      assert.equal((await store.find("oauth_tokens", { id: other.id }))?.revoked, false);
      const page = await listRecords(context, tokens, { app_id, revoked: "false" });
      assert.deepEqual(column(page.data, "id"), [other.id]);
      for (const work of [
        createRecord(context, tokens, {}),
        updateRecord(context, tokens, next.id, {}),
        removeRecord(context, tokens, next.id),
      ])
        await refused(work, "method_not_allowed");
    });

    test("signing keys are rotated, and shown without their private key", async () => {
      const context = testContext(await database.open());
      const resource = resourceOf("signing_keys");
      const { record } = await createRecord(context, resource, {});
      const later = await createRecord(context, resource, { activates_in: 60 });
      assert.equal(later.record.activates_at, new Date(context.now().getTime() + 60_000).toISOString());
      assert.ok(!("private_key_sealed" in record));
      assert.deepEqual(Object.keys(record.public_jwk as object).sort(), ["e", "kty", "n"]);
      assert.equal((await listRecords(context, resource, {})).data.length, 2);
      await refused(
        createRecord(context, resource, { activates_in: 4, kid: "x", nonsense: 1 }),
        "invalid_record /kid /nonsense /activates_in",
      );
    });

    test("audit events are found by their fields, newest first, and cannot be written through the API", async () => {
      const context = testContext(await database.open());
      const resource = resourceOf("audit_events");
      const organization = await createRecord(context, resourceOf("organizations"), { slug: "a", name: "A" });
      context.clock.advance(1);
      const organization_id = String(organization.record.id);
      await updateRecord(context, resourceOf("organizations"), organization_id, { name: "B" });
      const { data } = await listRecords(context, resource, { organization_id });
      assert.deepEqual(column(data, "type"), ["organization.updated", "organization.created"]);
      assert.deepEqual(data[0]?.details, { before: { name: "A" }, after: { name: "B" } });
      const failures = await listRecords(context, resource, { outcome: "failure" });
      assert.deepEqual(failures, { data: [], next_cursor: null, previous_cursor: null });
      await refused(createRecord(context, resource, {}), "method_not_allowed");
    });

    test("an audit event belongs to the organization of the record that it concerns", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const { id: organization_id } = await anOrganization(store);
      const app = await anApp(store, { organization_id });
      const account = await aServiceAccount(store, { organization_id });
      const of: [ResourceType, Record<string, unknown>][] = [
        ["memberships", { organization_id, user_id: (await aUser(store)).id, role: "owner" }],
        ["api_keys", { organization_id, name: "k" }],
        ["app_secrets", { app_id: app.id }],
        ["key_pairs", { service_account_id: account.id, public_key_pem: publicPem }],
      ];
      for (const [resourceType, input] of of) {
        const { record } = await createRecord(context, resourceOf(resourceType), input);
        const [event] = await eventsOf(context, record.id);
        assert.equal(event?.organization_id, organization_id, resourceType);
      }
      const [user] = [await createRecord(context, resourceOf("users"), { email: "x@y.example", name: "X" })];
      assert.equal((await eventsOf(context, user.record.id))[0]?.organization_id, null);
    });

    test("an invalid or unknown filter, or an invalid page, is refused with its name", async () => {
      const context = testContext(await database.open());
      const users = resourceOf("users");
      await refused(
        listRecords(context, users, { active: "yes", created_from: "soon", nonsense: "1", email: "\0" }),
        "invalid_filter /active /created_from /nonsense /email",
      );
      await refused(listRecords(context, resourceOf("tokens"), { app_id: "web" }), "invalid_filter /app_id");
      await refused(
        listRecords(context, resourceOf("organizations"), { plan: "gold" }),
        "invalid_filter /plan",
      );
      for (const limit of ["0", "201", "1.5", "", "many"])
        await refused(listRecords(context, users, { limit }), "invalid_page /limit");
      await refused(listRecords(context, users, { cursor: "x" }), "invalid_page");
    });

    test("H-1: a time outside the years 1 to 9999 is refused with its field, and one at the limits is stored exactly", async () => {
      const context = testContext(await database.open());
      const keys = resourceOf("api_keys");
      const { id: user_id } = await aUser(context.store);
      for (const time of [
        "0000-12-31T23:59:59Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "2026-13-01T00:00:00Z",
      ]) {
        await refused(
          listRecords(context, keys, { created_from: time, created_before: time }),
          "invalid_filter /created_from /created_before",
        );
        await refused(
          createRecord(context, keys, { name: "Deploy", user_id, expires_at: time }),
          "invalid_record /expires_at",
        );
      }
      for (const expires_at of ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]) {
        const { record } = await createRecord(context, keys, { name: "Deploy", user_id, expires_at });
        assert.equal(record.expires_at, expires_at);
        await listRecords(context, keys, { created_from: expires_at, created_before: expires_at });
      }
    });

    test("a list can be narrowed by words, time and several filters at once, and continues on a next page", async () => {
      const context = testContext(await database.open());
      const apps = resourceOf("apps");
      const owner = await aUser(context.store);
      for (const [index, name] of ["Order Book", "Orderly", "Invoices"].entries()) {
        await createRecord(context, apps, { name, owner_id: owner.id, public: index === 1 });
        context.clock.advance(3600);
      }
      const names = async (query: Record<string, string>) =>
        (await listRecords(context, apps, query)).data.map(({ name }) => name);
      assert.deepEqual(new Set(await names({ q: "ORDER" })), new Set(["Order Book", "Orderly"]));
      assert.deepEqual(await names({ q: "order", public: "true" }), ["Orderly"]);
      assert.deepEqual(await names({ created_from: "2030-01-01T02:00:00Z" }), ["Invoices"]);
      assert.deepEqual(await names({ created_before: "2030-01-01T01:00:00Z" }), ["Order Book"]);
      const first = await listRecords(context, apps, { limit: "2" });
      const rest = await listRecords(context, apps, { limit: "2", cursor: first.next_cursor ?? "" });
      assert.deepEqual([first.data.length, rest.data.length, rest.next_cursor], [2, 1, null]);
    });

    test("if two changes with the same If-Match tag are concurrent, exactly one succeeds", async () => {
      const context = testContext(await database.open());
      const users = resourceOf("users");
      const { record } = await createRecord(context, users, { email: "ada@example.com", name: "Ada" });
      const expected = unchanged(users, etagOf(record));
      const id = String(record.id);
      const changes = ["one", "two", "three", "four"].map((name) =>
        updateRecord(context, users, id, { name }, expected),
      );
      const settled = await Promise.allSettled(changes);
      assert.equal(settled.filter(({ status }) => status === "fulfilled").length, 1);
      assert.equal((await eventsOf(context, id)).length, 2);
    });
  });

for (const database of databasesInForm)
  test(`on ${database.name}, a record that one caller was allowed to change cannot be changed with it by another caller`, async () => {
    const store = await database.open();
    const operator = testContext(store);
    const { id } = await anOrganization(store, { name: "Acme" });
    const organizations = resourceOf("organizations");
    const record = await requireWritable(operator, organizations, id);
    assert.equal(record.etag, etagOf(record.view));
    const stranger = testContext(store, { kind: "user", user: await aUser(store) });
    for (const work of [
      () => updateRecord(stranger, organizations, record, { name: "Mine" }),
      () => removeRecord(stranger, organizations, record),
      () => updateRecord(operator, resourceOf("users"), record, { name: "Mine" }),
    ])
      await refused(work(), "not_found");
    const changed = await updateRecord(operator, organizations, record, { name: "Acme & Sons" });
    assert.equal(changed.name, "Acme & Sons");
  });
