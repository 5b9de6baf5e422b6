import assert from "node:assert/strict";
import { describe, test } from "node:test";
import pg from "pg";
import { type Passed, startDatabaseProxy } from "../../tools/bench/database_proxy.ts";
import { databases } from "../support/databases.ts";

describe("the proxy that counts traffic to PostgreSQL", () => {
  test("counts executions, round trips and bytes, even if messages arrive in fragments", async () => {
    const address = await databases.find(({ name }) => name === "PostgreSQL")?.address();
    assert.ok(address?.kind === "postgres");
    await using proxy = await startDatabaseProxy(address.url);
    const client = new pg.Client({ connectionString: proxy.through(address.url) });
    await client.connect();
    const during = async (work: () => Promise<unknown>): Promise<Passed> => {
      const before = proxy.passed();
      await work();
      const after = proxy.passed();
      return {
        round_trips: after.round_trips - before.round_trips,
        statements: after.statements - before.statements,
        bytes_out: after.bytes_out - before.bytes_out,
        bytes_in: after.bytes_in - before.bytes_in,
      };
    };
    const lengthOf = (text: string) =>
      client.query({ name: "length", text: "SELECT length($1::text) AS length", values: [text] });

    const transaction = await during(async () => {
      await client.query("BEGIN");
      assert.deepEqual((await lengthOf("seven")).rows, [{ length: 5 }]);
      await client.query("COMMIT");
    });
    assert.equal(transaction.statements, 3);
    assert.equal(transaction.round_trips, 3);
    assert.ok(transaction.bytes_out > 40 && transaction.bytes_out < 400);
    assert.ok(transaction.bytes_in > 40 && transaction.bytes_in < 400);

    const length = 300_000;
    const long = await during(() => lengthOf("x".repeat(length)));
    assert.equal(long.statements, 1);
    assert.equal(long.round_trips, 1);
    assert.ok(long.bytes_out > length && long.bytes_out < length + 400);
    await client.end();
  });
});
