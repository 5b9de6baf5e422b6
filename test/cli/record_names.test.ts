import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { serverHere } from "../../src/cli/server/here.ts";
import { ApiProblem } from "../../src/client/problems.ts";
import { readConfig } from "../../src/config.ts";
import type { TableName } from "../../src/records/definition/definition.ts";
import { testContext } from "../admin/context.ts";
import { anApp, anOrganization, aServiceAccount, aUser } from "../support/builders.ts";
import { databases } from "../support/databases.ts";

const notFound = (error: unknown) => error instanceof ApiProblem && error.code === "not_found";

const [sqlite] = databases;

async function opened() {
  if (sqlite === undefined) throw new Error("no database");
  const store = await sqlite.open();
  const server = serverHere(testContext(store), { store, config: readConfig({}) }, { onNotice() {} });
  return { store, idOf: (table: TableName, name: string) => server.idOf(table, name) };
}

describe("names of records on the command line", () => {
  test("a record is found by id or name: emails in any case, slugs and client_ids exactly", async () => {
    const { store, idOf } = await opened();
    const [user, organization] = [await aUser(store), await anOrganization(store)];
    const [app, account] = [await anApp(store), await aServiceAccount(store)];
    const found = [
      ["users", user.id, user.email.toUpperCase()],
      ["organizations", organization.id, organization.slug],
      ["oauth_apps", app.id, app.client_id],
      ["service_accounts", account.id, account.email.toUpperCase()],
    ] as const;
    for (const [table, id, name] of found)
      for (const each of [name, id, id.toUpperCase()])
        assert.equal(await idOf(table, each), id, `${table} ${each}`);
    for (const [table, name] of [
      ["organizations", organization.slug.toUpperCase()],
      ["oauth_apps", app.client_id.toUpperCase()],
      ["users", organization.id],
    ] as const)
      await assert.rejects(idOf(table, name), notFound, `${table} ${name}`);
    await assert.rejects(idOf("memberships", "owner"), /there is no membership with the ID "owner"/);
  });

  test("P-9: an email names exactly one mailbox, even if a look-alike address has an account", async () => {
    const { store, idOf } = await opened();
    const [email, other] = ["eve@stra\u00dfe.example", "eve@strasse.example"];
    const look_alike = await aUser(store, { email: other });
    await assert.rejects(idOf("users", email), notFound);
    // The key of an account from an earlier version, or with a restored address, may be the unchanged
    // address.
    const user = await aUser(store, { email, email_key: email });
    assert.equal(await idOf("users", email.toUpperCase().replace("SS", "\u1e9e")), user.id);
    assert.equal(await idOf("users", other), look_alike.id);
  });

  test("a client_id that looks like an id is found before the record with that id", async () => {
    const { store, idOf } = await opened();
    const app = await anApp(store);
    const namesake = await anApp(store, { client_id: app.id });
    assert.equal(await idOf("oauth_apps", app.id), namesake.id);
  });

  test("the short end of an id is refused, and the error asks for the whole id", async () => {
    const { store, idOf } = await opened();
    const app = await anApp(store, { client_id: "dcc0f475010d" });
    assert.equal(await idOf("oauth_apps", "dcc0f475010d"), app.id);
    await assert.rejects(idOf("oauth_tokens", "dcc0f475010d"), /the full ID/);
    await assert.rejects(idOf("oauth_tokens", "dcc0f475010"), /there is no token/);
  });

  test("a name with characters that no database can search is reported as not found", async () => {
    const { idOf } = await opened();
    for (const table of ["users", "organizations", "oauth_apps", "service_accounts"] as const) {
      for (const name of ["a\0b@example.com", "\ud800"]) await assert.rejects(idOf(table, name), notFound);
      for (const name of ["", ".", ".."]) await assert.rejects(idOf(table, name), /there is no/);
    }
  });
});
