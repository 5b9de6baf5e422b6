import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkProvider } from "../../src/providers/check_provider.ts";
import { revokeUpstream } from "../../src/providers/stored_tokens.ts";
import { finishUpstream } from "../../src/providers/upstream.ts";
import { upstreamClient } from "../../src/providers/upstream_client.ts";
import { isOutage } from "../../src/providers/upstream_error.ts";
import { english } from "../../src/web/words/english.ts";
import { providerFindingText } from "../../src/web/words/error_text.ts";
import type { UpstreamFake } from "../support/upstream_fake.ts";
import { begin, inFixture, signIn, type UpstreamFixture } from "../support/upstream_fixture.ts";

const hour = 3_600_000;
const requested = ({ seen }: UpstreamFake, path: string) =>
  seen.filter((request) => request.path === path).length;
const document = "/.well-known/openid-configuration";

/** Makes the provider stop answering under these paths. */
function breakOff({ fake }: UpstreamFixture, ...broken: string[]): void {
  fake.hooks.answer = (path, response) => {
    if (!broken.includes(path)) return false;
    response.destroy();
    return true;
  };
}

describe("cached provider metadata", () => {
  test("EP-17 nothing is fetched before the first use, and only once for many concurrent uses", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      const { fake } = fixture;
      assert.deepEqual(fake.seen, []);
      await Promise.all(Array.from({ length: 50 }, () => begin(fixture)));
      await Promise.all(Array.from({ length: 50 }, () => signIn(fixture)));
      assert.deepEqual([requested(fake, document), requested(fake, "/keys")], [1, 1]);
      fixture.clock.at += hour;
      await signIn(fixture);
      assert.deepEqual([requested(fake, document), requested(fake, "/keys")], [2, 2]);
    });
  });

  test("EP-17 the last good document and keys are used for a day while newer ones are unavailable", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      await signIn(fixture);
      breakOff(fixture, document, "/keys");
      for (const hours of [1, 12, 10]) {
        fixture.clock.at += hours * hour;
        assert.equal((await signIn(fixture)).subject, "ann");
      }
      fixture.clock.at += hour;
      await assert.rejects(signIn(fixture), { kind: "unreachable", field: "connection" });
    });
  });

  test("EP-17 after the clock was set back, cached documents are fetched again, once", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      await signIn(fixture);
      fixture.clock.at -= 24 * hour;
      await signIn(fixture);
      await signIn(fixture);
      assert.deepEqual([requested(fixture.fake, document), requested(fixture.fake, "/keys")], [2, 2]);
    });
  });

  test("EP-17 documents that failed to refresh while the clock was set back are fetched again once the clock is corrected", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      await signIn(fixture);
      fixture.clock.at -= 24 * hour;
      breakOff(fixture, document, "/keys");
      await signIn(fixture);
      delete fixture.fake.hooks.answer;
      fixture.clock.at += 24 * hour;
      await signIn(fixture);
      assert.deepEqual([requested(fixture.fake, document), requested(fixture.fake, "/keys")], [3, 3]);
    });
  });

  test("EP-17 an unavailable provider is contacted every ten seconds, and used again once it answers", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      const { fake } = fixture;
      breakOff(fixture, document);
      await assert.rejects(signIn(fixture), { kind: "unreachable" });
      await assert.rejects(signIn(fixture), { kind: "unreachable" });
      assert.equal(requested(fake, document), 1);
      delete fake.hooks.answer;
      fixture.clock.at += 10_000;
      assert.equal((await signIn(fixture)).subject, "ann");
    });
  });

  test("EP-17 a provider that fails is distinguished from one that makes false claims", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      const reported = async () => {
        const error = await signIn(fixture).catch((error) => error);
        return [error.kind, isOutage(error)];
      };
      breakOff(fixture, "/token");
      assert.deepEqual(await reported(), ["unreachable", true]);
      fixture.fake.hooks.answer = (path, response) => path === "/token" && !!response.writeHead(502).end();
      assert.deepEqual(await reported(), ["status", true]);
      fixture.fake.hooks.answer = () => false;
      fixture.fake.hooks.claims = (claims) => ({ ...claims, aud: "another" });
      assert.deepEqual(await reported(), ["aud", false]);
    });
  });

  test("EP-17 an unresponsive provider delays a user at most for one response's time limit", async () => {
    await inFixture("oidc", {}, async ({ fake, client }) => {
      fake.hooks.answer = () => true;
      const hasty = upstreamClient({ outbound: fake.outbound, now: client.now, timeout: 100 });
      await assert.rejects(begin({ fake, client: hasty, clock: { at: 0 } }), { kind: "timeout" });
    });
  });

  test("EP-17 several slow responses together delay a user at most eight seconds", async () => {
    await inFixture("github", {}, async (fixture) => {
      const { fake, clock } = fixture;
      const { answer, expected } = await begin(fixture);
      fake.hooks.answer = (path) => {
        if (path === "/token") clock.at += 7950;
        return path === "/user";
      };
      await assert.rejects(finishUpstream(fake.settings, answer, expected, fixture.client), {
        kind: "timeout",
      });
    });
  });

  test("EP-5 an unknown key id causes at most one fetch of the keys a minute", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      const { fake, clock } = fixture;
      await signIn(fixture);
      clock.at += 60_000;
      await fake.rotate();
      assert.equal((await signIn(fixture)).subject, "ann");
      assert.equal(requested(fake, "/keys"), 2);
      await fake.rotate();
      await assert.rejects(signIn(fixture), { kind: "kid_unknown" });
      await assert.rejects(signIn(fixture), { kind: "kid_unknown" });
      assert.equal(requested(fake, "/keys"), 2);
      clock.at += 60_000;
      assert.equal((await signIn(fixture)).subject, "ann");
      assert.equal(requested(fake, "/keys"), 3);
    });
  });
});

describe("EP-15 requests for a new sign-in at the provider", () => {
  const at = Date.parse("2027-03-01T10:00:00Z");

  test("OR-12: the provider's limit on the session is read as a number or as text", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      const ends = at / 1000 + 3600;
      const told = async (session_expiry: unknown) => {
        fixture.fake.hooks.claims = (claims) => ({ ...claims, session_expiry });
        return (await signIn(fixture)).session_expiry;
      };
      for (const given of [ends, String(ends)]) assert.deepEqual(await told(given), new Date(ends * 1000));
      for (const given of [ends + 0.5, `${ends}.5`])
        assert.deepEqual(await told(given), new Date(ends * 1000));
      for (const given of [null, 8_640_000_000_001, 1e300, "999999999999"])
        assert.equal(await told(given), undefined);
      for (const given of ["soon", "", -1, true, {}])
        await assert.rejects(told(given), { kind: "session_expiry" }, String(given));
    });
  });

  test("EP-15 a new sign-in is requested from providers that support it, and proved by auth_time", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      const fresh = { prompt: "login", max_age: 0, fresh_since: new Date(at) } as const;
      const { url } = await begin(fixture, undefined, { ...fresh, login_hint: "ann@firm.example" });
      assert.deepEqual(
        ["prompt", "max_age", "login_hint"].map((name) => url.searchParams.get(name)),
        ["login", "0", "ann@firm.example"],
      );
      assert.deepEqual((await signIn(fixture, undefined, fresh)).auth_time, new Date(at));
      fixture.fake.hooks.claims = (claims) => ({ ...claims, auth_time: at / 1000 - 60 });
      await signIn(fixture, undefined, fresh);
      fixture.fake.hooks.claims = (claims) => ({ ...claims, auth_time: at / 1000 - 61 });
      await assert.rejects(signIn(fixture, undefined, fresh), {
        kind: "auth_time",
        received: String(at / 1000 - 61),
      });
      fixture.fake.hooks.claims = ({ auth_time: _, ...claims }) => claims;
      await assert.rejects(signIn(fixture, undefined, fresh), { kind: "auth_time", received: undefined });
      assert.equal((await signIn(fixture)).auth_time, undefined);
    });
  });

  test("EP-15 a provider without support gets no such parameters, and a missing auth_time proves nothing", async () => {
    await inFixture("discord", {}, async (fixture) => {
      const fresh = { prompt: "login", max_age: 0, fresh_since: new Date(at) } as const;
      const { url } = await begin(fixture, undefined, fresh);
      assert.deepEqual([url.searchParams.has("prompt"), url.searchParams.has("max_age")], [false, false]);
      assert.equal((await signIn(fixture, undefined, fresh)).auth_time, undefined);
    });
    await inFixture("gitlab", {}, async (fixture) => {
      const yesterday = new Date(at - 86_400_000);
      fixture.fake.hooks.claims = (claims) => ({ ...claims, auth_time: yesterday.getTime() / 1000 });
      const { auth_time } = await signIn(fixture, undefined, { max_age: 0, fresh_since: new Date(at) });
      assert.deepEqual(auth_time, yesterday);
    });
  });

  test("EP-14 the provider's amr is used only if its record trusts it", async () => {
    const hooks = { claims: (claims: object) => ({ ...claims, amr: ["pwd", "otp", 7] }) };
    await inFixture("oidc", { hooks, settings: { trust_amr: true } }, async (fixture) => {
      assert.deepEqual((await signIn(fixture)).amr, ["pwd", "otp"]);
      assert.equal((await signIn(fixture, { ...fixture.fake.settings, trust_amr: false })).amr, undefined);
    });
  });
});

test("OC-7: attributes are read from claims by full name or nested path, and only from plain values", async () => {
  const sent = {
    "https://acme.example/team": "Sales",
    realm_access: { roles: ["clerk", "admin"], other: { deep: true } },
    "realm_access.level": 3,
    department: { name: "Sales" },
  };
  const hooks = { claims: (claims: object) => ({ ...claims, ...sent }) };
  const attribute_claims = {
    team: "https://acme.example/team",
    roles: "realm_access.roles",
    level: "realm_access.level",
    department: "department",
    absent: "toString",
    deep: "realm_access.other",
  };
  await inFixture("oidc", { hooks, settings: { attribute_claims } }, async (fixture) => {
    const { attributes } = await signIn(fixture);
    assert.deepEqual(attributes, { team: "Sales", roles: ["clerk", "admin"], level: 3 });
    const { attribute_claims: _, ...plain } = fixture.fake.settings;
    assert.equal((await signIn(fixture, plain)).attributes, undefined);
  });
});

describe("EP-19 a provider's stored tokens", () => {
  test("EP-19 are revoked by the method that the provider supports", async () => {
    const ways = [
      ["google", "POST", "/revoke"],
      ["apple", "POST", "/auth/revoke"],
      ["discord", "POST", "/revoke"],
      ["github", "DELETE", "/applications/postern-at-upstream/grant"],
    ] as const;
    for (const [preset, method, path] of ways) {
      await inFixture(preset, {}, async (fixture) => {
        const { tokens } = await signIn(fixture);
        assert.equal(await revokeUpstream(fixture.fake.settings, tokens, fixture.client), true);
        const last = fixture.fake.seen.at(-1);
        assert.deepEqual([last?.method, last?.path], [method, path]);
        if (method === "POST") assert.equal(last?.form.token, tokens.refresh_token);
      });
    }
  });

  test("EP-19 are kept if the provider cannot revoke tokens, or refuses to", async () => {
    const tokens = { access_token: "access-1", refresh_token: undefined };
    await inFixture("slack", {}, async ({ fake, client }) => {
      assert.equal(await revokeUpstream(fake.settings, tokens, client), false);
      assert.deepEqual(fake.seen, []);
    });
    await inFixture("gitlab", {}, async ({ fake, client }) => {
      const wrong = { ...fake.settings, client_secret: "another secret" };
      await assert.rejects(revokeUpstream(wrong, tokens, client), { kind: "status", received: "401" });
    });
  });
});

describe("EP-20 the check of a provider", () => {
  const redirect_uri = "https://id.example/sign-in/oidc/callback";
  const look = async ({ fake, client }: UpstreamFixture, input = {}) => {
    const findings = await checkProvider({ ...fake.settings, ...input }, redirect_uri, client);
    return findings.map(
      ({ check, ok, ...found }) => `${ok ? "ok" : "WRONG"} ${check}: ${providerFindingText(found, english)}`,
    );
  };
  const dated = (at: number, { fake }: UpstreamFixture) => {
    fake.hooks.answer = (_path, response) => {
      response.setHeader("date", new Date(at).toUTCString());
      return false;
    };
  };

  test("EP-20 without problems prints the exact redirect URI first", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      dated(fixture.clock.at + 3000, fixture);
      assert.deepEqual(await look(fixture), [
        `ok redirect_uri: ${redirect_uri}`,
        `ok metadata: published by ${fixture.fake.origin}`,
        "ok settings: the client can authenticate",
        "ok pkce: S256 is sent, and the provider says it supports it",
        "ok keys: 1 public key",
        "ok clock: the clocks differ by 3 seconds; up to 60 are accepted",
      ]);
    });
  });

  test("EP-20 reports a wrong issuer, algorithm, key, PKCE support, clock and setting", async () => {
    const wrong: readonly [Partial<UpstreamFake["hooks"]>, object, RegExp][] = [
      [
        { discovery: (found) => ({ ...found, issuer: "https://evil.example" }) },
        {},
        /^WRONG metadata: .*issuer.*evil/,
      ],
      [
        { discovery: (found) => ({ ...found, id_token_signing_alg_values_supported: ["HS256"] }) },
        {},
        /^WRONG keys: .*HS256/,
      ],
      [
        { discovery: (found) => ({ ...found, code_challenge_methods_supported: ["plain"] }) },
        {},
        /^WRONG pkce: /,
      ],
      [{ keys: () => ({ keys: [{ kty: "oct", k: "AA" }] }) }, {}, /^WRONG keys: .*no usable key set/],
      [{ keys: () => "none" }, {}, /^WRONG keys: /],
      [{}, { issuer: undefined }, /^WRONG settings: the record has no issuer/],
    ];
    for (const [hooks, input, expected] of wrong) {
      await inFixture("oidc", { hooks }, async (fixture) => {
        dated(fixture.clock.at, fixture);
        const found = await look(fixture, input);
        assert.ok(
          found.some((line) => expected.test(line)),
          found.join("\n"),
        );
      });
    }
    await inFixture("oidc", {}, async (fixture) => {
      dated(fixture.clock.at - 61_000, fixture);
      assert.equal(
        (await look(fixture)).at(-1),
        "WRONG clock: the clocks differ by 61 seconds; up to 60 are accepted",
      );
    });
  });

  test("EP-20 reports security features that the provider lacks, also for every generic provider", async () => {
    const protection = async (preset: "linkedin" | "slack" | "oauth2" | "google", input = {}) => {
      let found: string[] = [];
      await inFixture(preset, {}, async (fixture) => {
        found = (await look(fixture, input)).filter((line) => line.includes(" protection: "));
      });
      return found;
    };
    assert.match((await protection("linkedin")).join("\n"), /returns no nonce[\s\S]*rejects PKCE/);
    assert.match((await protection("slack")).join("\n"), /rejects PKCE/);
    assert.match((await protection("oauth2", { pkce: false })).join("\n"), /PKCE is off/);
    assert.deepEqual([...(await protection("oauth2")), ...(await protection("google"))], []);
  });

  test("EP-20 checks Apple's key without contacting Apple", async () => {
    await inFixture("apple", {}, async (fixture) => {
      assert.ok((await look(fixture)).includes("ok settings: the client can authenticate"));
      const broken = await look(fixture, { private_key: "no key" });
      assert.ok(
        broken.some((line) => line.startsWith("WRONG settings: ")),
        broken.join("\n"),
      );
      assert.ok(fixture.fake.seen.every(({ path }) => path === "/auth/keys"));
    });
  });
});

describe("limits on a provider's claims about a user", () => {
  test("EP-7 a subject too long for the database is refused", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      for (const sub of ["a".repeat(256), "a\u0000b", "a\nb", "\ud800"]) {
        fixture.fake.person.sub = sub;
        await assert.rejects(signIn(fixture), { kind: "sub_missing" });
      }
      fixture.fake.person.sub = "A".repeat(255);
      assert.equal((await signIn(fixture)).subject, "A".repeat(255));
      fixture.fake.person.sub = "Ann ";
      assert.equal((await signIn(fixture)).subject, "Ann ");
    });
  });

  test("EP-8 an address to which no mail can be sent is refused", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      for (const email of [
        "ann",
        "ann@firm.example\nbcc:eve",
        `${"a".repeat(320)}@firm.example`,
        "\ud800@x.example",
      ]) {
        fixture.fake.person.email = email;
        const reported = await signIn(fixture);
        assert.deepEqual([reported.email, reported.email_assurance], [undefined, "none"]);
      }
    });
  });

  test("EP-16 names are cut to one line of plain text, and pictures must be https URLs", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      Object.assign(fixture.fake.person, {
        name: ` A\u202en\r\nx${"y".repeat(300)}`,
        picture: "javascript:alert(1)",
      });
      const { name = "", picture } = await signIn(fixture);
      assert.equal(picture, undefined);
      assert.match(name, /^A n xy+$/);
      assert.equal(name.length, 200);
      fixture.fake.person.picture = "https://img.example/a.png";
      assert.equal((await signIn(fixture)).picture, "https://img.example/a.png");
    });
  });

  test("EP-16 an error quotes at most 200 characters of a received value, on one line", async () => {
    await inFixture("oidc", {}, async (fixture) => {
      fixture.fake.hooks.claims = (claims) => ({ ...claims, aud: `x\n\u202e${"y".repeat(1000)}` });
      const { answer, expected } = await begin(fixture);
      const error = await finishUpstream(fixture.fake.settings, answer, expected, fixture.client).catch(
        (error) => error,
      );
      assert.equal(error.kind, "aud");
      assert.equal(error.received.length, 200);
      assert.match(error.received, /^[\x20-\x7e\uFFFD]*$/);
    });
  });
});
