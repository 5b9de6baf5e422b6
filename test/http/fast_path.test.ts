/**
 * The fast path responds in the same way as the framework. Each request is sent to both; a trailing `?` in
 * the address selects the framework.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { after, before, describe, mock, test } from "node:test";
import { fastPath } from "../../src/http/serving/fast_path.ts";
import type { EndpointRequest } from "../../src/oauth/core/server.ts";
import { aPerson, type TestApp, testApp } from "../support/app.ts";
import { anApp } from "../support/builders.ts";
import { codeFlow, credentialsOf, formOf, signedIn } from "../support/flows.ts";

interface Sent {
  readonly line: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const form = { "content-type": "application/x-www-form-urlencoded" };

describe("requests answered without the framework", () => {
  let it: TestApp;
  let port: number;
  let basic: string;
  let bearer: string;
  const observed: string[] = [];

  before(async () => {
    const metrics = {
      count: () => {},
      observe: (_name: string, labels: object) => observed.push(JSON.stringify(labels)),
    };
    it = await testApp({ metrics, trust_proxy: ["127.0.0.1"] });
    await it.app.listen({ host: "127.0.0.1", port: 0 });
    ({ port } = it.app.server.address() as AddressInfo);
    const app = await anApp(it.store, { allowed_grants: ["auth_code", "refresh", "client_credentials"] });
    basic = (await credentialsOf(it, app)) ?? "";
    const person = await signedIn(it, await aPerson(it));
    bearer = (await codeFlow(it, app, basic, person)).access_token;
  });
  after(() => it.app.close());

  /**
   * Returns the bytes of the response, without parts that differ between two responses to the same request.
   */
  async function answerTo({ line, headers = {}, body }: Sent): Promise<string> {
    const socket = connect(port, "127.0.0.1");
    const sent = { host: "id.example", connection: "close", ...headers };
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const lines = Object.entries({ ...length, ...sent }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`${line} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`);
    let got = "";
    socket.on("data", (chunk) => {
      got += chunk;
    });
    await once(socket, "close");
    return got
      .replace(/\r\nDate: [^\r]*/, "")
      .replace(/"access_token":"[^"]*"/, '"access_token":"…"')
      .replaceAll(/\/refusals\/\w+/g, "/refusals/…")
      .replace(/content-length: \d+/, (text) => (got.includes("access_token") ? "content-length: …" : text));
  }

  const clientCredentials = formOf({ grant_type: "client_credentials" });
  const requests: readonly (readonly [title: string, make: () => Sent])[] = [
    ["discovery", () => ({ line: "GET /.well-known/openid-configuration" })],
    ["metadata of RFC 8414", () => ({ line: "GET /.well-known/oauth-authorization-server" })],
    ["the key set", () => ({ line: "GET /.well-known/jwks.json" })],
    ["a HEAD request", () => ({ line: "HEAD /.well-known/jwks.json" })],
    [
      "a conditional request",
      () => ({ line: "GET /.well-known/jwks.json", headers: { "if-none-match": "*" } }),
    ],
    ["a preflight", () => ({ line: "OPTIONS /oauth/token" })],
    ["a method that is not there", () => ({ line: "GET /oauth/token" })],
    ["a token", () => post("token", clientCredentials)],
    ["a token for no client", () => post("token", clientCredentials, { authorization: "Basic eDp5" })],
    ["a token by a broken header", () => post("token", clientCredentials, { authorization: "Basic %" })],
    ["a grant that is not there", () => post("token", "grant_type=password")],
    ["a repeated parameter", () => post("token", "grant_type=a&grant_type=b")],
    ["invalid percent-encoding", () => post("token", "grant_type=%")],
    ["broken UTF-8", () => post("token", "grant_type=\xff%FF")],
    ["a DPoP proof that is none", () => post("token", clientCredentials, { dpop: "x" })],
    ["a form of another type", () => post("token", "{}", { "content-type": "application/json" })],
    [
      "a form with a charset",
      () => post("token", clientCredentials, { "content-type": `${form["content-type"]};charset=utf-8` }),
    ],
    [
      "a form without a body",
      () => ({ line: "POST /oauth/token", headers: { ...form, authorization: basic } }),
    ],
    ["a form that is too large", () => post("token", `a=${"b".repeat(70_000)}`)],
    ["two hosts", () => post("token", clientCredentials, { Host: "id.example" })],
    ["introspection", () => post("introspect", formOf({ token: bearer }))],
    ["introspection of nothing", () => post("introspect", "token=%")],
    ["introspection by no client", () => post("introspect", "token=x", { authorization: "" })],
    ["a revocation", () => post("revoke", "token=x")],
    ["a revocation by no client", () => post("revoke", "token=x", { authorization: "Basic eDp5" })],
    ["userinfo", () => ({ line: "GET /oauth/userinfo", headers: { authorization: `Bearer ${bearer}` } })],
    ["userinfo by POST", () => post("userinfo", "a=b", { authorization: `Bearer ${bearer}` })],
    ["userinfo without a token", () => ({ line: "GET /oauth/userinfo" })],
    ["userinfo by no token", () => ({ line: "GET /oauth/userinfo", headers: { authorization: "Bearer x" } })],
  ];

  function post(endpoint: string, body: string, headers: Readonly<Record<string, string>> = {}): Sent {
    return { line: `POST /oauth/${endpoint}`, headers: { ...form, authorization: basic, ...headers }, body };
  }

  for (const [title, make] of requests) {
    test(`${title} is answered with the same bytes as by the framework, and counted once`, async () => {
      const sent = make();
      observed.length = 0;
      const fast = await answerTo(sent);
      const framework = await answerTo({ ...sent, line: `${sent.line}?` });
      assert.equal(fast, framework);
      assert.match(fast, /^HTTP\/1\.1 \d{3} /);
      const [first, ...others] = observed;
      assert.deepEqual(others, first === undefined ? [] : [first]);
    });
  }
});

test("F-7: discovery shows a change at once, and its last known state while the database does not respond", async () => {
  const it = await testApp();
  const members = async () => {
    const { statusCode, body } = await it.app.inject("/.well-known/openid-configuration");
    return [statusCode, body.includes("organization_parameter_supported")];
  };
  assert.deepEqual(await members(), [200, false]);
  await anApp(it.store, { organization_mode: "optional" });
  assert.deepEqual(await members(), [200, true]);
  mock.method(it.server.store, "hasOrganizationApp", () => new Promise(() => {}));
  mock.method(it.server.store, "isCurrent", () => false);
  assert.deepEqual(await members(), [200, true]);
});

describe("requests that the fast path decides on", () => {
  const taken: string[] = [];
  const parts = {
    otherwise: () => void taken.push("framework"),
    handed_over: new WeakMap(),
    admit: (_arrived: unknown, go: (leave: () => void) => void) => go(() => {}),
    exchanges: { begin: () => {}, end: () => {}, areEnding: () => false },
    clientAddress: () => "192.0.2.1",
    isUnusual: ({ headers }: IncomingMessage) => headers["x-forwarded-for"] !== undefined,
    newRequestId: () => "r",
    log: { debug: () => {} },
    metrics: undefined,
  };
  const json = async ({ origin }: EndpointRequest) => {
    taken.push(`fast ${origin.client_ip}`);
    return {};
  };
  const routes = [
    { method: "POST", path: "/oauth/token", headers: {}, answer: { json } },
    { method: "GET", path: "/oauth/userinfo", headers: {}, answer: { json } },
  ];
  const usual = {
    host: "id.example",
    "content-type": "application/x-www-form-urlencoded",
    "content-length": "3",
  };

  const cases: readonly (readonly [title: string, string, string, object, string])[] = [
    ["a form", "POST", "/oauth/token", usual, "fast 192.0.2.1"],
    ["a GET", "GET", "/oauth/userinfo", { host: "id.example" }, "fast 192.0.2.1"],
    ["a query", "POST", "/oauth/token?a=b", usual, "framework"],
    ["another method", "PUT", "/oauth/token", usual, "framework"],
    [
      "a body of unknown length",
      "POST",
      "/oauth/token",
      { ...usual, "transfer-encoding": "chunked" },
      "framework",
    ],
    ["a body over the limit", "POST", "/oauth/token", { ...usual, "content-length": "65537" }, "framework"],
    ["no body", "POST", "/oauth/token", { ...usual, "content-length": "0" }, "framework"],
    [
      "a GET with a body",
      "GET",
      "/oauth/userinfo",
      { host: "id.example", "content-length": "3" },
      "framework",
    ],
    ["JSON", "POST", "/oauth/token", { ...usual, "content-type": "application/json" }, "framework"],
    ["no host", "POST", "/oauth/token", { ...usual, host: undefined }, "framework"],
    ["an untrusted proxy", "POST", "/oauth/token", { ...usual, "x-forwarded-for": "192.0.2.1" }, "framework"],
  ];
  for (const [title, method, url, headers, expected] of cases) {
    test(`${title} takes this path: ${expected}`, async () => {
      taken.length = 0;
      const request = new IncomingMessage(new Socket());
      const pairs = Object.entries(headers).filter(([, value]) => value !== undefined);
      Object.assign(request, { method, url, rawHeaders: pairs.flat(), httpVersion: "1.1" });
      for (const [name, value] of pairs) request.headers[name] = value;
      const response = new ServerResponse(request);
      fastPath(routes, parts as never)(request, response);
      request.push("a=b");
      request.push(null);
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      assert.deepEqual(taken, [expected]);
    });
  }
});
