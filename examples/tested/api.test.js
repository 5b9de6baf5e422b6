import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { startPostern } from "@postern/test";
import { createApi } from "./api.js";

describe("the API", () => {
  let postern;
  let app;
  let user;
  let server;

  before(async () => {
    postern = await startPostern();
    user = await postern.user();
    app = await postern.app({ kind: "website", redirect_uris: ["http://localhost/callback"] });
    server = createApi(postern.url).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    await postern.close();
  });

  const ordersWith = (token) =>
    fetch(`http://127.0.0.1:${server.address().port}/orders`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });

  test("answers 503 while the keys cannot be fetched, and works afterwards", async () => {
    const { access_token } = await postern.tokens({ app, user });
    await postern.fail("jwks", "503");
    assert.equal((await ordersWith(access_token)).status, 503);
    assert.equal((await ordersWith(access_token)).status, 200);
  });

  test("accepts an access token of the user, and nothing else", async () => {
    const { access_token, id_token } = await postern.tokens({ app, user });
    assert.deepEqual(await (await ordersWith(access_token)).json(), { orders: [`an order of ${user.id}`] });
    for (const token of [undefined, "nonsense", id_token]) {
      const answer = await ordersWith(token);
      assert.equal(answer.status, 401);
      assert.match(answer.headers.get("www-authenticate"), /invalid_token/);
    }
  });

  test("refuses a token that has expired", async () => {
    const { access_token } = await postern.tokens({ app, user, expired: true });
    assert.equal((await ordersWith(access_token)).status, 401);
  });

  test("accepts tokens of the old and of the new key after a rotation", async () => {
    const before = await postern.tokens({ app, user });
    await postern.rotateKeys();
    const after = await postern.tokens({ app, user });
    for (const { access_token } of [before, after])
      assert.equal((await ordersWith(access_token)).status, 200);
  });
});
