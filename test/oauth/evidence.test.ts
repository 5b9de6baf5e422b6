import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import fc from "fast-check";
import { newShortId, readShortId } from "../../src/crypto/short_ids.ts";
import { type ConcernedApp, type Evidence, type EvidenceSource, OAuthError } from "../../src/errors.ts";
import { authorize } from "../../src/oauth/authorize/authorize.ts";
import { readForm } from "../../src/oauth/core/params.ts";
import * as assertion from "../../src/oauth/refusals/assertion_refusals.ts";
import * as authorization from "../../src/oauth/refusals/authorization_refusals.ts";
import * as document from "../../src/oauth/refusals/client_document_refusals.ts";
import * as client from "../../src/oauth/refusals/client_refusals.ts";
import { whyEnded } from "../../src/oauth/refusals/credential_evidence.ts";
import * as grant from "../../src/oauth/refusals/grant_refusals.ts";
import { nearestFirst } from "../../src/oauth/refusals/nearest.ts";
import { recordRefusal } from "../../src/oauth/refusals/note_refusal.ts";
import * as proof from "../../src/oauth/refusals/proof_refusals.ts";
import { type EvidenceMade, type RefusalKind, refusalKinds } from "../../src/oauth/refusals/refuse.ts";
import * as registration from "../../src/oauth/refusals/registration_refusals.ts";
import * as request from "../../src/oauth/refusals/request_refusals.ts";
import * as signal from "../../src/oauth/refusals/signal_refusals.ts";
import * as upstream from "../../src/oauth/refusals/upstream_refusals.ts";
import { truncate, withoutSecrets } from "../../src/oauth/refusals/without_secrets.ts";
import { token } from "../../src/oauth/token/token.ts";
import type { Refusal } from "../../src/records/definition/definition.ts";
import { type EvidenceKind, evidenceFacts, evidenceKinds } from "../../src/records/names/evidence.ts";
import { firstDifference } from "../../src/web/explained_evidence.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { aKeyPair, anApp, anOrganization, aToken } from "../support/builders.ts";
import { codePoint } from "../support/code_point.ts";
import { describeInForm } from "../support/databases.ts";
import { authorizeParameters, basic, endpointRequest, formOf, origin } from "../support/flows.ts";
import { assertLinear, larger } from "../support/growth.ts";
import { listed } from "../support/listed.ts";
import { aClientFixture } from "./client_fixture.ts";

function refused(evidence: EvidenceSource, app?: ConcernedApp) {
  const error = { code: "invalid_request", description: "a description", evidence, app } as const;
  return { endpoint: "/oauth/token", error, origin };
}

async function kept({ store }: TestServer): Promise<Refusal[]> {
  await store.flushRefusals();
  return store.list("refusals");
}

describeInForm("the stored explanation of a refused request", (database) => {
  test("a refusal is stored with its evidence, and can be found by its short id", async () => {
    const it = await testServer(await database.open(), { refusal_retention: 3 });
    const organization = await anOrganization(it.store);
    const app = await anApp(it.store, { organization_id: organization.id });
    const evidence = [{ kind: "scope", name: "scope", received: ["a", "b"], expected: ["a"] }];
    const short_id = recordRefusal({ ...refused(() => evidence, app), user_id: app.owner_id }, it.server);
    const [row] = await kept(it);
    assert.deepEqual(row, {
      id: row?.id,
      short_id,
      endpoint: "/oauth/token",
      error: "invalid_request",
      description: "a description",
      app_id: app.id,
      user_id: app.owner_id,
      evidence,
      ...origin,
      created_at: it.clock.now(),
      expires_at: new Date(it.clock.now().getTime() + 3 * 86_400_000),
    });
  });

  test("if the evidence cannot be computed, the refusal is stored without it and the request is unaffected", async () => {
    const it = await testServer(await database.open());
    const broken = () => {
      throw new Error("no evidence");
    };
    recordRefusal(refused(broken), it.server);
    recordRefusal(
      refused(async () => broken()),
      it.server,
    );
    const unfit = [{ kind: "scope", name: "scope", received: [undefined as never], expected: null }];
    recordRefusal(
      refused(() => unfit),
      it.server,
    );
    recordRefusal(
      refused(async () => unfit),
      it.server,
    );
    const unstorable = [{ kind: "missing", name: "x\0\ud800", received: null, expected: null }];
    recordRefusal(
      refused(() => unstorable),
      it.server,
    );
    await new Promise((resolve) => setImmediate(resolve));
    const evidence = (await kept(it)).map((row) => row.evidence.length);
    assert.deepEqual(evidence.toSorted(), [0, 0, 0, 0, 1]);
  });

  test("everything that ended an authorization code is found after the response was sent", async () => {
    const it = await testServer(await database.open());
    const { app, code, exchange, who, user } = await aClientFixture(it);
    const value = await code();
    await it.store.endSession(who.session.id, it.clock.now());
    await it.store.update("oauth_consents", { user_id: user.id, app_id: app.id }, { revoked: true });
    const error: unknown = await exchange(value).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof OAuthError);
    assert.deepEqual(error.app, { id: app.id, organization_id: null });
    assert.deepEqual(
      (await error.evidence()).map(({ kind, name, received }) => [kind, name, received]),
      [
        ["ended", "code", "session_ended"],
        ["ended", "code", "consent_ended"],
      ],
    );
  });

  test("the evidence for a service account's token names an ended account, organization or key", async () => {
    const it = await testServer(await database.open());
    const { id: app_id } = await anApp(it.store);
    const key = await aKeyPair(it.store);
    const { service_account_id } = key;
    const account = await it.store.find("service_accounts", { id: service_account_id });
    assert.ok(account !== undefined);
    const request_data = JSON.stringify({ key_pair_id: key.id });
    const row = await aToken(it.store, { app_id, user_id: null, service_account_id, request_data });
    const reported = async () =>
      (await whyEnded("access_token", { dependency: row, server: it.server })).map(
        ({ received }) => received,
      );
    assert.deepEqual(await reported(), []);
    await it.store.update("organizations", { id: account.organization_id }, { active: false });
    assert.deepEqual(await reported(), ["service_account_ended"]);
    await it.store.update("service_accounts", { id: account.id }, { active: false });
    await it.store.update("service_account_key_pairs", { id: key.id }, { revoked: true });
    assert.deepEqual(await reported(), ["service_account_ended", "key_pair_ended"]);
  });

  test("C-4: while the response is computed, a refusal makes no database query that a success would not make", async () => {
    const it = await testServer(await database.open());
    const app = await anApp(it.store);
    const calls: string[] = [];
    const store = new Proxy(it.store, {
      get(target, name: keyof typeof it.store) {
        const value = target[name];
        if (typeof value !== "function") return value;
        return (...input: never[]) => {
          calls.push(name);
          return (value as (...input: never[]) => unknown)(...input);
        };
      },
    });
    const server = { ...it.server, store };
    const during = async (work: () => Promise<unknown>) => {
      calls.length = 0;
      await work().catch(() => {});
      return [...calls];
    };
    for (const client_id of [app.client_id, "nobody"]) {
      const request = endpointRequest({ grant_type: "client_credentials" }, basic(client_id, "wrong"));
      assert.deepEqual(await during(() => token(request, server)), ["findClient"]);
    }
    const url = `/oauth/authorize?${formOf(authorizeParameters(app, { response_type: "token", prompt: "none" }))}`;
    const params = readForm(url.slice(url.indexOf("?") + 1));
    const requested = await during(() => authorize({ params, url, signedIn: undefined, origin }, server));
    assert.deepEqual(requested, ["findClient", "increment", "queueRefusal"]);
  });
});

describe("evidence contains no credential", () => {
  test("personal data and the values of secret parameters are removed from URLs", () => {
    for (const [address, shown] of [
      ["https://app.example/cb?a=1&b=%20", "https://app.example/cb?a=1&b=%20"],
      ["https://ada:pw@app.example/cb", "https://…@app.example/cb"],
      ["https:ada:pw@app.example/cb", "https:…@app.example/cb"],
      ["//ada@app.example", "//…@app.example"],
      ["https://app.example/@me", "https://app.example/@me"],
      ["https://app.example/?token=x&a=1", "https://app.example/?token=…&a=1"],
      ["https://app.example/?%74oken=x", "https://app.example/?%74oken=…"],
      ["https://app.example/?a=1#access_token=x", "https://app.example/?a=1#access_token=…"],
      ["https://app.example/?to=https%3A%2F%2Fx%2F%3Fapi_key%3Dy", "https://app.example/?to=…"],
      ["https://app.example/?to=%252F%253Fpassword%253Dy", "https://app.example/?to=…"],
      ["https://app.example/?to=https://x.example/?api_key=y", "https://app.example/?to=…"],
      ["https://app.example/?to=https://ada:pw@x.example/", "https://app.example/?to=…"],
      ["https://app.example/?to=a+b%25", "https://app.example/?to=a+b%25"],
      ["https://app.example/?code", "https://app.example/?code"],
      ["postern:/x?state=abc;nonce=def", "postern:/x?state=…;nonce=…"],
    ] as const) {
      assert.equal(truncate(address), shown);
    }
  });

  test("credentials of this server, JWTs, keys and headers are recognized and removed at any position", () => {
    const credential = `prt_${"x".repeat(51)}`;
    const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln";
    for (const text of [
      credential,
      jwt,
      `https://app.example/${credential}/x`,
      `https://app.example/?x=${jwt}`,
      `Bearer ${"a".repeat(20)}`,
      "$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA",
      "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----",
    ]) {
      assert.doesNotMatch(truncate(text), /prt_|eyJ|aaaa|argon2|abc|c2ln/, text);
    }
  });

  test("no text is longer than 501 characters, no list has more than 20 items, and long input takes little time", () => {
    const text = fc.string({ unit: codePoint, maxLength: 6000 });
    const value = fc.option(fc.oneof(text, fc.array(text, { maxLength: 40 })), { nil: null });
    const piece = fc.record({ kind: text, name: text, received: value, expected: value });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (input: Evidence[]) => {
        const made = withoutSecrets(input);
        assert.ok(made.length <= 20);
        for (const { name, received, expected } of made) {
          const texts = [name, ...[received, expected].flatMap((each) => each ?? [])];
          assert.ok(texts.every(({ length }) => length <= 501));
          assert.ok(texts.length <= 41);
        }
      }),
      { numRuns: 30 },
    );
    for (const part of [...listed`?a= ? &%253F ?x=%2525 //@ eyJ prt_ a`, "bearer ", "-----BEGIN "]) {
      // Created only once, so the test measures the search and not the creation of a long text.
      const texts = new Map([10_000, larger * 10_000].map((size) => [size, part.repeat(size)]));
      assertLinear((size) => truncate(texts.get(size) ?? ""), 10_000, part);
    }
  });
});

describe("comparisons in the evidence", () => {
  test("the registered URI that is most similar is shown first", () => {
    const registered = [
      "http://localhost:3000/cb",
      "https://app.example/cb",
      "https://app.example/callback/cb",
    ];
    const first = (uri: string) => nearestFirst(uri, registered)[0];
    assert.equal(first("https://app.example/cb/"), registered[1]);
    assert.equal(first("http://app.example/cb"), registered[1]);
    assert.equal(first("http://localhost:3001/cb"), registered[0]);
    assert.equal(first("https://app.example/callback/c"), registered[2]);
    assert.deepEqual(nearestFirst("x", []), []);
  });

  test("the position of the first difference is counted in Unicode code points", () => {
    assert.equal(firstDifference("abc", "abc"), undefined);
    assert.equal(firstDifference("abc", "abd"), 2);
    assert.equal(firstDifference("ab", "abc"), 2);
    assert.equal(firstDifference("abc", ""), 0);
    assert.equal(firstDifference("😀x", "😀y"), 1);
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.string({ unit: codePoint }), (one, other) => {
        const at = firstDifference(one, other);
        assert.equal(at === undefined, one === other);
        assert.equal([...one].slice(0, at).join(""), [...other].slice(0, at).join(""));
      }),
    );
  });
});

describe("short ids of refusals", () => {
  test("a short id has ten characters of 32 that are easy to tell apart, and is read however it is typed", () => {
    const made = new Set(Array.from({ length: 1000 }, newShortId));
    assert.equal(made.size, 1000);
    const used = new Set([...made].join(""));
    assert.equal([...used].toSorted().join(""), "0123456789ABCDEFGHJKMNPQRSTVWXYZ");
    for (const id of made) {
      assert.match(id, /^[0-9A-HJKMNP-TV-Z]{10}$/);
      assert.equal(readShortId(id), id);
      assert.equal(readShortId(` ${id.slice(0, 5).toLowerCase()}-${id.slice(5)} `), id);
      assert.equal(readShortId(id.replaceAll("0", "o").replaceAll("1", "i")), id);
      assert.equal(readShortId(id.replaceAll("0", "O").replaceAll("1", "L")), id);
    }
  });

  test("no other text is read as a short id", () => {
    for (const text of [
      ...listed`ABCDE ABCDEFGHJKM ABCDEFGHJU ABCDE/GHJK ABCDEFGHJ\0`,
      "",
      "-".repeat(100),
    ]) {
      assert.equal(readShortId(text), undefined, text);
    }
  });
});

const src = join(import.meta.dirname, "../../src");

/** Sources, by their path in `src`. */
const sources = new Map(
  readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => [path.replaceAll("\\", "/"), readFileSync(join(src, path), "utf8")]),
);

/** Returns the names that a text contains as literals, or as templates that could produce any of `names`. */
function namesIn(text: string, names: readonly string[]): string[] {
  const literals = [...text.matchAll(/"([a-z0-9_]+)"/g)].map(([, literal = ""]) => literal);
  const templates = [...text.matchAll(/`([a-z_]*)\$\{\w+\}([a-z_]*)`/g)].filter(([all]) => all.includes("_"));
  const made = names.filter((name) =>
    templates.some(([, start = "", end = ""]) => name.startsWith(start) && name.endsWith(end)),
  );
  return [...literals, ...made];
}

/** Returns the refusals that a source names in a throw, or in one of its tables. */
function refusalsIn(source: string): string[] {
  const calls = [...source.matchAll(/\brefuse\((`[^`]*`|[^;{}]*)/g)];
  const tables = [...source.matchAll(/\{([^{}]*)\} as const satisfies [^;]*\bRefusalKind\b/g)];
  return [...calls, ...tables].flatMap(([, text = ""]) => namesIn(text, refusalKinds));
}

describe("the list of all refusals in the code", () => {
  test("each kind of refusal is listed once", () => {
    const files = [
      request,
      client,
      document,
      assertion,
      authorization,
      grant,
      proof,
      registration,
      signal,
      upstream,
    ];
    const groups = files.flatMap((file) => Object.values(file));
    const kinds = groups.flatMap((group) => Object.keys(group));
    assert.deepEqual(kinds.toSorted(), refusalKinds.toSorted());
  });

  test("each listed refusal is thrown somewhere in the code", () => {
    const thrown = new Set(
      [...sources].flatMap(([path, text]) => (path.startsWith("oauth/refusals/") ? [] : refusalsIn(text))),
    );
    assert.deepEqual(
      refusalKinds.filter((kind) => !thrown.has(kind)),
      [],
    );
  });

  test("a refusal that the code only mentions does not count as thrown", () => {
    const kinds = refusalsIn('const a = "denied"; throw refuse("consent", { requested: ["client_id"] });');
    assert.deepEqual(kinds, ["consent" satisfies RefusalKind]);
  });

  test("the code creates an OAuthError only by the function refuse", () => {
    const makers = [...sources].filter(([, text]) => /\bnew (?:OAuthError|ReplayError)\(/.test(text));
    assert.deepEqual(
      makers.map(([path]) => path),
      ["oauth/refusals/refuse.ts"],
    );
  });

  test("evidence has a known kind, and names request parameters in their own spelling", () => {
    const texts = [...sources].flatMap(([path, text]) => (path.startsWith("oauth/refusals/") ? [text] : []));
    const pairs = texts.flatMap((text) => [
      ...text.matchAll(/\b(?:fact|evidence)\(\s*"([^"]+)",\s*"([^"]+)"/g),
    ]);
    const [kinds, names] = [1, 2].map((at) => [...new Set(pairs.map((pair) => pair[at] ?? ""))].toSorted());
    assert.deepEqual(
      kinds?.filter((kind) => !evidenceKinds.includes(kind as EvidenceKind)),
      [],
    );
    const parts = `Authorization, Content-Type, DPoP, Retry-After, access_token, acr_values, address, alg,
      allowed_grants, aud, body, client authentication, client_assertion_type, client_id, cnf,
      code_challenge, code_challenge_method, code_verifier, csrf_token, decision, dpop_jkt, grant_type,
      htu, id_token_hint, iss, jti, jwk, kid, max_age, method, nonce, organization, organization_mode, parameters, password,
      post_logout_redirect_uri, prompt, redirect_uri, redirect_uris, request, request_uri, require_acr,
      resource, response_mode, response_type, scope, session, signature, token, user, who_may_sign_in`;
    assert.deepEqual(names, parts.split(/,\s+/).toSorted());
  });

  test("there is no explanation for evidence that the code never creates", () => {
    // A kind that no refusal creates fails to compile here.
    const unmade: Readonly<Record<Exclude<EvidenceKind, EvidenceMade>, string>> = {};
    assert.deepEqual(unmade, {});
    const said = new Set(
      [...sources].flatMap(([path, text]) =>
        /^(?:oauth|people)\//.test(path) ? namesIn(text, evidenceFacts) : [],
      ),
    );
    assert.deepEqual(
      evidenceFacts.filter((fact) => !said.has(fact)),
      [],
    );
  });
});
