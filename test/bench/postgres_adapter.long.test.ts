import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Client } from "pg";
import { copyTokens, createTables, postgresAdapter } from "../../tools/bench/servers/postgres_adapter.ts";
import { type PostgresDatabase, postgresDatabase } from "../support/postgres.ts";

/**
 * The requirements in oidc-provider's documentation for an adapter: faulty storage must not slow the peer.
 */
describe("the PostgreSQL adapter of the peer", () => {
  let database: PostgresDatabase;
  let storage: ReturnType<typeof postgresAdapter>;

  before(async () => {
    database = await postgresDatabase();
    await createTables(database.url);
    storage = postgresAdapter(database.url);
  });
  after(async () => {
    await storage.close();
    await database.drop();
  });

  test("finds the last value stored under an id, and nothing once it is destroyed", async () => {
    const adapter = storage.adapter("AuthorizationCode");
    await adapter.upsert("a", { kind: "AuthorizationCode", nonce: "1" }, 60);
    await adapter.upsert("a", { kind: "AuthorizationCode", nonce: "2" }, 60);
    assert.deepEqual(await adapter.find("a"), { kind: "AuthorizationCode", nonce: "2" });
    assert.equal(await storage.adapter("RefreshToken").find("a"), undefined);
    await adapter.destroy("a");
    assert.equal(await adapter.find("a"), undefined);
  });

  test("marks consumed values, and still finds them", async () => {
    const adapter = storage.adapter("RefreshToken");
    await adapter.upsert("b", { kind: "RefreshToken" }, 60);
    await adapter.consume("b");
    const found = await adapter.find("b");
    assert.ok(found?.consumed, "consumed should be there");
  });

  test("does not find expired values", async () => {
    const adapter = storage.adapter("AuthorizationCode");
    await adapter.upsert("c", { kind: "AuthorizationCode" }, -1);
    assert.equal(await adapter.find("c"), undefined);
  });

  test("finds a session by its uid", async () => {
    const adapter = storage.adapter("Session");
    await adapter.upsert("d", { kind: "Session", uid: "u" }, 60);
    assert.equal((await adapter.findByUid("u"))?.uid, "u");
    assert.equal(await adapter.findByUid("d"), undefined);
  });

  test("revokes the values of a grant, and no others", async () => {
    const adapter = storage.adapter("AccessToken");
    await adapter.upsert("e", { grantId: "g" }, 60);
    await adapter.upsert("f", { grantId: "h" }, 60);
    await adapter.revokeByGrantId("g");
    assert.equal(await adapter.find("e"), undefined);
    assert.ok(await adapter.find("f"));
  });

  test("holds the requested number of tokens after copying, including the issued ones", async () => {
    const adapter = storage.adapter("ClientCredentials");
    const ids = ["one", "two", "three"];
    for (const jti of ids) await adapter.upsert(jti, { jti, clientId: "worker" }, 60);
    await copyTokens(database.url, 500);
    for (const jti of ids) assert.deepEqual(await adapter.find(jti), { jti, clientId: "worker" });
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      `SELECT count(*)::int AS rows, count(DISTINCT payload->>'jti')::int AS tokens FROM "oidc_ClientCredentials" WHERE payload->>'jti' = id`,
    );
    await client.end();
    assert.deepEqual(rows, [{ rows: 500, tokens: 500 }]);
  });
});
