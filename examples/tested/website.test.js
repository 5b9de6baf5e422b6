import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, beforeEach, describe, test } from "node:test";
import { startPostern } from "@postern/test";
import { createApi } from "./api.js";
import { createWebsite } from "./website.js";

const redirect_uri = "http://localhost:8080/callback";

describe("the website", () => {
  let postern;
  let user;
  let address;
  const servers = [];

  async function listening(app) {
    const server = app.listen(0, "127.0.0.1");
    servers.push(server);
    await once(server, "listening");
    return `http://127.0.0.1:${server.address().port}`;
  }

  before(async () => {
    postern = await startPostern();
    user = await postern.user({ name: "Ada Lovelace" });
    const { client_id, client_secret } = await postern.app({
      kind: "website",
      redirect_uris: [redirect_uri],
      first_party: false,
      access_token_ttl: 300,
    });
    const api = await listening(createApi(postern.url));
    const input = { issuer: postern.url, client_id, client_secret, redirect_uri, api };
    address = await listening(await createWebsite(input));
  });
  beforeEach(() => postern.forget());
  after(async () => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
    await postern.close();
  });

  /** A client that keeps the website's cookie, as a browser does, but follows no redirect. */
  function browser() {
    let cookie = "";
    return async (path) => {
      const answer = await fetch(address + path, { headers: { cookie }, redirect: "manual" });
      const [set] = answer.headers.getSetCookie();
      if (set !== undefined) [cookie] = set.split(";");
      return { status: answer.status, location: answer.headers.get("location"), text: await answer.text() };
    };
  }

  /** Signs in, and requests the redirect URI with the response. */
  async function signIn(get, { as = user, decision } = {}) {
    const { location } = await get("/login");
    const back = new URL(await postern.follow(location, as, { decision }));
    return get(back.pathname + back.search);
  }

  /** Returns a browser whose user signed in so long ago that the access token has expired. */
  async function signedInLongAgo() {
    const get = browser();
    await postern.advance(-400);
    await signIn(get);
    await postern.advance(400);
    await postern.forget();
    return get;
  }

  test("signs a user in and shows their orders", async () => {
    const get = browser();
    assert.match((await get("/")).text, /Sign in/);
    assert.equal((await signIn(get)).location, "/");
    assert.deepEqual(JSON.parse((await get("/")).text), [`an order of ${user.id}`]);

    const [requested] = await postern.requests("authorize");
    assert.equal(requested.parameters.code_challenge_method, "S256");
    const [redeemed] = await postern.requests("token");
    assert.equal(redeemed.client.method, "client_secret_post");
  });

  test("reports that the user refused, or that the sign-in failed", async () => {
    const get = browser();
    const other = await postern.user();
    assert.equal((await signIn(get, { as: other, decision: "deny" })).status, 403);
    await postern.fail("authorize", { error: "server_error" });
    assert.equal((await signIn(get)).status, 403);
    assert.match((await get("/")).text, /Sign in/);
  });

  test("gets a new token when the old one has expired", async () => {
    const get = await signedInLongAgo();
    assert.equal((await get("/")).status, 200);
    const [requested, ...more] = await postern.requests("token");
    assert.equal(requested.parameters.grant_type, "refresh_token");
    assert.deepEqual(more, []);
  });

  test("ends the session if the grant was revoked, but not after a temporary failure", async () => {
    const get = await signedInLongAgo();
    await postern.fail("token", "503");
    assert.equal((await get("/")).status, 503);
    await postern.fail("token", "revoked");
    assert.equal((await get("/")).status, 403);
    assert.match((await get("/")).text, /Sign in/);
  });

  test("does not sign in with a code that was already used or has expired", async () => {
    for (const failure of ["replay", "expired"]) {
      const get = browser();
      await postern.fail("token", failure);
      assert.equal((await signIn(get)).status, 403, failure);
      assert.match((await get("/")).text, /Sign in/);
    }
  });

  test("responds 503 while the token endpoint returns an error, an invalid response or nothing", async () => {
    for (const failure of ["503", "502", "garbled", "reset", "timeout"]) {
      const get = browser();
      await postern.fail("token", failure);
      assert.equal((await signIn(get)).status, 503, failure);
      assert.equal((await signIn(get)).location, "/", failure);
    }
  });
});
