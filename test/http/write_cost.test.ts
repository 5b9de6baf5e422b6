/** How often a change of a record reads the record and its owner, before and under its lock. */
import assert from "node:assert/strict";
import { after, before, describe, mock, test } from "node:test";
import { resources } from "../../src/admin/resources/resources.ts";
import type { Store } from "../../src/storage/store.ts";
import { type ConsoleFixture, consoleFixture, formOn } from "../support/console.ts";

type Transaction = Parameters<Parameters<Store["transaction"]>[0]>[0];

/** For each resource type: the field of the fixture's record that is changed. */
const changes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  users: { name: "Mina Harker" },
  organizations: { name: "Acme & Sons" },
  memberships: { role: "developer" },
  linked_accounts: { expires_at: "2031-01-01T00:00:00Z" },
  api_keys: { name: "Roll-out" },
  apps: { name: "Orders of Acme" },
  app_secrets: { expires_at: "2031-01-01T00:00:00Z" },
  service_accounts: { name: "Robot" },
  key_pairs: { expires_at: "2031-01-01T00:00:00Z" },
};

interface Cost {
  /** How often the owner of the record was looked up. */
  owner: number;
  /** How often the record was read before it was locked. */
  before: number;
  /** How often it was read under the lock. */
  locked: number;
}

/** Records the reads of each table before any transaction. */
function reads(store: Store): string[] {
  const seen: string[] = [];
  for (const verb of ["find", "list", "ownerOf", "namesOf"] as const) {
    const read = store[verb] as (table: never, ...more: never[]) => Promise<never>;
    mock.method(store, verb, (table: never, ...more: never[]) => {
      seen.push(`${verb} ${table}`);
      return read(table, ...more);
    });
  }
  return seen;
}

/** Counts the reads of the record with this id from now on. */
function counted(store: Store, table: string, id: string): Cost {
  const cost: Cost = { owner: 0, before: 0, locked: 0 };
  const isMeant = (of: string, where: object = {}) => of === table && (where as { id?: unknown }).id === id;
  const { find, ownerOf, transaction } = store;
  mock.method(store, "find", (of: never, where: never) => {
    if (isMeant(of, where)) cost.before++;
    return find(of, where);
  });
  mock.method(store, "ownerOf", (of: never, of_id: string) => {
    if (of === table && of_id === id) cost.owner++;
    return ownerOf(of, of_id);
  });
  mock.method(store, "transaction", (work: (tx: Transaction) => Promise<unknown>, options: never) =>
    transaction((tx) => {
      const find: Transaction["find"] = (of, where) => {
        if (isMeant(of, where)) cost.locked++;
        return tx.find(of, where);
      };
      return work({ ...tx, find });
    }, options),
  );
  return cost;
}

for (const viewer of ["platform administrator", "organization admin"] as const) {
  describe(`the cost of a change by the ${viewer}`, () => {
    let it: ConsoleFixture;
    before(async () => {
      it = await consoleFixture();
    });
    after(() => mock.restoreAll());

    for (const { resourceType, table, path } of resources) {
      const change = changes[resourceType];
      const isTheirs =
        viewer === "platform administrator" || !["users", "linked_accounts"].includes(resourceType);
      if (change === undefined || !isTheirs) continue;
      // The viewer's permissions depend on their organizations, one of which is this record.
      const known = resourceType === "organizations" ? 1 : 0;
      const id = () => it.ids[resourceType as "apps"];

      test(`${resourceType}: a change by form checks the permission once and reads the record twice`, async () => {
        const browser = it.browsers[viewer];
        const { action, fields } = formOn(await browser.get(`/console/${path}/${id()}/edit`));
        const cost = counted(it.store, table, id());
        const answer = await browser.post(action, { ...fields, ...change });
        mock.restoreAll();
        assert.equal(answer.headers.location, `/console/${path}/${id()}?done=changed`, answer.body);
        assert.deepEqual(cost, { owner: 1, before: 1 + known, locked: 1 });
      });

      test(`${resourceType}: the form reads the record, its owner and the names once for each table`, async () => {
        const seen = reads(it.store);
        const page = await it.browsers[viewer].get(`/console/${path}/${id()}/edit`);
        mock.restoreAll();
        assert.equal(page.statusCode, 200);
        // Reads about the viewer, as on every page.
        for (const read of ["find sessions", "list memberships", "find organizations"]) {
          seen.splice(seen.indexOf(read), 1);
        }
        const [owner, record, ...names] = seen;
        assert.deepEqual([owner, record], [`ownerOf ${table}`, `find ${table}`]);
        assert.ok(
          names.every((read, index) => read.startsWith("namesOf ") && names.indexOf(read) === index),
          String(names),
        );
      });

      test(`${resourceType}: PATCH checks the permission once, and reads the record under its lock`, async () => {
        const { cookies } = it.browsers[viewer];
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const [name = ""] = Object.keys(change);
        const headers = { cookie, origin: it.server.issuer, "content-type": "application/json" };
        const value = name === "role" ? "member" : name === "expires_at" ? "2032-01-01T00:00:00Z" : "Another";
        const cost = counted(it.store, table, id());
        const answer = await it.app.inject({
          method: "PATCH",
          url: `/api/v1/${path}/${id()}`,
          headers,
          payload: { [name]: value },
        });
        mock.restoreAll();
        assert.equal(answer.statusCode, 200, answer.body);
        // A user is also read before the transaction, because a password is hashed outside it.
        const seen = resourceType === "users" ? 1 : 0;
        assert.deepEqual(cost, { owner: 1, before: seen + known, locked: 1 });
      });
    }
  });
}

test("the page that confirms a change checks the permission once and reads the record twice", async () => {
  const it = await consoleFixture();
  const id = it.ids.consents;
  const browser = it.browsers["platform administrator"];
  const { action, fields } = formOn(await browser.get(`/console/consents/${id}/change-scopes`));
  const cost = counted(it.store, "oauth_consents", id);
  const answer = await browser.post(action, { ...fields, scopes: "openid", confirm: "Orders" });
  mock.restoreAll();
  assert.equal(answer.headers.location, `/console/consents/${id}?done=changed`, answer.body);
  assert.deepEqual(cost, { owner: 1, before: 1, locked: 1 });
});
