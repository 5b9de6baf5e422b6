import assert from "node:assert/strict";
import { after, before, beforeEach, describe, mock, test } from "node:test";
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import * as client from "openid-client";
import { type KitApp, type KitUser, type PosternKit, startPostern } from "../../src/kit/kit.ts";
import { refuse } from "../../src/oauth/refusals/refuse.ts";

/** The refusal in the server's own words. */
const tooMany = refuse("client_throttled", { retry_after: 1 });

const callback = "http://localhost:8080/callback";

describe("the test kit", () => {
  let postern: PosternKit;
  let user: KitUser;
  let app: KitApp;

  before(async () => {
    postern = await startPostern();
    user = await postern.user({ name: "Ada Lovelace" });
    app = await postern.app({ kind: "website", redirect_uris: [callback] });
  });
  after(() => postern.close());
  beforeEach(async () => {
    await postern.heal();
    await postern.forget();
  });

  /** Returns a client of the program under test. */
  const discovered = () =>
    client.discovery(new URL(postern.url), app.client_id, app.client_secret, undefined, {
      execute: [client.allowInsecureRequests],
    });

  /** Calls an endpoint as the app. */
  async function post(endpoint: string, form: Record<string, string>) {
    const secret = { client_id: app.client_id, client_secret: app.client_secret ?? "" };
    const body = new URLSearchParams({ ...secret, ...form });
    const answer = await fetch(`${postern.url}/oauth/${endpoint}`, { method: "POST", body });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  const refresh = (refresh_token = "") => post("token", { grant_type: "refresh_token", refresh_token });
  const isActive = async (token: string) => (await post("introspect", { token })).body.active;

  test("OC-3: a test can name the organization for which a user of two organizations gets tokens or a client's code", async () => {
    const memberships = [{ organization: "acme", role: "admin" }, { organization: "globex" }];
    const ada = await postern.user({ memberships });
    const saas = await postern.app({
      kind: "website",
      redirect_uris: [callback],
      organization_mode: "required",
      allowed_scopes: ["openid", "organization", "roles"],
    });
    const contextOf = async (organization: string) => {
      const { access_token, id_token = "" } = await postern.tokens({ app: saas, user: ada, organization });
      return [access_token, id_token].map((token) => {
        const { organization: claim, roles } = decodeJwt<{ organization: { slug: string }; roles: string[] }>(
          token,
        );
        return { slug: claim.slug, roles };
      });
    };
    const acme = { slug: "acme", roles: ["admin"] };
    assert.deepEqual(await contextOf("acme"), [acme, acme]);
    assert.deepEqual((await contextOf("globex"))[0], { slug: "globex", roles: ["member"] });
    await assert.rejects(contextOf("unknown"), /no code/);
    // An existing organization stays unchanged, and gets another member.
    await postern.apply({ organizations: [{ slug: "acme", name: "Acme Ltd" }] });
    const bob = await postern.user({ memberships: [{ organization: "acme" }] });
    const { id_token = "" } = await postern.tokens({ app: saas, user: bob });
    assert.deepEqual(
      [decodeJwt(id_token).organization, decodeJwt(id_token).roles],
      [{ ...(decodeJwt(id_token).organization as object), slug: "acme", name: "Acme Ltd" }, ["member"]],
    );
    await assert.rejects(postern.tokens({ app, user: ada, organization: "acme" }), /organization_mode/);

    const query = new URLSearchParams({
      ...{ client_id: saas.client_id, redirect_uri: callback, response_type: "code", scope: "openid" },
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    });
    const url = `${postern.url}/oauth/authorize?${query}`;
    await assert.rejects(postern.follow(url, ada), /a page instead of a redirect: select_organization/);
    const back = await postern.follow(url, ada, { organization: "globex" });
    assert.ok(new URL(back).searchParams.has("code"));
  });

  test("signs a user in at a client, and records the client's request", async () => {
    const config = await discovered();
    const verifier = client.randomPKCECodeVerifier();
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: "openid profile",
      ...{ state, nonce },
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      // A requirement that a session alone does not meet.
      prompt: "login",
    });
    const back = new URL(await postern.follow(url.href, user));
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
    const tokens = await client.authorizationCodeGrant(config, back, checks);
    assert.equal(tokens.claims()?.sub, user.id);
    const info = await client.fetchUserInfo(config, tokens.access_token, user.id);
    assert.equal(info.name, "Ada Lovelace");

    const [requested] = await postern.requests("authorize");
    assert.deepEqual([requested?.parameters.code_challenge_method, requested?.location], ["S256", back.href]);
    const [redeemed] = await postern.requests("token");
    assert.equal(redeemed?.parameters.code_verifier, verifier);
    assert.equal(redeemed?.client?.client_id, app.client_id);
    assert.equal(redeemed?.client?.client_secret, app.client_secret);
    assert.equal(redeemed?.status, 200);
    assert.equal(
      (redeemed?.answer as { access_token?: string } | undefined)?.access_token,
      tokens.access_token,
    );
    const [informed] = await postern.requests("userinfo");
    assert.equal(informed?.token, tokens.access_token);
  });

  test("a user can deny on the consent page, and a test can deny in the user's name", async () => {
    const third = await postern.app({ kind: "browser", redirect_uris: [callback], first_party: false });
    const query = { response_type: "code", client_id: third.client_id, redirect_uri: callback, state: "s" };
    const challenge = { code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" };
    const form = { ...query, ...challenge, code_challenge_method: "S256", scope: "openid" };
    const url = `${postern.url}/oauth/authorize?${new URLSearchParams(form)}`;
    const errorOf = async (location: Promise<string>) => {
      const { searchParams } = new URL(await location);
      return [searchParams.get("error"), searchParams.get("state"), searchParams.get("iss")];
    };
    const denied = await errorOf(postern.follow(url, user, { decision: "deny" }));
    assert.deepEqual(denied, ["access_denied", "s", postern.url]);
    await postern.fail("authorize", { error: "temporarily_unavailable" });
    const failed = await errorOf(postern.follow(url, user));
    assert.deepEqual(failed, ["temporarily_unavailable", "s", postern.url]);
    assert.deepEqual(await errorOf(postern.follow(url, user)), [null, "s", postern.url]);
  });

  test("issues valid tokens for users and apps, and invalid ones that have expired", async () => {
    const keys = createRemoteJWKSet(new URL(`${postern.url}/.well-known/jwks.json`));
    const options = { issuer: postern.url, typ: "at+jwt" };
    const { access_token, id_token } = await postern.tokens({ app, user, scope: "openid email", nonce: "n" });
    const verified = await jwtVerify(access_token, keys, options);
    assert.deepEqual([verified.payload.sub, verified.payload.scope], [user.id, "openid email"]);
    assert.equal((await jwtVerify(id_token ?? "", keys)).payload.nonce, "n");
    assert.equal(await isActive(access_token), true);

    const expired = await postern.tokens({ app, user, expired: true });
    await assert.rejects(jwtVerify(expired.access_token, keys, options), { code: "ERR_JWT_EXPIRED" });
    assert.equal(await isActive(expired.access_token), false);

    const machine = await postern.app({ kind: "machine" });
    const own = await postern.tokens({ app: machine });
    const about = (await jwtVerify(own.access_token, keys, options)).payload;
    assert.deepEqual([about.client_id, own.refresh_token], [machine.client_id, undefined]);
    // Tokens that the kit itself issues do not appear as requests of a client.
    assert.deepEqual(await postern.requests("token"), []);
  });

  test("a rotated key signs immediately, and the previous one stays published", async () => {
    const before = await postern.tokens({ app, user });
    const { kid } = await postern.rotateKeys();
    const keys = createRemoteJWKSet(new URL(`${postern.url}/.well-known/jwks.json`));
    const after = await postern.tokens({ app, user });
    assert.equal((await jwtVerify(after.access_token, keys)).protectedHeader.kid, kid);
    assert.notEqual((await jwtVerify(before.access_token, keys)).protectedHeader.kid, kid);
  });

  test("gives a browser a session without the sign-in form", async () => {
    const { cookie } = await postern.session(user);
    const page = await fetch(`${postern.url}/account`, { headers: { cookie }, redirect: "manual" });
    assert.equal(page.status, 200);
    assert.match(await page.text(), /Ada Lovelace/);
  });

  test("can move the server's clock, and a test's fake timers do not affect it", async () => {
    const { access_token } = await postern.tokens({ app, user });
    mock.timers.enable({ apis: ["Date", "setTimeout"], now: 0 });
    try {
      const at = (await postern.now()).getTime();
      assert.ok(at > 1e12);
      assert.equal(Math.round(((await postern.advance(3600)).getTime() - at) / 60_000), 60);
    } finally {
      mock.timers.reset();
    }
    assert.equal(await isActive(access_token), false);
    await postern.setClock(new Date());
    assert.equal(await isActive(access_token), true);
    for (const seconds of [Number.NaN, Number.POSITIVE_INFINITY])
      await assert.rejects(postern.advance(seconds), /the clock needs a number of seconds/);
    await assert.rejects(postern.setClock(new Date("nonsense")), /the clock needs a number of seconds/);
    assert.equal(await isActive(access_token), true);
    await assert.rejects(startPostern({ at: new Date("nonsense") }), /the clock needs a number of seconds/);
  });

  test("can make the server treat a token or code as expired, revoked, or already used", async () => {
    for (const failure of ["expired", "revoked", "replay"] as const) {
      const { refresh_token } = await postern.tokens({ app, user });
      await postern.fail("token", failure);
      assert.equal((await refresh(refresh_token)).body.error, "invalid_grant", failure);
      const [requested] = (await postern.requests("token")).slice(-1);
      assert.deepEqual([requested?.failure, requested?.status], [failure, 400]);
    }
    // Like a real replay, a simulated one also revokes the tokens issued before.
    const { access_token, refresh_token } = await postern.tokens({ app, user });
    await postern.fail("token", "replay");
    await refresh(refresh_token);
    assert.equal(await isActive(access_token), false);

    for (const failure of ["expired", "revoked"] as const) {
      const { access_token: token } = await postern.tokens({ app, user });
      await postern.fail("introspect", failure);
      assert.equal(await isActive(token), false, failure);
    }
    const { access_token: shown } = await postern.tokens({ app, user });
    await postern.revoke(shown);
    assert.equal(await isActive(shown), false);
  });

  test("can make the next calls to an endpoint fail, and later ones succeed", async () => {
    const outcome = async (signal?: AbortSignal) => {
      const body = new URLSearchParams({ grant_type: "client_credentials" });
      const init = { method: "POST", body, signal: signal ?? null };
      try {
        const answer = await fetch(`${postern.url}/oauth/token`, init);
        const text = await answer.text();
        const error = text.startsWith("{") && text.endsWith("}") ? JSON.parse(text).error : text;
        return [answer.status, error, answer.headers.get("retry-after")];
      } catch (error) {
        return (error as Error).name;
      }
    };
    await postern.fail("token", "503", { times: 2 });
    await postern.fail("token", "429");
    await postern.fail("token", "500");
    await postern.fail("token", "502");
    await postern.fail("token", "garbled");
    await postern.fail("token", "reset");
    await postern.fail("token", { error: "invalid_client", description: "its secret has expired" });
    await postern.fail("/oauth/token", { delay: 1 });
    assert.deepEqual(await outcome(), [503, "temporarily_unavailable", "1"]);
    assert.deepEqual(await outcome(), [503, "temporarily_unavailable", "1"]);
    assert.deepEqual(await outcome(), [429, tooMany.code, "1"]);
    assert.equal(tooMany.status, 429);
    assert.deepEqual(await outcome(), [500, "server_error", null]);
    assert.deepEqual((await outcome())[0], 502);
    assert.deepEqual(await outcome(), [200, '{"access_token":"', null]);
    assert.equal(await outcome(), "TypeError");
    assert.deepEqual(await outcome(), [401, "invalid_client", null]);
    // After the delay the client gets the usual answer, which here is the refusal of its authentication.
    assert.deepEqual(await outcome(), [401, "invalid_client", null]);
    const [, last] = (await postern.requests("token")).slice(-2);
    assert.deepEqual(last?.failure, { delay: 1 });

    await postern.fail("token", "timeout");
    const stop = new AbortController();
    const waiting = outcome(stop.signal);
    while ((await postern.requests("token")).every(({ failure }) => failure !== "timeout"));
    stop.abort();
    assert.equal(await waiting, "AbortError");
  });

  test("fails a call with the status and the challenge that the server itself would send", async () => {
    const answerTo = async (path: string, authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization };
      const { status, headers: reported } = await fetch(postern.url + path, { method: "POST", headers });
      return { status, challenge: reported.get("www-authenticate"), nonce: reported.has("dpop-nonce") };
    };
    const failing = async (error: string, path: `/${string}`, description?: string) => {
      await postern.fail(path, { error, ...(description !== undefined && { description }) });
      return answerTo(path);
    };
    const realm = `realm="${postern.url}"`;
    const [token, userinfo] = ["/oauth/token", "/oauth/userinfo"] as const;

    const unproven = await answerTo(token, "Basic bm9ib2R5Om5v");
    assert.deepEqual(await failing("invalid_client", token), unproven);
    assert.equal(unproven.challenge, `Basic ${realm}, charset="UTF-8"`);

    const { challenge: unknown, status } = await answerTo(userinfo, "Bearer unknown");
    const wrong = await failing("invalid_token", userinfo, "it is “wrong”");
    assert.equal(wrong.status, status);
    assert.equal(
      wrong.challenge,
      `Bearer ${realm}, error="invalid_token", error_description="it is ?wrong?"`,
    );
    assert.ok(
      unknown?.startsWith(`Bearer ${realm}, error="invalid_token", error_description="`),
      unknown ?? "",
    );

    const lacking = await failing("insufficient_scope", userinfo, "more");
    assert.equal(lacking.status, 403);
    const named = `error="insufficient_scope", error_description="more", scope="openid"`;
    assert.equal(lacking.challenge, `Bearer ${realm}, ${named}`);

    assert.deepEqual(await failing("access_denied", token), { status: 403, challenge: null, nonce: false });
    assert.deepEqual(await failing("use_dpop_nonce", token), { status: 400, challenge: null, nonce: true });
    assert.deepEqual(await failing("of_another", token), { status: 400, challenge: null, nonce: false });
  });

  test("creates any record of a manifest, and reports errors by their place in the test's input", async () => {
    await postern.apply({
      organizations: [{ slug: "acme", name: "Acme" }],
      resources: [
        { identifier: "https://orders.example", name: "Orders", organization: "acme", who_may_ask: "any" },
      ],
    });
    const [resource, scope] = ["https://orders.example", "openid"];
    const { access_token } = await postern.tokens({ app, user, resource, scope });
    assert.equal(decodeJwt(access_token).aud, resource);
    await assert.rejects(
      postern.app({ kind: "website", redirect_uris: ["not a URI"] }),
      /apps\[0\]\.redirect_uris\[0\]: /,
    );
    await assert.rejects(postern.fail("tokens" as "token", "503"), /tokens is not an endpoint/);
    await assert.rejects(postern.fail("token", "504" as "503"), /504 is not a failure/);
    await assert.rejects(postern.session({ id: "0190c3a4-0000-7000-8000-000000000000" }), /no user/);
    await assert.rejects(postern.events(), /extra_features: "events"/);
  });
});

describe("a server that the test kit starts", () => {
  const lines: string[] = [];
  let postern: PosternKit;
  before(async () => {
    postern = await startPostern({
      at: new Date("2030-01-01T00:00:00Z"),
      settings: { profiles: ["oauth21"], log_level: "debug", extra_features: "events" },
      log: (line) => lines.push(line),
    });
  });

  test("EV-7: events() returns the committed events in order", async () => {
    const user = await postern.user({ name: "Ada Lovelace" });
    const before = await postern.events();
    assert.deepEqual(
      before.map(({ position, type, subject_id }) => [position, type, subject_id]),
      [[1, "user.created", user.id]],
    );
    const session = await postern.session(user);
    const [event, ...more] = await postern.events({ after: 1, types: ["session.started"] });
    assert.equal(more.length, 0);
    assert.ok(session.cookie.length > 0);
    assert.deepEqual([event?.subject_kind, event?.subject_id, event?.actor_kind], ["user", user.id, "user"]);
  });

  test("starts at a given time, with settings, and passes its log lines to the test", async () => {
    assert.equal((await postern.now()).getUTCFullYear(), 2030);
    for (const path of ["/readyz", "/healthz"]) await fetch(postern.url + path);
    await postern.now();
    assert.ok(lines.some((line) => line.includes("2030-01-01")));
  });

  test("refuses wrong settings, and any call after its end", async () => {
    await assert.rejects(startPostern({ settings: { profiles: ["nonsense" as "mcp"] } }), /POSTERN_PROFILES/);
    await postern.close();
    await postern.close();
    await assert.rejects(postern.user(), /has been closed/);
    await assert.rejects(fetch(postern.url));
  });
});
