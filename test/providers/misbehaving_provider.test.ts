import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as openid from "openid-client";
import { beginUpstream, finishUpstream } from "../../src/providers/upstream.ts";
import { upstreamClient } from "../../src/providers/upstream_client.ts";
import { UpstreamError } from "../../src/providers/upstream_error.ts";
import { allMisbehaviours, type Lie, misbehavingUpstream } from "../support/misbehaving_upstream.ts";
import { providerSettings } from "../support/provider_settings.ts";
import type { UpstreamFake } from "../support/upstream_fake.ts";

const secret = providerSettings("oidc").client_secret ?? "";
const bound = {
  state: "state-of-this-sign-in",
  nonce: "nonce-of-this-sign-in",
  code_verifier: "verifier-of-this-sign-in-with-43-characters",
  redirect_uri: "https://id.example/sign-in/oidc/callback",
};

async function ours(fake: UpstreamFake, now: () => Date, timeout = 5000): Promise<unknown> {
  const client = upstreamClient({ outbound: fake.outbound, now, timeout });
  const url = await beginUpstream(fake.settings, bound, client);
  const { mode: _, ...answer } = await fake.visit(url);
  return finishUpstream(fake.settings, answer, { ...bound, slug: "oidc" }, client);
}

/** Runs the same sign-in with an independent client, whose verdict shows whether a response is false. */
async function theirs({ settings, visit }: UpstreamFake): Promise<unknown> {
  const options = { execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks], timeout: 1 };
  const { issuer = "", client_id, client_secret } = settings;
  const config = await openid.discovery(
    new URL(issuer),
    client_id,
    { ...(client_secret !== undefined && { client_secret }), [openid.clockTolerance]: 30 },
    undefined,
    options,
  );
  const { mode: _, ...answer } = await visit(
    openid.buildAuthorizationUrl(config, {
      redirect_uri: bound.redirect_uri,
      scope: "openid email",
      state: bound.state,
      nonce: bound.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(bound.code_verifier),
      code_challenge_method: "S256",
    }).href,
  );
  const back = new URL(bound.redirect_uri);
  for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value);
  const tokens = await openid.authorizationCodeGrant(config, back, {
    expectedState: bound.state,
    expectedNonce: bound.nonce,
    pkceCodeVerifier: bound.code_verifier,
    idTokenExpected: true,
  });
  return openid.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? "");
}

const honest: Lie = { name: "nothing", kind: "state", field: "", hooks: {} };
const misbehaviours = await allMisbehaviours(secret);

describe("EP-16 each false claim of a provider is refused with its own error", () => {
  const now = () => new Date("2027-03-01T10:00:00Z");
  for (const lie of misbehaviours) {
    const { name, kind, field, timeout, before_token } = lie;
    test(`EP-5, EP-16 ${name} is refused as ${kind}`, async () => {
      const fake = await misbehavingUpstream(lie, now);
      try {
        const error = await ours(fake, now, timeout).then(
          () => assert.fail("the lie was believed"),
          (error) => error,
        );
        assert.ok(error instanceof UpstreamError, String(error));
        assert.deepEqual([error.kind, error.field], [kind, field]);
        const reported = JSON.stringify([error.message, error.expected, error.received]);
        for (const hidden of [
          secret,
          bound.code_verifier,
          bound.state,
          "access-1",
          "code-1-of-oidc",
          "refresh-",
        ])
          assert.ok(!reported.includes(hidden), reported);
        const exchanged = fake.seen.some(({ path }) => path === "/token");
        assert.equal(exchanged, before_token === undefined);
      } finally {
        await fake.close();
      }
    });
  }

  test("EP-5 the same provider is accepted if it makes no false claim", async () => {
    const fake = await misbehavingUpstream(honest, now);
    try {
      const { subject } = (await ours(fake, now)) as { subject: string };
      assert.equal(subject, "ann");
    } finally {
      await fake.close();
    }
  });
});

describe("an independent client's decision on the same responses", () => {
  const now = () => new Date();
  for (const lie of [honest, ...misbehaviours]) {
    const believed = lie === honest || lie.taken_elsewhere === true;
    test(`${lie.name} is ${believed ? "accepted" : "refused"}`, async () => {
      const fake = await misbehavingUpstream(lie, now);
      try {
        const outcome = await theirs(fake).then(
          () => "taken",
          () => "refused",
        );
        assert.equal(outcome, believed ? "taken" : "refused");
      } finally {
        await fake.close();
      }
    });
  }
});
