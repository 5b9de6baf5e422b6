import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import { signJwt } from "../../src/crypto/jwt.ts";
import { readForm } from "../../src/oauth/core/params.ts";
import { type EndSessionOutcome, endSession } from "../../src/oauth/end_session.ts";
import { introspect } from "../../src/oauth/introspect.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import { serverOn } from "../support/authorization_server.ts";
import { anApp, aUser } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import {
  codeFlow,
  credentialsOf,
  endpointRequest,
  formOf,
  origin,
  type Parameters,
  redeem,
  signedIn,
} from "../support/flows.ts";
import { listed } from "../support/listed.ts";

const registered = "https://app.example/bye";
const withQuery = "https://app.example/bye?lang=en";

describeInForm("RP-initiated logout", (database) => {
  const as = serverOn(database);
  let app: OAuthApp;
  let authorization: string | undefined;
  let who: SignedIn;

  before(async () => {
    app = await anApp(as.store, {
      first_party: true,
      post_logout_redirect_uris: [registered, withQuery],
    });
    authorization = await credentialsOf(as, app);
  });
  beforeEach(async () => {
    who = await signedIn(as, await aUser(as.store));
  });

  const logout = (parameters: Parameters = {}, by: SignedIn | undefined = who, confirmed = false) =>
    endSession({ params: readForm(formOf(parameters)), signedIn: by, confirmed, origin }, as.server);
  const hintOf = async (by: SignedIn = who, client: OAuthApp = app, proof = authorization) => {
    const { id_token } = await codeFlow(as, client, proof, by);
    assert.ok(id_token);
    return id_token;
  };
  const isEnded = async ({ session }: SignedIn = who) =>
    (await as.store.find("sessions", { id: session.id }))?.ended_at !== null;
  const about = { client_name: "Orders", organization: undefined };

  async function refuses(parameters: Parameters, message: RegExp): Promise<void> {
    for (const confirmed of [false, true]) {
      await assert.rejects(
        logout(parameters, who, confirmed),
        { name: "OAuthError", code: "invalid_request", message },
        JSON.stringify(parameters),
      );
    }
    assert.equal(await isEnded(), false);
  }

  test("O-3: an id_token_hint of this session ends the session immediately, with an audit event", async () => {
    const outcome = await logout({ id_token_hint: await hintOf() });
    assert.deepEqual(outcome, { type: "ended", location: undefined, ...about });
    assert.equal(await isEnded(), true);
    const event = as.events.at(-1);
    assert.deepEqual([event?.type, event?.outcome], ["sign_out", "success"]);
    assert.deepEqual(event?.actor, { kind: "user", id: who.user.id });
    assert.deepEqual(event?.target, { table: "sessions", id: who.session.id });
  });

  test("O-3: an expired id_token_hint of this session ends it as well", async () => {
    const id_token_hint = await hintOf();
    as.clock.advance(3 * 86_400);
    assert.equal((await logout({ id_token_hint })).type, "ended");
    assert.equal(await isEnded(), true);
  });

  test("O-3: without id_token_hint the user is asked, nothing ends before, and confirming repeats the request", async () => {
    const parameters = { client_id: app.client_id, post_logout_redirect_uri: registered, state: "s t&" };
    const outcome = await logout({ ...parameters, ui_locales: "en", logout_hint: "ada" });
    const location = `${registered}?state=s+t%26`;
    assert.deepEqual(outcome, { type: "ask", ...about, fields: parameters, location });
    assert.equal(await isEnded(), false);
    if (outcome.type !== "ask") return;
    assert.deepEqual(await logout(outcome.fields, who, true), { type: "ended", location, ...about });
    assert.equal(await isEnded(), true);
  });

  test("O-3: a request without parameters asks the user, and ends the session after confirmation", async () => {
    const nobody = { client_name: undefined, organization: undefined };
    const ask = { type: "ask", ...nobody, fields: {}, location: undefined };
    assert.deepEqual(await logout(), ask);
    assert.deepEqual(await logout({ client_id: "" }), ask);
    assert.deepEqual(await logout({}, who, true), {
      type: "ended",
      location: undefined,
      ...nobody,
    });
    assert.equal(await isEnded(), true);
  });

  test("O-3: an id_token_hint of another session asks the user, whether of the same user or another", async () => {
    const sameUser = await signedIn(as, who.user);
    const another = await signedIn(as, await aUser(as.store));
    for (const other of [sameUser, another]) {
      const id_token_hint = await hintOf(other);
      const outcome = await logout({ id_token_hint });
      assert.deepEqual(outcome, {
        type: "ask",
        ...about,
        fields: { id_token_hint },
        location: undefined,
      });
      assert.equal(await isEnded(), false);
      assert.equal(await isEnded(other), false);
    }
    assert.equal((await logout({ id_token_hint: await hintOf(another) }, who, true)).type, "ended");
    assert.deepEqual([await isEnded(), await isEnded(another)], [true, false]);
  });

  /** A sign-out from a browser without a session, or from no browser. */
  const signedOut = (parameters: Parameters) =>
    endSession(
      { params: readForm(formOf(parameters)), signedIn: undefined, confirmed: false, origin },
      as.server,
    );

  test("O-3: without a session in the browser, the session of the hint ends for its client, and the browser is redirected", async () => {
    const online = await codeFlow(as, app, authorization, who);
    const parameters = { post_logout_redirect_uri: registered, state: "s" };
    const sent = { id_token_hint: online.id_token, ...parameters };
    const location = `${registered}?state=s`;
    as.clock.advance(1);
    assert.deepEqual(await signedOut(sent), { type: "ended", location, ...about });
    assert.equal(await isEnded(), true);
    const event = as.events.at(-1);
    assert.deepEqual([event?.type, event?.outcome], ["sign_out", "success"]);
    assert.deepEqual(event?.actor, { kind: "client", id: app.client_id });
    assert.deepEqual(event?.target, { table: "sessions", id: who.session.id });
    const token = endpointRequest({ token: online.access_token }, authorization);
    assert.equal((await introspect(token, as.server)).active, false);
    const count = as.events.length;
    assert.deepEqual(await signedOut(sent), { type: "none_ended", location, ...about });
    assert.equal(as.events.length, count);
  });

  test("O-3: without a session in the browser, a hint ends only its own session, even an expired hint", async () => {
    const another = await signedIn(as, await aUser(as.store));
    const id_token_hint = await hintOf();
    const claims = { sub: who.user.id, sid: another.session.id, aud: app.client_id, exp: 4e9 };
    const key = (await as.server.keys()).signingKey(as.clock.now());
    const strange = await signJwt(key, "JWT", { iss: as.server.issuer, ...claims });
    assert.equal((await signedOut({ id_token_hint: strange })).type, "none_ended");
    const closed = await anApp(as.store, { first_party: true });
    const proof = await credentialsOf(as, closed);
    const ofClosed = await hintOf(who, closed, proof);
    await as.store.update("oauth_apps", { id: closed.id }, { active: false });
    assert.equal((await signedOut({ id_token_hint: ofClosed })).type, "none_ended");
    assert.deepEqual([await isEnded(), await isEnded(another)], [false, false]);
    as.clock.advance(8 * 86_400);
    assert.equal((await signedOut({ id_token_hint })).type, "ended");
    assert.equal(await isEnded(), true);
  });

  test("P-7: without a session and a hint, the browser is not redirected (security finding 19)", async () => {
    const parameters = { client_id: app.client_id, post_logout_redirect_uri: registered, state: "s" };
    const input = { params: readForm(formOf(parameters)), signedIn: undefined, origin };
    for (const confirmed of [false, true]) {
      const outcome = await endSession({ ...input, confirmed }, as.server);
      assert.deepEqual(outcome, { type: "unproven", location: `${registered}?state=s`, ...about });
    }
  });

  test("O-3: the browser returns only to a registered URI, with state unchanged and the URI's own query", async () => {
    const state = "a b&c=%25\u00e9";
    const id_token_hint = await hintOf();
    const bare = await logout({ id_token_hint, post_logout_redirect_uri: registered });
    assert.equal(bare.location, registered);
    const other = await signedIn(as, who.user);
    const outcome = await logout(
      {
        id_token_hint: await hintOf(other),
        client_id: app.client_id,
        post_logout_redirect_uri: withQuery,
        state,
      },
      other,
    );
    assert.equal(outcome.type, "ended");
    assert.ok(outcome.location?.startsWith(`${withQuery}&`));
    assert.equal(new URL(outcome.location ?? "").searchParams.get("state"), state);
  });

  /**
   * Asserts that the user must confirm the logout, is then signed out, and only then learns why the browser
   * does not return to the app.
   */
  async function endsAndRefuses(parameters: Parameters, message: RegExp): Promise<void> {
    who = await signedIn(as, who.user);
    const requested = await logout(parameters);
    assert.deepEqual([requested.type, requested.location], ["ask", undefined]);
    assert.equal(await isEnded(), false);
    saysWhy(await logout(parameters, who, true), message);
    assert.equal(await isEnded(), true);
    const refused = { name: "OAuthError", code: "invalid_request", message };
    await assert.rejects(signedOut(parameters), refused);
  }

  function saysWhy(outcome: EndSessionOutcome, message: RegExp): void {
    assert.deepEqual([outcome.type, outcome.location], ["ended", undefined]);
    if (outcome.type !== "ended") return;
    assert.equal(outcome.refused?.code, "invalid_request");
    assert.match(outcome.refused.message, message);
  }

  test("O-3: an unregistered post_logout_redirect_uri is compared exactly, and refused after the sign-out", async () => {
    const message = /not registered/;
    for (const post_logout_redirect_uri of listed`
        https://evil.example/ ${registered}/ ${registered}?x=1 https://APP.example/bye
        https://app.example:443/bye https://app.example/./bye https://app.example@evil.example/bye
        https://app.example/cb /bye javascript:alert(1)
      `) {
      who = await signedIn(as, who.user);
      const id_token_hint = await hintOf();
      saysWhy(await logout({ id_token_hint, post_logout_redirect_uri }), message);
      assert.equal(await isEnded(), true, post_logout_redirect_uri);
      await endsAndRefuses({ client_id: app.client_id, post_logout_redirect_uri }, message);
    }
  });

  test("O-3: a post_logout_redirect_uri that no known client registered does not prevent the sign-out", async () => {
    const post_logout_redirect_uri = registered;
    const missing = /requires an id_token_hint or the client_id/;
    await endsAndRefuses({ post_logout_redirect_uri }, missing);
    await endsAndRefuses({ post_logout_redirect_uri, client_id: "nobody" }, missing);
    const bare = await anApp(as.store);
    const unregistered = /not registered/;
    await endsAndRefuses({ post_logout_redirect_uri, client_id: bare.client_id }, unregistered);
  });

  test("C-12: the browser is not redirected to the URI of an inactive client", async () => {
    const closed = await anApp(as.store, {
      post_logout_redirect_uris: [registered],
      active: false,
    });
    await endsAndRefuses(
      { client_id: closed.client_id, post_logout_redirect_uri: registered },
      /registered client/,
    );
  });

  test("O-3: a hint that was issued to another client than client_id is ignored", async () => {
    const other = await anApp(as.store, { post_logout_redirect_uris: [registered] });
    const sent = { client_id: other.client_id, post_logout_redirect_uri: registered };
    await endsAndRefuses({ id_token_hint: await hintOf(), ...sent }, /not issued to the client/);
  });

  test("O-3: a hint that is not an id_token of this server is ignored, and does not prevent the sign-out", async () => {
    const { id_token = "", access_token } = await codeFlow(as, app, authorization, who);
    const [header, payload, proof] = id_token.split(".");
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url");
    const claims = { iss: as.server.issuer, sid: who.session.id, aud: app.client_id, exp: 4e9 };
    const edited = Buffer.from(JSON.stringify(claims)).toString("base64url");
    for (const id_token_hint of [
      ...listed`
      x ${none}.${payload}. ${none}.${edited}. ${header}.${edited}.${proof} ${header}.${payload}.
    `,
      access_token,
    ]) {
      const sent = { id_token_hint, client_id: app.client_id, post_logout_redirect_uri: registered };
      await endsAndRefuses(sent, /not an ID token issued by this server/);
    }
  });

  test("A-11: a request with a repeated parameter is refused, and no session ends", async () => {
    const id_token_hint = await hintOf();
    await refuses({ id_token_hint: [id_token_hint, id_token_hint] }, /must not be repeated/);
    await refuses({ id_token_hint, state: ["a", "b"] }, /must not be repeated/);
    const uris = [registered, "https://evil.example"];
    await refuses({ id_token_hint, post_logout_redirect_uri: uris }, /must not be repeated/);
  });

  describe("effects of signing out", () => {
    const isActive = async (token: string | undefined) =>
      (await introspect(endpointRequest({ token }, authorization), as.server)).active;

    test("design 6.8: tokens granted without offline_access end with the session, and others stay valid", async () => {
      const online = await codeFlow(as, app, authorization, who);
      const offline = await codeFlow(as, app, authorization, who, { scope: "openid offline_access" });
      const elsewhere = await codeFlow(as, app, authorization, await signedIn(as, who.user));
      as.clock.advance(1);
      await logout({ id_token_hint: online.id_token });

      for (const half of ["access_token", "refresh_token"] as const) {
        assert.equal(await isActive(online[half]), false);
        assert.equal(await isActive(offline[half]), true);
        assert.equal(await isActive(elsewhere[half]), true);
      }
      const refresh = (refresh_token: string | undefined) =>
        redeem(as, app, authorization, { grant_type: "refresh_token", refresh_token });
      await assert.rejects(refresh(online.refresh_token), { code: "invalid_grant" });
      assert.ok((await refresh(offline.refresh_token)).access_token);
      const [row] = await as.store.list("oauth_tokens", {
        session_id: who.session.id,
        revoked_reason: "logout",
      });
      assert.deepEqual([row?.revoked, row?.revoked_at], [true, as.clock.now()]);
    });

    test("design 6.8: this also applies to refreshed tokens, by the scopes of the whole authorization", async () => {
      const refreshed = async (scope: string, narrowed?: string) => {
        const { refresh_token } = await codeFlow(as, app, authorization, who, { scope });
        return redeem(as, app, authorization, {
          grant_type: "refresh_token",
          refresh_token,
          scope: narrowed,
        });
      };
      const online = await refreshed("openid profile");
      const offline = await refreshed("openid profile offline_access", "profile");
      as.clock.advance(1);
      await logout({}, who, true);
      assert.deepEqual(
        [await isActive(online.access_token), await isActive(offline.access_token)],
        [false, true],
      );
    });

    test("signing out a second time with the same hint changes nothing", async () => {
      const id_token_hint = await hintOf();
      await logout({ id_token_hint });
      const { ended_at } = (await as.store.find("sessions", { id: who.session.id })) ?? {};
      as.clock.advance(60);
      assert.equal((await logout({ id_token_hint })).type, "ended");
      assert.deepEqual((await as.store.find("sessions", { id: who.session.id }))?.ended_at, ended_at);
    });
  });
});
