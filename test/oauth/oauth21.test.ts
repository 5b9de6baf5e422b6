/** The profile `oauth21`: what the draft asks beyond what always holds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { userinfo } from "../../src/oauth/userinfo.ts";
import { serverOn } from "../support/authorization_server.ts";
import { describeInForm } from "../support/databases.ts";
import { codeParameters, origin, redeem } from "../support/flows.ts";
import { asking } from "./asking.ts";
import { aParty, rejected, withSettings } from "./party.ts";

const unchallenged = { code_challenge: undefined, code_challenge_method: undefined };

describeInForm("OAuth 2.1", (database) => {
  const as = serverOn(database);

  /** Of the server, and of the app. */
  const held = async (given: object = {}) => [
    await aParty(withSettings(as, { profiles: ["oauth21"] }), given),
    await aParty(as, { profile: "oauth21", ...given }),
  ];

  test("design 6.24: a confidential client uses PKCE as well, under the profile alone", async () => {
    for (const party of await held({ first_party: true })) {
      const stage = { as: party.test, who: party.who, app: party.app };
      const answer = await asking(() => stage).refusedWith("invalid_request", unchallenged);
      assert.match(String(answer.get("error_description")), /PKCE/);
      await party.flow();
    }
    const free = await aParty(as, { first_party: true });
    const code = await free.code(unchallenged);
    assert.ok(await free.exchange(code, { code_verifier: undefined }));
  });

  test("design 6.24: redirect_uri may be left out of the token request, and must be right where it is sent", async () => {
    for (const party of await held()) {
      assert.ok(await party.exchange(await party.code(), { redirect_uri: undefined }));
      const wrong = { redirect_uri: "https://app.example/other" };
      await rejected(party.exchange(await party.code(), wrong), "invalid_grant", /redirect_uri differs/);
      const other = { redirect_uri: undefined, code_verifier: "x".repeat(43) };
      await rejected(party.exchange(await party.code(), other), "invalid_grant");
    }
    const free = await aParty(as);
    await rejected(
      free.exchange(await free.code(), { redirect_uri: undefined }),
      "invalid_request",
      /redirect_uri is missing/,
    );
  });

  test("design 6.24: redirect URIs match by character, a loopback address by all but its port; no token in the query", async () => {
    const redirect_uris = ["http://127.0.0.1/cb", "http://localhost/cb", "https://app.example/cb"];
    const given = { redirect_uris, app_type: "native", public: true, refresh_token_rotation: false };
    for (const party of await held(given)) {
      const code = (redirect_uri: string) => party.code({ redirect_uri });
      await code("http://127.0.0.1:49152/cb");
      for (const near of ["http://localhost:49152/cb", "https://app.example/cb/", "https://APP.example/cb"])
        await rejected(code(near), "invalid_request", /not one that is registered/);
      // A public client's refresh tokens rotate, whatever its app says.
      const tokens = await redeem(party.test, party.app, undefined, {
        ...codeParameters(party.app, await party.code({ scope: "openid offline_access" })),
      });
      const next = await party.refresh(String(tokens.refresh_token));
      assert.notEqual(next.refresh_token, tokens.refresh_token);
      const bare = { method: "GET", authorization: undefined, dpop: undefined, params: undefined, origin };
      await rejected(userinfo(bare, party.test.server), "invalid_token");
    }
  });
});
