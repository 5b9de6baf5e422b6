/** What APIs as records cost requests that name none: no read of theirs. */
import assert from "node:assert/strict";
import { StatementSync } from "node:sqlite";
import { after, before, describe, mock, test } from "node:test";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { aResource } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { aParty, type Party, type Refreshable } from "./party.ts";

const [sqlite] = databasesInForm.filter(({ name }) => name === "SQLite");

describe("requests without resource", () => {
  let stage: TestServer;
  let party: Party;
  const read: string[] = [];
  before(async () => {
    assert.ok(sqlite);
    stage = await testServer(await sqlite.open());
    // APIs that a careless look-up would find: of the server, and open to any client.
    for (const who_may_ask of ["registered", "any"] as const) await aResource(stage.store, { who_may_ask });
    party = await aParty(stage, {
      allowed_grants: ["auth_code", "refresh", "client_credentials"],
      allowed_scopes: ["openid", "offline_access", "orders:read"],
    });
    const asking = ["all", "get", "iterate"] as const;
    for (const verb of asking) {
      const ask = StatementSync.prototype[verb] as (this: StatementSync, ...given: never[]) => never;
      mock.method(StatementSync.prototype, verb, function (this: StatementSync, ...given: never[]) {
        read.push(this.sourceSQL);
        return ask.apply(this, given);
      });
    }
  });
  after(() => mock.restoreAll());

  /** The statements that the work reads by. */
  async function readsOf(work: () => Promise<unknown>): Promise<string[]> {
    read.length = 0;
    await work();
    return [...read];
  }
  const ofResources = (statements: readonly string[]) =>
    statements.filter((sql) => /\b(?:from|join)\s+"?resources\b/i.test(sql));

  test("token, introspection and authorize requests read no API, however many there are", async () => {
    // What is kept in memory is there from then on.
    const first = await party.flow();
    await party.isActive(first.access_token);
    const machine = () => party.clientCredentials({ scope: "orders:read" });
    let live: Refreshable = first;
    for (const [name, work] of Object.entries({
      authorize: () => party.code(),
      flow: async () => {
        live = await party.flow();
      },
      refresh: async () => {
        live = await party.refresh(live.refresh_token);
      },
      machine,
      introspect: () => party.isActive(live.access_token),
    })) {
      assert.deepEqual(ofResources(await readsOf(work)), [], name);
    }
  });

  test("one that names an API reads it once, and from memory from then on", async () => {
    const { identifier } = await aResource(stage.store, {});
    const asked = () => party.clientCredentials({ scope: "orders:read", resource: identifier });
    // A new API made everything in memory be forgotten: with the client come the APIs that it is.
    assert.equal(ofResources(await readsOf(asked)).length, 2);
    assert.deepEqual(ofResources(await readsOf(asked)), []);
  });
});
