import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { answerConsent } from "../../src/oauth/authorize/consent.ts";
import { requestHash } from "../../src/oauth/authorize/interaction.ts";
import { pendingInteraction } from "../../src/oauth/authorize/pending_request.ts";
import type { OAuthApp, User } from "../../src/records/definition/definition.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import { serverOn } from "../support/authorization_server.ts";
import { aConsent, anApp, aUser } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import {
  ask,
  authorizeParameters,
  codeFlow,
  credentialsOf,
  formOf,
  origin,
  type Parameters,
  redirected,
  signedIn,
} from "../support/flows.ts";

describeInForm("prompt, max_age and id_token_hint", (database) => {
  const as = serverOn(database);
  let user: User;
  let app: OAuthApp;
  let thirdParty: OAuthApp;

  before(async () => {
    user = await aUser(as.store);
    app = await anApp(as.store, { first_party: true });
    thirdParty = await anApp(as.store);
  });

  /** Returns the session as the next request finds it. */
  async function next({ session, user }: SignedIn): Promise<SignedIn> {
    const found = await as.store.find("sessions", { id: session.id });
    assert.ok(found);
    return { session: found, user };
  }

  /** Signs in again, as the login page does for this pending request. */
  async function signInFor(who: SignedIn, parameters: Parameters): Promise<SignedIn> {
    const now = as.clock.now();
    const satisfied_request = requestHash(`/oauth/authorize?${formOf(parameters)}`, now);
    await as.store.update("sessions", { id: who.session.id }, { authenticated_at: now, satisfied_request });
    return next(who);
  }

  const errorOf = async (who: SignedIn | undefined, parameters: Parameters) =>
    redirected(await ask(as, who, parameters)).get("error");

  async function succeeds(who: SignedIn, parameters: Parameters): Promise<void> {
    const answer = redirected(await ask(as, who, parameters));
    assert.equal(answer.has("code"), true, `${answer.get("error")}: ${answer.get("error_description")}`);
  }

  async function wantsLogin(who: SignedIn, parameters: Parameters): Promise<void> {
    const url = `/oauth/authorize?${formOf(parameters)}`;
    assert.deepEqual(await ask(as, who, parameters), { type: "login", url });
    assert.equal(await pendingInteraction(url, who, as.server), "sign_in");
  }

  for (const [what, overrides] of Object.entries({
    "prompt=login": { prompt: "login" },
    "max_age=0": { max_age: "0" },
    "prompt=login and max_age=0": { prompt: "login", max_age: "0" },
    "prompt=login select_account": { prompt: "login select_account" },
  })) {
    test(`A-29: ${what} requires a sign-in, and the request then proceeds exactly once`, async () => {
      const parameters = authorizeParameters(app, overrides);
      let who = await signedIn(as, user);
      await wantsLogin(who, parameters);
      who = await signInFor(who, parameters);
      assert.equal(
        await pendingInteraction(`/oauth/authorize?${formOf(parameters)}`, who, as.server),
        undefined,
      );
      as.clock.advance(30);
      await succeeds(who, parameters);
      await wantsLogin(await next(who), parameters);
    });
  }

  test("A-29: a fresh sign-in remains valid through the consent page, and is used up when the code is issued", async () => {
    const parameters = authorizeParameters(thirdParty, { prompt: "login" });
    let who = await signInFor(await signedIn(as, user), parameters);
    const question = await ask(as, who, parameters);
    assert.equal(question.type, "consent");
    if (question.type !== "consent") return;
    as.clock.advance(590);
    who = await next(who);
    const answer = await answerConsent(
      { form: question.form, decision: "allow", signedIn: who, origin },
      as.server,
    );
    assert.equal(redirected(answer).has("code"), true);
    await wantsLogin(await next(who), parameters);
  });

  test("A-29: a user who stays on the consent page until the fresh sign-in has expired must sign in again", async () => {
    const fresh = await aUser(as.store);
    const parameters = authorizeParameters(thirdParty, { prompt: "login" });
    const who = await signInFor(await signedIn(as, fresh), parameters);
    const question = await ask(as, who, parameters);
    assert.equal(question.type, "consent");
    if (question.type !== "consent") return;
    as.clock.advance(601);
    const { form } = question;
    const answer = await answerConsent(
      { form, decision: "allow", signedIn: await next(who), origin },
      as.server,
    );
    assert.equal(answer.type, "login");
    assert.equal(await as.store.findConsent(fresh.id, thirdParty.id), undefined);
  });

  test("A-29: a fresh sign-in for one request does not count for another, not even one that differs in a character", async () => {
    const parameters = authorizeParameters(app, { prompt: "login" });
    const who = await signInFor(await signedIn(as, user), parameters);
    await wantsLogin(who, { ...parameters, state: "S" });
    await wantsLogin(who, { ...parameters, nonce: "n" });
    await succeeds(who, parameters);
  });

  test("A-29: a fresh sign-in counts for its request for ten minutes", async () => {
    const parameters = authorizeParameters(app, { prompt: "login" });
    const who = await signInFor(await signedIn(as, user), parameters);
    as.clock.advance(601);
    await wantsLogin(who, parameters);
  });

  test("A-29: another request in the browser does not use up the fresh sign-in for this one", async () => {
    const parameters = authorizeParameters(thirdParty, { prompt: "login" });
    const fresh = await aUser(as.store);
    let who = await signInFor(await signedIn(as, fresh), parameters);
    assert.equal((await ask(as, who, parameters)).type, "consent");
    await succeeds(who, authorizeParameters(app, { prompt: "none" }));
    who = await next(who);
    assert.equal((await ask(as, who, parameters)).type, "consent");
  });

  test("A-29: a session without a fresh sign-in for the request must sign in, even with a forged timestamp", async () => {
    const parameters = authorizeParameters(app, { prompt: "login" });
    const url = `/oauth/authorize?${formOf(parameters)}`;
    const who = await signedIn(as, user);
    const forged = Buffer.concat([requestHash(url, as.clock.now()).subarray(0, 6), Buffer.alloc(26)]);
    await wantsLogin({ ...who, session: { ...who.session, satisfied_request: forged } }, parameters);
  });

  test("A-29: max_age requires a sign-in only if the last one is longer ago", async () => {
    const who = await signedIn(as, user);
    as.clock.advance(100);
    await succeeds(who, authorizeParameters(app, { max_age: "100" }));
    await succeeds(who, authorizeParameters(app, { max_age: "9999999999" }));
    await wantsLogin(who, authorizeParameters(app, { max_age: "99" }));
    as.clock.advance(1);
    await wantsLogin(who, authorizeParameters(app, { max_age: "100" }));
  });

  test("A-29: a max_age that is not a number of seconds is invalid_request, and causes no loop of sign-ins", async () => {
    const who = await signedIn(as, user);
    for (const max_age of ["-1", "1.5", "1e3", "0x10", " 1", "+1", "ten", "99999999999", "\u0661"]) {
      const parameters = authorizeParameters(app, { max_age });
      assert.equal(await errorOf(who, parameters), "invalid_request", max_age);
      assert.equal(
        await pendingInteraction(`/oauth/authorize?${formOf(parameters)}`, who, as.server),
        undefined,
      );
    }
  });

  test("A-29: prompt=consent shows the consent page even if consent was given before", async () => {
    const { store } = as;
    const who = await signedIn(as, user);
    const remembered = await anApp(store);
    await aConsent(store, { user_id: user.id, app_id: remembered.id });
    await succeeds(who, authorizeParameters(remembered));
    assert.equal(
      (await ask(as, who, authorizeParameters(remembered, { prompt: "consent" }))).type,
      "consent",
    );
  });

  test("A-29: prompt=select_account shows the account choice, and the request then proceeds once", async () => {
    const parameters = authorizeParameters(app, { prompt: "select_account" });
    let who = await signedIn(as, user);
    const outcome = await ask(as, who, parameters);
    assert.deepEqual(outcome, {
      type: "select_account",
      client: await as.store.findClient(app.client_id),
      redirect_uri: "https://app.example/cb",
      ui_locales: undefined,
      url: `/oauth/authorize?${formOf(parameters)}`,
      signedIn: who,
    });
    who = await signInFor(who, parameters);
    await succeeds(who, parameters);
    assert.equal((await ask(as, await next(who), parameters)).type, "select_account");
  });

  test("A-29: an invalid request gets its error without an account choice", async () => {
    const who = await signedIn(as, user);
    const parameters = authorizeParameters(app, { prompt: "select_account", response_type: "token" });
    assert.equal(await errorOf(who, parameters), "unsupported_response_type");
  });

  test("A-29: prompt=none never shows a page, and returns the registered error for what is missing", async () => {
    const who = await signedIn(as, await aUser(as.store));
    const silent = (by: OAuthApp, overrides: Parameters = {}) =>
      authorizeParameters(by, { ...overrides, prompt: "none" });
    assert.equal(await errorOf(undefined, silent(app)), "login_required");
    assert.equal(await errorOf(undefined, silent(thirdParty)), "login_required");
    assert.equal(await errorOf(who, silent(thirdParty)), "consent_required");
    as.clock.advance(10);
    assert.equal(await errorOf(who, silent(app, { max_age: "5" })), "login_required");
    assert.equal(await errorOf(who, silent(app, { max_age: "0" })), "login_required");
    await succeeds(who, silent(app));
    await succeeds(who, silent(app, { max_age: "10" }));
    await aConsent(as.store, { user_id: who.user.id, app_id: thirdParty.id });
    await succeeds(who, silent(thirdParty));
  });

  test("A-29: prompt=none gets consent_required for a client whose identity cannot be verified, despite a consent", async () => {
    const who = await signedIn(as, user);
    const native = await anApp(as.store, {
      public: true,
      app_type: "native",
      redirect_uris: ["http://127.0.0.1/cb"],
    });
    await aConsent(as.store, { user_id: user.id, app_id: native.id });
    assert.equal(await errorOf(who, authorizeParameters(native, { prompt: "none" })), "consent_required");
  });

  test("A-29: prompt=none together with another value is invalid_request, with or without a session", async () => {
    const who = await signedIn(as, user);
    for (const prompt of ["none login", "login none", "none consent", "none select_account", "none x"]) {
      for (const by of [undefined, who]) {
        assert.equal(await errorOf(by, authorizeParameters(app, { prompt })), "invalid_request", prompt);
      }
    }
    await succeeds(who, authorizeParameters(app, { prompt: " none  none " }));
  });

  describe("id_token_hint", () => {
    let authorization: string | undefined;
    let who: SignedIn;
    let id_token: string;
    let access_token: string;
    before(async () => {
      authorization = await credentialsOf(as, app);
      who = await signedIn(as, user);
      const tokens = await codeFlow(as, app, authorization, who);
      id_token = tokens.id_token ?? "";
      access_token = tokens.access_token;
    });

    test("A-29: an id_token_hint of the signed-in user is accepted, even if it has expired", async () => {
      await succeeds(who, authorizeParameters(app, { id_token_hint: id_token, prompt: "none" }));
      as.clock.advance(7200);
      await succeeds(who, authorizeParameters(app, { id_token_hint: id_token, prompt: "none" }));
    });

    test("A-29: an id_token_hint of another user gets no code, with or without prompt=none", async () => {
      const other = await signedIn(as, await aUser(as.store));
      for (const prompt of [undefined, "none"]) {
        const parameters = authorizeParameters(app, { id_token_hint: id_token, prompt });
        assert.equal(await errorOf(other, parameters), "login_required");
      }
    });

    test("A-29: an id_token_hint that is not an id_token of this server is invalid_request", async () => {
      const [header, payload, proof] = id_token.split(".");
      const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url");
      const claims = Buffer.from(JSON.stringify({ iss: as.server.issuer, sub: user.id, exp: 4e9 }));
      for (const hint of [
        "x",
        "a.b.c",
        access_token,
        `${header}.${payload}.`,
        `${header}.${claims.toString("base64url")}.${proof}`,
        `${none}.${payload}.`,
        id_token.slice(0, -4),
      ]) {
        assert.equal(
          await errorOf(who, authorizeParameters(app, { id_token_hint: hint })),
          "invalid_request",
          hint,
        );
      }
    });
  });
});
