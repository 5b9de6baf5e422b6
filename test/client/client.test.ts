import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { ApiProblem, type ClientOptions, createClient, etagOf } from "../../src/client/client.ts";
import { type ApiServer, apiServer, injected } from "../http/api/server.ts";
import { issuer } from "../support/authorization_server.ts";
import { databasesInForm } from "../support/databases.ts";

const isProblem = (code: string) => (error: unknown) => error instanceof ApiProblem && error.code === code;

describe("the typed client, on a server", () => {
  let it: ApiServer;
  const client = (overrides: Partial<ClientOptions> = {}) =>
    createClient({ url: issuer, credential: it.key, fetch: injected(it.app), ...overrides });

  before(async () => {
    const [sqlite] = databasesInForm;
    assert.ok(sqlite);
    it = await apiServer(sqlite);
  });

  test("creates, reads, finds, changes and deletes records with the types of the OpenAPI document", async () => {
    const { apps } = client();
    const made = await apps.create({
      name: "Shop",
      kind: "browser",
      redirect_uris: ["https://shop.example/cb"],
    });
    assert.equal((await apps.get(made.id, { include: "owner" })).included?.owner?.id, it.administrator.id);
    assert.equal((await apps.getByClientId(made.client_id)).id, made.id);
    assert.equal((await apps.update(made.id, { name: "Store" })).name, "Store");
    assert.equal(await apps.delete(made.id), undefined);
    await assert.rejects(apps.get(made.id), isProblem("not_found"));
  });

  test("reads page after page, and requests no page that is not needed", async () => {
    const { users } = client();
    for (let number = 0; number < 5; number += 1)
      await users.create({ email: `reader${number}@pages.example`, name: `Reader ${number}` });
    const options = { q: "pages.example", limit: 2, sort: "email", order: "asc" } as const;
    const emails: string[] = [];
    for await (const user of users.list(options)) emails.push(user.email);
    assert.deepEqual(
      emails,
      [0, 1, 2, 3, 4].map((number) => `reader${number}@pages.example`),
    );
    const pages = [];
    for await (const page of users.list(options).pages()) pages.push(page);
    assert.deepEqual(
      pages.map(({ data }) => data.length),
      [2, 2, 1],
    );
    const second = await users.list({ ...options, cursor: pages[0]?.next_cursor ?? "" }).page();
    assert.deepEqual(second.data, pages[1]?.data);
    assert.equal((await users.list({ ...options, total: true }).page()).total, 5);
    assert.equal((await users.list(options).all(5)).length, 5);
    await assert.rejects(users.list(options).all(4), RangeError);
  });

  test("keeps a record's ETag for conditional changes and conditional reads", async () => {
    const { organizations } = client();
    const made = await organizations.create({ name: "Acme", slug: "acme-etag" });
    assert.match(etagOf(made) ?? "", /^"/);
    const known = await organizations.get(made.id);
    assert.equal(await organizations.get(made.id, { known }), known);
    await organizations.update(made.id, { name: "Acme Ltd" }, { ifMatch: known });
    await assert.rejects(
      organizations.update(made.id, { name: "X" }, { ifMatch: known }),
      isProblem("stale"),
    );
    await assert.rejects(organizations.delete(made.id, { ifMatch: etagOf(known) ?? "" }), isProblem("stale"));
    assert.equal((await organizations.get(made.id, { known })).name, "Acme Ltd");
    await assert.rejects(organizations.update(made.id, {}, { ifMatch: { ...known } }), TypeError);
  });

  test("repeats an edit on the newest state after a concurrent change", async () => {
    const { organizations } = client();
    const { id } = await organizations.create({ name: "1", slug: "acme-edit" });
    const counted = () => organizations.edit(id, ({ name }) => ({ name: String(Number(name) + 1) }));
    await Promise.all([counted(), counted(), counted()]);
    assert.equal((await organizations.get(id)).name, "4");
    assert.equal((await organizations.edit(id, () => undefined)).name, "4");
  });

  test("throws an error with the problem's code, all field errors, and the logged request id", async () => {
    const wrong = client().users.create({ email: "nothing", name: "" });
    await assert.rejects(wrong, (error) => {
      assert.ok(error instanceof ApiProblem);
      assert.equal(error.code, "invalid_record");
      assert.equal(error.status, 422);
      assert.deepEqual(error.errors.map(({ path }) => path).toSorted(), ["/email", "/name"]);
      assert.ok(error.requestId);
      assert.match(error.message, /^422 invalid_record: /);
      return true;
    });
    const refused = client({ credential: "pak_wrong" }).me();
    await assert.rejects(refused, isProblem("unauthorized"));
  });

  test("sends a POST again if its response was lost, and nothing is created twice", async () => {
    const send = injected(it.app);
    let lost = 0;
    const loseTwo = async (request: Request) => {
      const answer = await send(request);
      if (lost++ < 2) throw new TypeError("fetch failed");
      return answer;
    };
    const losing = client({ wait: async () => {}, fetch: loseTwo });
    const made = await losing.organizations.create({ name: "Once", slug: "once-only" });
    assert.equal(lost, 3);
    assert.deepEqual(
      (await client().organizations.list({ slug: "once-only" }).all(9)).map(({ id }) => id),
      [made.id],
    );
  });

  test("exports line by line", async () => {
    const types = new Set<string>();
    for await (const { type } of client().auditEvents.export({ type: "organization.created" }))
      types.add(type);
    assert.deepEqual([...types], ["organization.created"]);
  });

  test("sends a bulk request, with a result for each operation", async () => {
    const { results } = await client().users.bulk({
      operations: [
        { op: "create", data: { email: "bulk@example.com", name: "Bulk" } },
        { op: "delete", id: "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a" },
      ],
    });
    assert.deepEqual(
      results.map(({ status, error }) => [status, error?.code]),
      [
        [201, undefined],
        [404, "not_found"],
      ],
    );
  });
});
