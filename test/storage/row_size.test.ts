/** The disk space of a token with all its indexes: a row of a user's token with all columns set. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import pg from "pg";
import type { DatabaseAddress, Store } from "../../src/storage/store.ts";
import { anApp, aUser, insertMany, later, start, tokenOf } from "../support/builders.ts";
import { databases, openStoreAt } from "../support/databases.ts";

const rows = 10_000;

/** Returns a signature that begins with its creation time, as issued signatures and ids do. */
function signatureAt(moment: Date): Buffer {
  const signature = randomBytes(32);
  signature.writeUIntBE(moment.getTime(), 0, 6);
  return signature;
}

async function fill(store: Store): Promise<void> {
  const user = await aUser(store);
  const app = await anApp(store);
  await insertMany(store, "oauth_tokens", rows, (row) => {
    const created_at = later(row / 300);
    return tokenOf({
      id: store.newId(created_at),
      app_id: app.id,
      user_id: user.id,
      family_id: store.newId(created_at),
      session_id: store.newId(created_at),
      access_token_signature: signatureAt(created_at),
      refresh_token_signature: signatureAt(created_at),
      scopes: ["openid", "profile", "orders:read"],
      audience: ["https://id.example.com"],
      request_data: JSON.stringify({
        grant_type: "authorization_code",
        scope: "openid profile orders:read",
        auth_time: Math.floor(start.getTime() / 1000),
        acr: "urn:postern:acr:password",
      }),
      client_ip: "203.0.113.77",
      user_agent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36",
      access_expires_at: later(900, created_at),
      refresh_expires_at: later(604_800, created_at),
      created_at,
    });
  });
}

/** Returns the bytes of the table with its indexes. */
async function sizeOf(address: DatabaseAddress): Promise<number> {
  if (address.kind === "sqlite") {
    const database = new DatabaseSync(address.path);
    try {
      const query = "SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE '%oauth_tokens%'";
      return Number(database.prepare(query).get()?.bytes);
    } finally {
      database.close();
    }
  }
  const client = new pg.Client({ connectionString: address.url });
  await client.connect();
  try {
    // Excludes the maps that a vacuum may create, which have a fixed size.
    const { rows: answer } = await client.query(
      `SELECT sum(pg_relation_size(oid)) AS bytes FROM pg_class WHERE oid = 'oauth_tokens'::regclass
       OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'oauth_tokens'::regclass)`,
    );
    return Number(answer[0]?.bytes);
  } finally {
    await client.end();
  }
}

for (const database of databases)
  describe(`a token's size on disk on ${database.name}`, () => {
    test("design 4: a complete row takes less than 950 bytes with its indexes, with binary ids and hashes", async () => {
      const address = await database.address();
      const store = await openStoreAt(address);
      await store.migrate(new Date());
      await fill(store);
      const bytes = (await sizeOf(address)) / rows;
      assert.ok(bytes > 300, `${bytes} bytes: not everything was counted`);
      assert.ok(bytes < 950, `${bytes} bytes`);
    });
  });
