import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { createOutbox, type Outbox } from "../../src/ops/mail.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import {
  aPerson,
  cookieOf,
  hiddenField,
  signInAs,
  type TestApp,
  type TestBrowser,
  testApp,
  testBrowser,
} from "../support/app.ts";
import { anApp, anOpenClient, aResource } from "../support/builders.ts";
import { codePoint, uriPath, uriQuery } from "../support/code_point.ts";
import { authorizeParameters, credentialsOf, type Parameters as Form, formOf } from "../support/flows.ts";
import { inForm } from "../support/form.ts";
import { listed } from "../support/listed.ts";
import { withoutConversions } from "../support/without_conversions.ts";

const paths = listed`
  / /account /account/sessions /account/apps /account/linked-accounts /account/api-keys
  /account/organizations /oauth/authorize /oauth/token /oauth/par /oauth/register /oauth/introspect
  /oauth/revoke /oauth/userinfo /oauth/logout /login /logout /consent /setup /forgot-password
  /reset-password /.well-known/openid-configuration /.well-known/oauth-authorization-server
  /.well-known/oauth-authorization-server/api/v1 /.well-known/oauth-protected-resource
  /.well-known/oauth-protected-resource/api/v1 /.well-known/jwks.json /healthz /assets/style.css
  /__proto__ /constructor /api/v1/users /% /..;/
`;
const names = [
  ...listed`
    client_id client_secret client_assertion client_assertion_type redirect_uri response_type scope
    state nonce prompt max_age resource code_challenge code_challenge_method id_token_hint dpop_jkt
    request request_uri response_mode claims grant_type code code_verifier refresh_token token
    token_type_hint access_token email password password_again redirect csrf_token decision account
    confirmed post_logout_redirect_uri name __proto__ constructor toString a[b]
  `,
  "",
  "\0",
  "é",
];
const values = [
  ...listed`
    code authorization_code refresh_token client_credentials openid none login select_account S256
    plain 0 -1 __proto__ constructor toString //evil javascript:alert(1) pac_ prt_x pse_x pot_x a.b.c
    /oauth/authorize?prompt=login e30.e30.e30 https://app.example/cb urn:ietf:params:oauth:request_uri:
    urn:ietf:params:oauth:request_uri:x form_post allow deny continue another yes nobody@example.com
  `,
  ...["", "none login", "\0", "\r\nx: y", "\ud800", "' OR 1=1 --"],
  ...["9".repeat(400), "😀".repeat(300)],
];
const formType = "application/x-www-form-urlencoded";
const types = [
  ...["application/x-www-form-urlencoded", "application/x-www-form-urlencoded; charset=utf-16"],
  ...["application/json", "text/plain", "multipart/form-data; boundary=x", "", ";", "a/b; c"],
  ...["application/x-www-form-urlencoded, x"],
];

describe("H-1: no request causes a 5xx", () => {
  let it: TestApp;
  let client: OAuthApp;
  let open: OAuthApp;
  let authorization: string;
  let browser: TestBrowser;
  let csrf_token: string;
  let mail: Outbox;
  /** Log messages of mails that could not be created. */
  const unmade: string[] = [];
  before(async () => {
    const log = { warn() {}, error: (_: object, message: string) => unmade.push(message) };
    mail = createOutbox({ log, metrics: { count() {} }, now: () => new Date() });
    it = await testApp({
      throttle: false,
      mail,
      settings: {
        profiles: ["mcp"],
        registration: "open",
        extra_features: ["par", "dpop", "form_post"],
        extra_client_auth: ["private_key_jwt"],
      },
    });
    client = await anApp(it.store, { allowed_grants: ["auth_code", "refresh", "client_credentials"] });
    authorization = String(await credentialsOf(it, client));
    open = await anApp(it.store, anOpenClient);
    await aResource(it.store, { who_may_ask: "any", scopes: { "tools:read": null } });
    browser = testBrowser(it.app);
    await signInAs(browser, await aPerson(it));
    csrf_token = hiddenField(await browser.get("/account"), "csrf_token");
  });

  const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD" as const);
  const path = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...paths) },
    { weight: 1, arbitrary: uriPath },
  );
  const value = fc.oneof(fc.constantFrom(...values), fc.string({ unit: codePoint, maxLength: 60 }));
  const pair = fc.tuple(fc.constantFrom(...names), value).map(([name, text]) => {
    const encode = (part: string) => encodeURIComponent(part.toWellFormed());
    return `${encode(name)}=${encode(text)}`;
  });
  const pairs = fc.array(pair, { maxLength: 8 });
  const broken = fc.constantFrom(
    ...listed`
      % %zz=1 a=%c3%28 = && %00=1 a=b;c=d + __proto__=1&__proto__=2
    `,
  );
  const form = fc.oneof(
    { weight: 5, arbitrary: pairs.map((list) => list.join("&")) },
    { weight: 1, arbitrary: fc.tuple(pairs, broken).map(([list, piece]) => [...list, piece].join("&")) },
  );
  /** Text that is added before or after valid parameters. */
  const nearly = fc.tuple(form, fc.constantFrom(0, 1)).map(([more, which]) => ({ more, which }));
  const body = fc.oneof(
    { weight: 6, arbitrary: form.map((text) => Buffer.from(text)) },
    { weight: 2, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: fc.constant(Buffer.alloc(70_000, "x")) },
  );
  const credential = fc.oneof(
    fc.constantFrom("none", "right"),
    fc.constantFrom(
      ...["Basic", "Basic !!!", "Basic Og==", "Bearer", "Bearer x", "Bearer a.b.c", "Negotiate x"],
      ...["basic 4oKs", ""],
    ),
    fc.string({ maxLength: 40 }).map((text) => `Basic ${Buffer.from(text).toString("base64")}`),
  );
  const cookie = fc.constantFrom(
    ...["none", "right", "__Host-postern_session=pse_x", "=; ;=", "__proto__=1", "__Host-postern_form=%"],
  );

  const headersOf = (of: { credential: string; cookie: string; type?: string }) => ({
    ...(of.type !== undefined && { "content-type": of.type }),
    ...(of.credential !== "none" && {
      authorization: of.credential === "right" ? authorization : of.credential,
    }),
    ...(of.cookie !== "none" && {
      cookie: of.cookie === "right" ? cookieOf(browser) : of.cookie,
    }),
  });

  const postForm = (url: string, payload: string, overrides: Partial<Parameters<typeof headersOf>[0]> = {}) =>
    it.app.inject({
      method: "POST",
      url,
      headers: headersOf({ credential: "none", cookie: "none", type: formType, ...overrides }),
      payload,
    });
  /** Returns valid parameters with other text before or after them. */
  const mixed = (right: Form, { more, which }: { more: string; which: number }) =>
    which === 0 ? `${formOf(right)}&${more}` : `${more}&${formOf(right)}`;

  test("H-1: requests with any method, path, query, body, content type, credentials and cookies", async () => {
    const request = fc.record({
      method,
      path,
      query: form,
      body,
      type: fc.constantFrom(...types),
      credential,
      cookie,
    });
    await fc.assert(
      fc.asyncProperty(request, async (sent) => {
        const bodyless = sent.method === "GET" || sent.method === "HEAD";
        const answer = await it.app.inject({
          method: sent.method as "GET",
          url: `${sent.path}?${sent.query}`,
          headers: headersOf(sent),
          ...(!bodyless && { payload: sent.body }),
        });
        assert.ok(answer.statusCode < 500, `${answer.statusCode} ${answer.body}`);
        const isRevocation = sent.path === "/oauth/revoke" && sent.method === "POST";
        if (isRevocation) assert.equal(`${answer.statusCode} ${answer.body}`, "200 {}");
        if (/^\/oauth\/(?:token|par)/.test(sent.path) && answer.body !== "") JSON.parse(answer.body);
        assert.doesNotMatch(answer.body, /\bat .+\.[jt]s:\d+|node_modules|SQLITE/);
      }),
      { numRuns: inForm(500, 1500) },
    );
  });

  test("H-1, A-28: authorization requests that are partly valid", async () => {
    await fc.assert(
      fc.asyncProperty(nearly, cookie, async (sent, who) => {
        const query = mixed(authorizeParameters(client), sent);
        const headers = headersOf({ credential: "none", cookie: who });
        const answer = await it.app.inject({ url: `/oauth/authorize?${query}`, headers });
        assert.ok([200, 302, 400, 414].includes(answer.statusCode), String(answer.statusCode));
        const { location } = answer.headers;
        if (location === undefined) return;
        assert.ok(
          /^(\/login\?redirect=|https:\/\/app\.example\/cb\?)/.test(String(location)),
          String(location),
        );
        assert.match(String(location), /^[\x21-\x7e]+$/);
      }),
      { numRuns: inForm(130, 400) },
    );
  });

  test("H-1: forms of this server that are partly valid", async () => {
    const where = fc.constantFrom(
      ...listed`
        /login /consent /logout /oauth/logout /setup /forgot-password /reset-password
      `,
    );
    await fc.assert(
      fc.asyncProperty(where, pairs, async (url, list) => {
        const own = list.filter((text) => !text.startsWith("csrf_token"));
        const payload = [...own, `csrf_token=${csrf_token}`].join("&");
        const answer = await postForm(url, payload, { cookie: "right" });
        assert.ok(answer.statusCode < 500, `${answer.statusCode} ${answer.body}`);
      }),
      { numRuns: inForm(130, 400) },
    );
    await mail.settled();
    assert.deepEqual(unmade, []);
  });

  test("T-12: token requests that are partly valid", async () => {
    await fc.assert(
      fc.asyncProperty(nearly, credential, async ({ more }, who) => {
        const payload = `grant_type=client_credentials&${more}`;
        const answer = await postForm("/oauth/token", payload, { credential: who });
        assert.ok([200, 400, 401].includes(answer.statusCode), String(answer.statusCode));
        assert.equal(answer.headers["cache-control"], "no-store");
        if (answer.statusCode !== 200) assert.equal(typeof answer.json().error_description, "string");
      }),
      { numRuns: inForm(130, 400) },
    );
  });

  test("PR-92: partly valid client assertions, at each endpoint that accepts one", async () => {
    const type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    const part = fc
      .oneof(fc.json(), fc.string(), fc.string({ unit: codePoint }))
      .map((text) => Buffer.from(text).toString("base64url"));
    const sound = (claims: object) =>
      [{ alg: "ES256", kid: "k" }, claims, {}]
        .map((value) => Buffer.from(JSON.stringify(value)).toString("base64url"))
        .join(".");
    const claims = fc.dictionary(fc.constantFrom("iss", "sub", "aud", "exp", "jti"), fc.jsonValue());
    const assertion = fc.oneof(
      fc.tuple(part, part, part).map((parts) => parts.join(".")),
      claims.map(sound),
      fc.string().map((name) => sound({ iss: name, sub: name })),
    );
    await fc.assert(
      fc.asyncProperty(assertion, nearly, fc.nat(3), async (client_assertion, { more }, which) => {
        const url = ["/oauth/token", "/oauth/par", "/oauth/introspect", "/oauth/revoke"][which] ?? "";
        const form = formOf({ client_assertion_type: type, client_assertion, token: "x" });
        const answer = await postForm(url, `${form}&grant_type=client_credentials&${more}`);
        assert.ok([400, 401, ...(which === 3 ? [200] : [])].includes(answer.statusCode), answer.payload);
        assert.equal(answer.headers["cache-control"], "no-store");
      }),
      { numRuns: inForm(100, 300) },
    );
  });

  test("PR-92: any text after the path of a metadata document, and any preflight", async () => {
    const known = [
      ...["openid-configuration", "oauth-authorization-server", "oauth-protected-resource"],
      ...["oauth-protected-resource/api/v1", "jwks.json"],
    ];
    const rest = fc.oneof(
      fc.constantFrom(
        "",
        ...listed`
          / // /api/v1 /api/v1/ /%2e%2e/api /.. /%00 /% ?a=1&a=2 #x
        `,
      ),
      uriPath,
      uriQuery,
      value.map((text) => `/${encodeURIComponent(text.toWellFormed())}`),
    );
    const names = fc.oneof(value, fc.constantFrom("authorization", "*", "dpop, dpop", "x".repeat(5000)));
    const header = names.map((text) => text.replaceAll(/[^\t\x20-\x7e]/g, ""));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...known), rest, method, header, async (name, tail, verb, sent) => {
        const answer = await it.app.inject({
          method: verb as "GET",
          url: `/.well-known/${name}${tail}`,
          headers: {
            origin: "https://elsewhere.example",
            "access-control-request-method": "POST",
            "access-control-request-headers": sent,
          },
        });
        const { statusCode, headers, body } = answer;
        assert.ok([200, 204, 400, 404, 405, 414].includes(statusCode), `${statusCode} ${body}`);
        assert.equal(headers["access-control-allow-credentials"], undefined);
        assert.ok([undefined, "*"].includes(headers["access-control-allow-origin"] as string));
        if (body !== "") JSON.parse(body);
        if (statusCode === 204) {
          const allowed = String(headers["access-control-allow-headers"]);
          const usual = "Authorization, Content-Type, Accept, MCP-Protocol-Version, DPoP";
          assert.ok(allowed === usual || allowed.startsWith(`${usual}, `), allowed);
          assert.match(allowed, /^[!#$%&'*+.^_`|~\w-]{1,64}(?:, [!#$%&'*+.^_`|~\w-]{1,64}){1,40}$/);
        }
      }),
      { numRuns: inForm(100, 300) },
    );
  });

  for (const who of ["a client", "an open client"])
    test(`PR-92: partly valid pushed requests of ${who}`, async () => {
      const right =
        who === "a client"
          ? authorizeParameters(client)
          : { ...authorizeParameters(open, { scope: "tools:read" }), client_id: open.client_id };
      const proof = who === "a client" ? credential : fc.constant("none");
      await fc.assert(
        fc.asyncProperty(nearly, proof, async (sent, proven) => {
          const answer = await postForm("/oauth/par", mixed(right, sent), { credential: proven });
          assert.ok([201, 400, 401].includes(answer.statusCode), String(answer.statusCode));
          assert.equal(answer.headers["cache-control"], "no-store");
          assert.equal(answer.headers.location, undefined);
          const { request_uri, error_description } = answer.json();
          assert.equal(typeof (answer.statusCode === 201 ? request_uri : error_description), "string");
        }),
        { numRuns: inForm(100, 300) },
      );
    });

  test("PR-92: registrations that are partly valid", async () => {
    const members = listed`
      redirect_uris client_name grant_types response_types token_endpoint_auth_method application_type
      scope jwks jwks_uri contacts client_uri software_id software_statement dpop_bound_access_tokens
      __proto__ constructor
    `;
    const text = value.map((each) => each.toWellFormed());
    const said = fc.oneof(text, fc.array(text, { maxLength: 4 }), fc.jsonValue());
    const more = fc.dictionary(fc.constantFrom(...members), said, { maxKeys: 4 });
    const registration = fc.tuple(more, fc.boolean()).map(([overrides, right]) => ({
      ...(right && { redirect_uris: ["https://client.example/cb"], token_endpoint_auth_method: "none" }),
      ...overrides,
    }));
    const sent = fc.oneof(
      { weight: 5, arbitrary: registration.map((each) => JSON.stringify(each)) },
      { weight: 1, arbitrary: fc.constantFrom("", "{", "[]", "null", '{"a":1,"a":2}', "[".repeat(5000)) },
      { weight: 1, arbitrary: fc.string({ unit: codePoint }) },
    );
    const reported: number[] = [];
    async function register(payload: string): Promise<void> {
      const answer = await it.app.inject({
        method: "POST",
        url: "/oauth/register",
        headers: { "content-type": "application/json" },
        payload,
      });
      const { client_id, error, error_description } = answer.json();
      assert.ok(
        [201, 400, 413].includes(answer.statusCode),
        `${answer.statusCode} ${answer.body} ${payload}`,
      );
      assert.equal(answer.headers["cache-control"], "no-store");
      const isRegistered = answer.statusCode === 201;
      assert.equal(typeof (isRegistered ? client_id : error_description), "string");
      assert.equal(error === undefined, isRegistered);
      reported.push(answer.statusCode);
    }
    const sound = { redirect_uris: ["https://client.example/cb"], token_endpoint_auth_method: "none" };
    const signs = { ...sound, token_endpoint_auth_method: "private_key_jwt" };
    for (const said of withoutConversions) {
      for (const name of members) await register(JSON.stringify({ ...sound, [name]: said }));
      await register(JSON.stringify({ ...signs, jwks: { keys: said } }));
      for (const name of ["kty", "crv", "x", "y", "n", "e", "alg", "use", "kid"])
        await register(JSON.stringify({ ...signs, jwks: { keys: [{ kty: "EC", kid: "k", [name]: said }] } }));
    }
    await fc.assert(fc.asyncProperty(sent, register), { numRuns: inForm(130, 400) });
    assert.ok(reported.includes(201) && reported.includes(400), "some of them are right");
  });

  test("H-1: JWTs with a value that cannot be converted to text, at every place that accepts a JWT", async () => {
    const text = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    for (const value of withoutConversions)
      for (const name of ["alg", "kid", "typ", "crit", "iss", "sub", "aud", "exp", "iat", "sid"]) {
        const header = text({ alg: "RS256", kid: "k", [name]: value });
        const jwt = `${header}.${text({ iss: "x", aud: "x", exp: 1, [name]: value })}.AAAA`;
        const authorization = `Bearer ${jwt}`;
        const answers = [
          await it.app.inject({ url: "/oauth/userinfo", headers: { authorization } }),
          await it.app.inject({ url: "/api/v1/me", headers: { authorization } }),
          await it.app.inject({ url: `/oauth/logout?id_token_hint=${jwt}` }),
          await it.app.inject({
            url: `/oauth/authorize?${formOf({ ...authorizeParameters(client), id_token_hint: jwt })}`,
          }),
          await postForm("/oauth/introspect", formOf({ token: jwt }), { credential: "right" }),
          await postForm("/oauth/revoke", formOf({ token: jwt }), { credential: "right" }),
        ];
        for (const { statusCode, body } of answers)
          assert.ok(statusCode < 500, `${name} ${statusCode} ${body}`);
      }
  });

  test("PR-92: request_uri values that are partly valid", async () => {
    const reference = fc.tuple(form, value, fc.boolean());
    await fc.assert(
      fc.asyncProperty(reference, cookie, async ([more, tail, first], who) => {
        const uri = `urn:ietf:params:oauth:request_uri:${tail.toWellFormed()}`;
        const query = mixed(
          { client_id: client.client_id, request_uri: uri },
          { more, which: first ? 0 : 1 },
        );
        const headers = headersOf({ credential: "none", cookie: who });
        const answer = await it.app.inject({ url: `/oauth/authorize?${query}`, headers });
        assert.ok([400, 414].includes(answer.statusCode), String(answer.statusCode));
        assert.equal(answer.headers.location, undefined);
      }),
      { numRuns: inForm(100, 300) },
    );
  });

  test("PR-92: a client_id that is a URL where no client document may be", async () => {
    await aResource(it.store, { who_may_ask: "any" });
    const begins = fc.constantFrom("https://me@", "https://x.example/#", "https://x.example/../", "HTTPS://");
    await fc.assert(
      fc.asyncProperty(begins, value, form, cookie, async (begin, tail, more, who) => {
        const right = formOf({ ...authorizeParameters(client), client_id: `${begin}${tail.toWellFormed()}` });
        const headers = headersOf({ credential: "none", cookie: who });
        const page = await it.app.inject({ url: `/oauth/authorize?${right}&${more}`, headers });
        assert.ok([400, 414].includes(page.statusCode), String(page.statusCode));
        assert.equal(page.headers.location, undefined);
        for (const url of ["/oauth/par", "/oauth/token"]) {
          const payload = `${right}&grant_type=refresh_token&refresh_token=x&${more}`;
          const answer = await postForm(url, payload);
          assert.ok([400, 401].includes(answer.statusCode), `${url} ${answer.statusCode}`);
          assert.equal(typeof answer.json().error, "string");
        }
      }),
      { numRuns: inForm(60, 200) },
    );
    assert.equal(await it.store.count("oauth_apps", { provenance: "metadata_document" }), 0);
  });
});
