import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { createApp } from "../../src/app.ts";
import { proofAlgorithms } from "../../src/crypto/embedded_keys.ts";
import { token } from "../../src/oauth/token/token.ts";
import { aClientFixture, type ClientFixture, withSettings } from "../oauth/client_fixture.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { issuer } from "../support/authorization_server.ts";
import { aProof, aProofKey, dpopOn, userinfoUrl } from "../support/dpop.ts";
import { codeParameters, endpointRequest, formOf } from "../support/flows.ts";

const key = aProofKey();
const algs = proofAlgorithms.join(" ");
const apiUrl = `${issuer}/api/v1/me`;

describe("DPoP-bound tokens over HTTP", () => {
  let it: TestApp;
  let fixture: ClientFixture;
  let app: TestApp["app"];
  let off: TestApp["app"];
  let access_token: string;
  const counted: string[] = [];
  const metrics = {
    count: (name: string, labels: object) => void counted.push(`${name} ${JSON.stringify(labels)}`),
    observe() {},
  };

  const withPolicy = async (dpop_nonce: "clock" | "always", trust_proxy: readonly string[] = []) => {
    const { server } = withSettings(it, { ...dpopOn, dpop_nonce });
    const { identity } = it;
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const ready = async () => ({ ready: true, components: {} });
    const made = createApp({
      store: it.store,
      server,
      identity,
      log,
      metrics,
      secure: true,
      ready,
      trust_proxy,
    });
    await made.ready();
    return made;
  };

  before(async () => {
    it = await testApp();
    off = it.app;
    app = await withPolicy("clock");
    fixture = await aClientFixture(it, { allowed_scopes: ["openid", "postern:read"] });
    const form = codeParameters(fixture.app, await fixture.code({ scope: "openid postern:read" }));
    const request = { ...endpointRequest(form, fixture.authorization), dpop: await aProof(it, key) };
    ({ access_token } = await token(request, withSettings(it, dpopOn).server));
  });

  const ask = async (url: string, headers: Record<string, string>, at = app) => at.inject({ url, headers });
  const proofFor = (url: string, input = {}) =>
    aProof(it, key, { method: "GET", url, access_token, ...input });

  for (const [name, url, path] of [
    ["userinfo", userinfoUrl, "/oauth/userinfo"],
    ["the management API", apiUrl, "/api/v1/me"],
  ] as const) {
    test(`PR-52: ${name} accepts a bound token with its proof once, and never as a Bearer token`, async () => {
      const dpop = await proofFor(url);
      const good = await ask(path, { authorization: `dpop ${access_token}`, dpop });
      assert.equal(good.statusCode, 200, good.body);
      counted.length = 0;
      const again = await ask(path, { authorization: `DPoP ${access_token}`, dpop });
      assert.equal(again.statusCode, 401);
      assert.deepEqual(counted, ['postern_replays_total {"kind":"dpop_proof"}']);
      assert.match(
        String(again.headers["www-authenticate"]),
        new RegExp(`^DPoP realm="${issuer}", error="invalid_dpop_proof".*algs="${algs}"$`),
      );
      for (const headers of [{}, { dpop: await proofFor(url) }]) {
        const bearer = await ask(path, { authorization: `Bearer ${access_token}`, ...headers });
        assert.equal(bearer.statusCode, 401, bearer.body);
        assert.match(String(bearer.headers["www-authenticate"]), /error="invalid_token"/);
      }
      const bare = await ask(path, { authorization: `DPoP ${access_token}` });
      assert.equal(bare.statusCode, 401);
    });

    test(`PR-48: ${name} answers a proof without a nonce with 401 and a nonce, and the retry succeeds`, async () => {
      const iat = Math.floor(it.clock.now().getTime() / 1000) - 3600;
      const authorization = `DPoP ${access_token}`;
      const first = await ask(path, { authorization, dpop: await proofFor(url, { claims: { iat } }) });
      assert.equal(first.statusCode, 401);
      assert.match(String(first.headers["www-authenticate"]), /^DPoP .*error="use_dpop_nonce"/);
      const nonce = first.headers["dpop-nonce"];
      assert.equal(typeof nonce, "string");
      const next = await ask(path, { authorization, dpop: await proofFor(url, { claims: { iat, nonce } }) });
      assert.equal(next.statusCode, 200, next.body);
    });
  }

  test("PR-32: if DPoP is disabled, the scheme is refused and no response mentions it", async () => {
    for (const url of ["/oauth/userinfo", "/api/v1/me"]) {
      const answer = await ask(url, { authorization: `DPoP ${access_token}`, dpop: "x" }, off);
      assert.equal(answer.statusCode, 401);
      assert.doesNotMatch(JSON.stringify(answer.headers), /dpop/i);
    }
    const options = { method: "OPTIONS", url: "/oauth/token" } as const;
    const [without, withIt] = [await off.inject(options), await app.inject(options)];
    assert.equal(without.headers["access-control-allow-headers"], "Authorization, Content-Type");
    assert.equal(withIt.headers["access-control-allow-headers"], "Authorization, Content-Type, DPoP");
    assert.equal(withIt.headers["access-control-expose-headers"], "WWW-Authenticate, DPoP-Nonce");
  });

  const elsewhere = "evil.example";
  /** Headers in which a client or a misconfigured proxy names another target. */
  const claims: Readonly<Record<string, Record<string, string>>> = {
    none: {},
    Host: { host: elsewhere },
    "X-Forwarded-Host": { "x-forwarded-host": elsewhere },
    "X-Forwarded-Proto": { "x-forwarded-proto": "http" },
    "X-Forwarded-Port": { "x-forwarded-port": "8443" },
    "X-Forwarded-Prefix": { "x-forwarded-prefix": "/evil" },
    "X-Original-URL": { "x-original-url": "/evil", "x-rewrite-url": "/evil" },
    Forwarded: { forwarded: `for=192.0.2.60;proto=http;host=${elsewhere}` },
    all: {
      host: elsewhere,
      "x-forwarded-host": elsewhere,
      "x-forwarded-proto": "http",
      "x-forwarded-port": "8443",
      forwarded: `host=${elsewhere};proto=http`,
    },
  };
  /** The origins that the server would derive if it trusted one of these headers. */
  const forged = [
    `https://${elsewhere}`,
    `http://${elsewhere}`,
    `https://${elsewhere}:8443`,
    issuer.replace("https:", "http:"),
    `${issuer}:8443`,
    `${issuer}/evil`,
  ];
  for (const trusted of [false, true])
    test(`PR-47: the Host header of a client or proxy does not change the expected htu, ${trusted ? "with" : "without"} a trusted proxy`, async () => {
      const behind = await withPolicy("clock", trusted ? ["127.0.0.1/32"] : []);
      const machine = await aClientFixture(it, {
        allowed_grants: ["client_credentials"],
        allowed_scopes: ["orders:read"],
      });
      for (const [name, headers] of Object.entries(claims)) {
        for (const path of ["/oauth/userinfo", "/api/v1/me"]) {
          const send = async (base: string) => {
            const dpop = await proofFor(`${base}${path}`);
            return ask(path, { ...headers, authorization: `DPoP ${access_token}`, dpop }, behind);
          };
          const own = await send(issuer);
          assert.equal(own.statusCode, 200, `${name}: ${own.body}`);
          for (const base of forged) {
            const { statusCode, headers: answered } = await send(base);
            assert.equal(statusCode, 401, `${name}: ${base}`);
            const reported = String(answered["www-authenticate"]);
            assert.match(reported, /error="invalid_dpop_proof"/, `${name}: ${base}`);
          }
        }
        const post = async (base: string) =>
          behind.inject({
            method: "POST",
            url: "/oauth/token",
            headers: {
              ...headers,
              authorization: machine.authorization,
              "content-type": "application/x-www-form-urlencoded",
              dpop: await aProof(it, key, { url: `${base}/oauth/token` }),
            },
            payload: formOf({ grant_type: "client_credentials", scope: "orders:read" }),
          });
        assert.equal((await post(issuer)).json().token_type, "DPoP", name);
        for (const base of forged) {
          const { error, error_description } = (await post(base)).json();
          assert.equal(error, "invalid_dpop_proof", `${name}: ${base}`);
          assert.match(error_description, new RegExp(`must be ${issuer}/oauth/token$`));
        }
      }
    });

  test("PR-46: over the wire, two DPoP headers, or one that is too large or split, are not a proof", async () => {
    const listening = await withPolicy("clock");
    const url = await listening.listen({ host: "127.0.0.1", port: 0 });
    const send = async (...proofs: string[]) => {
      const lines = proofs.flatMap((proof) => ["DPoP", proof]);
      const headers = ["Host", new URL(url).host, "Authorization", `DPoP ${access_token}`, ...lines];
      const request = httpRequest(`${url}/oauth/userinfo`, { headers, agent: false });
      request.end();
      const [answer] = (await once(request, "response")) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    const proof = () => proofFor(userinfoUrl);
    assert.equal(await send(await proof()), 200);
    const twice = await proof();
    for (const proofs of [
      [twice, twice],
      [twice, await proof()],
      [twice, ""],
      ["", twice],
      [`${twice},`],
      [`${twice},${twice}`],
      [`${twice} ${twice}`],
      [`${"x".repeat(9000)}.e30.e30`],
    ]) {
      assert.equal(await send(...proofs), 401, proofs.join(" | ").slice(0, 200));
    }
    assert.equal(await send("x".repeat(17_000)), 431);
    assert.equal(await send(twice), 200, "none of them counted as a use");
    await listening.close();
  });

  test("PR-92: any value of the DPoP header or dpop_jkt is refused without a server error", async () => {
    const proof = await proofFor(userinfoUrl);
    const [header = "", claims = "", signature = ""] = proof.split(".");
    const json = (value: unknown) => Buffer.from(JSON.stringify(value) ?? "").toString("base64url");
    const part = fc.oneof(
      fc.constantFrom(header, claims, signature, "", "e30", "bnVsbA", "W10"),
      fc.json({ maxDepth: 3 }).map((text) => json(JSON.parse(text))),
      fc.string({ maxLength: 40 }),
    );
    const nonsense = fc
      .oneof(
        fc.tuple(part, part, part).map((parts) => parts.join(".")),
        fc.constantFrom(
          `${proof}, ${proof}`,
          `${proof}.`,
          `.${proof}`,
          proof.toUpperCase(),
          "x".repeat(9000),
        ),
      )
      // Node does not send other characters in a header.
      .map((text) => text.replaceAll(/[^\x20-\x7e]/g, "?"))
      .filter((text) => text !== proof);
    const authorization = `DPoP ${access_token}`;
    await fc.assert(
      fc.asyncProperty(nonsense, async (dpop) => {
        for (const path of ["/oauth/userinfo", "/api/v1/me"]) {
          const { statusCode, body } = await ask(path, { authorization, dpop });
          assert.equal(statusCode, 401, body);
        }
        const payload = formOf({
          grant_type: "authorization_code",
          code: "x",
          client_id: fixture.app.client_id,
        });
        const headers = { "content-type": "application/x-www-form-urlencoded", dpop };
        const reported = await app.inject({ method: "POST", url: "/oauth/token", headers, payload });
        assert.ok(reported.statusCode >= 400 && reported.statusCode < 500, reported.body);
        const url = `/oauth/authorize?${formOf({ client_id: fixture.app.client_id, dpop_jkt: dpop })}`;
        assert.ok((await app.inject(url)).statusCode < 500);
      }),
      { numRuns: 60 },
    );
  });
});
