/** Responses reveal nothing about referenced records that the caller may not see. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import type { AdminContext } from "../../src/admin/access/actor.ts";
import type { Input } from "../../src/admin/access/errors.ts";
import { createRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { Problem } from "../../src/errors.ts";
import type { ResourceType } from "../../src/records/definition/permissions.ts";
import { anApp, aServiceAccount } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { managementFixture, requesters } from "../support/management_fixture.ts";
import { testContext } from "./context.ts";
import { filled, placeholdersOf } from "./placeholders.ts";

for (const database of databasesInForm) {
  describe(`references to another organization's records on ${database.name}`, async () => {
    const store = await database.open();
    const fixture = await managementFixture(store);
    const { acme, other, people, actors } = fixture;
    const base = testContext(store);
    const theirs = {
      organization_id: other.id,
      user_id: people.outsider.id,
      app_id: (await anApp(store, { organization_id: other.id })).id,
      service_account_id: (await aServiceAccount(store, { organization_id: other.id })).id,
    };
    const app = await anApp(store, { organization_id: acme.id });
    const account = await aServiceAccount(store, { organization_id: acme.id });
    const ofAcme = { name: "x", organization_id: acme.id };
    const machine = { name: "x", email: "$word@machines.example" };
    const link = { provider: "example", provider_user_id: "$word", access_token: "x" };
    type Request = readonly [ResourceType, of: keyof typeof theirs, input: Input, id?: string];

    /** The requests. `$id` is the id of another organization's record, or an id that never existed. */
    const requests: readonly Request[] = [
      ["apps", "organization_id", { name: "x", public: true, organization_id: "$id" }],
      ["apps", "user_id", { ...ofAcme, public: true, owner_id: "$id" }],
      ["apps", "user_id", { ...ofAcme, public: true, owner_id: "$id", colour: 1 }],
      ["apps", "organization_id", { organization_id: "$id" }, app.id],
      ["apps", "user_id", { owner_id: "$id" }, app.id],
      ["apps", "user_id", { owner_id: "$id", access_token_ttl: 0 }, app.id],
      ["service_accounts", "organization_id", { ...machine, organization_id: "$id" }],
      ["service_accounts", "user_id", { ...machine, ...ofAcme, created_by: "$id" }],
      ["service_accounts", "organization_id", { organization_id: "$id" }, account.id],
      ["service_accounts", "user_id", { created_by: "$id" }, account.id],
      ["consents", "app_id", { user_id: people.guest.id, app_id: "$id", scopes: ["openid"] }],
      ["consents", "user_id", { user_id: "$id", app_id: app.id, scopes: ["openid"] }],
      ["api_keys", "user_id", { name: "x", user_id: "$id" }],
      ["api_keys", "organization_id", { name: "x", organization_id: "$id" }],
      ["app_secrets", "app_id", { app_id: "$id" }],
      ["key_pairs", "service_account_id", { service_account_id: "$id" }],
      ["linked_accounts", "user_id", { ...link, user_id: "$id" }],
    ];

    async function attempt([type, , values, id]: Request, context: AdminContext, other_id: string) {
      const placeholders = { ...placeholdersOf(store), $id: () => other_id };
      const input = (await filled(values, placeholders)) as Input;
      const resource = resourceOf(type);
      if (id === undefined) await createRecord(context, resource, input);
      else await updateRecord(context, resource, id, input);
    }

    async function reported(work: Promise<unknown>, id: string): Promise<string> {
      try {
        await work;
        return "done";
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const { status, code, detail, errors } = error;
        return JSON.stringify({ status, code, detail, errors }).replaceAll(id, "the id");
      }
    }

    test("G-8: a reference to another organization's id gets the same answer as a nonexistent id (security finding 16)", async () => {
      const strangers = requesters.filter(
        (requester) => !["platform_administrator", "client_of_nobody", "outsider"].includes(requester),
      );
      const different: string[] = [];
      for (const requester of strangers) {
        const context: AdminContext = { ...base, actor: actors[requester] };
        for (const request of requests) {
          const [id, never] = [theirs[request[1]], randomUUID()];
          const one = await reported(attempt(request, context, id), id);
          const another = await reported(attempt(request, context, never), never);
          if (one !== another || one === "done")
            different.push(`${requester}: ${request}: ${one} / ${another}`);
        }
      }
      assert.deepEqual(different, []);
    });

    test("G-8: a platform administrator gets unknown references reported with all other errors (security finding 16)", async () => {
      const context: AdminContext = { ...base, actor: actors.platform_administrator };
      const input = { name: "", public: true, owner_id: randomUUID(), organization_id: randomUUID() };
      await assert.rejects(createRecord(context, resourceOf("apps"), input), (error: Problem) => {
        assert.deepEqual(error.errors.map(({ path }) => path).sort(), [
          "/name",
          "/organization_id",
          "/owner_id",
        ]);
        return true;
      });
    });
  });
}
