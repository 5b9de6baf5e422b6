import assert from "node:assert/strict";
import { before, test } from "node:test";
import { authenticateClient } from "../../src/oauth/clients/client_authentication.ts";
import { discoveryDocument } from "../../src/oauth/discovery_document.ts";
import { token } from "../../src/oauth/token/token.ts";
import { checkNew } from "../../src/records/formats/check.ts";
import { builtInClientId, keyAlgorithms } from "../../src/records/names/names.ts";
import { issuer, serverOn, testServer } from "../support/authorization_server.ts";
import { aKeyPair, anApp, anOrganization } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { deactivate } from "../support/endings.ts";
import { ask, authorizeParameters, basic, credentialsOf, endpointRequest, origin } from "../support/flows.ts";
import { listed } from "../support/listed.ts";
import {
  aClientFixture,
  claimsOf,
  inactive,
  refusal,
  withPart,
  withSettings,
  withStore,
} from "./client_fixture.ts";
import { aMachine, aPair, jwtBearer, type Machine, type Pair, switchedOn } from "./machine.ts";

const refused = (what: RegExp) => refusal("invalid_grant", what);

describeInForm("assertions of service accounts", (database) => {
  const scenario = serverOn(database, switchedOn);
  let rsa: Pair;
  before(async () => {
    rsa = aPair("RS256");
  });

  const seconds = () => Math.floor(scenario.clock.now().getTime() / 1000);
  const rowOf = async (access_token: string) => {
    const row = await scenario.store.find("oauth_tokens", { id: String(claimsOf(access_token).jti) });
    assert.ok(row !== undefined);
    return row;
  };
  /** Creates an app that may introspect tokens issued to the built-in app. */
  const witness = () => aClientFixture(scenario, { allowed_scopes: ["token:introspect"] });

  test("design 6.22: a service account gets its own token with each of the six algorithms", async () => {
    for (const algorithm of keyAlgorithms) {
      const machine = await aMachine(scenario, {
        algorithm,
        ...(algorithm.startsWith("RS") && { pair: rsa }),
        account: { allowed_scopes: ["orders:read", "orders:write"] },
      });
      const answer = await machine.exchange({ scope: "orders:read" });
      assert.deepEqual(
        Object.keys(answer).sort(),
        ["access_token", "expires_in", "scope", "token_type"],
        algorithm,
      );
      const { sub, aud, client_id, scope } = claimsOf(answer.access_token);
      assert.deepEqual(
        [sub, aud, client_id, scope],
        [
          machine.account.id,
          `urn:postern:organization:${machine.account.organization_id}`,
          builtInClientId,
          "orders:read",
        ],
      );
      const row = await rowOf(answer.access_token);
      assert.deepEqual(
        [row.user_id, row.service_account_id, row.refresh_token_signature, row.session_id],
        [null, machine.account.id, null, null],
      );
      assert.deepEqual([row.client_ip, row.user_agent], [origin.client_ip, origin.user_agent]);
      const seen = await (await witness()).introspect(answer.access_token);
      assert.equal((seen as { sub: string }).sub, machine.account.id);
      assert.ok(!("username" in seen));
    }
  });

  test("design 6.22: aud may be the issuer or the token endpoint, and the account is named by id or email", async () => {
    const machine = await aMachine(scenario);
    const { id, email } = machine.account;
    for (const aud of [issuer, `${issuer}/oauth/token`, [issuer], [`${issuer}/oauth/token`, issuer]])
      assert.ok(await machine.present({ aud }), String(aud));
    for (const name of [id.toUpperCase(), email, email.toUpperCase()])
      assert.ok(await machine.present({ iss: name, sub: name }), name);
    for (const typ of [undefined, "jwt", "authorization-grant+jwt"])
      assert.ok(await machine.present({}, { typ }), String(typ));
  });

  test("design 6.14, D-1: the grant is off by default, and then neither advertised nor accepted", async () => {
    const machine = await aMachine(scenario);
    const off = withSettings(scenario, { extra_grants: [] });
    const before = discoveryDocument(off.server).grant_types_supported;
    assert.deepEqual(before, ["authorization_code", "refresh_token", "client_credentials"]);
    assert.deepEqual(discoveryDocument(scenario.server).grant_types_supported, [
      ...(before as string[]),
      jwtBearer,
    ]);
    const elsewhere = { ...machine, test: off };
    const fixture = await aClientFixture(scenario, { allowed_grants: ["jwt_bearer"] });
    const request = { grant_type: jwtBearer, assertion: await elsewhere.assertion() };
    await assert.rejects(fixture.at(off).clientCredentials(request), refusal("unsupported_grant_type"));
    await assert.rejects(token(endpointRequest(request), off.server), refusal("invalid_client"));
  });

  test("H-13: an assertion works once, even if it is sent many times concurrently", async () => {
    await (await aMachine(scenario)).exchange();
    const machine = await aMachine(scenario);
    const crowd = 8;
    // Repeated, because the first requests may have to wait one after the other for the database's
    // connections.
    for (let turn = 1; turn <= 4; turn++) {
      const request = endpointRequest({ grant_type: jwtBearer, assertion: await machine.assertion() });
      // All requests have read and signed before the first may use up the assertion.
      const { promise: together, resolve: go } = Promise.withResolvers<void>();
      let arrived = 0;
      const crowded = withStore(scenario, {
        async transaction(work, options) {
          arrived++;
          if (arrived === crowd) go();
          await together;
          return scenario.store.transaction(work, options);
        },
      });
      const answers = await Promise.allSettled(
        Array.from({ length: crowd }, () => token(request, crowded.server)),
      );
      assert.equal(answers.filter(({ status }) => status === "fulfilled").length, 1);
      for (const answer of answers) if (answer.status === "rejected") refused(/already used/)(answer.reason);
      assert.equal(
        await scenario.store.count("oauth_tokens", { service_account_id: machine.account.id }),
        turn,
      );
    }
    // The jti alone counts, not the text around it, and each account has its own values.
    const jti = "the same";
    assert.ok(await machine.present({ jti }));
    await assert.rejects(machine.present({ jti, exp: seconds() + 200 }), refused(/already used/));
    const other = await aMachine(scenario);
    assert.ok(await other.present({ jti }));
    scenario.clock.advance(600);
    assert.ok(await machine.present({ jti }), "long after the first has expired");
  });

  test("T-10: a failed request leaves the assertion usable", async () => {
    const machine = await aMachine(scenario);
    const assertion = await machine.assertion();
    await assert.rejects(machine.exchange({ assertion, scope: "orders:delete" }), refusal("invalid_scope"));
    const broken = withPart(scenario, {
      keys: async () => {
        throw new Error("no key");
      },
    });
    const request = endpointRequest({ grant_type: jwtBearer, assertion });
    await assert.rejects(token(request, broken.server), /no key/);
    assert.ok(await machine.exchange({ assertion }));
  });

  test("RFC 6749 3.3: scopes must be among the account's; without scope all are granted, except this server's own", async () => {
    const allowed_scopes = listed`orders:read orders:write postern:users:read token:introspect openid`;
    const machine = await aMachine(scenario, { account: { allowed_scopes } });
    assert.equal((await machine.exchange()).scope, "orders:read orders:write");
    assert.equal((await machine.exchange({ scope: "orders:write" })).scope, "orders:write");
    assert.equal((await machine.exchange({ scope: "postern:users:read" })).scope, "postern:users:read");
    for (const scope of [
      ...listed`orders:delete token:introspect openid offline_access postern:manage`,
      "orders:read bills:read",
    ])
      await assert.rejects(machine.exchange({ scope }), refusal("invalid_scope"), scope);
    const bare = await aMachine(scenario, { account: { allowed_scopes: ["postern:users:read"] } });
    await assert.rejects(bare.exchange(), refusal("invalid_scope", /scope is missing/));
  });

  test("design 6.22: a client that authenticates with the request becomes the token's client, and narrows its scopes", async () => {
    const machine = await aMachine(scenario, {
      account: { allowed_scopes: ["orders:read", "orders:write"] },
    });
    const app = await anApp(scenario.store, {
      allowed_grants: ["jwt_bearer"],
      allowed_scopes: ["orders:read", "bills:read"],
    });
    const authorization = await credentialsOf(scenario, app);
    const answer = await machine.exchange({}, authorization);
    assert.deepEqual([answer.scope, claimsOf(answer.access_token).client_id], ["orders:read", app.client_id]);
    assert.equal((await rowOf(answer.access_token)).app_id, app.id);
    await assert.rejects(
      machine.exchange({ scope: "orders:write" }, authorization),
      refusal("invalid_scope"),
    );
    await assert.rejects(machine.exchange({ scope: "bills:read" }, authorization), refusal("invalid_scope"));
    const plain = await anApp(scenario.store, { allowed_scopes: ["orders:read"] });
    await assert.rejects(
      machine.exchange({}, await credentialsOf(scenario, plain)),
      refusal("unauthorized_client"),
    );
    // A named client must authenticate as itself, without a fallback to the built-in app.
    for (const [parameters, header] of [
      [{}, basic(app.client_id, "wrong")],
      [{ client_id: app.client_id }, undefined],
      [{ client_id: "no such client" }, undefined],
      [{ client_secret: "alone" }, undefined],
      [{}, "Bearer x"],
    ] as const)
      await assert.rejects(machine.exchange(parameters, header), refusal("invalid_client"));
    const spa = await anApp(scenario.store, {
      public: true,
      allowed_grants: ["jwt_bearer"],
      allowed_scopes: ["orders:read"],
    });
    assert.equal((await machine.exchange({ client_id: spa.client_id })).scope, "orders:read");
  });

  test("design 6.22: the built-in app for service accounts is created once, and no other app can replace it", async () => {
    const fresh = await testServer(await database.open(), switchedOn);
    const machine = await aMachine(fresh);
    assert.equal(await fresh.store.count("oauth_apps"), 0);
    const answers = await Promise.all(Array.from({ length: 6 }, () => machine.exchange()));
    assert.equal(new Set(answers.map(({ access_token }) => claimsOf(access_token).client_id)).size, 1);
    const apps = await fresh.store.list("oauth_apps");
    assert.deepEqual(
      apps.map(({ client_id }) => client_id),
      [builtInClientId],
    );
    assert.equal(fresh.events.filter(({ type }) => type === "built_in_app_made").length, 1);
    const [app] = apps;
    assert.ok(app !== undefined);
    const owner = await fresh.store.find("users", { id: app.owner_id });
    assert.deepEqual([owner?.active, owner?.password_hash, owner?.is_platform_admin], [false, null, false]);

    // Every setting that a manager of the app can change.
    const changes = {
      redirect_uris: ["https://app.example/cb"],
      allowed_grants: ["jwt_bearer", "auth_code", "client_credentials"],
    };
    await fresh.store.update("oauth_apps", { id: app.id }, { ...changes, allowed_response_types: ["code"] });
    const authorization = await credentialsOf(fresh, app);
    await assert.rejects(
      authenticateClient(endpointRequest({}, authorization), fresh.server),
      refusal("invalid_client"),
    );
    await assert.rejects(
      ask(fresh, undefined, authorizeParameters({ ...app, ...changes })),
      refusal("invalid_request", /no client/),
    );
    await fresh.store.update("oauth_apps", { id: app.id }, { public: true });
    await assert.rejects(machine.exchange({ client_id: builtInClientId }), refusal("invalid_client"));

    await fresh.store.update("oauth_apps", { id: app.id }, { public: false });
    assert.ok(await machine.exchange());
    await deactivate(fresh.store, "oauth_apps", app.id, fresh.clock.now());
    await assert.rejects(machine.exchange(), refusal("invalid_client", /is required/));
  });

  test("design 6.22: no app can be registered under a name reserved for this server", () => {
    for (const client_id of [builtInClientId, "URN:postern:other"]) {
      const { errors } = checkNew("oauth_apps", { client_id, name: "x", owner_id: crypto.randomUUID() });
      assert.ok(
        errors.some(({ path, code }) => path === "/client_id" && code === "reserved_client_id"),
        client_id,
      );
    }
  });

  test("I-7: the token is reported to apps with token:introspect in the organization of its account or client", async () => {
    const machine = await aMachine(scenario);
    const { organization_id } = machine.account;
    const other = await anOrganization(scenario.store);
    const app = await anApp(scenario.store, {
      organization_id: other.id,
      allowed_grants: ["jwt_bearer"],
      allowed_scopes: ["orders:read"],
    });
    const own = await machine.exchange();
    const through = await machine.exchange({}, await credentialsOf(scenario, app));
    for (const [answer, id, allowed_scopes, expected] of [
      [own, organization_id, ["token:introspect"], true],
      // The built-in app has no organization, like this app.
      [own, null, ["token:introspect"], true],
      [own, other.id, ["token:introspect"], false],
      [own, organization_id, ["orders:read"], false],
      [through, other.id, ["token:introspect"], true],
      [through, organization_id, ["token:introspect"], true],
      [through, null, ["token:introspect"], false],
    ] as const) {
      const observer = await aClientFixture(scenario, { organization_id: id, allowed_scopes });
      assert.equal(await observer.isActive(answer.access_token), expected, `${id} ${allowed_scopes}`);
    }
  });

  test("design 6.18: deactivating the account or organization, or revoking the key, ends the tokens", async () => {
    const observer = await witness();
    const { store, clock } = scenario;
    const endings: Record<string, (machine: Machine) => Promise<unknown>> = {
      account: ({ account }) => deactivate(store, "service_accounts", account.id, clock.now()),
      organization: ({ account }) => deactivate(store, "organizations", account.organization_id, clock.now()),
      key: ({ key: { id } }) =>
        store.update("service_account_key_pairs", { id }, { revoked: true, revoked_at: clock.now() }),
      "deleted key": ({ key: { id } }) => store.remove("service_account_key_pairs", { id }),
    };
    for (const [what, end] of Object.entries(endings)) {
      const machine = await aMachine(scenario);
      const { organization_id } = machine.account;
      const bystander = await aMachine(scenario, { account: { organization_id } });
      const { access_token } = await machine.exchange();
      const other = await bystander.exchange();
      assert.equal(await observer.isActive(access_token), true);
      clock.advance(1);
      await end(machine);
      assert.deepEqual(await observer.introspect(access_token), inactive, what);
      assert.equal(await observer.isActive(other.access_token), what !== "organization", what);
    }
  });

  test("T-16: no token is issued if the account or key ends while it is signed, and the error names which", async () => {
    const { store, clock } = scenario;
    const endings: [RegExp, (machine: Machine) => Promise<unknown>][] = [
      [/key .* was revoked/, ({ key }) => ofKey(key, { revoked: true })],
      [/key .* is not active/, ({ key }) => ofKey(key, { active: false })],
      [/key .* has expired/, ({ key }) => ofKey(key, { expires_at: clock.now() })],
      [
        /the service account is not active/,
        ({ account }) => deactivate(store, "service_accounts", account.id, clock.now()),
      ],
      [
        /the organization of the service account is not active/,
        ({ account }) => deactivate(store, "organizations", account.organization_id, clock.now()),
      ],
    ];
    const ofKey = ({ id }: Machine["key"], changes: Partial<Machine["key"]>) =>
      store.update("service_account_key_pairs", { id }, changes);
    for (const [reason, end] of endings) {
      const machine = await aMachine(scenario);
      const late = withPart(scenario, {
        keys: async () => {
          await end(machine);
          return scenario.server.keys();
        },
      });
      const request = endpointRequest({ grant_type: jwtBearer, assertion: await machine.assertion() });
      await assert.rejects(token(request, late.server), refused(reason));
      assert.equal(await store.count("oauth_tokens", { service_account_id: machine.account.id }), 0);
    }
  });

  test("H-8: a refused assertion is audited, and names the account only if its key signed it", async () => {
    const machine = await aMachine(scenario);
    const reported = async (assertion: string) => {
      scenario.events.length = 0;
      await assert.rejects(machine.exchange({ assertion }));
      const [event, ...others] = scenario.events.filter(
        ({ type }) => type === "service_account_authentication",
      );
      assert.deepEqual(others, []);
      assert.ok(event?.outcome === "failure");
      assert.equal(JSON.stringify(event).includes(assertion.split(".")[2] ?? ""), false);
      return event;
    };
    const spent = await machine.assertion();
    assert.ok(await machine.exchange({ assertion: spent }));
    const { id } = machine.account;
    const replay = await reported(spent);
    assert.deepEqual(replay.actor, { kind: "service_account", id });
    assert.deepEqual(replay.details, {
      reason: "the assertion was already used; create a new one for each request",
    });
    const guess = await reported(await machine.assertion({}, {}, aPair("ES256").privateKey));
    assert.deepEqual([guess.actor, guess.target], [{ kind: "anonymous" }, { table: "service_accounts", id }]);
    const garbage = await reported("garbage.in.here");
    assert.deepEqual([garbage.actor, garbage.target], [{ kind: "anonymous" }, undefined]);
  });

  test("spec 2.11, 2.12: the last use of account and key pair is stored", async () => {
    const machine = await aMachine(scenario);
    const idle = await aKeyPair(scenario.store, { service_account_id: machine.account.id });
    await machine.exchange();
    await scenario.store.flushUses();
    const at = scenario.clock.now();
    const { store } = scenario;
    assert.deepEqual((await store.find("service_accounts", { id: machine.account.id }))?.last_used_at, at);
    assert.deepEqual(
      (await store.find("service_account_key_pairs", { id: machine.key.id }))?.last_used_at,
      at,
    );
    assert.equal((await store.find("service_account_key_pairs", { id: idle.id }))?.last_used_at, null);
  });
});
