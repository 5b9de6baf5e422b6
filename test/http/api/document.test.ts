/**
 * The OpenAPI document and the server agree: the server refuses input that the document excludes, and the
 * document describes every response.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { METHODS } from "node:http";
import { connect } from "node:net";
import { after, before, beforeEach, describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { resources } from "../../../src/admin/resources/resources.ts";
import { openApiDocument } from "../../../src/api/openapi.ts";
import { problemKinds } from "../../../src/http/problems.ts";
import { belongings } from "../../storage/belongings.ts";
import { issuer } from "../../support/authorization_server.ts";
import { aMembership, anApp, sealSecrets } from "../../support/builders.ts";
import { databasesInForm } from "../../support/databases.ts";
import { inForm, someOf } from "../../support/form.ts";
import {
  type DescribedOperation,
  fits,
  operationsOf,
  textsAround,
  undescribed,
  valuesAround,
} from "../document_requests.ts";
import { type ApiServer, apiServer, bearer } from "./server.ts";

const document = openApiDocument({ issuer, session_cookie: "session" });
const operations = operationsOf(document);
/** Operations that no key may call, because they require a browser session with a fresh second factor. */
const inBrowserAlone = ["resetFactorsOfUser", "removeFactorOfUser"];

const nobody = "01b8dac5-b400-71b4-87c7-48f448ce5396";

interface DescribedResponse {
  readonly content?: Readonly<Record<string, { readonly schema: unknown }>>;
}

interface Sent {
  readonly id?: string;
  readonly query?: readonly (readonly [string, string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

for (const database of databasesInForm)
  describe(`the OpenAPI document on ${database.name}`, () => {
    let it: ApiServer;
    /** The id of one record of each resource type, by the type's name in the path. */
    const ids = new Map<string, string>();
    /** For each field that refers to another record: the id of an existing record. */
    let references: Readonly<Record<string, string>>;
    /** The id of a user who is a member of the same organization as the group in `ids`. */
    let member_id: string;
    before(async () => {
      // With mail, so invitations and password links can be sent.
      const mail = { post() {}, async flushOutbox() {} };
      it = await apiServer(database, { mail }, { extra_features: ["events", "logout_notices"] });
    });
    /** Whether a test may have revoked the records, so they must be created again. */
    let spent = true;
    beforeEach(async () => {
      if (!spent) return;
      spent = false;
      const all = await belongings(it.store);
      for (const { path, table } of resources) ids.set(path, all[table][0]?.id ?? "");
      await sealSecrets(it, ids.get("webhook-endpoints") ?? "");
      const backchannel_logout_uri = "https://app.example/signed-out";
      await it.store.update("oauth_apps", { id: ids.get("apps") ?? "" }, { backchannel_logout_uri });
      references = {
        user_id: ids.get("users") ?? "",
        owner_id: ids.get("users") ?? "",
        created_by: ids.get("users") ?? "",
        organization_id: ids.get("organizations") ?? "",
        app_id: ids.get("apps") ?? "",
        service_account_id: ids.get("service-accounts") ?? "",
      };
      const group = await it.store.find("groups", { id: ids.get("groups") ?? "" });
      assert.ok(group);
      const { organization_id } = group;
      member_id = (await aMembership(it.store, { organization_id })).user_id;
    });

    const resourceIn = (path: string) => path.replace("/bulk", "").split("/")[3] ?? "";

    async function send({ path, method }: DescribedOperation, sent: Sent): Promise<LightMyRequestResponse> {
      const { id = ids.get(resourceIn(path)) ?? "", query = [], headers = {}, body } = sent;
      const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
      const requested = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
      const answer = await it.app.inject({
        method: method as "GET",
        url: `${path.replace(/\{id\}/, encodeURIComponent(id)).replace(/\{\w+\}/, encodeURIComponent(id))}${requested === "" ? "" : `?${requested}`}`,
        headers: { ...bearer(it.key), ...(body !== undefined && { "content-type": type }), ...headers },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      });
      if (method !== "GET" && answer.statusCode < 300) spent = true;
      return answer;
    }

    /**
     * Asserts that the document describes this response to the operation. Returns the refusal; undefined if
     * there was none.
     */
    function judged({ operation }: DescribedOperation, answer: LightMyRequestResponse, what: string) {
      const { statusCode, headers, body } = answer;
      const reported = `${operation.operationId}, ${what}: ${statusCode} ${body.slice(0, 300)}`;
      assert.ok(statusCode < 500, reported);
      assert.ok(operation.responses[statusCode] !== undefined, reported);
      if (statusCode < 400) {
        const described = operation.responses[statusCode] as DescribedResponse;
        const json = described.content?.["application/json"];
        if (json !== undefined && body !== "")
          assert.deepEqual(undescribed(document, json.schema, answer.json()), [], reported);
        return undefined;
      }
      assert.equal(headers["content-type"], "application/problem+json", reported);
      const problem = answer.json() as { code: string; status: number; errors?: { path: string }[] };
      assert.equal(problem.status, statusCode, reported);
      assert.ok(Object.hasOwn(problemKinds, problem.code), reported);
      return problem;
    }

    /** Returns a valid body of a new record, different each time. */
    function goodBody(operation: DescribedOperation): Record<string, unknown> {
      const { path, method } = operation;
      if (method === "PATCH") return {};
      if (path === "/api/v1/apply") return { manifest: {} };
      if (path === "/api/v1/import/people") return { source: "test", people: [{ id: "x" }] };
      if (path.startsWith("/api/v1/bulk/")) {
        const create = operations.find(
          (each) => each.method === "POST" && each.path === path.replace("/bulk", ""),
        );
        if (create !== undefined) return { operations: [{ op: "create", data: goodBody(create) }] };
        return { operations: [{ op: "revoke", id: ids.get(resourceIn(path)) }] };
      }
      const word = randomUUID();
      const input: Record<string, unknown> = {
        name: "A name",
        slug: `slug-${word}`,
        identifier: `https://${word}.example`,
        email: `${word}@example.com`,
        role: "member",
        provider: "example",
        provider_user_id: word,
        access_token: "a token",
        token: "a token",
        label: "A label",
        preset: "google",
        client_id: "a client",
        url: "https://hooks.example.com/",
        ...references,
      };
      const own: Record<string, Record<string, unknown>> = {
        "api-keys": { user_id: references.user_id },
        apps: path.endsWith("/test-logout") ? {} : { owner_id: references.owner_id },
        memberships: { user_id: it.administrator.id },
        "group-members": { user_id: member_id, group_id: ids.get("groups") },
        "linked-accounts": { user_id: references.user_id },
        "app-roles": { resource_id: ids.get("resources"), name: `role-${word}` },
        attributes: { record_type: "users", name: `a_${word.replaceAll("-", "")}` },
        providers: { client_secret: "a secret" },
        groups: { organization_id: references.organization_id, display_name: word },
        ...(path.endsWith("/replay") && { "webhook-endpoints": { event_id: ids.get("events") } }),
        // These endpoints belong to the organization, because each user may own at most 20.
        ...(path === "/api/v1/webhook-endpoints" && {
          "webhook-endpoints": { organization_id: references.organization_id },
        }),
      };
      const required = (operation.body?.required as string[] | undefined) ?? [];
      const taken = Object.fromEntries(required.map((name) => [name, input[name]]));
      return { ...taken, ...own[resourceIn(path)] };
    }

    /** Returns a separate record for an operation that succeeds only once per record. */
    async function subjectOf({ operation }: DescribedOperation): Promise<Pick<Sent, "id">> {
      if (operation.operationId !== "registerApp") return {};
      const client_id = `https://${randomUUID()}.example/client.json`;
      return { id: (await anApp(it.store, { provenance: "metadata_document", client_id })).id };
    }

    // One test per path, because all of them together could exceed the time limit of a test on a busy
    // machine.
    for (const [path, at] of someOf([...Map.groupBy(operations, (each) => each.path)], 5)) {
      test(`H-18: at ${path}, each parameter is tried omitted, empty, too long and of a wrong type (security finding 22)`, () =>
        triedParameters(at));
      if (at.some(({ body }) => body !== undefined))
        test(`H-18: at ${path}, each field of the body is tried omitted and with every wrong type (security finding 22)`, () =>
          triedMembers(at));
    }

    async function triedParameters(at: readonly DescribedOperation[]): Promise<void> {
      for (const each of at.filter(({ method }) => method !== "DELETE")) {
        const tried = each.parameters.flatMap((parameter) =>
          textsAround(parameter)
            // Invalid input is refused before any query, so it is tried on one database only.
            .filter(({ fits: isRight }) => isRight || database.name === "SQLite")
            .filter((_, at) => database.name === "SQLite" || at % inForm(4, 1) === 0)
            // HTTP does not allow every character in a header, and an empty path segment would be another
            // path.
            .filter(({ text }) => parameter.in !== "header" || /^[\x20-\x7e]*$/.test(text))
            .filter(({ text }) => parameter.in !== "path" || text !== "")
            .map((of) => ({ ...of, parameter })),
        );
        await Promise.all(
          tried.map(async ({ parameter, text, fits: isRight }) => {
            const { name } = parameter;
            const what = `${each.operation.operationId} ${parameter.in} ${name}=${JSON.stringify(text.slice(0, 50))}`;
            const sent: Sent =
              parameter.in === "query"
                ? { query: [[name, text]] }
                : parameter.in === "path"
                  ? { id: text }
                  : { headers: { [name.toLowerCase()]: text } };
            const answer = await send(each, { ...sent, ...(each.body !== undefined && { body: {} }) });
            const problem = judged(each, answer, what);
            if (!isRight && name !== "If-None-Match") assert.ok(problem, `took ${what}`);
            const isFilter = parameter.in === "query" && name !== "cursor";
            if (!isRight && parameter.in === "query")
              assert.equal(
                problem?.code,
                isFilter && name !== "limit" ? "invalid_filter" : "invalid_page",
                what,
              );
            // Valid values of these parameters can still be refused: the attribute, the position in the feed
            // or the user of a preview may not exist.
            const isAlone =
              name !== "attribute" &&
              !["listEvents", "previewTokens"].includes(each.operation.operationId ?? "");
            if (isRight && isFilter && isAlone) assert.equal(answer.statusCode, 200, `refused ${what}`);
          }),
        );
      }
    }

    test("H-18: a deletion with wrong parameters deletes nothing", async () => {
      for (const each of operations.filter(({ method }) => method === "DELETE")) {
        const id = ids.get(resourceIn(each.path)) ?? "";
        const wrong: Sent[] = [
          { query: [["nothing", "1"]] },
          { query: [["", ""]] },
          { headers: { "if-match": "" } },
          { headers: { "if-match": '"x"' } },
          { headers: { "if-match": "a".repeat(2000) } },
          { id: "x" },
          { id: nobody },
          { id: "a".repeat(300) },
        ];
        for (const sent of wrong) assert.ok(judged(each, await send(each, sent), JSON.stringify(sent)));
        const get = operations.find(({ path, method }) => path === each.path && method === "GET");
        assert.ok(get);
        assert.equal((await send(get, { id })).statusCode, 200);
      }
    });

    async function triedMembers(at: readonly DescribedOperation[]): Promise<void> {
      for (const each of at) {
        const { body: schema, operation, method } = each;
        if (schema === undefined || inBrowserAlone.includes(operation.operationId)) continue;
        const disagreements: string[] = [];
        const good = await send(each, { body: goodBody(each), ...(await subjectOf(each)) });
        assert.ok(good.statusCode < 300, `${operation.operationId}: ${good.body}`);
        const properties = schema.properties as Record<string, Record<string, unknown>>;
        for (const [name, member] of Object.entries(properties)) {
          for (const value of valuesAround(member)) {
            // Invalid input is refused before any query, so it is tried on one database only. Null may cause
            // a query.
            if (fits(member, value) || (database.name !== "SQLite" && value !== null)) continue;
            const what = `${name} ${JSON.stringify(value)?.slice(0, 80)}`;
            const answer = await send(each, { body: { ...goodBody(each), [name]: value } });
            const problem = judged(each, answer, what);
            // An import answers 200 and reports the error of each user separately.
            if (operation.operationId === "importPeople" && Array.isArray(value) && value.length > 0) {
              assert.equal(answer.json().results?.[0]?.status ?? "refused", "refused", what);
              continue;
            }
            const isNamed = problem?.errors?.some(({ path }) => `${path}/`.startsWith(`/${name}/`));
            if (problem?.code !== "invalid_record" || !isNamed)
              disagreements.push(
                `${operation.operationId}, ${what}: ${answer.statusCode} ${answer.body.slice(0, 200)}`,
              );
          }
        }
        for (const name of (schema.required as string[] | undefined) ?? []) {
          const { [name]: _, ...rest } = goodBody(each);
          assert.ok(judged(each, await send(each, { body: rest }), `without ${name}`), operation.operationId);
        }
        for (const body of [{ ...goodBody(each), nothing: 1 }, [], "text", 1, null])
          assert.ok(judged(each, await send(each, { body }), JSON.stringify(body)), operation.operationId);
        assert.deepEqual(disagreements, []);
        if (method === "PATCH") {
          // The body is validated before `If-Match` is compared.
          const stale = { "if-match": '"x"' };
          assert.equal(
            (await send(each, { body: { nothing: 1 }, headers: stale })).statusCode,
            422,
            operation.operationId,
          );
          assert.equal(
            (await send(each, { body: {}, headers: stale })).statusCode,
            412,
            operation.operationId,
          );
        }
      }
    }

    test("H-18: a new key pair accepts an id as documented", async () => {
      const each = operations.find(({ operation }) => operation.operationId === "createKeyPair");
      assert.ok(each);
      const id = randomUUID();
      const made = await send(each, { body: { ...goodBody(each), id } });
      assert.equal(made.statusCode, 201, made.body);
      assert.equal(made.json().id, id);
    });
  });

describe("methods that a path does not support", () => {
  let it: ApiServer;
  before(async () => {
    const [sqlite] = databasesInForm;
    assert.ok(sqlite);
    it = await apiServer(sqlite);
    await it.app.listen({ host: "127.0.0.1", port: 0 });
  });
  after(() => it.app.close());

  /** Returns the response to this request line. */
  async function ask(line: string): Promise<string> {
    const { port } = it.app.server.address() as { port: number };
    return new Promise((resolve, reject) => {
      let text = "";
      const socket = connect(port, "127.0.0.1", () =>
        socket.write(`${line}\r\nHost: id.example\r\nConnection: close\r\n\r\n`),
      );
      socket.setTimeout(5000, () => socket.destroy(new Error(`no answer to ${line.slice(0, 60)}`)));
      socket.on("data", (chunk) => {
        text += chunk.toString("latin1");
      });
      socket.on("end", () => resolve(text)).on("error", reject);
    });
  }

  const allowedAt = (item: object) => {
    const named = Object.keys(item).map((method) => method.toUpperCase());
    return new Set([...named, ...(named.includes("GET") ? ["HEAD"] : []), "OPTIONS"]);
  };

  test("H-19: every known method, and an unknown one, gets 405 with Allow (security finding 22)", async () => {
    for (const [turn, [path, item]] of Object.entries(document.paths).entries()) {
      const allowed = allowedAt(item);
      const url = path.replace(/\{\w+\}/g, nobody);
      for (const method of allowed) {
        const answer = await it.app.inject({ method: method as "GET", url });
        assert.equal(answer.statusCode, method === "OPTIONS" ? 204 : 401, `${method} ${path}`);
      }
      // In the short form, each path gets a third of the methods, and neighboring paths get different ones.
      const others = METHODS.filter(
        (each, at) => each !== "CONNECT" && !allowed.has(each) && (at + turn) % inForm(3, 1) === 0,
      );
      for (const method of others) {
        const answer = await it.app.inject({ method: method as "GET", url });
        assert.equal(answer.statusCode, 405, `${method} ${path}`);
        if (method !== "HEAD") assert.equal(answer.json().code, "method_not_allowed");
        assert.deepEqual(new Set(String(answer.headers.allow).split(", ")), allowed, `${method} ${path}`);
      }
      const answer = await ask(`FOO ${url} HTTP/1.1`);
      assert.match(answer, /^HTTP\/1\.1 405 /, path);
      const allow = /^allow: (.*)$/im.exec(answer)?.[1] ?? "";
      assert.deepEqual(new Set(allow.trim().split(", ")), allowed, path);
    }
  });

  test("H-19: an unsupported method gets 405 even with a wrong content type, and an unknown path 404 for any method", async () => {
    for (const method of ["QUERY", "PUT", "FOO", "get", "X-1!"]) {
      assert.match(
        await ask(`${method} /oauth/token HTTP/1.1\r\nContent-Type: ;`),
        /^HTTP\/1\.1 405 /,
        method,
      );
      assert.match(await ask(`${method} /api/v1/nothing HTTP/1.1`), /^HTTP\/1\.1 404 /, method);
    }
    for (const line of ["FOO", "FOO nothing HTTP/1.1", "F(O /api/v1/me HTTP/1.1", "FOO /api/v1/me HTTP/9.1"])
      assert.match(await ask(line), /^HTTP\/1\.1 400 /, line);
  });
});
