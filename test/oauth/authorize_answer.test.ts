import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { credentialPrefix, findSignature } from "../../src/crypto/credentials.ts";
import { answerConsent } from "../../src/oauth/authorize/consent.ts";
import type { OAuthApp, OAuthAuthCode, User } from "../../src/records/definition/definition.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import { issuer, serverOn } from "../support/authorization_server.ts";
import { anApp, anOrganization, aUser, later } from "../support/builders.ts";
import { codePoint } from "../support/code_point.ts";
import { describeInForm } from "../support/databases.ts";
import { deactivate, reactivate, revokeApp, withdrawConsent } from "../support/endings.ts";
import { shortIdIn } from "../support/error_uri.ts";
import {
  ask,
  authorizeAndConsent,
  authorizeParameters,
  challenge,
  codeFlow,
  codeParameters,
  credentialsOf,
  origin,
  type Parameters,
  redeem,
  redirected,
  signedIn,
  verifier,
} from "../support/flows.ts";
import { inForm } from "../support/form.ts";

describeInForm("the response to an authorization request", (database) => {
  const as = serverOn(database);
  let user: User;
  let who: SignedIn;
  let app: OAuthApp;
  let thirdParty: OAuthApp;

  before(async () => {
    user = await aUser(as.store);
    who = await signedIn(as, user);
    app = await anApp(as.store, { first_party: true });
    thirdParty = await anApp(as.store);
  });

  async function deny(input: Parameters): Promise<URLSearchParams> {
    const outcome = await ask(as, who, authorizeParameters(thirdParty, input));
    assert.equal(outcome.type, "consent");
    if (outcome.type !== "consent") return new URLSearchParams();
    const { form } = outcome;
    return redirected(await answerConsent({ form, decision: "deny", signedIn: who, origin }, as.server));
  }

  /** Every refusal that the authorization endpoint answers by redirect. */
  const refusals: Readonly<Record<string, (input: Parameters) => Promise<URLSearchParams>>> = {
    access_denied: deny,
    login_required: async (input) =>
      redirected(await ask(as, undefined, authorizeParameters(app, { ...input, prompt: "none" }))),
    consent_required: async (input) =>
      redirected(await ask(as, who, authorizeParameters(thirdParty, { ...input, prompt: "none" }))),
    ...Object.fromEntries(
      (
        [
          ["invalid_request", { nonce: ["a", "b"] }],
          ["invalid_request", { prompt: "none login" }],
          ["invalid_request", { max_age: "soon" }],
          ["invalid_request", { code_challenge_method: "plain" }],
          ["invalid_request", { id_token_hint: "x" }],
          ["unsupported_response_type", { response_type: "token" }],
          ["invalid_scope", { scope: 'openid "quoted" \\ \u00e9' }],
          ["invalid_scope", { scope: "unknown" }],
          ["invalid_target", { resource: "https://x.example" }],
          ["request_not_supported", { request: "x" }],
        ] as const
      ).map(([error, wrong]) => [
        `${error} ${Object.keys(wrong)} ${Object.values(wrong)}`,
        async (input: Parameters) =>
          redirected(await ask(as, who, authorizeParameters(app, { ...input, ...wrong }))),
      ]),
    ),
  };

  const succeed = async (input: Parameters) => authorizeAndConsent(as, who, authorizeParameters(app, input));

  test("A-15: any value of state returns unchanged on success and with every error", async () => {
    const state = fc
      .string({ unit: codePoint, minLength: 1, maxLength: 60 })
      .filter((text) => !text.includes("\0"));
    const chosen = fc.oneof(
      state,
      fc.constantFrom(
        "a b&c=d%25+\u00e9\r\n\t",
        "x".repeat(2048),
        "\ufeffbom",
        "%00",
        "\u2028",
        "💚".repeat(50),
      ),
    );
    await fc.assert(
      fc.asyncProperty(chosen, fc.constantFrom(succeed, ...Object.values(refusals)), async (text, answer) => {
        assert.equal((await answer({ state: text })).get("state"), text);
      }),
      { numRuns: inForm(40, 120) },
    );
  });

  test("A-15: a long state returns unchanged on success and with every error, and no state is added if none was sent", async () => {
    const state = "a b&=%+\u00e9/".repeat(220);
    for (const answer of [succeed, ...Object.values(refusals)]) {
      assert.equal((await answer({ state })).get("state"), state);
      assert.equal((await answer({ state: undefined })).has("state"), false);
      assert.equal((await answer({ state: "" })).has("state"), false);
    }
  });

  test("A-16: an error redirect has error, error_description, error_uri, state and iss once each, in valid characters", async () => {
    for (const [name, answer] of Object.entries(refusals)) {
      const parameters = await answer({ state: "s" });
      const names = ["error", "error_description", "error_uri", "state", "iss"];
      assert.deepEqual([...parameters.keys()], names, name);
      shortIdIn(parameters.get("error_uri"));
      assert.equal(parameters.get("error"), name.split(" ")[0]);
      assert.match(parameters.get("error_description") ?? "", /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/, name);
    }
  });

  test("A-17, design 6.15: the success redirect has code, state and iss, and iss is the issuer in errors too", async () => {
    const answer = await succeed({ state: "s" });
    assert.deepEqual([...answer.keys()], ["code", "state", "iss"]);
    for (const each of [
      answer,
      ...(await Promise.all(Object.values(refusals).map((refuse) => refuse({})))),
    ]) {
      assert.equal(each.get("iss"), issuer);
    }
  });

  test("an internal error is thrown, and is not sent to the client as an OAuth error", async () => {
    const store = {
      ...as.store,
      insert: async () => {
        throw new Error("the disk is full");
      },
    };
    const broken = { ...as, server: { ...as.server, store } };
    await assert.rejects(ask(broken, who, authorizeParameters(app)), /^Error: the disk is full$/);
  });

  async function codeRow(code: string | null): Promise<OAuthAuthCode> {
    const code_signature = findSignature(credentialPrefix.code, code ?? "");
    const row = code_signature && (await as.store.find("oauth_auth_codes", { code_signature }));
    assert.ok(row);
    return row;
  }

  test("A-26: an authorization code is stored only as a hash, together with its request", async () => {
    const native = await anApp(as.store, {
      first_party: true,
      public: true,
      app_type: "native",
      redirect_uris: ["http://127.0.0.1/cb"],
      metadata: { resources: ["https://orders.example"] },
    });
    // The clock advances, so no record that the code depends on ended in the millisecond in which the code is
    // created.
    as.clock.advance(1);
    const answer = await succeed({
      client_id: native.client_id,
      redirect_uri: "http://127.0.0.1:5000/cb",
      scope: "openid orders:read",
      nonce: "n-0S6_WzA2Mj",
      resource: "https://orders.example",
    });
    const row = await codeRow(answer.get("code"));
    const random = (answer.get("code") ?? "").slice(12);
    assert.equal(JSON.stringify(row).includes(random), false);
    assert.equal(
      row.code_signature.equals(Buffer.from((answer.get("code") ?? "").slice(4), "base64url")),
      false,
    );
    const { request_data, id, code_signature, ...rest } = row;
    assert.deepEqual(rest, {
      app_id: native.id,
      user_id: user.id,
      membership_id: null,
      code_challenge: challenge,
      code_challenge_method: "S256",
      redirect_uri: "http://127.0.0.1:5000/cb",
      scopes: ["openid", "orders:read"],
      state: "s",
      nonce: "n-0S6_WzA2Mj",
      expires_at: later(60, as.clock.now()),
      used: false,
      used_at: null,
      client_ip: "192.0.2.1",
      dpop_jkt: null,
      user_agent: "test",
      created_at: as.clock.now(),
    });
    assert.deepEqual(JSON.parse(request_data ?? ""), {
      parameters: { response_type: "code", client_id: native.client_id, scope: "openid orders:read" },
      resource: ["https://orders.example"],
      session_id: who.session.id,
      auth_time: Math.floor(who.session.authenticated_at.getTime() / 1000),
      acr: who.session.acr,
      amr: ["pwd"],
    });
  });

  test("A-26: a code requested without PKCE, state or nonce is stored with these values empty", async () => {
    const answer = await succeed({
      code_challenge: undefined,
      code_challenge_method: undefined,
      state: undefined,
    });
    const row = await codeRow(answer.get("code"));
    assert.deepEqual(
      [row.code_challenge, row.code_challenge_method, row.state, row.nonce],
      [null, null, null, null],
    );
  });

  test("design 6.12: a code is valid for the time set in the settings", async () => {
    const server = { ...as.server, settings: { ...as.server.settings, authorization_code_ttl: 7 } };
    const answer = redirected(await ask({ ...as, server }, who, authorizeParameters(app)));
    assert.deepEqual((await codeRow(answer.get("code"))).expires_at, later(7, as.clock.now()));
  });

  test("H-5: the stored rows of a code and its token contain no verifier, hint, password, code or token", async () => {
    const authorization = await credentialsOf(as, app);
    const earlier = await codeFlow(as, app, authorization, who);
    const answer = await succeed({
      code_verifier: verifier,
      id_token_hint: earlier.id_token,
      password: "marker-password",
      client_secret: "marker-secret",
      access_token: "marker-token",
      login_hint: "marker-hint",
      authorization: "marker-header",
    });
    const code = answer.get("code") ?? "";
    const tokens = await redeem(as, app, authorization, codeParameters(app, code));
    const row = await codeRow(code);
    const rows = [row, ...(await as.store.list("oauth_tokens", { family_id: row.id }))];
    assert.equal(rows.length, 2);
    const stored = JSON.stringify(rows, (_key, value) =>
      value?.type === "Buffer" ? Buffer.from(value.data).toString("latin1") : value,
    );
    for (const secret of [
      verifier,
      earlier.id_token,
      code,
      tokens.access_token,
      tokens.refresh_token,
      "marker",
    ]) {
      assert.ok(secret);
      assert.equal(stored.includes(secret.slice(secret.indexOf("_") + 1)), false, secret);
    }
  });

  describe("A-30: an authorization ends when something that it depends on ends", () => {
    type Ending = (by: OAuthApp, signed: SignedIn) => Promise<unknown>;
    const { now } = { now: () => as.clock.now() };
    const deactivateAndBack = async (table: "users" | "oauth_apps" | "organizations", id: string) => {
      await deactivate(as.store, table, id, now());
      as.clock.advance(1);
      await reactivate(as.store, table, id, now());
    };
    const endings: Readonly<Record<string, Ending>> = {
      "the session was ended": (_, { session }) => as.store.endSession(session.id, now()),
      "the user was deactivated": (_, { user }) => deactivate(as.store, "users", user.id, now()),
      "the user was deactivated and is back": (_, { user }) => deactivateAndBack("users", user.id),
      "the client was deactivated": (by) => deactivate(as.store, "oauth_apps", by.id, now()),
      "the client was deactivated and is back": (by) => deactivateAndBack("oauth_apps", by.id),
      "the client was revoked": (by) => revokeApp(as.store, by.id, now()),
      "the organization was deactivated": (by) =>
        deactivate(as.store, "organizations", by.organization_id ?? "", now()),
      "the organization was deactivated and is back": (by) =>
        deactivateAndBack("organizations", by.organization_id ?? ""),
      "the consent was withdrawn": (by, { user }) =>
        withdrawConsent(as.store, user.id, by.id, "consent_withdrawn", now()),
      "the consent was taken back": (by, { user }) =>
        as.store.update("oauth_consents", { user_id: user.id, app_id: by.id }, { granted: false }),
      "the password was changed": (_, { user, session }) =>
        as.store.endEverythingOf(user.id, "password_changed", now(), session.id),
    };
    for (const [what, end] of Object.entries(endings)) {
      test(`A-30, T-16: an authorization code cannot be redeemed after ${what}`, async () => {
        const { id: organization_id } = await anOrganization(as.store, { created_at: now() });
        const by = await anApp(as.store, { organization_id });
        const authorization = await credentialsOf(as, by);
        const signed = await signedIn(as, await aUser(as.store));
        const code = (await authorizeAndConsent(as, signed, authorizeParameters(by))).get("code");
        const { id } = await codeRow(code);
        as.clock.advance(1);
        await end(by, signed);
        as.clock.advance(1);
        // An app that is still inactive or revoked can no longer authenticate.
        const isApp = /^the (client|organization) was (deactivated|revoked)$/.test(what);
        const refused = { code: isApp ? "invalid_client" : "invalid_grant" };
        await assert.rejects(redeem(as, by, authorization, codeParameters(by, code ?? "")), refused);
        assert.equal(await as.store.count("oauth_tokens", { family_id: id }), 0);
      });
    }
  });
});
