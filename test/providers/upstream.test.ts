import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { finishUpstream } from "../../src/providers/upstream.ts";
import { upstreamClient } from "../../src/providers/upstream_client.ts";
import type { UpstreamFake } from "../support/upstream_fake.ts";
import { begin, inFixture, signIn } from "../support/upstream_fixture.ts";

const paths = ({ seen }: UpstreamFake) => seen.map(({ path }) => path);

describe("EP-4 protection against mix-up", () => {
  test("EP-4 a callback with the state of another provider is refused, and its code is sent to neither", async () => {
    await inFixture("oidc", {}, async (honest) => {
      await inFixture("oidc", {}, async ({ fake: attacker }) => {
        const { answer, expected } = await begin(honest);
        const other = { ...attacker.settings, slug: "attacker" };
        const client = upstreamClient({ outbound: attacker.outbound, now: honest.client.now });
        await assert.rejects(finishUpstream(other, answer, expected, client), {
          kind: "other_provider",
          expected: "oidc",
          received: "attacker",
        });
        assert.deepEqual(attacker.seen, []);
      });
    });
  });

  test("EP-4 an iss parameter is checked even if the provider did not announce it", async () => {
    await inFixture("gitlab", {}, async (fixture) => {
      const { answer, expected } = await begin(fixture);
      const { settings } = fixture.fake;
      const iss = "https://evil.example";
      await assert.rejects(finishUpstream(settings, { ...answer, iss }, expected, fixture.client), {
        kind: "response_iss",
        expected: fixture.fake.origin,
        received: iss,
      });
      assert.ok(!paths(fixture.fake).includes("/token"));
      const { subject } = await finishUpstream(
        settings,
        { ...answer, iss: fixture.fake.origin },
        expected,
        fixture.client,
      );
      assert.equal(subject, "31");
    });
  });

  test("EP-4 GitHub's iss parameter is checked if it is sent, and not required", async () => {
    await inFixture("github", {}, async (fixture) => {
      assert.equal((await signIn(fixture)).subject, "583231");
      fixture.fake.hooks.response = ({ iss: _, ...parameters }) => parameters;
      assert.equal((await signIn(fixture)).subject, "583231");
      fixture.fake.hooks.response = (parameters) => ({ ...parameters, iss: "https://github.evil.example" });
      await assert.rejects(signIn(fixture), { kind: "response_iss", expected: fixture.fake.origin });
    });
  });

  test("EP-4 an iss parameter from an OAuth 2.0 provider whose record names no issuer is refused", async () => {
    await inFixture("oauth2", {}, async (fixture) => {
      const iss = "https://login.example";
      fixture.fake.hooks.response = (parameters) => ({ ...parameters, iss });
      await assert.rejects(signIn(fixture), { kind: "response_iss", received: iss });
      assert.equal((await signIn(fixture, { ...fixture.fake.settings, issuer: iss })).subject, "7");
    });
  });

  test("EP-4 a code from another sign-in is refused, because PKCE and the callback bind it", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      const [first, second] = [await begin(fixture), await begin(fixture)];
      const stolen = { ...second.answer, code: first.answer.code ?? "" };
      await assert.rejects(finishUpstream(fixture.fake.settings, stolen, second.expected, fixture.client), {
        kind: "token_error",
        received: "invalid_grant",
      });
    });
  });
});

describe("EP-5 the endpoints of a provider", () => {
  test("EP-5 a browser is redirected only to https, and the endpoint's query is kept", async () => {
    await inFixture("oidc", { tls: true }, async (fixture) => {
      const { fake } = fixture;
      const pages = ["http://login.example/", "https://ann@login.example/", "https://login.example/#x"];
      for (const authorization_endpoint of pages) {
        fake.hooks.discovery = (document) => ({ ...document, authorization_endpoint });
        fixture.clock.at += 3_600_000;
        await assert.rejects(begin(fixture), { kind: "metadata_member", received: authorization_endpoint });
      }
      fake.hooks.discovery = (document) => ({
        ...document,
        authorization_endpoint: `${document.authorization_endpoint}?p=policy&client_id=another`,
      });
      fixture.clock.at += 3_600_000;
      const { url } = await begin(fixture);
      assert.deepEqual(url.searchParams.getAll("p"), ["policy"]);
      assert.deepEqual(url.searchParams.getAll("client_id"), [fake.settings.client_id]);
    });
  });

  test("EP-5 a token endpoint at an internal address is not contacted, whatever the metadata says", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      fixture.fake.hooks.discovery = (document) => ({
        ...document,
        token_endpoint: "http://169.254.169.254/token",
      });
      await assert.rejects(signIn(fixture), {
        kind: "address_refused",
        received: "169.254.169.254: internal_address",
      });
    });
  });
});

describe("Microsoft Entra as a provider", () => {
  const own = "3338040d-6c67-4c5b-b112-36a304b66dad";
  const other = "4448040d-6c67-4c5b-b112-36a304b66dad";

  test("EP-5 the tenant's issuer replaces the placeholder in the metadata", async () => {
    await inFixture("microsoft", {}, async (fixture) => {
      const { fake } = fixture;
      assert.equal((await signIn(fixture)).tenant, own);
      fake.person.tid = other;
      assert.equal((await signIn(fixture)).subject, `${other}.0a1b`);
      fake.hooks.claims = (claims) => ({ ...claims, tid: own });
      await assert.rejects(signIn(fixture), { kind: "iss", expected: `${fake.origin}/${own}/v2.0` });
      fake.hooks.claims = ({ tid: _, ...claims }) => claims;
      await assert.rejects(signIn(fixture), { kind: "iss" });
      fake.hooks.claims = (claims) => ({ ...claims, tid: "common", iss: `${fake.origin}/common/v2.0` });
      await assert.rejects(signIn(fixture), { kind: "iss" });
    });
  });

  test("EP-5 a key is accepted only for the tenant for which it is published", async () => {
    await inFixture("microsoft", {}, async (fixture) => {
      const { fake } = fixture;
      fake.hooks.keys = (keys) => ({
        keys: keys.map((key) => ({ ...key, issuer: `${fake.origin}/${other}/v2.0` })),
      });
      await assert.rejects(signIn(fixture), { kind: "key_issuer", expected: `${fake.origin}/${own}/v2.0` });
    });
  });

  test("EP-5 a tenant that is not allowed is refused, and the error names it and the allowed ones", async () => {
    await inFixture("microsoft", { settings: { allowed_tenants: [own] } }, async (fixture) => {
      assert.equal((await signIn(fixture)).tenant, own);
      fixture.fake.person.tid = other;
      await assert.rejects(signIn(fixture), {
        kind: "tenant",
        field: "tenant",
        expected: own,
        received: other,
      });
    });
  });

  test("EP-4 the iss parameter must be the issuer of the tenant in the id_token", async () => {
    await inFixture("microsoft", {}, async (fixture) => {
      const { fake } = fixture;
      fake.hooks.response = (parameters) => ({ ...parameters, iss: `${fake.origin}/${own}/v2.0` });
      assert.equal((await signIn(fixture)).tenant, own);
      fake.hooks.response = (parameters) => ({ ...parameters, iss: `${fake.origin}/${other}/v2.0` });
      await assert.rejects(signIn(fixture), { kind: "response_iss" });
      fake.hooks.response = (parameters) => ({ ...parameters, iss: "https://evil.example" });
      await assert.rejects(signIn(fixture), { kind: "response_iss" });
    });
  });
});

describe("peculiarities of single providers", () => {
  test("EP-5 Google's issuer may lack https://, and no other provider's may", async () => {
    for (const [preset, isTaken] of [
      ["google", true],
      ["oidc", false],
    ] as const) {
      await inFixture(preset, { tls: true }, async (fixture) => {
        fixture.fake.hooks.claims = (claims) => ({
          ...claims,
          iss: String(claims.iss).replace("https://", ""),
        });
        if (isTaken) assert.equal((await signIn(fixture)).subject, "1102484");
        else await assert.rejects(signIn(fixture), { kind: "iss" });
      });
    }
  });

  test("EP-8 Google's hosted domain is read from the id_token, whatever the request contained", async () => {
    await inFixture(
      "google",
      { settings: { allowed_tenants: ["firm.example"], keep_tokens: true } },
      async (fixture) => {
        const { url } = await begin(fixture);
        assert.equal(url.searchParams.get("hd"), "firm.example");
        assert.equal(url.searchParams.get("access_type"), "offline");
        assert.equal(url.searchParams.get("prompt"), "consent");
        const chosen = await begin(fixture, undefined, { prompt: "select_account" });
        assert.equal(chosen.url.searchParams.get("prompt"), "consent select_account");
        await assert.rejects(signIn(fixture), { kind: "tenant", received: "none" });
        Object.assign(fixture.fake.person, { hd: "Firm.example", email: "ann@firm.example" });
        assert.equal((await signIn(fixture)).email_assurance, "authoritative");
      },
    );
  });

  test("EP-6 Apple's name, which is sent once and unsigned, is used, and the email next to it is ignored", async () => {
    await inFixture("apple", {}, async (fixture) => {
      const first = await signIn(fixture);
      assert.deepEqual([first.name, first.email], ["Ann Ax", "x@privaterelay.appleid.com"]);
      const second = await signIn(fixture);
      assert.deepEqual([second.name, second.subject], [undefined, first.subject]);
      const { answer, expected } = await begin(fixture);
      const user = '{"name":{"firstName":["x"],"lastName":"A\\u0000x\\u2028y"},"email":"eve@firm.example"}';
      const third = await finishUpstream(
        fixture.fake.settings,
        { ...answer, user },
        expected,
        fixture.client,
      );
      assert.equal(third.name, "A x y");
      const broken = await begin(fixture);
      const nonsense = { ...broken.answer, user: "{" };
      assert.equal(
        (await finishUpstream(fixture.fake.settings, nonsense, broken.expected, fixture.client)).name,
        undefined,
      );
    });
  });

  test("EP-5 Apple's client secret is created for each request, and expires within minutes", async () => {
    await inFixture("apple", {}, async (fixture) => {
      await signIn(fixture);
      fixture.clock.at += 1000;
      await signIn(fixture);
      const secrets = fixture.fake.seen
        .filter(({ path }) => path === "/auth/token")
        .map(({ form }) => form.client_secret);
      assert.equal(new Set(secrets).size, 2);
      const [, payload = ""] = String(secrets[0]).split(".");
      const { iat, exp, iss, aud } = JSON.parse(Buffer.from(payload, "base64url").toString());
      assert.deepEqual([exp - iat, iss, aud], [300, "TEAM123456", fixture.fake.origin]);
    });
  });

  test("EP-5 an invalid Apple key is reported, without the key", async () => {
    await inFixture(
      "apple",
      { settings: { private_key: "-----BEGIN PRIVATE KEY-----\nMII\n" } },
      async (fixture) => {
        const { answer, expected } = await begin(fixture);
        const error = await finishUpstream(fixture.fake.settings, answer, expected, fixture.client).catch(
          (error) => error,
        );
        assert.deepEqual([error.kind, error.received], ["not_configured", undefined]);
      },
    );
  });

  test("EP-16 a cancellation is distinguished from an error by each provider's own error code", async () => {
    const words = [
      ["oidc", "access_denied", "cancelled"],
      ["apple", "user_cancelled_authorize", "cancelled"],
      ["linkedin", "user_cancelled_login", "cancelled"],
      ["github", "redirect_uri_mismatch", "authorization_error"],
      ["oidc", "temporarily_unavailable", "authorization_error"],
    ] as const;
    for (const [preset, error, kind] of words) {
      await inFixture(preset, {}, async (fixture) => {
        // Without issuer: some providers that announce one omit it from errors.
        fixture.fake.hooks.response = ({ state = "" }) => ({ state, error, error_description: "Not today." });
        const received = `${error}: Not today.`;
        await assert.rejects(signIn(fixture), { kind, field: "error", received });
        fixture.fake.hooks.response = () => ({ error, state: "of another sign-in" });
        await assert.rejects(signIn(fixture), { kind: "state" });
        assert.ok(!paths(fixture.fake).some((path) => path.endsWith("/token")));
      });
    }
  });

  test("EP-16 errors sent with status 200 or as JSON objects are recognized", async () => {
    for (const [preset, received] of [
      ["github", "invalid_client"],
      ["slack", "invalid_client"],
      ["facebook", "invalid_client: Wrong."],
      ["discord", "invalid_client"],
    ] as const) {
      await inFixture(preset, {}, async (fixture) => {
        const { answer, expected } = await begin(fixture);
        const wrong = { ...fixture.fake.settings, client_secret: "another secret" };
        await assert.rejects(finishUpstream(wrong, answer, expected, fixture.client), {
          kind: "token_error",
          received,
        });
      });
    }
  });

  test("EP-16 Slack's `ok: false` is an error, whatever else the response contains", async () => {
    await inFixture("slack", {}, async (fixture) => {
      fixture.fake.hooks.token = (body) => ({ ...body, ok: false });
      await assert.rejects(signIn(fixture), { kind: "token_error", received: "no error code" });
    });
  });

  test("EP-16 an error from a provider that repeats the request is reported without it", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      const { answer, expected } = await begin(fixture);
      fixture.fake.hooks.token = () => ({
        error: "invalid_grant",
        error_description: `no code ${answer.code} for ${fixture.fake.settings.client_secret}`,
      });
      await assert.rejects(finishUpstream(fixture.fake.settings, answer, expected, fixture.client), {
        kind: "token_error",
        received: "invalid_grant",
      });
      const second = await begin(fixture);
      fixture.fake.hooks.token = () => ({ error: second.answer.code });
      await assert.rejects(
        finishUpstream(fixture.fake.settings, second.answer, second.expected, fixture.client),
        {
          kind: "token_error",
          received: "an error that repeats the request",
        },
      );
    });
  });

  test("EP-8 a user who withholds the email signs in without one", async () => {
    for (const preset of ["github", "facebook", "discord", "apple"] as const) {
      await inFixture(preset, {}, async (fixture) => {
        delete fixture.fake.person.email;
        fixture.fake.person.emails = [];
        const { email, email_assurance } = await signIn(fixture);
        assert.deepEqual([email, email_assurance], [undefined, "none"]);
      });
    }
  });

  test("EP-8 without the scope for GitHub's emails, a user still signs in", async () => {
    await inFixture("github", {}, async (fixture) => {
      fixture.fake.hooks.answer = (path, response) => {
        if (path !== "/user/emails") return false;
        response.writeHead(404, { "content-type": "application/json" }).end('{"message":"Not Found"}');
        return true;
      };
      const { email, subject } = await signIn(fixture);
      assert.deepEqual([email, subject], [undefined, "583231"]);
    });
  });

  test("EP-8 email_verified in userinfo does not apply to the email in the id_token", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      fixture.fake.hooks.claims = ({ email_verified: _, ...claims }) => claims;
      assert.equal((await signIn(fixture)).email_assurance, "verified");
      fixture.fake.hooks.userinfo = (body) => ({ ...body, email: "eve@evil.example" });
      const { email, email_assurance } = await signIn(fixture);
      assert.deepEqual([email, email_assurance], ["ann@firm.example", "none"]);
    });
  });

  test("EP-8 email_verified in an id_token without an email does not apply to userinfo's", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      fixture.fake.hooks.claims = ({ email: _, ...claims }) => ({ ...claims, email_verified: true });
      assert.equal((await signIn(fixture)).email_assurance, "verified", "userinfo says so itself");
      for (const email_verified of [false, undefined]) {
        fixture.fake.hooks.userinfo = (body) => ({ ...body, email_verified });
        const { email, email_assurance } = await signIn(fixture);
        assert.deepEqual([email, email_assurance], ["ann@firm.example", "none"]);
      }
    });
  });

  test("EP-5 LinkedIn may omit the nonce, but a nonce that is sent must match", async () => {
    await inFixture("linkedin", {}, async (fixture) => {
      fixture.fake.hooks.claims = (claims) => ({ ...claims, nonce: "of another" });
      await assert.rejects(signIn(fixture), { kind: "nonce", expected: "none" });
    });
  });

  test("EP-3 PKCE can be disabled only for a generic OAuth 2.0 provider", async () => {
    for (const [preset, challenge] of [
      ["oauth2", false],
      ["oidc", true],
      ["github", true],
    ] as const) {
      await inFixture(preset, { settings: { pkce: false } }, async (fixture) => {
        const { url } = await begin(fixture);
        assert.equal(url.searchParams.has("code_challenge"), challenge);
      });
    }
  });
});
