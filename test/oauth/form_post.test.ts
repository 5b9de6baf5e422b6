import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { AuthorizeOutcome } from "../../src/oauth/authorize/authorize.ts";
import { answerConsent } from "../../src/oauth/authorize/consent.ts";
import { pushRequest } from "../../src/oauth/authorize/push_request.ts";
import { discoveryDocument } from "../../src/oauth/discovery_document.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import { profiles } from "../../src/records/names/names.ts";
import { issuer, type TestServer, testServer } from "../support/authorization_server.ts";
import { anApp, aUser } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { shortIdIn } from "../support/error_uri.ts";
import {
  ask,
  authorizeParameters,
  codeParameters,
  credentialsOf,
  endpointRequest,
  origin,
  type Parameters,
  redeem,
  redirected,
  signedIn,
} from "../support/flows.ts";

const form_post = { response_mode: "form_post" };

/** Returns the form that the browser submits; fails on any other outcome. */
function posted(outcome: AuthorizeOutcome) {
  if (outcome.type !== "form_post") throw new Error(`expected a form, got ${outcome.type}`);
  return outcome;
}

describe("responses by response_mode=form_post", () => {
  let as: TestServer;
  let who: SignedIn;
  let app: OAuthApp;
  let third_party: OAuthApp;
  let native: OAuthApp;

  before(async () => {
    const [sqlite] = databases;
    assert.ok(sqlite);
    as = await testServer(await sqlite.open(), { extra_features: ["form_post", "par"] });
    who = await signedIn(as, await aUser(as.store));
    app = await anApp(as.store, { first_party: true });
    third_party = await anApp(as.store);
    native = await anApp(as.store, {
      first_party: true,
      public: true,
      app_type: "native",
      redirect_uris: ["com.example.app:/cb", "http://127.0.0.1/cb"],
    });
  });

  const requested = (overrides: Parameters = {}, by = app, as_whom: SignedIn | undefined = who) =>
    ask(as, as_whom, authorizeParameters(by, { ...form_post, ...overrides }));

  async function push(overrides: Parameters, by = app) {
    const authorization = await credentialsOf(as, by);
    const request = endpointRequest(authorizeParameters(by, overrides), authorization);
    const { request_uri } = await pushRequest(request, as.server);
    return { client_id: by.client_id, request_uri };
  }

  test("PR-67: the form has code, iss and an unchanged state of 1,500 characters, and the code gets tokens", async () => {
    const state = `"'<&>+%25 é\u{1F49A}`.padEnd(1500, "CfDJ8_-");
    const { redirect_uri, fields } = posted(await requested({ state }));
    assert.equal(redirect_uri, app.redirect_uris[0]);
    assert.deepEqual(Object.keys(fields), ["code", "state", "iss"]);
    assert.deepEqual([fields.state, fields.iss], [state, issuer]);
    const authorization = await credentialsOf(as, app);
    const tokens = await redeem(as, app, authorization, codeParameters(app, fields.code ?? ""));
    assert.equal(tokens.scope, "openid");
    assert.deepEqual(Object.keys(posted(await requested({ state: undefined })).fields), ["code", "iss"]);
  });

  test("PR-67: a request with the mode query, or without a mode, is answered by redirect as before", async () => {
    for (const response_mode of ["query", "", undefined]) {
      const answer = redirected(await requested({ response_mode }));
      assert.deepEqual([...answer.keys()], ["code", "state", "iss"]);
    }
  });

  /** Refusals after client and redirect URI are verified, and their answers. */
  const refusals: Readonly<Record<string, () => Promise<AuthorizeOutcome>>> = {
    async access_denied() {
      const outcome = await requested({}, third_party);
      if (outcome.type !== "consent") throw new Error(`expected consent, got ${outcome.type}`);
      const { form } = outcome;
      return answerConsent({ form, decision: "deny", signedIn: who, origin }, as.server);
    },
    login_required: () => ask(as, undefined, authorizeParameters(app, { ...form_post, prompt: "none" })),
    consent_required: () => requested({ prompt: "none" }, third_party),
    invalid_request: () => requested({ code_challenge_method: "plain" }),
    "invalid_request of a repeated parameter": () => requested({ nonce: ["a", "b"] }),
    "invalid_request of a request that is not pushed": async () =>
      requested(
        {},
        await anApp(as.store, { first_party: true, require_pushed_authorization_requests: true }),
      ),
    unsupported_response_type: () => requested({ response_type: "token" }),
    invalid_scope: () => requested({ scope: "unknown" }),
    invalid_target: () => requested({ resource: "https://x.example" }),
    request_not_supported: () => requested({ request: "x" }),
    async "access_denied of a pushed request"() {
      const outcome = await ask(as, who, await push(form_post, third_party));
      if (outcome.type !== "consent") throw new Error(`expected consent, got ${outcome.type}`);
      const { form } = outcome;
      return answerConsent({ form, decision: "deny", signedIn: who, origin }, as.server);
    },
    "login_required of a pushed request": async () =>
      ask(as, undefined, await push({ ...form_post, prompt: "none" })),
  };
  for (const [name, refused] of Object.entries(refusals)) {
    test(`PR-67: ${name} is also answered by form_post if that was requested`, async () => {
      const { fields } = posted(await refused());
      assert.deepEqual(Object.keys(fields), ["error", "error_description", "error_uri", "state", "iss"]);
      assert.deepEqual([fields.error, fields.state, fields.iss], [name.split(" ")[0], "s", issuer]);
      shortIdIn(fields.error_uri ?? null);
    });
  }

  test("PR-67: a request object is refused by the response_mode that it contains", async () => {
    const objectOf = (claims: object, header: object = { alg: "none" }) =>
      `${[header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")}.`;
    const unnamed = { response_mode: undefined };
    const { fields } = posted(await requested({ ...unnamed, request: objectOf(form_post) }));
    assert.equal(fields.error, "request_not_supported");
    const others = [
      objectOf({}),
      objectOf({ response_mode: 1 }),
      objectOf({ response_mode: "jwt" }),
      "x",
      "a.b.",
    ];
    for (const request of others)
      assert.equal(
        redirected(await requested({ ...unnamed, request })).get("error"),
        "request_not_supported",
      );
    const both = await requested({ response_mode: "query", request: objectOf(form_post) });
    assert.equal(redirected(both).get("error"), "request_not_supported");
  });

  test("PR-67: a pushed request is answered in its pushed mode, whatever the query says", async () => {
    const reference = await push(form_post);
    assert.ok(posted(await ask(as, who, { ...reference, response_mode: "query" })).fields.code);
    const plain = await push({});
    assert.ok(redirected(await ask(as, who, { ...plain, ...form_post })).get("code"));
  });

  test("PR-67: an unknown or repeated response_mode is refused by a redirect whose error names the known modes", async () => {
    for (const response_mode of ["fragment", "web_message", "FORM_POST", "form_post.jwt"]) {
      const answer = redirected(await requested({ response_mode }));
      assert.equal(answer.get("error"), "invalid_request");
      assert.equal(answer.get("error_description"), "response_mode must be query or form_post");
    }
    const twice = redirected(await requested({ response_mode: ["form_post", "form_post"] }));
    assert.equal(twice.get("error_description"), "the parameter response_mode must not be repeated");
  });

  test("PR-67: form_post to a private URI scheme is refused by redirect after the sign-in, and at the push", async () => {
    const overrides = authorizeParameters(native, { ...form_post, redirect_uri: "com.example.app:/cb" });
    assert.equal((await ask(as, undefined, overrides)).type, "login");
    const outcome = await ask(as, who, overrides);
    if (outcome.type !== "redirect") throw new Error(`expected a redirect, got ${outcome.type}`);
    assert.ok(outcome.location.startsWith("com.example.app:/cb?error=invalid_request&"));
    assert.match(
      String(redirected(outcome).get("error_description")),
      /requires an http or https redirect_uri/,
    );
    await assert.rejects(push({ ...form_post, redirect_uri: "com.example.app:/cb" }, native), {
      code: "invalid_request",
      message: /form_post requires an http or https redirect_uri/,
    });
    const loopback = await requested({ redirect_uri: "http://127.0.0.1:5000/cb" }, native);
    const question = loopback.type === "form_post" ? loopback.redirect_uri : loopback.type;
    assert.equal(question, "http://127.0.0.1:5000/cb");
  });

  test("PR-67: a state with line breaks, which a form would change, is refused by a redirect after the sign-in", async () => {
    for (const state of ["a\nb", "a\rb", "a\r\nb"]) {
      const overrides = authorizeParameters(app, { ...form_post, state });
      assert.equal((await ask(as, undefined, overrides)).type, "login");
      const answer = redirected(await ask(as, who, overrides));
      assert.equal(answer.get("error"), "invalid_request");
      assert.match(String(answer.get("error_description")), /that state has no line breaks/);
      assert.equal(answer.get("state"), state);
    }
  });

  test("PR-67: no profile enables form_post automatically, and every profile permits it", () => {
    const modesOf = (extra_features: readonly "form_post"[], profile: (typeof profiles)[number]) => {
      const settings = { ...as.server.settings, profiles: [profile], extra_features };
      return discoveryDocument({ ...as.server, settings }).response_modes_supported;
    };
    for (const profile of profiles) {
      assert.deepEqual(modesOf([], profile), ["query"]);
      assert.deepEqual(modesOf(["form_post"], profile), ["query", "form_post"]);
    }
  });
});
