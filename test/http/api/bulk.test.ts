/** Many changes of one resource type in one request. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { UnavailableError } from "../../../src/errors.ts";
import type { Store } from "../../../src/storage/store.ts";
import { anApiKey, anApp, anOrganization, aUser } from "../../support/builders.ts";
import { databasesInForm } from "../../support/databases.ts";
import { type ApiServer, anApiKeyText, apiServer, bearer } from "./server.ts";

interface Result {
  readonly status: number;
  readonly etag?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: string; readonly status: number; readonly errors?: { path: string }[] };
}

for (const database of databasesInForm)
  describe(`bulk requests on ${database.name}`, () => {
    let it: ApiServer;
    before(async () => {
      it = await apiServer(database);
    });

    const send = (path: string, operations: unknown, headers = {}, key = it.key) =>
      it.app.inject({
        method: "POST",
        url: `/api/v1/bulk/${path}`,
        headers: { ...bearer(key), "content-type": "application/json", ...headers },
        payload: JSON.stringify({ operations }),
      });
    const resultsOf = ({ body }: { body: string }) => (JSON.parse(body) as { results: Result[] }).results;
    const statuses = (answer: { body: string }) => resultsOf(answer).map(({ status }) => status);

    test("H-32: each operation of a bulk request has the result, transaction and audit event of a single request", async () => {
      const [ada, gone] = [await aUser(it.store), await aUser(it.store)];
      const before = await it.store.count("audit_events");
      const answer = await send("users", [
        { op: "create", data: { email: "one@example.com", name: "One" } },
        { op: "create", data: { email: ada.email, name: "Taken" } },
        { op: "create", data: { email: "no address", name: "" } },
        { op: "update", id: ada.id, data: { name: "Ada Lovelace" } },
        { op: "update", id: ada.id, if_match: '"stale"', data: { name: "Lost" } },
        { op: "delete", id: gone.id },
        { op: "delete", id: gone.id },
      ]);
      assert.equal(answer.statusCode, 200);
      assert.deepEqual(statuses(answer), [201, 409, 422, 200, 412, 204, 404]);
      const [made, taken, wrong, changed] = resultsOf(answer);
      assert.equal(made?.data?.email, "one@example.com");
      assert.equal(taken?.error?.code, "conflict");
      assert.deepEqual(wrong?.error?.errors?.map(({ path }) => path).sort(), ["/email", "/name"]);
      const read = await it.app.inject({ url: `/api/v1/users/${ada.id}`, headers: bearer(it.key) });
      assert.equal(read.headers.etag, changed?.etag);
      assert.deepEqual(read.json(), changed?.data);
      assert.equal((await it.store.count("audit_events")) - before, 3);
    });

    test("H-32: a bulk request shows new secrets only in its first response, and can also revoke keys and tokens", async () => {
      const app = await anApp(it.store);
      const key = await anApiKey(it.store);
      const made = resultsOf(await send("app-secrets", [{ op: "create", data: { app_id: app.id } }]));
      assert.match(String(made[0]?.data?.secret), /^pcs_/);
      const revoked = resultsOf(await send("api-keys", [{ op: "revoke", id: key.id }]));
      assert.equal(revoked[0]?.data?.revoked, true);
      // The `data` of a deletion contains the parameters that a single deletion has in its query.
      const owner = await aUser(it.store);
      await anApp(it.store, { owner_id: owner.id, organization_id: (await anOrganization(it.store)).id });
      const deletion = { op: "delete", id: owner.id };
      const answer = await send("users", [
        deletion,
        { ...deletion, data: { successor: it.administrator.email } },
      ]);
      assert.deepEqual(statuses(answer), [409, 204]);
    });

    test("H-32: an invalid list of operations is refused with every error, and none is executed", async () => {
      const before = await it.store.count("users");
      const good = { op: "create", data: { email: "never@example.com", name: "Never" } };
      const wrong: [unknown, string[]][] = [
        [[], ["/operations"]],
        [Array.from({ length: 201 }, () => good), ["/operations"]],
        ["x", ["/operations"]],
        [
          [
            good,
            { op: "revoke", id: it.administrator.id },
            { op: "update" },
            null,
            { op: "delete", id: "x", data: [] },
          ],
          [
            ...["/operations/1/op", "/operations/2/data", "/operations/2/id", "/operations/3"],
            ...["/operations/4/data", "/operations/4/id"],
          ],
        ],
        [[{ ...good, id: it.administrator.id, if_match: 1 }], ["/operations/0/id", "/operations/0/if_match"]],
      ];
      for (const [operations, paths] of wrong) {
        const answer = await send("users", operations);
        assert.equal(answer.statusCode, 422);
        assert.deepEqual(
          [...new Set(answer.json().errors.map(({ path }: { path: string }) => path))].sort(),
          paths,
        );
      }
      const [error] = (await send("users", [])).json().errors;
      assert.deepEqual(
        [error.code, error.message],
        ["list_out_of_range", "must be a list of 1 to 200 items"],
      );
      assert.equal(await it.store.count("users"), before);
    });

    test("H-32: a repeated bulk request returns the first response, except what the caller may no longer read", async () => {
      const scopes = ["postern:apps:write", "postern:app_secrets:write"];
      const user = await aUser(it.store, { is_platform_admin: true });
      const { key } = await anApiKeyText(it, { user_id: user.id, scopes });
      const mine = await anApp(it.store, { owner_id: user.id });
      const theirs = await anApp(it.store, { owner_id: it.administrator.id });
      const operations = [mine, theirs].map(({ id }) => ({ op: "create", data: { app_id: id } }));
      const headers = { "idempotency-key": "once" };
      const first = await send("app-secrets", operations, headers, key);
      const again = await send("app-secrets", operations, headers, key);
      assert.equal(again.headers["idempotency-replayed"], "true");
      assert.deepEqual(resultsOf(again), resultsOf(first));
      assert.equal(await it.store.count("oauth_app_secrets", { app_id: mine.id }), 1);
      await it.store.update("users", { id: user.id }, { is_platform_admin: false });
      const later = resultsOf(await send("app-secrets", operations, headers, key));
      assert.deepEqual(
        later.map(({ status, data }) => [status, data === undefined]),
        [
          [201, false],
          [404, true],
        ],
      );
    });

    test("H-32: if the database fails midway, each operation that was not done is reported as failed", async () => {
      const email = (name: string) => ({ op: "create", data: { email: `${name}@away.example`, name } });
      let left = 1;
      const store: Store = new Proxy(it.store, {
        get(whole, name: keyof Store) {
          if (name !== "transaction") return whole[name];
          const down = () => Promise.reject(new UnavailableError("away", "down", undefined));
          left -= 1;
          return left < 0 ? down : whole.transaction;
        },
      });
      const broken = await apiServer(database, { store, server: { ...it.server, store } });
      const answer = await broken.app.inject({
        method: "POST",
        url: "/api/v1/bulk/users",
        headers: { ...bearer(it.key), "content-type": "application/json" },
        payload: JSON.stringify({ operations: ["a", "b", "c"].map(email) }),
      });
      assert.deepEqual(statuses(answer), [201, 503, 503]);
      assert.equal(resultsOf(answer)[2]?.error?.code, "unavailable");
    });
  });
