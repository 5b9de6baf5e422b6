import assert from "node:assert/strict";
import { test } from "node:test";
import { credentialPrefix, newCredential } from "../../src/crypto/credentials.ts";
import { sha256Base64url } from "../../src/crypto/digest.ts";
import { token } from "../../src/oauth/token/token.ts";
import type { OAuthAuthCode } from "../../src/records/definition/definition.ts";
import { altered } from "../support/altered.ts";
import { serverOn } from "../support/authorization_server.ts";
import { later } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { challenge, endpointRequest, verifier } from "../support/flows.ts";
import { listed } from "../support/listed.ts";
import { aClientFixture, type ClientFixture, refusal } from "./client_fixture.ts";

const invalidGrant = refusal("invalid_grant");

/** Returns the text with the case of one letter changed, if it has a letter. */
function recased(text: string, from: number): string {
  const at = [...text].findIndex((letter, index) => index >= from && /[a-z]/i.test(letter));
  const letter = text[at] ?? "";
  const other = letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
  return text.slice(0, at) + other + text.slice(at + 1);
}

describeInForm("the authorization code grant", (database) => {
  const scenario = serverOn(database);

  async function codeRow(code_of: ClientFixture): Promise<OAuthAuthCode> {
    const [row] = await scenario.store.list("oauth_auth_codes", { user_id: code_of.user.id });
    assert.ok(row !== undefined);
    return row;
  }

  test("T-6: a code works once, and a second use revokes every token from it, including rotated ones", async () => {
    const fixture = await aClientFixture(scenario);
    const bystander = await fixture.flow();
    const { code, access_token, refresh_token } = await fixture.flow();
    const second = await fixture.refresh(refresh_token);
    const third = await fixture.refresh(second.refresh_token);
    assert.deepEqual(await fixture.isActive(third.access_token), true);
    scenario.clock.advance(600);
    await assert.rejects(fixture.exchange(code), (error: Error) => {
      assert.equal(error.name, "ReplayError");
      return refusal("invalid_grant", /already used/)(error);
    });
    for (const dead of [access_token, second.access_token, third.access_token, third.refresh_token]) {
      assert.equal(await fixture.isActive(dead), false);
    }
    await assert.rejects(fixture.refresh(third.refresh_token), invalidGrant);
    const { family_id } = await fixture.rowOf(third.access_token);
    const rows = await scenario.store.list("oauth_tokens", { family_id });
    assert.deepEqual(rows.map((row) => row.revoked_reason).toSorted(), ["replay", "rotated", "rotated"]);
    // Other families of the same user at the same client stay active.
    assert.equal(await fixture.isActive(bystander.access_token), true);
    assert.ok(await fixture.refresh(bystander.refresh_token));
  });

  test("T-6: a second use of a code revokes its tokens and is audited, even if the request has other errors", async () => {
    const wrongs = [
      { code_verifier: undefined },
      { code_verifier: "a".repeat(43) },
      { redirect_uri: "https://elsewhere.example/" },
      { resource: "https://elsewhere.example/" },
    ];
    const fixture = await aClientFixture(scenario);
    for (const wrong of wrongs) {
      const { code, access_token } = await fixture.flow();
      scenario.events.length = 0;
      await assert.rejects(fixture.exchange(code, wrong), invalidGrant);
      assert.equal(await fixture.isActive(access_token), false, JSON.stringify(wrong));
      const replay = scenario.events.find(({ type }) => type === "code_replay");
      const { family_id } = await fixture.rowOf(access_token);
      assert.deepEqual(replay?.target, { table: "oauth_tokens", id: family_id });
      assert.deepEqual(replay?.actor, { kind: "client", id: fixture.app.client_id });
      assert.deepEqual(replay?.details, { revoked_tokens: 1 });
    }
  });

  test("T-7: of twenty concurrent requests with one code, one gets tokens and the others count as reuse", async () => {
    const fixture = await aClientFixture(scenario);
    const code = await fixture.code();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => fixture.exchange(code)));
    const answers = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    assert.equal(answers.length, 1);
    for (const result of results) if (result.status === "rejected") invalidGrant(result.reason);
    assert.equal(await scenario.store.count("oauth_tokens", { user_id: fixture.user.id }), 1);
    // Nineteen replays were detected, so the winner's token is already revoked.
    assert.equal(await scenario.store.count("oauth_tokens", { user_id: fixture.user.id, revoked: false }), 0);
  });

  test("T-8: a code works only for its client, and an attempt by another client does not use it up", async () => {
    const fixture = await aClientFixture(scenario);
    for (const other of [await aClientFixture(scenario), await aClientFixture(scenario, { public: true })]) {
      const code = await fixture.code();
      await assert.rejects(other.exchange(code), refusal("invalid_grant", /issued to this client/));
      assert.ok(await fixture.exchange(code));
      // A used code sent by another client is an unauthorized attempt, and no replay.
      await assert.rejects(other.exchange(code), refusal("invalid_grant", /issued to this client/));
      const rows = await scenario.store.list("oauth_tokens", { app_id: fixture.app.id });
      assert.ok(rows.every((row) => !row.revoked));
    }
  });

  test("T-8: redirect_uri at the token endpoint must be the same text as in the request, including the port", async () => {
    const redirect_uri = "http://127.0.0.1:49152/cb";
    const fixture = await aClientFixture(scenario, {
      app_type: "native",
      public: true,
      redirect_uris: ["http://127.0.0.1/cb", "https://app.example/cb"],
    });
    const code = await fixture.code({ redirect_uri });
    const others = listed`
        http://127.0.0.1/cb http://127.0.0.1:49153/cb http://127.0.0.1:49152/cb/ http://127.0.0.1:49152/cb?x=1
        http://127.0.0.1:49152/CB http://127.0.0.1:049152/cb http://localhost:49152/cb https://app.example/cb
      `;
    for (const other of others) {
      await assert.rejects(
        fixture.exchange(code, { redirect_uri: other }),
        refusal("invalid_grant", /redirect_uri/),
      );
    }
    for (const missing of [undefined, ""]) {
      await assert.rejects(
        fixture.exchange(code, { redirect_uri: missing }),
        refusal("invalid_request", /redirect_uri is missing/),
      );
    }
    assert.ok(await fixture.exchange(code, { redirect_uri }));
  });

  test("T-9: a code requested with a code_challenge requires the matching code_verifier", async () => {
    for (const isPublic of [true, false]) {
      const fixture = await aClientFixture(scenario, { public: isPublic });
      const code = await fixture.code();
      const wrong = [
        undefined,
        "",
        challenge,
        verifier.slice(0, -1),
        `${verifier}a`,
        recased(verifier, 0),
        "a".repeat(42),
        "a".repeat(43),
        "a".repeat(129),
        sha256Base64url(challenge),
        ` ${verifier}`,
        `${verifier}=`,
      ];
      for (const code_verifier of wrong) {
        await assert.rejects(
          fixture.exchange(code, { code_verifier }),
          refusal("invalid_grant", /code_verifier/),
          `${code_verifier}`,
        );
      }
      // The token endpoint does not allow a weaker method either.
      await assert.rejects(
        fixture.exchange(code, { code_verifier: challenge, code_challenge_method: "plain" }),
        refusal("invalid_grant", /code_verifier/),
      );
      assert.ok(await fixture.exchange(code));
    }
  });

  test("T-9: a code_verifier for a code without a code_challenge is refused, to prevent a downgrade of PKCE", async () => {
    const fixture = await aClientFixture(scenario);
    const without = { code_challenge: undefined, code_challenge_method: undefined };
    const code = await fixture.code(without);
    await assert.rejects(fixture.exchange(code), refusal("invalid_grant", /had no code_challenge/));
    assert.ok(await fixture.exchange(code, { code_verifier: undefined }));
  });

  test("T-10: a failed token request does not use up its code", async () => {
    const fixture = await aClientFixture(scenario);
    const stranger = await aClientFixture(scenario);
    const code = await fixture.code();
    const wrongSecret = `Basic ${Buffer.from(`${fixture.app.client_id}:secr wrong`).toString("base64")}`;
    const attempts = [
      () =>
        token(
          endpointRequest(
            { grant_type: "authorization_code", code, redirect_uri: fixture.app.redirect_uris[0] },
            wrongSecret,
          ),
          scenario.server,
        ),
      () =>
        token(
          endpointRequest({ grant_type: "authorization_code", code, client_id: fixture.app.client_id }),
          scenario.server,
        ),
      () => stranger.exchange(code),
      () => fixture.exchange(code, { code_verifier: "b".repeat(43) }),
      () => fixture.exchange(code, { redirect_uri: "https://elsewhere.example/cb" }),
      () => fixture.exchange(code, { resource: "https://elsewhere.example/" }),
      () => fixture.exchange(code, { grant_type: "refresh_token", refresh_token: code }),
    ];
    for (const attempt of attempts) await assert.rejects(attempt(), { name: "OAuthError" });
    assert.equal((await codeRow(fixture)).used, false);
    assert.ok(await fixture.exchange(code));
  });

  test("T-11: a code with any changed character is refused", async () => {
    const fixture = await aClientFixture(scenario);
    const code = await fixture.code();
    const body = code.slice(credentialPrefix.code.length);
    for (const lookalike of [
      ...[code.slice(0, -1), body, `${code}A`, `${code}=`, ` ${code}`, recased(code, 16), altered(code)],
      ...[credentialPrefix.refresh_token + body, newCredential(credentialPrefix.code, scenario.clock.now())],
      // A look-alike: the Cyrillic а in place of the Latin a.
      ...["code", `p\u0430c_${body}`],
    ])
      await assert.rejects(fixture.exchange(lookalike), refusal("invalid_grant", /this client/), lookalike);
    assert.ok(await fixture.exchange(code));
  });

  test("design 6.12: a code is valid for sixty seconds by default", async () => {
    const fixture = await aClientFixture(scenario);
    const code = await fixture.code();
    const row = await codeRow(fixture);
    assert.deepEqual(row.expires_at, later(60, row.created_at));
    scenario.clock.advance(59.999);
    assert.ok(await fixture.exchange(code));
    const late = await fixture.code();
    scenario.clock.advance(60);
    await assert.rejects(fixture.exchange(late), refusal("invalid_grant", /expired/));
  });

  test("H-24: an expired code stays invalid if the clock goes back after the sweep, and the error says why", async () => {
    const fixture = await aClientFixture(scenario);
    const code = await fixture.code();
    scenario.clock.advance(61);
    await scenario.store.sweep(scenario.clock.now());
    scenario.clock.advance(-30);
    const expected = /has expired or was not issued to this client/;
    await assert.rejects(fixture.exchange(code), refusal("invalid_grant", expected));
  });
});
