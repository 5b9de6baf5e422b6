import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { passwordHasher } from "../../src/crypto/passwords.ts";
import { sealer } from "../../src/crypto/sealing.ts";
import { tables } from "../../src/records/definition/definition.ts";
import { openStore } from "../../src/storage/store.ts";
import { words } from "../support/lists.ts";
import { commandLine } from "./terminal.ts";

const password = "marker-of-the-password";
const chosen = "marker-of-the-chosen-secret";
const upstream = "marker-of-the-upstream-token";

const manifest = {
  organizations: [{ slug: "acme", name: "Acme" }],
  users: [{ email: "ada@example.com", name: "Ada", password }],
  apps: [
    { client_id: "given", name: "Given", owner: "ada@example.com", secrets: [chosen] },
    { client_id: "made", name: "Made", owner: "ada@example.com" },
  ],
  service_accounts: [
    { email: "ci@acme.example", name: "CI", organization: "acme", created_by: "ada@example.com" },
  ],
};

const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32)));

/** Creates records with secrets of every kind. Returns each secret and each stored form of one. */
async function withSecrets() {
  const cli = commandLine({ POSTERN_SECRET_KEY: key.toString("base64") });
  const applied: { secrets: Record<string, string> } = await cli.json("apply -", JSON.stringify(manifest));
  const made = applied.secrets.made ?? assert.fail();
  const created: { client_secret: string } = await cli.json(
    "app create --name C --owner ada@example.com --client-id c",
  );
  const added: { client_secret: string } = await cli.json("app add-secret c");
  const apiKey: { key: string; id: string } = await cli.json(
    "api-key create --name k --user ada@example.com",
  );
  await cli.json("keys rotate");

  const now = () => new Date();
  const store = await openStore({ kind: "sqlite", path: join(cli.folder, "postern.db") });
  const stored: string[] = [];
  try {
    const [ada] = await store.list("users");
    const passwords = passwordHasher({ concurrency: 1, queue: 1 });
    const context = {
      store,
      passwords,
      sealer: sealer([key]),
      now,
      actor: { kind: "system", label: "test" } as const,
      switches: {},
    };
    await createRecord(context, resourceOf("linked_accounts"), {
      user_id: ada?.id,
      provider: "github",
      provider_user_id: "42",
      access_token: upstream,
      refresh_token: upstream,
    });
    for (const table of ["users", "oauth_accounts", "api_keys", "oauth_app_secrets", "signing_keys"] as const)
      for (const row of await store.list(table))
        for (const [name, field] of Object.entries(tables[table].fields)) {
          const value: unknown = (row as Record<string, unknown>)[name];
          if (!("sensitive" in field) || value === null) continue;
          if (Buffer.isBuffer(value))
            stored.push(value.toString("hex"), value.toString("base64url"), JSON.stringify(value));
          else stored.push(String(value));
        }
  } finally {
    await store.close();
  }
  const secrets = [password, chosen, upstream, made, created.client_secret, added.client_secret, apiKey.key];
  return { cli, secrets: [...secrets, key.toString("base64"), "PRIVATE KEY"], stored, apiKeyId: apiKey.id };
}

test("H-7: no list, single record, export or second run prints a secret or its stored form", async () => {
  const { cli, secrets, stored, apiKeyId } = await withSecrets();
  assert.ok(stored.length >= 9);
  const commands = `
    user list; user get ada@example.com; user update ada@example.com --name Ada; org list; org get acme
    app list; app get given; app get made; app get c; app update c --name D
    service-account list; service-account get ci@acme.example
    api-key list; api-key get ${apiKeyId}; api-key update ${apiKeyId} --name l
    membership list; linked-account list; linked-account list --user ada@example.com
    app-secret list; app-secret list --app given; token list; consent list; session list; key-pair list
    audit list; audit export; keys list; keys rotate; export; doctor; gc; migrate status
    apply -; apply - --dry-run --prune
    user create --email ada@example.com --name Ada --password ${password}
    app add-secret given --secret ${chosen}
    app create --name P --owner ada@example.com --public --secret ${chosen}; introspect ${chosen}
  `;
  for (const command of commands.trim().split(/[;\n] */))
    for (const form of ["", " --json"]) {
      const { out, err } = await cli.run(`${command}${form}`, JSON.stringify(manifest));
      const printed = out + err;
      assert.notEqual(printed, "", command);
      for (const secret of [...secrets, ...stored])
        assert.ok(!printed.includes(secret), `postern ${command} printed ${secret.slice(0, 12)}…`);
    }
});

test("H-8: actions at the command line are audited, without a secret", async () => {
  const { cli, secrets, stored } = await withSecrets();
  const store = await openStore({ kind: "sqlite", path: join(cli.folder, "postern.db") });
  try {
    const events = await store.list("audit_events");
    const types = new Set(events.map(({ type }) => type));
    for (const type of words(
      "user.created app.created app_secret.created api_key.created signing_key.created",
    ))
      assert.ok(types.has(type), type);
    const text = JSON.stringify(events);
    for (const secret of [...secrets, ...stored]) assert.ok(!text.includes(secret));
  } finally {
    await store.close();
  }
});
