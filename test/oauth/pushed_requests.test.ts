import assert from "node:assert/strict";
import { before, test } from "node:test";
import { guessLimits } from "../../src/crypto/guess_limits.ts";
import { authorize } from "../../src/oauth/authorize/authorize.ts";
import { answerConsent } from "../../src/oauth/authorize/consent.ts";
import { describePending, pendingInteraction } from "../../src/oauth/authorize/pending_request.ts";
import { pushRequest } from "../../src/oauth/authorize/push_request.ts";
import { referenceTo, sealedFor } from "../../src/oauth/authorize/pushed_request.ts";
import { paramsOf } from "../../src/oauth/core/params.ts";
import { discoveryDocument } from "../../src/oauth/discovery_document.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import { serverOn, testServer } from "../support/authorization_server.ts";
import { anApp, anOrganization, aUser } from "../support/builders.ts";
import { describeInForm, openStoreAt } from "../support/databases.ts";
import {
  ask,
  authorizeParameters,
  basic,
  codeParameters,
  credentialsOf,
  endpointRequest,
  origin,
  type Parameters,
  redeem,
  redirected,
  signedIn,
} from "../support/flows.ts";
import { withSettings } from "./client_fixture.ts";

const par = { extra_features: ["par"] } as const;

describeInForm("pushed authorization requests", (database) => {
  const as = serverOn(database, par);
  let who: SignedIn;
  let app: OAuthApp;
  let authorization: string | undefined;

  before(async () => {
    who = await signedIn(as, await aUser(as.store));
    app = await anApp(as.store, { first_party: true });
    authorization = await credentialsOf(as, app);
  });

  /** Sends a push; empty credentials are omitted. */
  const push = (overrides: Parameters = {}, by = app, credentials = by.public ? "" : authorization) =>
    pushRequest(endpointRequest(authorizeParameters(by, overrides), credentials || undefined), as.server);

  /** Pushes, and returns the parameters with which the client then sends the browser. */
  async function pushed(overrides: Parameters = {}, by = app) {
    const { request_uri } = await push(overrides, by);
    return { client_id: by.client_id, request_uri };
  }

  /** Returns the stored row of a reference. */
  async function rowOf({ request_uri }: { request_uri: string }, by = app) {
    const [digest, app_id] = [referenceTo(request_uri, by.id).digest, by.id.replaceAll("-", "")];
    const key = Buffer.concat([Buffer.from(app_id, "hex"), digest.subarray(0, 16)]);
    const row = await as.store.find("ephemera", { kind: "pushed", key });
    if (row === undefined) throw new Error("no such row");
    return row;
  }

  const refusedPush = (code: string, message: RegExp, overrides: Parameters, by?: OAuthApp) =>
    assert.rejects(push(overrides, by), { name: "OAuthError", code, message });

  const pageFor = (parameters: Parameters, message: RegExp, by: SignedIn | undefined = who) =>
    assert.rejects(ask(as, by, parameters), {
      name: "OAuthError",
      code: "invalid_request_uri",
      message,
    });

  test("PR-40: client_id and request_uri of a pushed request suffice to get a code, and the code gets tokens", async () => {
    const { request_uri, expires_in } = await push({ state: "of the push", nonce: "n" });
    assert.equal(expires_in, 60);
    const answer = redirected(await ask(as, who, { client_id: app.client_id, request_uri }));
    assert.equal(answer.get("state"), "of the push");
    assert.equal(answer.get("iss"), as.server.issuer);
    const tokens = await redeem(as, app, authorization, codeParameters(app, answer.get("code") ?? ""));
    assert.equal(tokens.scope, "openid");
  });

  test("PR-40: a client authenticates for a push as at the token endpoint", async () => {
    await assert.rejects(push({}, app, ""), { code: "invalid_client" });
    await assert.rejects(push({}, app, basic(app.client_id, "wrong")), { code: "invalid_client" });
    const open = await anApp(as.store, { public: true, first_party: true });
    const reference = await pushed({}, open);
    assert.ok(redirected(await ask(as, who, reference)).get("code"));
  });

  test("PR-40: client_id may be omitted if there is an Authorization header, and must match it", async () => {
    const reference = await pushed({ client_id: undefined });
    assert.ok(redirected(await ask(as, who, reference)).get("code"));
    const other = await anApp(as.store);
    await assert.rejects(push({}, other), { code: "invalid_request", message: /client_id does not match/ });
  });

  const refusedPushes: readonly (readonly [code: string, message: RegExp, overrides: Parameters])[] = [
    ["invalid_request", /redirect_uri is not registered/, { redirect_uri: "https://evil.example" }],
    ["invalid_request", /redirect_uri is missing/, { redirect_uri: undefined }],
    ["unsupported_response_type", /must be code/, { response_type: "token" }],
    ["invalid_scope", /./, { scope: "unheard:of" }],
    ["invalid_target", /./, { resource: "https://unheard.example" }],
    ["invalid_request", /S256/, { code_challenge_method: "plain" }],
    ["invalid_request", /cannot be combined/, { prompt: "none login" }],
    ["invalid_request", /max_age/, { max_age: "soon" }],
    ["invalid_request", /id_token_hint/, { id_token_hint: "a.b.c" }],
    ["invalid_request", /repeated/, { state: ["a", "b"] }],
    ["invalid_request", /response_mode/, { response_mode: "fragment" }],
    ["invalid_request", /request_uri is not allowed/, { request_uri: "https://app.example/r" }],
    ["invalid_request", /request is not allowed/, { request: "e30.e30." }],
  ];
  test("PR-40: the whole request is validated when it is pushed", async () => {
    for (const [code, message, overrides] of refusedPushes) await refusedPush(code, message, overrides);
    const { request_uri } = await push();
    await refusedPush("invalid_request", /request_uri is not allowed/, { request_uri });
    const open = await anApp(as.store, { public: true });
    const unchallenged = { code_challenge: undefined, code_challenge_method: undefined };
    await refusedPush("invalid_request", /PKCE/, unchallenged, open);
    const machine = await anApp(as.store, { allowed_grants: ["client_credentials"] });
    await assert.rejects(push({}, machine, await credentialsOf(as, machine)), {
      code: "unauthorized_client",
    });
  });

  test("PR-41: a request_uri has at least 128 random bits, and the database contains neither it nor the request", async () => {
    const { request_uri } = await push({ state: "a very secret state" });
    const [, random = ""] = /^urn:ietf:params:oauth:request_uri:([\w-]+)$/.exec(request_uri) ?? [];
    assert.ok(Buffer.from(random, "base64url").length >= 6 + 16);
    const { key, value } = await rowOf({ request_uri });
    const text = `${key.toString("latin1")} ${value}`;
    assert.ok(!text.includes(random) && !text.includes("a very secret state"));
  });

  test("PR-41: the client's credentials are not stored with the pushed request", async () => {
    const secret = "secret of the test";
    const reference = await pushed({ client_assertion: secret, nonce: "n-0S6" });
    const { value } = await rowOf(reference);
    const aad = sealedFor(referenceTo(reference.request_uri, app.id));
    const content = as.server.sealer.open("ephemera", value ?? "", aad);
    assert.ok(content.includes("n-0S6") && !content.includes(secret));
  });

  test("PR-41: a request_uri with another client_id gets an error page, and is not used up", async () => {
    const reference = await pushed();
    const other = await anApp(as.store, { first_party: true });
    for (const by of [undefined, who]) {
      await pageFor({ ...reference, client_id: other.client_id }, /not issued to this client/, by);
    }
    // The refused requests did not count as the first visit.
    assert.equal((await rowOf(reference)).count, 0);
    assert.ok(redirected(await ask(as, who, reference)).get("code"));
  });

  test("PR-41: an unknown request_uri, an empty one or two of them get an error page", async () => {
    const reference = await pushed();
    const unknown = `${reference.request_uri.slice(0, -1)}_`;
    await pageFor({ ...reference, request_uri: unknown }, /not issued to this client/);
    await pageFor({ ...reference, request_uri: "urn:ietf:params:oauth:request_uri:" }, /not issued/);
    await assert.rejects(ask(as, who, { ...reference, request_uri: [reference.request_uri, unknown] }), {
      code: "invalid_request",
      message: /request_uri must not be repeated/,
    });
    await assert.rejects(ask(as, who, { request_uri: reference.request_uri }), { code: "invalid_request" });
  });

  test("PR-41: the stored request of one request_uri cannot be decrypted for another", async () => {
    const reference = await pushed();
    const [row, another] = [await rowOf(reference), await rowOf(await pushed())];
    await as.store.update("ephemera", { id: row.id }, { value: another.value });
    await pageFor(reference, /not issued to this client/);
  });

  test("PR-42: an unused request_uri expires after 60 seconds; a used one remains valid for the time of a sign-in", async () => {
    const [late, early] = [await pushed(), await pushed()];
    as.clock.advance(59);
    assert.equal((await ask(as, undefined, early)).type, "login");
    as.clock.advance(2);
    await pageFor(late, /has expired/);
    // keycloak#51761, spring-authorization-server#2024: a slow sign-in outlives the reference.
    as.clock.advance(20 * 60);
    const slow = await signedIn(as, who.user);
    assert.equal((await ask(as, undefined, early)).type, "login");
    assert.ok(redirected(await ask(as, slow, early)).get("code"));
  });

  test("PR-42: later visits do not extend that time again", async () => {
    const reference = await pushed();
    await ask(as, undefined, reference);
    as.clock.advance(29 * 60);
    assert.equal((await ask(as, undefined, reference)).type, "login");
    as.clock.advance(61);
    await pageFor(reference, /has expired/);
  });

  test("PR-42: visits before the code is issued work, including errors, and none works afterwards", async () => {
    const reference = await pushed({ prompt: "none" });
    assert.equal(redirected(await ask(as, undefined, reference)).get("error"), "login_required");
    assert.ok(redirected(await ask(as, who, reference)).get("code"));
    await pageFor(reference, /already used/);
    await pageFor(reference, /already used/, undefined);
  });

  test("PR-42: if a request is completed in parallel at two servers, one code is issued", async () => {
    const address = await database.tables();
    const stores = [await openStoreAt(address), await openStoreAt(address)];
    const [one, two] = [await testServer(stores[0] as never, par), await testServer(stores[1] as never, par)];
    const person = await signedIn(one, await aUser(one.store));
    const client = await anApp(one.store, { first_party: true, public: true });
    const { request_uri } = await pushRequest(endpointRequest(authorizeParameters(client)), one.server);
    const reference = { client_id: client.client_id, request_uri };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 16 }, (_, index) => ask(index % 2 === 0 ? one : two, person, reference)),
    );
    const codes = outcomes.filter(
      (each) => each.status === "fulfilled" && redirected(each.value).get("code") !== null,
    );
    assert.equal(codes.length, 1);
    for (const each of outcomes) {
      if (each.status === "rejected") assert.equal(each.reason.kind, "pushed_used");
    }
    assert.equal(await one.store.count("oauth_auth_codes", { app_id: client.id }), 1);
  });

  test("PR-43: parameters sent in addition to request_uri are ignored", async () => {
    const reference = await pushed({ state: "pushed", scope: "openid" });
    const noise = {
      ...authorizeParameters(app, { state: "evil", scope: "openid orders:read", prompt: "login" }),
      redirect_uri: "https://evil.example/cb",
      request: "e30.e30.",
      response_type: ["token", "id_token"],
    };
    const answer = redirected(await ask(as, who, { ...noise, ...reference }));
    assert.equal(answer.get("state"), "pushed");
    const tokens = await redeem(as, app, authorization, codeParameters(app, answer.get("code") ?? ""));
    assert.equal(tokens.scope, "openid");
  });

  test("PR-43: the URL that passes through the sign-in has the request_uri, not the parameters", async () => {
    const reference = await pushed({ state: "content" });
    const outcome = await ask(as, undefined, { ...authorizeParameters(app), ...reference });
    const url = `/oauth/authorize?${new URLSearchParams(reference)}`;
    assert.deepEqual(outcome, { type: "login", url });
  });

  test("PR-43: showing the client on the login page does not count as a visit", async () => {
    const organization = await anOrganization(as.store);
    const client = await anApp(as.store, { public: true, name: "Books", organization_id: organization.id });
    const reference = await pushed({ login_hint: "ada@example.com", ui_locales: "es" }, client);
    const url = `/oauth/authorize?${new URLSearchParams(reference)}`;
    const described = await describePending(url, as.server);
    assert.equal(described.client_name, "Books");
    assert.equal(described.organization?.id, organization.id);
    assert.equal(described.login_hint, "ada@example.com");
    assert.equal(described.redirect_uri, client.redirect_uris[0]);
    assert.equal(described.ui_locales, "es");
    as.clock.advance(61);
    assert.deepEqual(await describePending(url, as.server), {});
  });

  test("PR-43: prompt, max_age and id_token_hint of the pushed request apply", async () => {
    const login = await pushed({ prompt: "login" });
    assert.equal((await ask(as, who, login)).type, "login");
    const url = `/oauth/authorize?${new URLSearchParams(login)}`;
    assert.equal(await pendingInteraction(url, who, as.server), "sign_in");
    const choice = await pushed({ prompt: "select_account" });
    const chosen = await ask(as, who, choice);
    assert.equal(chosen.type, "select_account");
    const aged = await signedIn(as, who.user);
    as.clock.advance(30);
    assert.equal((await ask(as, aged, await pushed({ max_age: "10" }))).type, "login");
  });

  test("PR-43: the consent page is for the pushed request, allowing issues the code, and denying returns its state", async () => {
    const client = await anApp(as.store, { public: true });
    const reference = await pushed({ state: "kept" }, client);
    const question = await ask(as, who, reference);
    assert.equal(question.type, "consent");
    const { form, is_reference } = question as typeof question & { type: "consent" };
    assert.equal(is_reference, true);
    const denied = await answerConsent({ form, decision: "deny", signedIn: who, origin }, as.server);
    assert.equal(redirected(denied).get("error"), "access_denied");
    assert.equal(redirected(denied).get("state"), "kept");
    const again = (await ask(as, who, reference)) as typeof question & { type: "consent" };
    as.clock.advance(25 * 60);
    const later = await signedIn(as, who.user);
    const requested = (await ask(as, later, reference)) as typeof question & { type: "consent" };
    const allowed = await answerConsent(
      { form: requested.form, decision: "allow", signedIn: later, origin },
      as.server,
    );
    assert.ok(redirected(allowed).get("code"));
    await assert.rejects(
      answerConsent({ form: again.form, decision: "allow", signedIn: who, origin }, as.server),
      { kind: "pushed_used" },
    );
  });

  test("PR-43: whatever the request depends on is checked again at the visit", async () => {
    const client = await anApp(as.store, { public: true, first_party: true });
    const reference = await pushed({}, client);
    await as.store.update("oauth_apps", { id: client.id }, { redirect_uris: ["https://new.example/cb"] });
    await assert.rejects(ask(as, who, reference), {
      code: "invalid_request",
      message: /redirect_uri is not registered/,
    });
    await as.store.update("oauth_apps", { id: client.id }, { active: false });
    await assert.rejects(ask(as, who, reference), { code: "invalid_request", message: /not active/ });
  });

  test("PR-44: if the server requires pushed requests, other requests are refused by redirect", async () => {
    const strict = withSettings(as, { require_pushed_requests: true });
    const refused = redirected(await ask(strict, who, authorizeParameters(app)));
    assert.equal(refused.get("error"), "invalid_request");
    assert.equal(refused.get("state"), "s");
    assert.match(refused.get("error_description") ?? "", /must use pushed/);
    assert.ok(redirected(await ask(strict, who, await pushed())).get("code"));
  });

  test("PR-44: an app that must push is refused other requests, even if pushing is disabled on the server", async () => {
    const client = await anApp(as.store, {
      first_party: true,
      public: true,
      require_pushed_authorization_requests: true,
    });
    const off = withSettings(as, { extra_features: [] });
    for (const server of [as, off]) {
      const refused = redirected(await ask(server, who, authorizeParameters(client)));
      assert.deepEqual([refused.get("error"), refused.get("state")], ["invalid_request", "s"]);
    }
    assert.ok(redirected(await ask(as, who, await pushed({}, client))).get("code"));
    assert.ok(redirected(await ask(as, who, authorizeParameters(app))).get("code"));
  });

  test("PR-44: a push of more than 8192 characters is refused with 413", async () => {
    await refusedPush("invalid_request", /longer than 8192/, { state: "x".repeat(8192) });
    assert.ok(await push({ state: "x".repeat(7500) }));
  });

  test("PR-44: an app may have 5000 active pushed requests, and expired and used ones do not count", async () => {
    const client = await anApp(as.store, { public: true, first_party: true });
    const { store, clock } = as;
    const reference = await pushed({}, client);
    const count = () => store.countPushedRequests(client.id, 5000, clock.now());
    assert.equal(await count(), 1);
    await pushed();
    assert.equal(await count(), 1);
    await ask(as, who, reference);
    assert.equal(await count(), 0);
    await pushed({}, client);
    clock.advance(60);
    assert.equal(await count(), 0);
    const full = { ...as.server, store: { ...store, countPushedRequests: async () => 5000 } };
    await assert.rejects(pushRequest(endpointRequest(authorizeParameters(client)), full), {
      code: "temporarily_unavailable",
      status: 429,
      retry_after: 60,
    });
  });

  test("PR-44: pushed requests are counted rarely, and a reached limit is cached for a second", async () => {
    const client = await anApp(as.store, { public: true });
    let counted = 0;
    let found = 4960;
    const countPushedRequests = async () => {
      counted += 1;
      return found;
    };
    const counting = { ...as.server, store: { ...as.store, countPushedRequests } };
    const request = endpointRequest(authorizeParameters(client));
    const push = () => pushRequest(request, counting);
    const full = { code: "temporarily_unavailable", status: 429 };
    // After a count, the server accepts a tenth of the remaining number without counting again, because other
    // processes may accept pushes too.
    for (let index = 0; index < 4; index += 1) await push();
    assert.equal(counted, 1);
    found = 4999;
    await push();
    assert.equal(counted, 2);
    found = 5000;
    for (let index = 0; index < 50; index += 1) await assert.rejects(push(), full);
    assert.equal(counted, 3);
    found = 0;
    as.clock.advance(1);
    for (let index = 0; index < 500; index += 1) await push();
    assert.equal(counted, 4);
    as.clock.advance(5);
    await push();
    assert.equal(counted, 5, "what was counted five seconds ago is old");
  });

  test("PR-44: pushes of a public client are limited for each source, and other sources are unaffected", async () => {
    const client = await anApp(as.store, { public: true });
    const limited = { ...as.server, guesses: guessLimits({ now: as.clock.now }) };
    const request = endpointRequest(authorizeParameters(client));
    for (let index = 0; index < 60; index += 1) await pushRequest(request, limited);
    await assert.rejects(pushRequest(request, limited), { status: 429, retry_after: 1 });
    const elsewhere = { ...request, origin: { ...origin, client_ip: "198.51.100.7" } };
    assert.ok(await pushRequest(elsewhere, limited));
    as.clock.advance(1);
    assert.ok(await pushRequest(request, limited));
    // One /48 contains more addresses than could be counted individually.
    const from = (index: number) => ({ ...origin, client_ip: `2001:db8:77:${index.toString(16)}::1` });
    for (let index = 0; index < 180; index += 1)
      await pushRequest({ ...request, origin: from(index) }, limited);
    await assert.rejects(pushRequest({ ...request, origin: from(200) }, limited), { status: 429 });
    assert.ok(await pushRequest({ ...request, origin: { ...origin, client_ip: "2001:db8:78::1" } }, limited));
  });

  test("PR-44: visits from one source extend a limited number of a public client's requests, others last a minute", async () => {
    const client = await anApp(as.store, { public: true, first_party: true });
    const limited = { ...as.server, guesses: guessLimits({ now: as.clock.now }) };
    const minutesLeft = async (reference: { client_id: string; request_uri: string }) =>
      ((await rowOf(reference, client)).expires_at.getTime() - as.clock.now().getTime()) / 60_000;
    const visited = async (client_ip: string) => {
      const reference = await pushed({}, client);
      const url = `/oauth/authorize?${new URLSearchParams(reference)}`;
      const params = paramsOf(Object.entries(reference));
      const from = { ...origin, client_ip };
      await authorize({ params, url, signedIn: undefined, origin: from }, limited);
      return reference;
    };
    for (let index = 0; index < 60; index += 1) await visited("198.51.100.7");
    const beyond = await visited("198.51.100.7");
    assert.equal(await minutesLeft(beyond), 1);
    assert.ok(redirected(await ask(as, who, beyond)).get("code"));
    assert.equal(await minutesLeft(await visited("198.51.100.8")), 30);
    for (let index = 0; index < 180; index += 1) await visited(`2001:db8:77:${index.toString(16)}::1`);
    assert.equal(await minutesLeft(await visited("2001:db8:77:200::1")), 1);
    as.clock.advance(5);
    assert.equal(await minutesLeft(await visited("198.51.100.7")), 30);
  });

  test("A-13: scopes that are ignored are recorded when the user visits the request, and not at the push", async () => {
    const client = await anApp(as.store, { public: true, first_party: true });
    const known = () => as.store.passedOverScopes(client.id, as.clock.now());
    const reference = await pushed({ scope: "openid groups" }, client);
    await ask(as, undefined, reference);
    assert.deepEqual(await known(), []);
    await ask(as, who, reference);
    assert.deepEqual(await known(), ["groups"]);
  });

  test("PR-32: if disabled, such a request_uri is refused like any other, and discovery does not mention it", async () => {
    const reference = await pushed();
    const off = withSettings(as, { extra_features: [] });
    await assert.rejects(ask(off, who, reference), {
      code: "invalid_request",
      message: /redirect_uri is missing/,
    });
    const whole = await ask(off, who, { ...authorizeParameters(app), ...reference });
    assert.equal(redirected(whole).get("error"), "request_uri_not_supported");
    const on = discoveryDocument(as.server);
    const { pushed_authorization_request_endpoint, require_pushed_authorization_requests, ...rest } = on;
    assert.equal(pushed_authorization_request_endpoint, `${as.server.issuer}/oauth/par`);
    assert.equal(require_pushed_authorization_requests, false);
    assert.equal(JSON.stringify(discoveryDocument(off.server)), JSON.stringify(rest));
  });

  test("PR-40: if enabled, any other request_uri is refused by redirect and never fetched", async () => {
    const answer = await ask(
      as,
      who,
      authorizeParameters(app, { request_uri: "https://app.example/request" }),
    );
    assert.equal(redirected(answer).get("error"), "request_uri_not_supported");
  });
});
