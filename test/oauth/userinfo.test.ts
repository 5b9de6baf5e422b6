import assert from "node:assert/strict";
import { test } from "node:test";
import { readForm } from "../../src/oauth/params.ts";
import { isRefusal } from "../../src/oauth/refusals/refuse.ts";
import { userinfo } from "../../src/oauth/userinfo.ts";
import { serverOn } from "../support/authorization_server.ts";
import { describeInForm } from "../support/databases.ts";
import { deactivate } from "../support/endings.ts";
import { formOf, origin, type Parameters } from "../support/flows.ts";
import { aParty, type Party, refusal, rejected } from "./party.ts";

describeInForm("userinfo", (database) => {
  const stage = serverOn(database);

  const ask = (authorization: string | undefined, form?: Parameters) =>
    userinfo(
      {
        method: "GET",
        dpop: undefined,
        authorization,
        params: form === undefined ? undefined : readForm(formOf(form)),
        origin,
      },
      stage.server,
    );
  const bearer = (token: string) => ask(`Bearer ${token}`);

  const scopes = { allowed_scopes: ["openid", "profile", "email", "orders:read"] };

  test("O-2: each scope releases its claims, and no other", async () => {
    const avatar_url = "https://img.example/ada.png";
    const party = await aParty(stage, scopes, { name: "Ada Lovelace", avatar_url });
    const { id: sub, email, name } = party.user;
    const updated_at = Math.floor(party.user.updated_at.getTime() / 1000);
    const profile = { name, picture: avatar_url, updated_at };
    const expected: Record<string, object> = {
      openid: { sub },
      "openid orders:read": { sub },
      "openid email": { sub, email },
      "openid profile": { sub, ...profile },
      "openid profile email": { sub, ...profile, email },
    };
    for (const [scope, claims] of Object.entries(expected)) {
      const { access_token } = await party.flow({ scope });
      assert.deepEqual(await bearer(access_token), claims, scope);
      assert.deepEqual(await ask(undefined, { access_token }), claims, scope);
    }
    const plain = await aParty(stage, scopes);
    const { access_token } = await plain.flow({ scope: "openid profile" });
    assert.ok(!("picture" in (await bearer(access_token))), "what the user has not is left out");
  });

  test("O-2: a request without a token is challenged without an error code", async () => {
    for (const authorization of [undefined, "Basic YTpi", "Digest x", "Bearerx y"]) {
      await assert.rejects(ask(authorization), (error: unknown) => {
        assert.ok(isRefusal(error, "access_token_missing"), `${authorization}`);
        assert.equal(error.status, 401);
        return true;
      });
    }
    await assert.rejects(ask(undefined, {}), { kind: "access_token_missing" });
    await assert.rejects(ask(undefined, { access_token: "" }), { kind: "access_token_missing" });
  });

  test("O-2: a token that came in two ways or twice is invalid_request", async () => {
    const party = await aParty(stage);
    const { access_token } = await party.flow();
    const twoWays = ask(`Bearer ${access_token}`, { access_token });
    await rejected(twoWays, "invalid_request", /two ways/);
    await rejected(ask(undefined, { access_token: [access_token, access_token] }), "invalid_request");
  });

  test("O-2: a token without openid, or without a user, is insufficient_scope", async () => {
    const party = await aParty(stage);
    const { access_token } = await party.flow({ scope: "profile orders:read" });
    await rejected(bearer(access_token), "insufficient_scope", /openid/);
    const machine = await aParty(stage, { allowed_grants: ["client_credentials"] });
    const own = await machine.clientCredentials();
    await rejected(bearer(own.access_token), "insufficient_scope");
  });

  type Tokens = Awaited<ReturnType<Party["flow"]>>;
  const ended = (end: (party: Party, tokens: Tokens) => unknown) => async (party: Party) => {
    const tokens = await party.flow();
    await end(party, tokens);
    return tokens.access_token;
  };
  const dead: Record<string, (party: Party) => Promise<string>> = {
    "an id_token": async (party) => (await party.flow()).id_token ?? "",
    "a refresh token": async (party) => (await party.flow()).refresh_token,
    "a code": (party) => party.code(),
    garbage: async () => "garbage",
    "a token with a broken character": async (party) => `${(await party.flow()).access_token}*`,
    "an expired token": ended(() => stage.clock.advance(900)),
    "a revoked token": ended((party, { access_token }) => party.revoke(access_token)),
    "a token of a family that was revoked": ended((party, { refresh_token }) => party.revoke(refresh_token)),
    "a deactivated user's token": ended(({ user }) =>
      deactivate(stage.store, "users", user.id, stage.clock.now()),
    ),
    "a deactivated app's token": ended(({ app }) =>
      deactivate(stage.store, "oauth_apps", app.id, stage.clock.now()),
    ),
    "a token edited": async (party) => {
      const [header, , proof] = (await party.flow()).access_token.split(".");
      return `${header}.${Buffer.from('{"scope":"openid"}').toString("base64url")}.${proof}`;
    },
  };
  for (const [what, make] of Object.entries(dead)) {
    test(`O-2: ${what} is invalid_token`, async () => {
      const party = await aParty(stage);
      const token = await make(party);
      await assert.rejects(bearer(token), (error: unknown) => {
        assert.ok(!isRefusal(error, "access_token_missing"));
        return refusal("invalid_token")(error);
      });
      await rejected(ask(undefined, { access_token: token }), "invalid_token");
    });
  }

  test("O-2: the scheme is known in any case, and what is told is the user as they are now", async () => {
    const party = await aParty(stage, scopes);
    const { access_token } = await party.flow({ scope: "openid profile" });
    const name = "Augusta";
    await stage.store.update("users", { id: party.user.id }, { name });
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      assert.equal((await ask(`${scheme} ${access_token}`)).name, name);
    }
  });
});
