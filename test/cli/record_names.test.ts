import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { idOf } from "../../src/cli/record_names.ts";
import { problem } from "../admin/context.ts";
import { anApp, anOrganization, aServiceAccount, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";

for (const database of databasesInForm) {
  describe(`names of records on ${database.name}`, () => {
    test("a record is found by its id and by its name: e-mails in any case, slugs and client_ids as they are", async () => {
      const store = await database.open();
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
          assert.equal(await idOf({ store }, table, each), id, `${table} ${each}`);
      for (const [table, name] of [
        ["organizations", organization.slug.toUpperCase()],
        ["oauth_apps", app.client_id.toUpperCase()],
        ["users", organization.id],
        ["memberships", "owner"],
      ] as const)
        await assert.rejects(idOf({ store }, table, name), problem("not_found"), `${table} ${name}`);
    });

    test("P-9: an e-mail names the very mailbox, also where another one of its key is there", async () => {
      const store = await database.open();
      const [email, other] = ["eve@stra\u00dfe.example", "eve@strasse.example"];
      const look_alike = await aUser(store, { email: other });
      await assert.rejects(idOf({ store }, "users", email), problem("not_found"));
      // As an account keeps it from an earlier version, or finds it when it gets its address back.
      const user = await aUser(store, { email, email_key: email });
      assert.equal(await idOf({ store }, "users", email.toUpperCase().replace("SS", "\u1e9e")), user.id);
      assert.equal(await idOf({ store }, "users", other), look_alike.id);
    });

    test("a client_id that looks like an id goes first", async () => {
      const store = await database.open();
      const app = await anApp(store);
      const namesake = await anApp(store, { client_id: app.id });
      assert.equal(await idOf({ store }, "oauth_apps", app.id), namesake.id);
    });

    test("the end of an id, as pages show it, is no name: the error asks for the whole id", async () => {
      const store = await database.open();
      const app = await anApp(store, { client_id: "dcc0f475010d" });
      assert.equal(await idOf({ store }, "oauth_apps", "dcc0f475010d"), app.id);
      await assert.rejects(idOf({ store }, "oauth_tokens", "dcc0f475010d"), /the whole id/);
      await assert.rejects(idOf({ store }, "oauth_tokens", "dcc0f475010"), problem("not_found"));
    });

    test("text that no database can look up is simply not there", async () => {
      const store = await database.open();
      for (const table of ["users", "organizations", "oauth_apps", "service_accounts"] as const)
        for (const name of ["a\0b@example.com", "\ud800", ""])
          await assert.rejects(idOf({ store }, table, name), problem("not_found"));
    });
  });
}
