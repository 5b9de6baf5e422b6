/** A client that steps up when an API requires it and repeats its request (RFC 9470, SU-7). */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as oauth from "oauth4webapi";
import { manageScope } from "../../src/records/definition/permissions.ts";
import { aPerson, signInAs, type TestApp, testApp, testBrowser } from "../support/app.ts";
import { issuer } from "../support/authorization_server.ts";
import { anApp } from "../support/builders.ts";

const redirect_uri = "https://tool.example/callback";

type Sent = oauth.CustomFetchOptions<string, unknown>;

/** Returns a `fetch` that calls the application directly, with the clock of the test. */
function fetchFrom({ app }: TestApp) {
  return async (url: string, { body, ...init }: Sent) => {
    const request = new Request(url, { ...init, ...(body !== undefined && { body }) } as RequestInit);
    const { pathname, search } = new URL(request.url);
    const payload = Buffer.from(await request.arrayBuffer());
    const answer = await app.inject({
      method: request.method as "GET",
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      ...(payload.length > 0 && { payload }),
    });
    const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    return new Response(answer.body, { status: answer.statusCode, headers });
  };
}

test("SU-7: a client with oauth4webapi performs a required step-up and repeats its request", async () => {
  const it = await testApp({ settings: { extra_sign_in: ["totp"], api_step_up_age: 300 } });
  const user = await aPerson(it, { is_platform_admin: true });
  await anApp(it.store, {
    client_id: "tool",
    public: true,
    app_type: "native",
    first_party: true,
    owner_id: user.id,
    redirect_uris: [redirect_uri],
    allowed_scopes: ["openid", manageScope],
  });
  const options = { [oauth.customFetch]: fetchFrom(it) };
  const as = await oauth.processDiscoveryResponse(
    new URL(issuer),
    await oauth.discoveryRequest(new URL(issuer), options),
  );
  const browser = testBrowser(it.app);
  let sign_ins = 0;

  /** Gets a token by the code flow, with the requirements of the API if there are any. */
  async function tokenFor(wishes: Readonly<Record<string, string>> = {}): Promise<string> {
    const skew = Math.round((it.clock.now().getTime() - Date.now()) / 1000);
    const client: oauth.Client = { client_id: "tool", [oauth.clockSkew]: skew };
    const verifier = oauth.generateRandomCodeVerifier();
    const query = new URLSearchParams({
      client_id: "tool",
      redirect_uri,
      response_type: "code",
      scope: `openid ${manageScope}`,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state: "state",
      ...wishes,
    });
    let answer = await browser.get(`/oauth/authorize?${query}`);
    if (String(answer.headers.location).startsWith("/login")) {
      sign_ins++;
      answer = await signInAs(browser, user, { redirect: `${issuer}/oauth/authorize?${query}` });
      answer = await browser.get(String(answer.headers.location).slice(issuer.length));
    }
    const callback = oauth.validateAuthResponse(
      as,
      client,
      new URL(String(answer.headers.location)),
      "state",
    );
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      oauth.None(),
      callback,
      redirect_uri,
      verifier,
      options,
    );
    const { max_age } = wishes;
    const expected = max_age === undefined ? {} : { maxAge: Number(max_age) };
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, expected);
    return tokens.access_token;
  }

  let access_token = await tokenFor();

  async function makeUser(email: string): Promise<Response> {
    const url = new URL("/api/v1/users", issuer);
    const headers = new Headers({ "content-type": "application/json" });
    const body = JSON.stringify({ email, name: "New" });
    try {
      return await oauth.protectedResourceRequest(access_token, "POST", url, headers, body, options);
    } catch (error) {
      if (!(error instanceof oauth.WWWAuthenticateChallengeError)) throw error;
      const [challenge] = error.cause;
      assert.equal(challenge?.scheme, "bearer");
      const { error: why, acr_values = "", max_age = "" } = challenge?.parameters ?? {};
      assert.equal(why, "insufficient_user_authentication");
      access_token = await tokenFor({ acr_values, max_age });
      return oauth.protectedResourceRequest(access_token, "POST", url, headers, body, options);
    }
  }

  assert.equal((await makeUser("first@example.com")).status, 201);
  assert.equal(sign_ins, 1);
  it.clock.advance(301);
  assert.equal((await makeUser("second@example.com")).status, 201);
  assert.equal(sign_ins, 2, "the person signed in once more, and once");
  assert.equal((await makeUser("third@example.com")).status, 201);
  assert.equal(sign_ins, 2);
});
