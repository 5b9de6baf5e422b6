import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { fieldsOf } from "../../src/records/definition/definition.ts";
import { publicView } from "../../src/records/definition/view.ts";
import { anyRow, tableNames } from "../storage/any_row.ts";
import { words } from "../support/lists.ts";

const references = Object.fromEntries(
  words("users organizations oauth_apps service_accounts sessions memberships groups resources").map(
    (table, index) => [table, `00000000-0000-7000-8000-00000000000${index}`],
  ),
);

describe("the public view of records", () => {
  for (const table of tableNames)
    test(`spec 2: the public view of ${table} contains every field except sensitive and internal ones and signatures`, () => {
      const fields = Object.entries(fieldsOf(table));
      const visible = fields
        .filter(([, { sensitive, internal, kind }]) => !sensitive && !internal && kind !== "signature")
        .map(([name]) => name);
      fc.assert(
        fc.property(anyRow(table, references), fc.string(), (row, extra) => {
          const view = publicView(table, { ...row, [`not_a_field_${extra}`]: "secret" } as never);
          assert.deepEqual(Object.keys(view), visible);
          assert.deepEqual(JSON.parse(JSON.stringify(view)), view, "a view is plain JSON");
        }),
        { numRuns: 10 },
      );
    });

  test("spec 2: fields that hold secrets or their hashes are marked as sensitive", () => {
    const sensitive = tableNames.flatMap((table) =>
      Object.entries(fieldsOf(table)).flatMap(([name, field]) =>
        field.sensitive ? [`${table}.${name}`] : [],
      ),
    );
    assert.deepEqual(
      sensitive,
      words(`
      users.password_hash oauth_accounts.access_token oauth_accounts.refresh_token api_keys.key_hash
      oauth_app_secrets.secret_hash sessions.id_signature signing_keys.private_key_sealed
      invitations.token_signature ephemera.key ephemera.value signal_streams.authorization_sealed webhook_endpoints.secrets_sealed totp_authenticators.secret_sealed
      foreign_passwords.hash recovery_codes.code_hash devices.token_signature recoveries.token_signature providers.client_secret
    `),
    );
  });

  test("times are shown as ISO 8601 in UTC, and signatures are never shown", () => {
    const created_at = new Date("2030-01-01T00:00:00.000Z");
    const view = publicView("oauth_auth_codes", {
      code_signature: Buffer.alloc(32, 255),
      created_at,
      used_at: null,
    } as never);
    assert.equal(view.created_at, "2030-01-01T00:00:00.000Z");
    assert.equal("code_signature" in view, false);
    assert.equal(view.used_at, null);
  });
});
