import assert from "node:assert/strict";
import { before, test } from "node:test";
import fc from "fast-check";
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { OAuthError } from "../../src/errors.ts";
import { paramsOf } from "../../src/oauth/core/params.ts";
import type { EndpointRequest } from "../../src/oauth/core/server.ts";
import { introspect } from "../../src/oauth/introspect.ts";
import { revoke } from "../../src/oauth/revoke.ts";
import { token } from "../../src/oauth/token/token.ts";
import { userinfo } from "../../src/oauth/userinfo.ts";
import { issuer, serverOn } from "../support/authorization_server.ts";
import { codePoint } from "../support/code_point.ts";
import { describeInForm } from "../support/databases.ts";
import { codeParameters, endpointRequest, origin, type Parameters, verifier } from "../support/flows.ts";
import { inForm } from "../support/form.ts";
import { listed } from "../support/listed.ts";
import { aClientFixture, type ClientFixture, claimsOf, refusal, rejected } from "./client_fixture.ts";

/** RFC 6749 5.2: the characters of `error_description`. */
const describable = /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/;

/** Spec section 7, and `invalid_target` of design 6.5. */
const codes = new Set(listed`
  invalid_request invalid_client invalid_grant unauthorized_client unsupported_grant_type invalid_scope
  invalid_target
`);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describeInForm("the token endpoint", (database) => {
  const scenario = serverOn(database);
  let machine: ClientFixture;
  before(async () => {
    machine = await aClientFixture(scenario, {
      allowed_grants: ["client_credentials"],
      allowed_scopes: ["orders:read", "orders:write"],
    });
  });

  test("T-1: the response has exactly the fields of the specification and of OpenID Connect", async () => {
    const fixture = await aClientFixture(scenario);
    const plain = await fixture.exchange(await fixture.code({ scope: "orders:read profile" }));
    assert.deepEqual(
      Object.keys(plain).toSorted(),
      listed`
        access_token expires_in refresh_token scope token_type
      `,
    );
    assert.deepEqual(
      [plain.token_type, plain.expires_in, plain.scope],
      ["Bearer", 900, "orders:read profile"],
    );
    const openid = await fixture.exchange(await fixture.code());
    assert.deepEqual(
      Object.keys(openid).filter((member) => !(member in plain)),
      ["id_token"],
    );
    const without = await aClientFixture(scenario, { allowed_grants: ["auth_code"] });
    assert.ok(!("refresh_token" in (await without.exchange(await without.code()))));
    assert.deepEqual(Object.keys(await machine.clientCredentials()).toSorted(), [
      "access_token",
      "expires_in",
      "scope",
      "token_type",
    ]);
  });

  test("T-3: every refusal has a code of the specification and a description in the characters of RFC 6749", async () => {
    const fixture = await aClientFixture(scenario);
    const odd = 'x"\\\u00e9\u{1F600}\r\n\t<script>';
    const own = (input: Parameters) =>
      endpointRequest({ grant_type: "client_credentials", ...input }, machine.authorization);
    const requests: Record<string, EndpointRequest> = {
      "no grant": endpointRequest({}, fixture.authorization),
      "another grant": endpointRequest({ grant_type: odd }, fixture.authorization),
      "no client": endpointRequest({ grant_type: "client_credentials" }),
      "a wrong client": endpointRequest({ grant_type: "client_credentials", client_id: odd }),
      "a wrong header": endpointRequest({ grant_type: "client_credentials" }, odd),
      "no code": endpointRequest({ grant_type: "authorization_code" }, fixture.authorization),
      "a wrong code": endpointRequest({ ...codeParameters(fixture.app, odd) }, fixture.authorization),
      "a wrong scope": own({ scope: odd }),
      "a foreign scope": own({ scope: "a'scope{of}others" }),
      "a wrong resource": own({ scope: "orders:read", resource: odd }),
      "twice the same": endpointRequest({ [odd]: ["1", "2"] }, fixture.authorization),
      "the wrong grant": endpointRequest({ grant_type: "client_credentials" }, fixture.authorization),
    };
    for (const [what, request] of Object.entries(requests)) {
      await assert.rejects(
        token(request, scenario.server),
        (error: unknown) => {
          assert.ok(error instanceof OAuthError, what);
          assert.ok(codes.has(error.code), `${what}: ${error.code}`);
          assert.match(error.description, describable, what);
          assert.equal(error.status, error.code === "invalid_client" ? 401 : 400, what);
          return true;
        },
        what,
      );
    }
  });

  test("T-3: no refusal contains a code, a verifier, a secret or a token", async () => {
    const fixture = await aClientFixture(scenario);
    const other = await aClientFixture(scenario);
    const { code, refresh_token } = await fixture.flow();
    const fresh = await fixture.code();
    const secret = `secret of ${fixture.app.client_id}`;
    const marker = fc.stringMatching(/^[A-Za-z0-9._~-]{43,60}$/);
    const secretNames = ["code", "code_verifier", "client_secret", "refresh_token"];
    const request = fc.record({
      grant_type: fc.constantFrom("authorization_code", "refresh_token", "client_credentials", "password"),
      client: fc.constantFrom(fixture.authorization, other.authorization, undefined, "Basic AAAA"),
      values: fc.tuple(
        fc.oneof(marker, fc.constantFrom(code, fresh)),
        fc.oneof(marker, fc.constant(verifier)),
        fc.oneof(marker, fc.constant(secret)),
        fc.oneof(marker, fc.constant(refresh_token)),
      ),
      sent: fc.subarray([0, 1, 2, 3]),
      scope: fc.constantFrom(undefined, "openid", "nothing:of-the-kind"),
      repeated: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ grant_type, client, values, sent, scope, repeated }) => {
        const secrets = sent.map((index) => [secretNames[index] ?? "", values[index] ?? ""] as const);
        const parameters = Object.fromEntries(
          secrets.map(([name, value]) => [name, repeated ? [value, value] : value]),
        );
        const client_id = client === undefined ? fixture.app.client_id : undefined;
        const redirect_uri = "https://nowhere.example/";
        try {
          await token(
            endpointRequest({ grant_type, client_id, scope, redirect_uri, ...parameters }, client),
            scenario.server,
          );
        } catch (error) {
          assert.ok(error instanceof OAuthError, String(error));
          for (const [, value] of secrets) assert.ok(!error.description.includes(value.slice(0, 20)));
          assert.match(error.description, describable);
        }
      }),
      { numRuns: inForm(50, 150) },
    );
  });

  test("T-4: a repeated parameter is refused, an unknown one ignored, and an empty one counts as omitted", async () => {
    const input = { grant_type: "client_credentials", scope: "orders:read" };
    const { authorization } = machine;
    for (const name of ["grant_type", "scope", "anything"]) {
      const request = endpointRequest({ ...input, [name]: ["orders:read", "orders:read"] }, authorization);
      await rejected(token(request, scenario.server), "invalid_request", /repeated/);
    }
    const unknown = { constructor: "1", __proto__x: "2", code: "", resource: "", client_secret: "" };
    assert.ok(await token(endpointRequest({ ...input, ...unknown }, authorization), scenario.server));
    const [without, empty] = await Promise.all(
      [undefined, ""].map((scope) =>
        token(
          endpointRequest(
            { grant_type: "client_credentials", ...(scope === "" && { scope }) },
            authorization,
          ),
          scenario.server,
        ),
      ),
    );
    assert.equal(empty?.scope, without?.scope);
  });

  test("T-12: a grant type is recognized only by its exact name", async () => {
    const fixture = await aClientFixture(scenario, {
      allowed_grants: ["auth_code", "refresh", "client_credentials"],
    });
    const unknown = [
      ...listed`
      password implicit __proto__ constructor toString auth_code Authorization_Code CLIENT_CREDENTIALS
      urn:ietf:params:oauth:grant-type:jwt-bearer
    `,
      " client_credentials",
      "client_credentials ",
      "client_credentials\n",
    ];
    for (const grant_type of unknown) {
      await assert.rejects(
        token(endpointRequest({ grant_type, scope: "orders:read" }, fixture.authorization), scenario.server),
        refusal("unsupported_grant_type", /authorization_code, refresh_token, client_credentials/),
        grant_type,
      );
    }
  });

  test("T-12: a grant is refused to exactly the apps that may not use it", async () => {
    const input = {
      authorization_code: { code: "c", redirect_uri: "https://app.example/cb" },
      refresh_token: { refresh_token: "r" },
      client_credentials: { scope: "orders:read" },
    };
    const words = {
      authorization_code: "auth_code",
      refresh_token: "refresh",
      client_credentials: "client_credentials",
    };
    for (const [grant_type, parameters] of Object.entries(input)) {
      const word = words[grant_type as keyof typeof words];
      const others = Object.values(words).filter((each) => each !== word);
      for (const allowed_grants of [others, []]) {
        const fixture = await aClientFixture(scenario, { allowed_grants });
        await rejected(
          token(endpointRequest({ grant_type, ...parameters }, fixture.authorization), scenario.server),
          "unauthorized_client",
          new RegExp(grant_type),
        );
      }
    }
  });

  test("T-14: an access token verifies with the published keys and has the claims of RFC 9068", async () => {
    const jwks = (await scenario.server.keys()).jwks(scenario.clock.now());
    const verified = async (jwt: string, audience: string) =>
      jwtVerify(jwt, createLocalJWKSet(jwks), {
        issuer,
        audience,
        typ: "at+jwt",
        algorithms: ["RS256"],
        currentDate: scenario.clock.now(),
        requiredClaims: ["iss", "sub", "aud", "exp", "iat", "jti", "client_id", "scope"],
      });
    const resource = "https://orders.example/";
    const fixture = await aClientFixture(scenario, {
      metadata: { resources: [resource] },
      access_token_ttl: 123,
    });
    for (const audience of [issuer, resource]) {
      const requested = audience === issuer ? {} : { resource };
      const { access_token, expires_in } = await fixture.flow({
        scope: "openid profile orders:read",
        ...requested,
      });
      const { payload, protectedHeader } = await verified(access_token, audience);
      assert.deepEqual(protectedHeader, { alg: "RS256", typ: "at+jwt", kid: jwks.keys[0]?.kid });
      assert.deepEqual(payload, {
        iss: issuer,
        sub: fixture.user.id,
        aud: audience,
        exp: Number(payload.iat) + 123,
        iat: Math.floor(scenario.clock.now().getTime() / 1000),
        jti: (await fixture.rowOf(access_token)).id,
        client_id: fixture.app.client_id,
        scope: "openid profile orders:read",
      });
      assert.equal(expires_in, 123);
      assert.ok(!JSON.stringify({ payload, protectedHeader }).includes(fixture.user.email));
      assert.deepEqual((await fixture.rowOf(access_token)).audience, [audience]);
    }
    const { access_token } = await machine.clientCredentials();
    assert.equal((await verified(access_token, issuer)).payload.sub, machine.app.id);
    assert.deepEqual(decodeProtectedHeader(access_token).alg, "RS256");
  });

  test("T-15: sub is the user's id for every client, and does not change with the email address", async () => {
    const fixture = await aClientFixture(scenario);
    const other = await aClientFixture(scenario);
    const elsewhere = await aClientFixture(scenario, {}, {});
    const { access_token, id_token, refresh_token } = await fixture.flow();
    assert.match(fixture.user.id, uuid);
    assert.equal(claimsOf(access_token).sub, fixture.user.id);
    assert.equal(claimsOf(id_token ?? "").sub, fixture.user.id);
    const email = `new-${fixture.user.email}`;
    await scenario.store.update("users", { id: fixture.user.id }, { email, email_key: email });
    const again = await fixture.refresh(refresh_token);
    assert.equal(claimsOf(again.access_token).sub, fixture.user.id);
    assert.notEqual(claimsOf((await other.flow()).access_token).sub, fixture.user.id);
    assert.notEqual(elsewhere.user.id, other.user.id);
  });

  test("H-8: an issued token is audited with the id of its row, and no event contains a secret", async () => {
    scenario.events.length = 0;
    const fixture = await aClientFixture(scenario);
    const { access_token, refresh_token, code, id_token = "" } = await fixture.flow();
    const issued = scenario.events.filter(({ type }) => type === "token_issued");
    assert.deepEqual(
      issued.map(({ target, actor, details }) => ({ target, actor, details })),
      [
        {
          target: { table: "oauth_tokens", id: claimsOf(access_token).jti },
          actor: { kind: "client", id: fixture.app.client_id },
          details: { grant_type: "authorization_code" },
        },
      ],
    );
    await assert.rejects(fixture.exchange(code), { name: "ReplayError" });
    await fixture.revoke(access_token);
    const reported = JSON.stringify(scenario.events);
    for (const secret of [access_token, refresh_token, code, id_token, verifier])
      assert.ok(!reported.includes(secret));
    assert.ok(!reported.includes(`secret of ${fixture.app.client_id}`));
  });

  test("H-1: any parameters at any endpoint cause at most an OAuth error", async () => {
    const fixture = await aClientFixture(scenario);
    const { access_token, refresh_token } = await fixture.flow();
    const code = await fixture.code();
    const name = fc.oneof(
      fc.constantFrom(
        "client_id",
        "client_secret",
        "code",
        "code_verifier",
        "redirect_uri",
        "refresh_token",
        "scope",
        "resource",
        "token",
        "token_type_hint",
        "access_token",
        "__proto__",
      ),
      fc.string({ unit: codePoint, maxLength: 12 }),
    );
    const value = fc.oneof(
      fc.constantFrom(
        "authorization_code",
        "refresh_token",
        "client_credentials",
        "__proto__",
        fixture.app.client_id,
        machine.app.client_id,
        "orders:read",
        access_token.slice(0, -1),
        `${refresh_token}A`,
        `${code.slice(0, -1)}*`,
        "\0",
        "\uD800",
      ),
      fc.string({ unit: codePoint, maxLength: 80 }),
      fc.string({ maxLength: 80 }),
    );
    const proven = fc.constantFrom(fixture.authorization, machine.authorization);
    const header = fc.oneof(
      fc.constantFrom(undefined, "Basic", "Bearer", "Basic ====", `Bearer ${access_token}`),
      fc.string({ unit: codePoint, maxLength: 60 }),
      fc
        .tuple(value, value)
        .map(([id, secret]) => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`),
      value.map((text) => `Bearer ${text}`),
    );
    const authorization = fc.oneof({ weight: 2, arbitrary: proven }, { weight: 1, arbitrary: header });
    const grant = fc.constantFrom("authorization_code", "refresh_token", "client_credentials", "");
    const pairs = fc.array(fc.tuple(name, value), { maxLength: 8 });
    const onlyOAuthError = (error: unknown) => assert.ok(error instanceof OAuthError, `${error}`);
    await fc.assert(
      fc.asyncProperty(grant, pairs, authorization, async (grant_type, sent, authorization) => {
        const params = paramsOf([["grant_type", grant_type], ...sent]);
        const request: EndpointRequest = { params, authorization, origin };
        await token(request, scenario.server).catch(onlyOAuthError);
        await introspect(request, scenario.server).catch(onlyOAuthError);
        await userinfo({ method: "GET", dpop: undefined, ...request }, scenario.server).catch(onlyOAuthError);
        assert.equal(await revoke(request, scenario.server), undefined);
      }),
      { numRuns: inForm(50, 150) },
    );
    const errors = scenario.events.filter(({ details }) => details?.error === "server_error");
    assert.deepEqual(errors, [], "what revocation kept to itself");
    assert.equal(await fixture.isActive(access_token), true);
  });
});
