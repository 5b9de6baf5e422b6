/** What an answer tells of records that the asker may not see. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import type { AdminContext } from "../../src/admin/access/actor.ts";
import type { Input } from "../../src/admin/faults.ts";
import { createRecord, updateRecord } from "../../src/admin/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { Problem } from "../../src/errors.ts";
import type { ResourceType } from "../../src/records/permissions.ts";
import { anApp, aServiceAccount } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { askers, managementWorld } from "../support/management_world.ts";
import { testContext } from "./context.ts";

for (const database of databasesInForm) {
  describe(`references to what others have on ${database.name}`, async () => {
    const store = await database.open();
    const world = await managementWorld(store);
    const { acme, other, people, actors } = world;
    const base = testContext(store);
    const theirs = {
      organization_id: other.id,
      user_id: people.outsider.id,
      app_id: (await anApp(store, { organization_id: other.id })).id,
      service_account_id: (await aServiceAccount(store, { organization_id: other.id })).id,
    };
    const app = await anApp(store, { organization_id: acme.id });
    const account = await aServiceAccount(store, { organization_id: acme.id });
    const public_app = { name: "x", public: true };
    const mail = () => `${randomUUID()}@machines.example`;

    /** Each request, with the id of a record of another organization or with one that never was. */
    const requests: readonly (readonly [
      string,
      keyof typeof theirs,
      (context: AdminContext, id: string) => Promise<unknown>,
    ])[] = [
      made("apps", "organization_id", (organization_id) => ({ ...public_app, organization_id })),
      made("apps", "user_id", (owner_id) => ({ ...public_app, organization_id: acme.id, owner_id })),
      made("apps", "user_id", (owner_id) => ({
        ...public_app,
        organization_id: acme.id,
        owner_id,
        colour: 1,
      })),
      changed("apps", app.id, "organization_id", (organization_id) => ({ organization_id })),
      changed("apps", app.id, "user_id", (owner_id) => ({ owner_id })),
      changed("apps", app.id, "user_id", (owner_id) => ({ owner_id, access_token_ttl: 0 })),
      made("service_accounts", "organization_id", (organization_id) => ({
        name: "x",
        email: mail(),
        organization_id,
      })),
      made("service_accounts", "user_id", (created_by) => ({
        name: "x",
        email: mail(),
        organization_id: acme.id,
        created_by,
      })),
      changed("service_accounts", account.id, "organization_id", (organization_id) => ({ organization_id })),
      changed("service_accounts", account.id, "user_id", (created_by) => ({ created_by })),
      made("consents", "app_id", (app_id) => ({ user_id: people.guest.id, app_id, scopes: ["openid"] })),
      made("consents", "user_id", (user_id) => ({ user_id, app_id: app.id, scopes: ["openid"] })),
      made("api_keys", "user_id", (user_id) => ({ name: "x", user_id })),
      made("api_keys", "organization_id", (organization_id) => ({ name: "x", organization_id })),
      made("app_secrets", "app_id", (app_id) => ({ app_id })),
      made("key_pairs", "service_account_id", (service_account_id) => ({ service_account_id })),
      made("linked_accounts", "user_id", (user_id) => ({
        user_id,
        provider: "example",
        provider_user_id: randomUUID(),
        access_token: "x",
      })),
    ];

    function made(resourceType: ResourceType, name: keyof typeof theirs, input: (id: string) => Input) {
      const attempt = (context: AdminContext, id: string) =>
        createRecord(context, resourceOf(resourceType), input(id));
      return [`a new one of ${resourceType} with another ${name}`, name, attempt] as const;
    }

    function changed(
      resourceType: ResourceType,
      id: string,
      name: keyof typeof theirs,
      input: (id: string) => Input,
    ) {
      const attempt = (context: AdminContext, other_id: string) =>
        updateRecord(context, resourceOf(resourceType), id, input(other_id));
      return [`one of ${resourceType} changed to another ${name}`, name, attempt] as const;
    }

    async function told(work: Promise<unknown>, id: string): Promise<string> {
      try {
        await work;
        return "done";
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const { status, code, detail, errors } = error;
        return JSON.stringify({ status, code, detail, errors }).replaceAll(id, "the id");
      }
    }

    test("G-8: an id of others and one that never was are answered alike (security finding 16)", async () => {
      const strangers = askers.filter(
        (asker) => !["platform_administrator", "client_of_nobody", "outsider"].includes(asker),
      );
      const different: string[] = [];
      for (const asker of strangers) {
        const context: AdminContext = { ...base, actor: actors[asker] };
        for (const [what, name, attempt] of requests) {
          const never = randomUUID();
          const [one, another] = [
            await told(attempt(context, theirs[name]), theirs[name]),
            await told(attempt(context, never), never),
          ];
          if (one !== another || one === "done") different.push(`${asker}: ${what}: ${one} / ${another}`);
        }
      }
      assert.deepEqual(different, []);
    });

    test("G-8: a platform administrator is told what is not there, with everything else that is wrong (security finding 16)", async () => {
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
