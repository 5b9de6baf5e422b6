import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { anApiKey, anApp, anOrganization, aUser } from "../../support/builders.ts";
import { databasesInForm } from "../../support/databases.ts";
import { type ApiServer, apiServer, bearer } from "./server.ts";

const merge = "application/merge-patch+json";

for (const database of databasesInForm)
  describe(`conditional requests on ${database.name}`, () => {
    let it: ApiServer;
    before(async () => {
      it = await apiServer(database);
    });

    type Headers = Readonly<Record<string, string>>;
    type Method = "GET" | "HEAD" | "PATCH" | "DELETE" | "POST";
    function call(method: Method, url: string, headers: Headers = {}, body?: unknown) {
      const type = method === "PATCH" ? merge : "application/json";
      return it.app.inject({
        method,
        url: `/api/v1${url}`,
        headers: { ...bearer(it.key), ...(body !== undefined && { "content-type": type }), ...headers },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      });
    }
    const etagOf = async (url: string) => String((await call("GET", url)).headers.etag);

    test("a record has a strong entity tag that changes with its content", async () => {
      const url = `/users/${(await aUser(it.store)).id}`;
      const etag = await etagOf(url);
      assert.match(etag, /^"[\x21\x23-\x7e]+"$/);
      assert.equal(await etagOf(url), etag);
      const changed = await call("PATCH", url, {}, { name: "Another" });
      assert.notEqual(changed.headers.etag, etag);
      assert.equal(await etagOf(url), changed.headers.etag);
    });

    test("a change with an If-Match from before a use of the API key still succeeds, once", async () => {
      const key = await anApiKey(it.store);
      const url = `/api-keys/${key.id}`;
      const seen = await etagOf(url);
      await it.store.update("api_keys", { id: key.id }, { last_used_at: new Date() });
      assert.notEqual(await etagOf(url), seen);
      assert.equal((await call("GET", url, { "if-none-match": seen })).statusCode, 200);
      assert.equal((await call("PATCH", url, { "if-match": seen }, { name: "In use" })).statusCode, 200);
      assert.equal((await call("PATCH", url, { "if-match": seen }, { name: "Lost" })).statusCode, 412);
    });

    test("a caller that sends the current entity tag gets 304 without a body", async () => {
      const url = `/users/${(await aUser(it.store)).id}`;
      const etag = await etagOf(url);
      for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
        for (const method of ["GET", "HEAD"] as const) {
          const answer = await call(method, url, { "if-none-match": known });
          assert.equal(answer.statusCode, 304, known);
          assert.equal(answer.body, "");
          assert.equal(answer.headers.etag, etag);
        }
      }
      for (const other of ['"x"', etag.slice(1, -1), "", `${etag.slice(0, -2)}"`]) {
        assert.equal((await call("GET", url, { "if-none-match": other })).statusCode, 200, other);
      }
    });

    test("changing, revoking or deleting a record under an outdated tag is refused", async () => {
      const app = await anApp(it.store);
      const url = `/apps/${app.id}`;
      const seen = await etagOf(url);
      assert.equal((await call("PATCH", url, {}, { name: "Changed meanwhile" })).statusCode, 200);
      const now = await etagOf(url);
      for (const stale of [seen, `W/${now}`, '"x"', "x", "", `${seen}, "y"`]) {
        for (const [method, path, body] of [
          ["PATCH", url, { name: "Lost" }],
          ["POST", `${url}/revoke`, undefined],
          ["DELETE", url, undefined],
        ] as const) {
          const answer = await call(method, path, { "if-match": stale }, body);
          assert.equal(answer.statusCode, 412, `${method} ${stale}`);
          assert.equal(answer.json().code, "stale");
        }
      }
      assert.equal(await etagOf(url), now);
      assert.equal(
        (await call("PATCH", url, { "if-match": `"x", ${now}` }, { name: "Seen" })).statusCode,
        200,
      );
      assert.equal((await call("PATCH", url, { "if-match": "*" }, { name: "Any" })).statusCode, 200);
      const last = await etagOf(url);
      assert.equal((await call("POST", `${url}/revoke`, { "if-match": last })).statusCode, 200);
      assert.equal((await call("DELETE", url, { "if-match": await etagOf(url) })).statusCode, 204);
    });

    test("of several changes under the same tag, exactly one succeeds", async () => {
      const { id } = await aUser(it.store);
      const seen = await etagOf(`/users/${id}`);
      const names = Array.from({ length: 8 }, (_, index) => `Name ${index}`);
      const answers = await Promise.all(
        names.map((name) => call("PATCH", `/users/${id}`, { "if-match": seen }, { name })),
      );
      const made = answers.filter(({ statusCode }) => statusCode === 200);
      assert.equal(made.length, 1);
      assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200, 412]));
      assert.equal((await call("GET", `/users/${id}`)).json().name, made[0]?.json().name);
    });

    test("RFC 7396: concurrent changes of different fields of one object are all stored", async () => {
      const { id } = await anOrganization(it.store, { settings: { kept: true } });
      const members = Array.from({ length: 6 }, (_, index) => `member_${index}`);
      const answers = await Promise.all(
        members.map((name) =>
          call("PATCH", `/organizations/${id}`, {}, { settings: { [name]: { on: true } } }),
        ),
      );
      assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200]));
      const { settings } = (await call("GET", `/organizations/${id}`)).json();
      assert.deepEqual(settings, {
        kept: true,
        ...Object.fromEntries(members.map((name) => [name, { on: true }])),
      });
    });

    test("a refusal is stored for its idempotency key too, and a repeated success still contains its secret", async () => {
      const bad = await call("POST", "/users", { "idempotency-key": "bad" }, { email: "x" });
      assert.equal(bad.statusCode, 422);
      const repeated = await call("POST", "/users", { "idempotency-key": "bad" }, { email: "x" });
      assert.equal(repeated.body, bad.body);
      assert.equal(repeated.headers["content-type"], "application/problem+json");

      const headers = { "idempotency-key": "secret" };
      const body = { app_id: (await anApp(it.store)).id };
      const { secret } = (await call("POST", "/app-secrets", headers, body)).json();
      assert.ok(secret.length > 20);
      assert.equal((await call("POST", "/app-secrets", headers, body)).json().secret, secret);
    });
  });
