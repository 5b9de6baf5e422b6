/** Which logout tokens of a provider are accepted (OpenID Connect Back-Channel Logout 1.0, 2.6). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { verifyLogoutToken } from "../../src/providers/logout_token.ts";
import { UpstreamError, type UpstreamErrorKind } from "../../src/providers/upstream_error.ts";
import type { Json, UpstreamFake } from "../support/upstream_fake.ts";
import { inFixture, type UpstreamFixture } from "../support/upstream_fixture.ts";
import { withoutConversions } from "../support/without_conversions.ts";

const event = "http://schemas.openid.net/event/backchannel-logout";

const usual = ({ fake, clock }: UpstreamFixture): Json => ({
  iss: fake.origin,
  aud: fake.settings.client_id,
  iat: clock.at / 1000,
  exp: clock.at / 1000 + 120,
  jti: "one",
  events: { [event]: {} },
  sub: "ann",
  sid: "her session",
});

const keysAsked = ({ seen }: UpstreamFake) => seen.filter(({ path }) => path === "/keys").length;

describe("a provider's logout token", () => {
  /**
   * Members that replace those of a valid token and its header, and the expected error; no error means it is
   * valid.
   */
  const tokens: readonly [Json, Json, UpstreamErrorKind?][] = [
    [{}, {}],
    [{}, { typ: "logout+jwt" }],
    [{}, { typ: undefined }],
    [{ sub: undefined }, {}],
    [{ sid: undefined }, {}],
    [{ exp: undefined }, {}, "logout_exp"],
    [{ exp: "soon" }, {}, "logout_exp"],
    [{}, { typ: "secevent+jwt" }, "logout_typ"],
    [{}, { kid: "another" }, "kid_unknown"],
    [{ iss: "https://other.example" }, {}, "iss"],
    [{ aud: "another client" }, {}, "aud"],
    [{ events: undefined }, {}, "logout_event"],
    [{ events: { [event]: "yes" } }, {}, "logout_event"],
    [{ events: [event] }, {}, "logout_event"],
    [{ nonce: "n" }, {}, "logout_nonce"],
    [{ iat: undefined }, {}, "logout_iat"],
    [{ jti: undefined }, {}, "logout_jti"],
    [{ sub: undefined, sid: undefined }, {}, "logout_subject"],
    [{ sub: "a\u0000b" }, {}, "logout_subject"],
    [{ sub: 7 }, {}, "logout_subject"],
  ];

  for (const [claims, header, kind] of tokens)
    test(`BL-9: a token with ${JSON.stringify({ ...claims, ...header })} is ${kind ?? "valid"}`, () =>
      inFixture("oidc", {}, async (fixture) => {
        const { fake, client } = fixture;
        const token = await fake.sign({ ...usual(fixture), ...claims }, header);
        const verified = verifyLogoutToken(token, fake.settings, client);
        if (kind !== undefined) return void (await assert.rejects(verified, { kind }));
        const { subject, sid } = await verified;
        assert.deepEqual(
          [subject, sid],
          ["sub" in claims ? undefined : "ann", "sid" in claims ? undefined : "her session"],
        );
      }));

  test("BL-9: a token is accepted a minute before and after its iat, and its jti is stored as long", () =>
    inFixture("oidc", {}, async (fixture) => {
      const { fake, client, clock } = fixture;
      const at = clock.at;
      const token = await fake.sign({ ...usual(fixture), exp: at / 1000 + 3600 });
      for (const [seconds, accepted] of [
        [-61, false],
        [-60, true],
        [60, true],
        [61, false],
      ] as const) {
        clock.at = at + seconds * 1000;
        const verified = verifyLogoutToken(token, fake.settings, client);
        if (!accepted) await assert.rejects(verified, { kind: "logout_iat" });
        else assert.ok((await verified).expires_at.getTime() >= at + 61_000);
      }
      clock.at = at;
      const expired = await fake.sign({ ...usual(fixture), exp: at / 1000 - 60 });
      await assert.rejects(verifyLogoutToken(expired, fake.settings, client), { kind: "logout_exp" });
    }));

  test("BL-9: unsigned tokens, tokens signed with a shared secret and malformed ones are refused", () =>
    inFixture("oidc", {}, async (fixture) => {
      const { fake, client } = fixture;
      const valid = await fake.sign(usual(fixture));
      const [, payload = ""] = valid.split(".");
      const headed = (header: Json) => Buffer.from(JSON.stringify(header)).toString("base64url");
      const refused: readonly [string, UpstreamErrorKind][] = [
        ["", "id_token_malformed"],
        ["a.b.c", "id_token_malformed"],
        ["x".repeat(40_000), "id_token_malformed"],
        [`${headed({ alg: "none" })}.${payload}.`, "alg_none"],
        [`${headed({ alg: "HS256" })}.${payload}.c2ln`, "alg_symmetric"],
        [`${valid.slice(0, -8)}AAAAAAAA`, "signature"],
      ];
      for (const [token, kind] of refused)
        await assert.rejects(verifyLogoutToken(token, fake.settings, client), { kind }, token.slice(0, 80));
      for (const value of withoutConversions) {
        for (const name of ["iss", "aud", "iat", "exp", "jti", "events", "sub", "nonce"]) {
          const token = await fake.sign({ ...usual(fixture), [name]: value });
          await assert.rejects(verifyLogoutToken(token, fake.settings, client), UpstreamError, name);
        }
        for (const name of ["alg", "kid", "typ", "crit"]) {
          const token = `${headed({ alg: "RS256", kid: "k", [name]: value })}.${payload}.c2ln`;
          await assert.rejects(verifyLogoutToken(token, fake.settings, client), UpstreamError, name);
        }
      }
    }));

  test("BL-9: forged tokens with unknown keys cause at most one fetch of the key set a minute", () =>
    inFixture("oidc", {}, async (fixture) => {
      const { fake, client, clock } = fixture;
      const fetched: number[] = [];
      for (let minute = 0; minute < 3; minute++) {
        for (let each = 0; each < 20; each++) {
          const token = await fake.sign(usual(fixture), { kid: `unknown ${each}` });
          await assert.rejects(verifyLogoutToken(token, fake.settings, client), { kind: "kid_unknown" });
        }
        fetched.push(keysAsked(fake));
        clock.at += 60_000;
      }
      assert.deepEqual(fetched, [1, 2, 3]);
    }));
});
