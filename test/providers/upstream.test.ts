import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { finishUpstream } from "../../src/providers/upstream.ts";
import { upstreamClient } from "../../src/providers/upstream_client.ts";
import type { UpstreamFake } from "../support/upstream_fake.ts";
import { begin, inWorld, signIn } from "../support/upstream_world.ts";

const paths = ({ seen }: UpstreamFake) => seen.map(({ path }) => path);

describe("EP-4 mix-up", () => {
  test("EP-4 the state of one provider at the callback of another leaves the code here", async () => {
    await inWorld("oidc", {}, async (honest) => {
      await inWorld("oidc", {}, async ({ fake: attacker }) => {
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

  test("EP-4 an issuer that nobody promised must be the right one all the same", async () => {
    await inWorld("gitlab", {}, async (world) => {
      const { answer, expected } = await begin(world);
      const { settings } = world.fake;
      const iss = "https://evil.example";
      await assert.rejects(finishUpstream(settings, { ...answer, iss }, expected, world.client), {
        kind: "response_iss",
        expected: world.fake.origin,
        received: iss,
      });
      assert.ok(!paths(world.fake).includes("/token"));
      const { subject } = await finishUpstream(
        settings,
        { ...answer, iss: world.fake.origin },
        expected,
        world.client,
      );
      assert.equal(subject, "31");
    });
  });

  test("EP-4 GitHub's issuer is compared where it comes, and not missed where it does not", async () => {
    await inWorld("github", {}, async (world) => {
      assert.equal((await signIn(world)).subject, "583231");
      world.fake.hooks.response = ({ iss: _, ...parameters }) => parameters;
      assert.equal((await signIn(world)).subject, "583231");
      world.fake.hooks.response = (parameters) => ({ ...parameters, iss: "https://github.evil.example" });
      await assert.rejects(signIn(world), { kind: "response_iss", expected: world.fake.origin });
    });
  });

  test("EP-4 an issuer of an OAuth 2.0 provider that the record does not know is refused", async () => {
    await inWorld("oauth2", {}, async (world) => {
      const iss = "https://login.example";
      world.fake.hooks.response = (parameters) => ({ ...parameters, iss });
      await assert.rejects(signIn(world), { kind: "response_iss", received: iss });
      assert.equal((await signIn(world, { ...world.fake.settings, issuer: iss })).subject, "7");
    });
  });

  test("EP-4 a code works for the sign-in that it was given to: PKCE and callback bind it", async () => {
    await inWorld("oidc", {}, async (world) => {
      const [first, second] = [await begin(world), await begin(world)];
      const stolen = { ...second.answer, code: first.answer.code ?? "" };
      await assert.rejects(finishUpstream(world.fake.settings, stolen, second.expected, world.client), {
        kind: "token_error",
        received: "invalid_grant",
      });
    });
  });
});

describe("EP-5 addresses of a provider", () => {
  test("EP-5 a browser goes to https alone, and keeps what the address has in its query", async () => {
    await inWorld("oidc", { tls: true }, async (world) => {
      const { fake } = world;
      const pages = ["http://login.example/", "https://ann@login.example/", "https://login.example/#x"];
      for (const authorization_endpoint of pages) {
        fake.hooks.discovery = (document) => ({ ...document, authorization_endpoint });
        world.clock.at += 3_600_000;
        await assert.rejects(begin(world), { kind: "metadata_member", received: authorization_endpoint });
      }
      fake.hooks.discovery = (document) => ({
        ...document,
        authorization_endpoint: `${document.authorization_endpoint}?p=policy&client_id=another`,
      });
      world.clock.at += 3_600_000;
      const { url } = await begin(world);
      assert.deepEqual(url.searchParams.getAll("p"), ["policy"]);
      assert.deepEqual(url.searchParams.getAll("client_id"), [fake.settings.client_id]);
    });
  });

  test("EP-5 an address that leads inside is not reached, whatever the document says", async () => {
    await inWorld("oidc", {}, async (world) => {
      world.fake.hooks.discovery = (document) => ({
        ...document,
        token_endpoint: "http://169.254.169.254/token",
      });
      await assert.rejects(signIn(world), {
        kind: "address_refused",
        received: "169.254.169.254: internal_address",
      });
    });
  });
});

describe("Entra", () => {
  const own = "3338040d-6c67-4c5b-b112-36a304b66dad";
  const other = "4448040d-6c67-4c5b-b112-36a304b66dad";

  test("EP-5 the issuer of a tenant stands where the document has a template", async () => {
    await inWorld("microsoft", {}, async (world) => {
      const { fake } = world;
      assert.equal((await signIn(world)).tenant, own);
      fake.person.tid = other;
      assert.equal((await signIn(world)).subject, `${other}.0a1b`);
      fake.hooks.claims = (claims) => ({ ...claims, tid: own });
      await assert.rejects(signIn(world), { kind: "iss", expected: `${fake.origin}/${own}/v2.0` });
      fake.hooks.claims = ({ tid: _, ...claims }) => claims;
      await assert.rejects(signIn(world), { kind: "iss" });
      fake.hooks.claims = (claims) => ({ ...claims, tid: "common", iss: `${fake.origin}/common/v2.0` });
      await assert.rejects(signIn(world), { kind: "iss" });
    });
  });

  test("EP-5 a key signs for the tenants that it is published for", async () => {
    await inWorld("microsoft", {}, async (world) => {
      const { fake } = world;
      fake.hooks.keys = (keys) => ({
        keys: keys.map((key) => ({ ...key, issuer: `${fake.origin}/${other}/v2.0` })),
      });
      await assert.rejects(signIn(world), { kind: "key_issuer", expected: `${fake.origin}/${own}/v2.0` });
    });
  });

  test("EP-5 tenants that are not listed are turned away, and the fault names both", async () => {
    await inWorld("microsoft", { settings: { allowed_tenants: [own] } }, async (world) => {
      assert.equal((await signIn(world)).tenant, own);
      world.fake.person.tid = other;
      await assert.rejects(signIn(world), {
        kind: "tenant",
        field: "tenant",
        expected: own,
        received: other,
      });
    });
  });

  test("EP-4 an issuer in the response is that of the tenant in the id_token", async () => {
    await inWorld("microsoft", {}, async (world) => {
      const { fake } = world;
      fake.hooks.response = (parameters) => ({ ...parameters, iss: `${fake.origin}/${own}/v2.0` });
      assert.equal((await signIn(world)).tenant, own);
      fake.hooks.response = (parameters) => ({ ...parameters, iss: `${fake.origin}/${other}/v2.0` });
      await assert.rejects(signIn(world), { kind: "response_iss" });
      fake.hooks.response = (parameters) => ({ ...parameters, iss: "https://evil.example" });
      await assert.rejects(signIn(world), { kind: "response_iss" });
    });
  });
});

describe("quirks of single providers", () => {
  test("EP-5 Google's issuer may lack the scheme, and no other provider's may", async () => {
    for (const [preset, isTaken] of [
      ["google", true],
      ["oidc", false],
    ] as const) {
      await inWorld(preset, { tls: true }, async (world) => {
        world.fake.hooks.claims = (claims) => ({
          ...claims,
          iss: String(claims.iss).replace("https://", ""),
        });
        if (isTaken) assert.equal((await signIn(world)).subject, "1102484");
        else await assert.rejects(signIn(world), { kind: "iss" });
      });
    }
  });

  test("EP-8 Google's hosted domain is checked in the claim, whatever its page was told", async () => {
    await inWorld(
      "google",
      { settings: { allowed_tenants: ["firm.example"], keep_tokens: true } },
      async (world) => {
        const { url } = await begin(world);
        assert.equal(url.searchParams.get("hd"), "firm.example");
        assert.equal(url.searchParams.get("access_type"), "offline");
        assert.equal(url.searchParams.get("prompt"), "consent");
        const chosen = await begin(world, undefined, { prompt: "select_account" });
        assert.equal(chosen.url.searchParams.get("prompt"), "consent select_account");
        await assert.rejects(signIn(world), { kind: "tenant", received: "none" });
        Object.assign(world.fake.person, { hd: "Firm.example", email: "ann@firm.example" });
        assert.equal((await signIn(world)).email_assurance, "authoritative");
      },
    );
  });

  test("EP-6 Apple's name comes once, unsigned, and the address beside it never", async () => {
    await inWorld("apple", {}, async (world) => {
      const first = await signIn(world);
      assert.deepEqual([first.name, first.email], ["Ann Ax", "x@privaterelay.appleid.com"]);
      const second = await signIn(world);
      assert.deepEqual([second.name, second.subject], [undefined, first.subject]);
      const { answer, expected } = await begin(world);
      const user = '{"name":{"firstName":["x"],"lastName":"A\\u0000x\\u2028y"},"email":"eve@firm.example"}';
      const third = await finishUpstream(world.fake.settings, { ...answer, user }, expected, world.client);
      assert.equal(third.name, "A x y");
      const broken = await begin(world);
      const nonsense = { ...broken.answer, user: "{" };
      assert.equal(
        (await finishUpstream(world.fake.settings, nonsense, broken.expected, world.client)).name,
        undefined,
      );
    });
  });

  test("EP-5 Apple's client secret is a new one for each request, and of no use after minutes", async () => {
    await inWorld("apple", {}, async (world) => {
      await signIn(world);
      world.clock.at += 1000;
      await signIn(world);
      const secrets = world.fake.seen
        .filter(({ path }) => path === "/auth/token")
        .map(({ form }) => form.client_secret);
      assert.equal(new Set(secrets).size, 2);
      const [, payload = ""] = String(secrets[0]).split(".");
      const { iat, exp, iss, aud } = JSON.parse(Buffer.from(payload, "base64url").toString());
      assert.deepEqual([exp - iat, iss, aud], [300, "TEAM123456", world.fake.origin]);
    });
  });

  test("EP-5 a key of Apple's that is none says so, without the key", async () => {
    await inWorld(
      "apple",
      { settings: { private_key: "-----BEGIN PRIVATE KEY-----\nMII\n" } },
      async (world) => {
        const { answer, expected } = await begin(world);
        const error = await finishUpstream(world.fake.settings, answer, expected, world.client).catch(
          (error) => error,
        );
        assert.deepEqual([error.kind, error.received], ["not_configured", undefined]);
      },
    );
  });

  test("EP-16 a person who turned back is told from a failure, by each provider's own word", async () => {
    const words = [
      ["oidc", "access_denied", "cancelled"],
      ["apple", "user_cancelled_authorize", "cancelled"],
      ["linkedin", "user_cancelled_login", "cancelled"],
      ["github", "redirect_uri_mismatch", "authorization_error"],
      ["oidc", "temporarily_unavailable", "authorization_error"],
    ] as const;
    for (const [preset, error, kind] of words) {
      await inWorld(preset, {}, async (world) => {
        // Without issuer: some that promise one send none with an error.
        world.fake.hooks.response = ({ state = "" }) => ({ state, error, error_description: "Not today." });
        const received = `${error}: Not today.`;
        await assert.rejects(signIn(world), { kind, field: "error", received });
        world.fake.hooks.response = () => ({ error, state: "of another sign-in" });
        await assert.rejects(signIn(world), { kind: "state" });
        assert.ok(!paths(world.fake).some((path) => path.endsWith("/token")));
      });
    }
  });

  test("EP-16 errors beside the status 200, and as objects, are errors", async () => {
    for (const [preset, received] of [
      ["github", "invalid_client"],
      ["slack", "invalid_client"],
      ["facebook", "invalid_client: Wrong."],
      ["discord", "invalid_client"],
    ] as const) {
      await inWorld(preset, {}, async (world) => {
        const { answer, expected } = await begin(world);
        const wrong = { ...world.fake.settings, client_secret: "another secret" };
        await assert.rejects(finishUpstream(wrong, answer, expected, world.client), {
          kind: "token_error",
          received,
        });
      });
    }
  });

  test("EP-16 Slack's `ok: false` is an error whatever stands beside it", async () => {
    await inWorld("slack", {}, async (world) => {
      world.fake.hooks.token = (body) => ({ ...body, ok: false });
      await assert.rejects(signIn(world), { kind: "token_error", received: "no error code" });
    });
  });

  test("EP-16 an error that repeats what was sent is told without it", async () => {
    await inWorld("oidc", {}, async (world) => {
      const { answer, expected } = await begin(world);
      world.fake.hooks.token = () => ({
        error: "invalid_grant",
        error_description: `no code ${answer.code} for ${world.fake.settings.client_secret}`,
      });
      await assert.rejects(finishUpstream(world.fake.settings, answer, expected, world.client), {
        kind: "token_error",
        received: "invalid_grant",
      });
      const second = await begin(world);
      world.fake.hooks.token = () => ({ error: second.answer.code });
      await assert.rejects(
        finishUpstream(world.fake.settings, second.answer, second.expected, world.client),
        {
          kind: "token_error",
          received: "an error that repeats the request",
        },
      );
    });
  });

  test("EP-8 an address that the person kept to themselves is none", async () => {
    for (const preset of ["github", "facebook", "discord", "apple"] as const) {
      await inWorld(preset, {}, async (world) => {
        delete world.fake.person.email;
        world.fake.person.emails = [];
        const { email, email_assurance } = await signIn(world);
        assert.deepEqual([email, email_assurance], [undefined, "none"]);
      });
    }
  });

  test("EP-8 the scope for GitHub's addresses may be missing: the person still signs in", async () => {
    await inWorld("github", {}, async (world) => {
      world.fake.hooks.answer = (path, response) => {
        if (path !== "/user/emails") return false;
        response.writeHead(404, { "content-type": "application/json" }).end('{"message":"Not Found"}');
        return true;
      };
      const { email, subject } = await signIn(world);
      assert.deepEqual([email, subject], [undefined, "583231"]);
    });
  });

  test("EP-8 what userinfo says of its address is not said of the one in the id_token", async () => {
    await inWorld("oidc", {}, async (world) => {
      world.fake.hooks.claims = ({ email_verified: _, ...claims }) => claims;
      assert.equal((await signIn(world)).email_assurance, "verified");
      world.fake.hooks.userinfo = (body) => ({ ...body, email: "eve@evil.example" });
      const { email, email_assurance } = await signIn(world);
      assert.deepEqual([email, email_assurance], ["ann@firm.example", "none"]);
    });
  });

  test("EP-8 what an id_token without an address says of one is not said of userinfo's", async () => {
    await inWorld("oidc", {}, async (world) => {
      world.fake.hooks.claims = ({ email: _, ...claims }) => ({ ...claims, email_verified: true });
      assert.equal((await signIn(world)).email_assurance, "verified", "userinfo says so itself");
      for (const email_verified of [false, undefined]) {
        world.fake.hooks.userinfo = (body) => ({ ...body, email_verified });
        const { email, email_assurance } = await signIn(world);
        assert.deepEqual([email, email_assurance], ["ann@firm.example", "none"]);
      }
    });
  });

  test("EP-5 LinkedIn answers no nonce; one that comes all the same is not believed", async () => {
    await inWorld("linkedin", {}, async (world) => {
      world.fake.hooks.claims = (claims) => ({ ...claims, nonce: "of another" });
      await assert.rejects(signIn(world), { kind: "nonce", expected: "none" });
    });
  });

  test("EP-3 PKCE can be switched off for a generic OAuth 2.0 provider alone", async () => {
    for (const [preset, challenge] of [
      ["oauth2", false],
      ["oidc", true],
      ["github", true],
    ] as const) {
      await inWorld(preset, { settings: { pkce: false } }, async (world) => {
        const { url } = await begin(world);
        assert.equal(url.searchParams.has("code_challenge"), challenge);
      });
    }
  });
});
