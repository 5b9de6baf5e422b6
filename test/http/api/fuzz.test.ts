import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { resources } from "../../../src/admin/resources/resources.ts";
import { openApiDocument } from "../../../src/api/openapi.ts";
import type { JsonSchema } from "../../../src/api/operation.ts";
import { newRecordSchema } from "../../../src/api/schemas.ts";
import { issuer } from "../../support/authorization_server.ts";
import { anApp, aServiceAccount, aUser } from "../../support/builders.ts";
import { codePoint } from "../../support/code_point.ts";
import { databasesInForm } from "../../support/databases.ts";
import { inForm } from "../../support/form.ts";
import { listed } from "../../support/listed.ts";
import { type ApiServer, apiServer, bearer } from "./server.ts";

const strange = [
  ...["", "null", "0", "-1", "1e400"],
  "9".repeat(300),
  ...["true", "__proto__", "constructor", "toString", "\0", "\ud800", "\r\nx: y", "' OR 1=1 --"],
  ...listed`
    %00 .. 2026-02-30T25:61:00Z 2026-01-01T00:00:00Z 99999-01-01T00:00:00Z postern:manage owner RS256
  `,
  "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
  "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
  "https://app.example/cb",
  "ada@example.com",
  "acme",
  "😀".repeat(200),
];
const { paths } = openApiDocument({ issuer, session_cookie: "session" });

/** Fails if the document describes the operation, but not a response with this status. */
function assertDeclared(method: string, url: string, status: number): void {
  const [path = ""] = url.split("?");
  const steps = path.split("/");
  const pattern =
    paths[path] === undefined ? [...steps.slice(0, 4), "{id}", ...steps.slice(5)].join("/") : path;
  const operation = Object.entries(paths[pattern] ?? {}).find(([name]) => name.toUpperCase() === method)?.[1];
  if (operation === undefined || steps[4] === "") return;
  assert.ok(operation.responses[status] !== undefined, `${operation.operationId} answered ${status}`);
}

for (const database of databasesInForm)
  describe(`H-1: no record sent to the management API causes a 5xx on ${database.name}`, () => {
    let it: ApiServer;
    let ids: string[];
    before(async () => {
      it = await apiServer(database);
      const app = await anApp(it.store);
      const account = await aServiceAccount(it.store);
      ids = [app.id, app.owner_id, account.id, account.organization_id, (await aUser(it.store)).id];
    });

    const text = fc.oneof(fc.constantFrom(...strange), fc.string({ unit: codePoint, maxLength: 40 }));
    const value = fc.oneof(
      { weight: 3, arbitrary: text },
      { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
      { weight: 2, arbitrary: fc.nat(4).map((index) => `#${index}`) },
      { weight: 1, arbitrary: fc.array(text, { maxLength: 3 }) },
      { weight: 1, arbitrary: fc.constantFrom(true, false, null, 0, -1, 2 ** 31, 2 ** 53, 1.5) },
    );
    test("any values in some fields of a record, with valid values in the others", async () => {
      const creatable = resources.filter(({ create }) => create !== undefined);
      const draws = fc.record({
        values: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        odd: fc.array(fc.tuple(fc.nat(39), value), { maxLength: 2 }),
      });
      const statuses: number[] = [];
      const numRuns = inForm(100, 300);
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...creatable), draws, async (resource, { values, odd }) => {
          const { properties, required = [] } = newRecordSchema(resource);
          const names = Object.keys(properties);
          const input: Record<string, unknown> = {};
          for (const [index, name] of names.entries()) {
            if (required.includes(name) || values[index]) input[name] = usual(name, properties[name]);
          }
          // A key has exactly one owner.
          if (resource.resourceType === "api_keys") delete input.organization_id;
          for (const [index, strangeValue] of odd) {
            const name = names[index % names.length];
            if (name !== undefined) input[name] = strangeValue;
          }
          const url = `/api/v1/${resource.path}`;
          const send = (method: "POST" | "PATCH", to: string, sent: object) =>
            it.app.inject({
              method,
              url: to,
              headers: { ...bearer(it.key), "content-type": "application/json" },
              payload: JSON.stringify(sent).replaceAll(/"#(\d)"/g, (_, index) => JSON.stringify(ids[index])),
            });
          const made = await send("POST", url, input);
          const [changing] = Object.entries(input).slice(-1);
          const changed = await send(
            "PATCH",
            `${url}/${made.statusCode === 201 ? made.json().id : ids[0]}`,
            changing === undefined ? {} : { [changing[0]]: odd[0]?.[1] ?? changing[1] },
          );
          for (const { statusCode, body: said, raw } of [made, changed]) {
            statuses.push(statusCode);
            assertDeclared(raw.req.method ?? "", raw.req.url ?? "", statusCode);
            assert.ok(statusCode < 500, `${said} ${it.logged.findLast((line) => /failed/.test(line))}`);
          }
        }),
        { numRuns },
      );
      // Enough of the generated records must be valid, or the test would only cover refusals.
      for (const status of [200, 201])
        assert.ok(statuses.filter((each) => each === status).length > numRuns / 20);
    });

    let count = 0;
    /** Returns a valid value of the member. */
    function usual(name: string, schema: JsonSchema | undefined): unknown {
      count += 1;
      const [app = "", user = "", account = "", organization = ""] = ids;
      const known: Readonly<Record<string, unknown>> = {
        id: it.store.newId(it.clock.now()),
        app_id: app,
        user_id: user,
        owner_id: user,
        created_by: user,
        service_account_id: account,
        organization_id: organization,
        email: `user-${count}@example.com`,
        slug: `slug-${count}`,
        client_id: `client-${count}`,
        key_id: `key-${count}`,
        provider_user_id: String(count),
        public_key_pem: undefined,
        jwk: undefined,
        secrets: ["a secret that was chosen"],
        activates_in: 60,
      };
      if (Object.hasOwn(known, name)) return known[name];
      return Array.isArray(schema?.examples) ? schema.examples[0] : undefined;
    }
  });
