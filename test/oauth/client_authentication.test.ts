import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import fc from "fast-check";
import { prefixOf } from "../../src/crypto/credentials.ts";
import { guessLimits } from "../../src/crypto/guess_limits.ts";
import type { PasswordHasher } from "../../src/crypto/passwords.ts";
import { OAuthError } from "../../src/errors.ts";
import {
  authenticateClient,
  authenticateConfidentialClient,
} from "../../src/oauth/clients/client_authentication.ts";
import type { ClientAuthenticationMethod, PresentedClient } from "../../src/oauth/core/server.ts";
import { introspect } from "../../src/oauth/introspect.ts";
import { token } from "../../src/oauth/token/token.ts";
import type { OAuthApp, OAuthAppSecret } from "../../src/records/definition/definition.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { anApp, anOrganization, aSecret, later } from "../support/builders.ts";
import { codePoint } from "../support/code_point.ts";
import { describeInForm } from "../support/databases.ts";
import { deactivate, reactivate, revokeApp } from "../support/endings.ts";
import { basic, endpointRequest, type Parameters } from "../support/flows.ts";
import { listed } from "../support/listed.ts";

/** Returns the header of clients that do not form-encode (RFC 6749 2.3.1 requires it, many do not). */
const rawBasic = (client_id: string, secret: string) =>
  `Basic ${Buffer.from(`${client_id}:${secret}`).toString("base64")}`;

const failed = {
  name: "OAuthError",
  code: "invalid_client",
  status: 401,
  message: "client authentication failed",
};
const refused = { name: "OAuthError", code: "invalid_request" };

describeInForm("client authentication", (database) => {
  let as: TestServer;
  /** How often the slow hash ran. */
  let hashes = 0;

  before(async () => {
    as = await testServer(await database.open());
    const { passwords } = as.server;
    const counting: PasswordHasher = {
      ...passwords,
      verify(phc, password, queue) {
        hashes++;
        return passwords.verify(phc, password, queue);
      },
      verifyAgainstNothing(password, queue) {
        hashes++;
        return passwords.verifyAgainstNothing(password, queue);
      },
    };
    as = { ...as, server: { ...as.server, passwords: counting } };
  });
  beforeEach(() => {
    hashes = 0;
    as.server.verifiedSecrets.clear();
  });

  const authenticate = (authorization: string | undefined, parameters: Parameters = {}) =>
    authenticateClient(endpointRequest(parameters, authorization), as.server);

  const secretOf = async (app: OAuthApp, value: string, overrides: Partial<OAuthAppSecret> = {}) =>
    aSecret(as.store, {
      app_id: app.id,
      secret_hash: await as.server.passwords.hash(value),
      secret_prefix: prefixOf(value),
      created_at: as.clock.now(),
      ...overrides,
    });

  async function aClient(value: string, overrides: Partial<OAuthApp> = {}): Promise<OAuthApp> {
    const app = await anApp(as.store, overrides);
    await secretOf(app, value);
    return app;
  }

  test("C-1: a secret is accepted in the header and in the form, and the method used is recorded", async () => {
    const { client_id } = await aClient("s3cret value");
    const byHeader = await authenticate(basic(client_id, "s3cret value"));
    const byForm = await authenticate(undefined, { client_id, client_secret: "s3cret value" });
    assert.deepEqual([byHeader.app.client_id, byHeader.method], [client_id, "client_secret_basic"]);
    assert.deepEqual([byForm.app.client_id, byForm.method], [client_id, "client_secret_post"]);
  });

  test("C-1: a public client is identified by its client_id alone", async () => {
    const { client_id } = await anApp(as.store, { public: true, app_type: "spa" });
    assert.equal((await authenticate(undefined, { client_id })).method, "none");
    assert.equal((await authenticate(basic(client_id, ""))).method, "none");
    assert.equal((await authenticate(undefined, { client_id, client_secret: "" })).method, "none");
    assert.equal(hashes, 0);
  });

  test("a client may send its secret in the header or the form, and one registered for none cannot use a secret", async () => {
    for (const token_endpoint_auth_method of ["client_secret_basic", "client_secret_post"] as const) {
      const { client_id } = await aClient("s3cret value", { token_endpoint_auth_method });
      await authenticate(basic(client_id, "s3cret value"));
      await authenticate(undefined, { client_id, client_secret: "s3cret value" });
      await assert.rejects(authenticate(undefined, { client_id }), failed);
    }
    const named = { token_endpoint_auth_method: "none" } as const;
    const open = await anApp(as.store, { ...named, public: true, app_type: "spa" });
    assert.equal((await authenticate(undefined, { client_id: open.client_id })).method, "none");
    // A row with these values that bypassed validation permits nothing either.
    const { client_id } = await aClient("s3cret value", named);
    await assert.rejects(authenticate(undefined, { client_id }), failed);
    await assert.rejects(authenticate(basic(client_id, "s3cret value")), failed);
  });

  describe("C-2: client ids and secrets with special characters", () => {
    const secrets = [...listed`p%ss 100% %41 %zz a+b a:b : a&b=c a%2Bb 💚%F0 "\\/ % +`, "a b", "pässwörd ✓"];
    const ids = [...listed`id:colon id%percent id%41 id+plus id&and=equals % id/slash?#`, "id with space"];

    for (const secret of secrets) {
      test(`C-2: the secret ${secret} works form-encoded, unencoded, and in the form`, async () => {
        const { client_id } = await aClient(secret);
        for (const way of [
          () => authenticate(basic(client_id, secret)),
          () => authenticate(rawBasic(client_id, secret)),
          () => authenticate(undefined, { client_id, client_secret: secret }),
        ]) {
          as.server.verifiedSecrets.clear();
          assert.equal((await way()).app.client_id, client_id);
        }
      });
    }

    for (const id of ids) {
      test(`C-2: the client_id ${id} works form-encoded, and unencoded if it contains no colon`, async () => {
        const secret = "s3cret:%+& value";
        const { client_id } = await aClient(secret, { client_id: `${id}${database.name}` });
        const raw = client_id.includes(":") ? [] : [rawBasic(client_id, secret)];
        for (const header of [basic(client_id, secret), ...raw])
          for (const beside of [{}, { client_id }])
            assert.equal((await authenticate(header, beside)).app.client_id, client_id);
      });
    }

    test("C-2: any secret works form-encoded, and fails with a single character changed", async () => {
      const value = fc
        .string({ unit: codePoint, minLength: 2, maxLength: 40 })
        .filter((text) => !text.includes("\0"));
      await fc.assert(
        fc.asyncProperty(value, async (secret) => {
          const { client_id } = await aClient(secret);
          assert.equal((await authenticate(basic(client_id, secret))).app.client_id, client_id);
          await assert.rejects(authenticate(basic(client_id, `${secret}x`)), failed);
        }),
        { numRuns: 20 },
      );
    });

    test("C-2: a public client whose client_id contains a percent sign or a plus may send it unencoded", async () => {
      for (const id of ["100%", "a+b", "a%41b"]) {
        const { client_id } = await anApp(as.store, {
          public: true,
          client_id: `${id}-open-${database.name}`,
        });
        const client = await authenticate(rawBasic(client_id, ""));
        assert.deepEqual([client.app.client_id, client.method], [client_id, "none"]);
      }
    });

    test("C-5: if a header can be decoded in two ways, the parameter client_id decides", async () => {
      const encoded = await aClient("one secret", { client_id: `x%41-${database.name}` });
      const decoded = await aClient("one secret", { client_id: `xA-${database.name}` });
      const header = rawBasic(encoded.client_id, "one secret");
      assert.equal((await authenticate(header)).app.id, decoded.id);
      assert.equal((await authenticate(header, { client_id: decoded.client_id })).app.id, decoded.id);
      assert.equal((await authenticate(header, { client_id: encoded.client_id })).app.id, encoded.id);
    });
  });

  test("C-3: the case of the scheme and spaces around the credentials do not matter", async () => {
    const { client_id } = await aClient("s3cret");
    const credentials = basic(client_id, "s3cret").slice("Basic ".length);
    for (const header of [`basic ${credentials}`, `BASIC ${credentials}`, `bAsIc   ${credentials} `]) {
      assert.equal((await authenticate(header)).app.client_id, client_id);
    }
    assert.equal((await authenticate(`Basic ${credentials.replace(/=+$/, "")}`)).app.client_id, client_id);
  });

  test("C-3: a malformed Authorization header is refused with invalid_client", async () => {
    const encode = (text: string) => Buffer.from(text).toString("base64");
    const { client_id } = await anApp(as.store, { public: true });
    for (const header of [
      "",
      " ",
      "Basic",
      "Basic ",
      "Basic =",
      "Basic !!!!",
      "Basic a b",
      `Basic${encode("a:b")}`,
      `Basic ${encode("no colon")}`,
      `Basic ${encode(":")}`,
      `Basic ${encode(":secret")}`,
      `Basic ${encode("a\0b:c")}`,
      `Basic ${encode(`${client_id}:\0`)}`,
      `Basic ${encode(`${client_id}\0:`)}`,
      `Basic ${encode("%00:%00")}`,
      `Basic ${encode("%:%")}`,
      `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0xc3, 0x28]).toString("base64")}`,
      `Basic ${encode("__proto__:constructor")}`,
      `Basic ${encode(`${"x".repeat(10_000)}:${"y".repeat(10_000)}`)}`,
      `Basic ${encode("a:b")}, Basic ${encode("a:b")}`,
      `Bearer ${encode("a:b")}`,
      'Digest username="a"',
      "\u00e9",
    ]) {
      await assert.rejects(authenticate(header), failed, header);
      // No received header is ignored, not even for a client that needs none.
      await assert.rejects(authenticate(header, { client_id }), { name: "OAuthError" }, header);
    }
  });

  test("C-3: any Authorization header leads to a client or an OAuth error", async () => {
    const bytes = fc.uint8Array({ maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, fc.string({ unit: codePoint })), async (content) => {
        const encoded = Buffer.from(content as string).toString("base64");
        await assert.rejects(authenticate(`Basic ${encoded}`), { name: "OAuthError" });
        await assert.rejects(authenticate(String(content)), { name: "OAuthError" });
      }),
      { numRuns: 60 },
    );
  });

  test("C-4: an unknown client, an inactive one and a wrong secret get the same answer, at the same cost", async () => {
    const { client_id } = await aClient("s3cret");
    const inactive = await aClient("s3cret", { active: false });
    const open = await anApp(as.store, { public: true });
    const bare = await anApp(as.store);
    for (const [id, secret] of [
      ["nobody", "s3cret"],
      [client_id, "s3wrong"],
      [client_id, "another-prefix"],
      [inactive.client_id, "s3cret"],
      [open.client_id, "s3cret"],
      [bare.client_id, "s3cret"],
    ] as const) {
      hashes = 0;
      await assert.rejects(authenticate(basic(id, secret)), failed, id);
      assert.equal(hashes, 1, `${id} ${secret}`);
      hashes = 0;
      await assert.rejects(authenticate(undefined, { client_id: id, client_secret: secret }), failed);
      assert.equal(hashes, 1);
    }
  });

  test("C-4: a header that can be decoded in two ways costs the same for known and unknown clients", async () => {
    const { client_id } = await aClient("s3cret value");
    for (const id of ["nobody", client_id]) {
      hashes = 0;
      await assert.rejects(authenticate(basic(id, "s3cret wrong")), failed);
      assert.equal(hashes, 2, id);
    }
  });

  test("B-1: the audit event of a failure names a known client, and contains no other client_id and no secret", async () => {
    const { client_id } = await aClient("s3cret");
    const actorAfter = async (id: string) => {
      await assert.rejects(authenticate(basic(id, "marker-secret")), failed);
      const event = as.events.at(-1);
      assert.deepEqual([event?.type, event?.outcome], ["client_authentication", "failure"]);
      return event?.actor;
    };
    assert.deepEqual(await actorAfter(client_id), { kind: "client", id: client_id });
    assert.deepEqual(await actorAfter("n".repeat(300)), { kind: "anonymous" });
    assert.equal(JSON.stringify(as.events).includes("marker-secret"), false);
    assert.equal(JSON.stringify(as.events).includes("nnn"), false);
  });

  test("C-4, C-5, H-8: unreadable or too many credentials are refused and audited once, without naming a client", async () => {
    const { client_id } = await aClient("s3cret value");
    const header = basic(client_id, "s3cret value");
    const client_secret = "marker-secret";
    for (const [authorization, parameters, { code }] of [
      [undefined, {}, failed],
      [undefined, { client_secret }, failed],
      [undefined, { client_id: "" }, failed],
      [undefined, { grant_type: "refresh_token" }, failed],
      ["Basic !!!", {}, failed],
      ["Bearer x", {}, failed],
      [`Basic ${btoa("no colon")}`, {}, failed],
      [header, { client_secret }, refused],
      [header, { client_id, client_secret: "s3cret value" }, refused],
      [header, { client_id: "other", client_secret }, refused],
      [header, { client_id: "other" }, refused],
      [header, { client_id: client_id.toUpperCase() }, refused],
      [header, { client_id: `${client_id} ` }, refused],
      [header, { client_id: "__proto__" }, refused],
    ] as const) {
      as.events.length = 0;
      await assert.rejects(authenticate(authorization, parameters), { name: "OAuthError", code });
      assert.deepEqual(
        as.events.map(({ type, outcome, actor }) => ({ type, outcome, actor })),
        [{ type: "client_authentication", outcome: "failure", actor: { kind: "anonymous" } }],
        `${authorization} ${JSON.stringify(parameters)}`,
      );
      assert.equal(JSON.stringify(as.events).includes("marker-secret"), false);
    }
  });

  test("A-11: a request with a repeated client_id or client_secret is not authenticated", async () => {
    const { client_id } = await aClient("s3cret");
    for (const [id, client_secret] of [
      [[client_id, client_id], "s3cret"],
      [[client_id, "other"], "s3cret"],
      [client_id, ["s3cret", "s3cret"]],
    ] as const)
      await assert.rejects(authenticate(undefined, { client_id: id, client_secret }), refused);
  });

  test("H-8: the audit names a public client that tries an endpoint for confidential clients", async () => {
    const { client_id } = await anApp(as.store, { public: true });
    as.events.length = 0;
    await assert.rejects(authenticateConfidentialClient(endpointRequest({ client_id }), as.server), {
      code: "invalid_client",
    });
    assert.deepEqual(
      as.events.map(({ type, actor }) => ({ type, actor })),
      [{ type: "client_authentication", actor: { kind: "client", id: client_id } }],
    );
  });

  test("C-5: a client_id sent in addition to the header may be the same or empty", async () => {
    const { client_id } = await aClient("s3cret");
    const header = basic(client_id, "s3cret");
    for (const beside of [client_id, ""])
      assert.equal((await authenticate(header, { client_id: beside })).app.client_id, client_id);
  });

  test("C-6: a confidential client needs its secret for every grant", async () => {
    const allowed_grants = ["auth_code", "refresh", "client_credentials"];
    const { client_id } = await aClient("s3cret", { allowed_grants });
    for (const [grant_type, parameters] of Object.entries({
      authorization_code: { code: "pac_x", redirect_uri: "https://app.example/cb" },
      refresh_token: { refresh_token: "prt_x" },
      client_credentials: { scope: "orders:read" },
    })) {
      for (const request of [
        endpointRequest({ grant_type, client_id, ...parameters }),
        endpointRequest({ grant_type, client_id, client_secret: "", ...parameters }),
        endpointRequest({ grant_type, ...parameters }, basic(client_id, "")),
      ]) {
        await assert.rejects(token(request, as.server), failed, grant_type);
      }
    }
  });

  test("C-6: a confidential client without any active secret is not treated as public", async () => {
    const { client_id } = await anApp(as.store);
    await assert.rejects(authenticate(undefined, { client_id }), failed);
    await assert.rejects(authenticate(basic(client_id, "")), failed);
  });

  test("C-7: a secret does not help a public client, not even one left over in the database", async () => {
    const open = await anApp(as.store, { public: true });
    await secretOf(open, "s3cret");
    const { client_id } = open;
    await assert.rejects(authenticate(basic(client_id, "s3cret")), failed);
    await assert.rejects(authenticate(undefined, { client_id, client_secret: "s3cret" }), failed);
    await assert.rejects(authenticate(basic(client_id, "made up")), failed);
  });

  test("C-7: a public client gets no client credentials and no introspection, whatever its record allows", async () => {
    const { client_id } = await anApp(as.store, { public: true, allowed_grants: ["client_credentials"] });
    const credentials = endpointRequest({
      grant_type: "client_credentials",
      client_id,
      scope: "orders:read",
    });
    await assert.rejects(token(credentials, as.server), { code: "unauthorized_client" });
    await assert.rejects(introspect(endpointRequest({ client_id, token: "x" }), as.server), failed);
    await assert.rejects(authenticateConfidentialClient(endpointRequest({ client_id }), as.server), failed);
  });

  test("C-9: each of several active secrets works, so that a secret can be replaced without an interruption", async () => {
    const app = await aClient("old secret");
    await secretOf(app, "new secret");
    await secretOf(app, "ol-same-prefix");
    for (const value of ["old secret", "new secret", "ol-same-prefix"]) {
      assert.equal((await authenticate(basic(app.client_id, value))).app.id, app.id);
    }
    await assert.rejects(authenticate(basic(app.client_id, "ol-neither")), failed);
  });

  test("C-9: a revoked or expired secret fails, and the others stay valid", async () => {
    const app = await aClient("good secret");
    const now = as.clock.now();
    await secretOf(app, "revoked secret", { revoked: true, revoked_at: now });
    await secretOf(app, "expired secret", { expires_at: now });
    await secretOf(app, "short secret", { expires_at: later(1, now) });
    assert.equal((await authenticate(basic(app.client_id, "good secret"))).app.id, app.id);
    assert.equal((await authenticate(basic(app.client_id, "short secret"))).app.id, app.id);
    for (const value of ["revoked secret", "expired secret"]) {
      await assert.rejects(authenticate(basic(app.client_id, value)), failed);
    }
  });

  test("C-9: neither the prefix, the hash nor a part of a secret authenticates", async () => {
    const app = await anApp(as.store);
    const { secret_hash } = await secretOf(app, "pcs_0123456789", { secret_prefix: "pcs_01234567" });
    const { client_id } = app;
    for (const value of ["pcs_01234567", secret_hash, "pcs_012345678", "PCS_0123456789", "pcs_0123456789 "]) {
      await assert.rejects(authenticate(basic(client_id, value)), failed, value);
    }
  });

  test("C-9: a secret of one app does not authenticate another", async () => {
    await aClient("s3cret of one");
    const { client_id } = await aClient("s3cret of two");
    await assert.rejects(authenticate(basic(client_id, "s3cret of one")), failed);
  });

  test("C-9: a successful use of a secret is stored during the request, and a failed one is not", async () => {
    const app = await anApp(as.store);
    const { id } = await secretOf(app, "s3cret");
    const lastUse = async () => {
      await as.store.flushUses();
      return (await as.store.find("oauth_app_secrets", { id }))?.last_used_at;
    };
    await assert.rejects(authenticate(basic(app.client_id, "s3wrong")), failed);
    assert.equal(await lastUse(), null);
    await authenticate(basic(app.client_id, "s3cret"));
    assert.equal((await as.store.find("oauth_app_secrets", { id }))?.last_used_at, null);
    assert.deepEqual(await lastUse(), as.clock.now());
    as.clock.advance(5);
    await authenticate(basic(app.client_id, "s3cret"));
    assert.deepEqual(await lastUse(), as.clock.now());
  });

  test("C-10: the first use of a secret computes a hash, and later uses none for five minutes", async () => {
    const { client_id } = await aClient("s3cret");
    const header = basic(client_id, "s3cret");
    for (let use = 0; use < 5; use++) await authenticate(header);
    assert.equal(hashes, 1);
    await assert.rejects(authenticate(basic(client_id, "s3wrong")), failed);
    assert.equal(hashes, 2);
    await authenticate(header);
    assert.equal(hashes, 2);
    as.clock.advance(300);
    await authenticate(header);
    assert.equal(hashes, 3);
  });

  test("C-10: concurrent first uses of a secret share one hash computation", async () => {
    const { client_id } = await aClient("s3cret");
    const clients = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? authenticate(basic(client_id, "s3cret"))
          : authenticate(undefined, { client_id, client_secret: "s3cret" }),
      ),
    );
    assert.ok(clients.every(({ app }) => app.client_id === client_id));
    assert.equal(hashes, 1);
  });

  test("C-10: wrong secrets sent at the same time as the correct one still fail", async () => {
    const { client_id } = await aClient("s3cret");
    const values = ["s3cret", "s3wrong", "s3cret", "s3other", "s3cret"];
    const answers = await Promise.allSettled(values.map((value) => authenticate(basic(client_id, value))));
    assert.deepEqual(
      answers.map(({ status }) => status === "fulfilled"),
      values.map((value) => value === "s3cret"),
    );
  });

  test("C-10: a failed hash computation affects only its own request, and is tried again by the next", async () => {
    const { client_id } = await aClient("s3cret");
    const request = endpointRequest({}, basic(client_id, "s3cret"));
    const verify = async () => {
      throw new Error("no memory");
    };
    const server = { ...as.server, passwords: { ...as.server.passwords, verify } };
    await assert.rejects(authenticateClient(request, server), /^Error: no memory$/);
    assert.equal((await authenticateClient(request, as.server)).app.client_id, client_id);
  });

  test("C-10: a verified secret is no longer accepted once it is revoked or expires", async () => {
    const app = await anApp(as.store);
    const { id } = await secretOf(app, "s3cret");
    await secretOf(app, "t3mporary", { expires_at: later(10, as.clock.now()) });
    for (const value of ["s3cret", "t3mporary"]) await authenticate(basic(app.client_id, value));
    await as.store.update("oauth_app_secrets", { id }, { revoked: true, revoked_at: as.clock.now() });
    await assert.rejects(authenticate(basic(app.client_id, "s3cret")), failed);
    await authenticate(basic(app.client_id, "t3mporary"));
    as.clock.advance(10);
    await assert.rejects(authenticate(basic(app.client_id, "t3mporary")), failed);
  });

  test("C-10: a verified secret is no longer accepted once its row has another secret", async () => {
    const app = await anApp(as.store);
    const { id } = await secretOf(app, "s3cret");
    await authenticate(basic(app.client_id, "s3cret"));
    await as.store.update(
      "oauth_app_secrets",
      { id },
      { secret_hash: await as.server.passwords.hash("s3other") },
    );
    await assert.rejects(authenticate(basic(app.client_id, "s3cret")), failed);
    assert.equal((await authenticate(basic(app.client_id, "s3other"))).app.id, app.id);
  });

  test("B-7: wrong secrets are counted and refused with 429, and do not block other sources (security finding 15)", async () => {
    const { client_id } = await aClient("s3cret value");
    const limited = { ...as.server, guesses: guessLimits({ now: as.clock.now }) };
    const from = (client_ip: string, secret: string, id = client_id) => {
      const request = endpointRequest({}, basic(id, secret));
      return authenticateClient({ ...request, origin: { ...request.origin, client_ip } }, limited);
    };
    const throttled = {
      name: "OAuthError",
      code: "temporarily_unavailable",
      status: 429,
      retry_after: 900,
    };
    for (let n = 0; n < 10; n += 1) await assert.rejects(from("192.0.2.1", `wrong ${n}`), failed);
    hashes = 0;
    await assert.rejects(from("192.0.2.1", "wrong"), throttled);
    await assert.rejects(from("192.0.2.1", "s3cret value"), throttled);
    assert.equal(hashes, 0);
    for (let n = 0; n < 10; n += 1) await assert.rejects(from("192.0.2.1", `x ${n}`, "nobody"), failed);
    await assert.rejects(from("192.0.2.1", "wrong", "nobody"), throttled);
    assert.equal((await from("192.0.2.2", "s3cret value")).app.client_id, client_id);
    // The secret is now cached as verified, so sending it is no guess, even from the throttled address.
    assert.equal((await from("192.0.2.1", "s3cret value")).app.client_id, client_id);
    as.clock.advance(900);
    as.server.verifiedSecrets.clear();
    assert.equal((await from("192.0.2.1", "s3cret value")).app.client_id, client_id);
  });

  test("B-7: parallel wrong secrets are limited like sequential ones, and concurrent first uses count once", async () => {
    const { client_id } = await aClient("s3cret value");
    const limited = { ...as.server, guesses: guessLimits({ now: as.clock.now }) };
    const present = (secret: string) =>
      authenticateClient(endpointRequest({}, basic(client_id, secret)), limited);
    const uses = await Promise.all(Array.from({ length: 50 }, () => present("s3cret value")));
    assert.equal(uses.length, 50);
    const guesses = await Promise.allSettled(Array.from({ length: 60 }, (_, n) => present(`guess ${n}`)));
    const codes = guesses.map((guess) => guess.status === "rejected" && guess.reason.code);
    assert.equal(codes.filter((code) => code === "invalid_client").length, 10);
    assert.equal(codes.filter((code) => code === "temporarily_unavailable").length, 50);
  });

  test("C-12: a client that is inactive or revoked, or whose organization is, fails at once, with or without its secret", async () => {
    const { store, clock } = as;
    const { id: organization_id } = await anOrganization(store);
    const confidential = await aClient("s3cret", { organization_id });
    const open = await anApp(store, { public: true, organization_id });
    const both = async () => {
      const attempts = await Promise.allSettled([
        authenticate(basic(confidential.client_id, "s3cret")),
        authenticate(undefined, { client_id: open.client_id }),
      ]);
      for (const each of attempts)
        if (each.status === "rejected") assert.equal(each.reason.code, "invalid_client");
      return attempts.map(({ status }) => status === "fulfilled");
    };
    assert.deepEqual(await both(), [true, true]);
    await deactivate(store, "organizations", organization_id, clock.now());
    assert.deepEqual(await both(), [false, false]);
    await reactivate(store, "organizations", organization_id, clock.now());
    assert.deepEqual(await both(), [true, true]);
    for (const { id } of [confidential, open]) await deactivate(store, "oauth_apps", id, clock.now());
    assert.deepEqual(await both(), [false, false]);
    for (const { id } of [confidential, open]) await reactivate(store, "oauth_apps", id, clock.now());
    assert.deepEqual(await both(), [true, true]);
    for (const { id } of [confidential, open]) await revokeApp(store, id, clock.now());
    assert.deepEqual(await both(), [false, false]);
  });

  test("spec 2.6: an app that becomes public loses its secrets, and one that becomes confidential needs a secret", async () => {
    const app = await aClient("s3cret");
    const { client_id } = app;
    await authenticate(basic(client_id, "s3cret"));
    await as.store.update("oauth_apps", { id: app.id }, { public: true });
    await assert.rejects(authenticate(basic(client_id, "s3cret")), failed);
    assert.equal((await authenticate(undefined, { client_id })).method, "none");
    await as.store.update("oauth_apps", { id: app.id }, { public: false });
    await assert.rejects(authenticate(undefined, { client_id }), failed);
    assert.equal((await authenticate(basic(client_id, "s3cret"))).method, "client_secret_basic");
  });

  describe("an additional method of client authentication", () => {
    interface PresentedAssertion extends PresentedClient {
      readonly assertion: string;
    }
    /** For each verified assertion, whether a client of this kind was found. */
    const requested: boolean[] = [];
    const byAssertion: ClientAuthenticationMethod<PresentedAssertion> = {
      name: "proof_of_test",
      client_type: "confidential",
      credential: { in: "form", name: "proof" },
      present({ params }) {
        const assertion = params.get("proof");
        const client_id = params.get("client_id");
        return assertion === undefined || client_id === undefined ? [] : [{ client_id, assertion }];
      },
      async verify({ assertion }, client) {
        requested.push(client !== undefined);
        return assertion === "good" ? { type: "none" } : undefined;
      },
      whyFailed: () => [{ kind: "client_secret", name: "proof", received: null, expected: null }],
    };
    const authenticateByAssertion = (parameters: Parameters) => {
      const clientAuthenticationMethods = [...as.server.clientAuthenticationMethods, byAssertion];
      requested.length = 0;
      return authenticateClient(endpointRequest(parameters), { ...as.server, clientAuthenticationMethods });
    };

    test("an additional method reads and verifies its own proof, and is recorded under its name", async () => {
      const { client_id } = await aClient("s3cret");
      const client = await authenticateByAssertion({ client_id, proof: "good" });
      assert.deepEqual(
        [client.app.client_id, client.method, client.proof],
        [client_id, "proof_of_test", { type: "none" }],
      );
      await assert.rejects(authenticate(undefined, { client_id, proof: "good" }), failed);
    });

    test("C-4: an additional method fails with the same error as every method, and with evidence of its own", async () => {
      const { client_id } = await aClient("s3cret");
      const refusal = await caught(authenticateByAssertion({ client_id, proof: "bad" }));
      assert.deepEqual([refusal.code, refusal.message], [failed.code, failed.message]);
      const { evidence } = refusal;
      assert.deepEqual(
        (typeof evidence === "function" ? await evidence() : (evidence ?? [])).map(({ kind }) => kind),
        ["client_secret"],
      );
    });

    test("an additional method accepts no public, unknown or inactive client, even with a valid proof", async () => {
      const open = await anApp(as.store, { public: true });
      const ended = await aClient("s3cret");
      await deactivate(as.store, "oauth_apps", ended.id, as.clock.now());
      for (const client_id of [open.client_id, ended.client_id, "nobody"]) {
        await assert.rejects(authenticateByAssertion({ client_id, proof: "good" }), failed);
        assert.deepEqual(requested, [false]);
      }
    });

    test("C-5: an additional method is refused together with another one, in any order", async () => {
      const { client_id } = await aClient("s3cret");
      const refusal = await caught(
        authenticateByAssertion({ proof: "good", client_id, client_secret: "s3cret" }),
      );
      assert.equal(refusal.code, "invalid_request");
      assert.match(refusal.message, /methods: client_secret and proof/);
      assert.deepEqual(requested, []);
    });
  });
});

async function caught(work: Promise<unknown>): Promise<OAuthError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof OAuthError);
  return error;
}
