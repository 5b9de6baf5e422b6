import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { OAuthError } from "../../src/errors.ts";
import { discoveryDocument } from "../../src/oauth/discovery_document.ts";
import { introspect } from "../../src/oauth/introspect.ts";
import { revoke } from "../../src/oauth/revoke.ts";
import { token } from "../../src/oauth/token/token.ts";
import { clientKeyAlgorithms } from "../../src/records/names/names.ts";
import { issuer, serverOn, type TestServer, testServer } from "../support/authorization_server.ts";
import { anApp } from "../support/builders.ts";
import { describeInForm, openStoreAt } from "../support/databases.ts";
import { deactivate } from "../support/endings.ts";
import { basic, credentialsOf, endpointRequest } from "../support/flows.ts";
import { listed } from "../support/listed.ts";
import { refusal, withSettings, withStore } from "./client_fixture.ts";
import { compact } from "./machine.ts";
import {
  aClientPair,
  aSigningClient,
  assertionType,
  jwkOf,
  type SigningClient,
  switchedOn,
} from "./signing_client.ts";

const refused = (what: RegExp) => refusal("invalid_client", what);
const unproven = refused(/^client authentication failed$/);

async function caught(work: Promise<unknown>): Promise<OAuthError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof OAuthError, String(error));
  return error;
}

async function evidenceOf({ evidence }: OAuthError) {
  const pieces = typeof evidence === "function" ? await evidence() : (evidence ?? []);
  return pieces.map(({ kind, name, received }) => `${kind} ${name}: ${String(received)}`);
}

describeInForm("client authentication by private_key_jwt", (database) => {
  const scenario = serverOn(database, switchedOn);
  const seconds = () => Math.floor(scenario.clock.now().getTime() / 1000);
  const marks = () => scenario.store.count("ephemera", { kind: "client_assertion" });

  /** Asserts that the client gets a token with the assertion. */
  async function passes(client: SigningClient, ...input: Parameters<SigningClient["assertion"]>) {
    assert.ok((await client.ask(await client.assertion(...input))).access_token, JSON.stringify(input));
  }

  async function fails(
    client: SigningClient,
    what: (error: unknown) => true,
    ...input: Parameters<SigningClient["assertion"]>
  ) {
    await assert.rejects(client.ask(await client.assertion(...input)), what, JSON.stringify(input));
  }

  test("PR-32: if disabled, the assertion is ignored and not in discovery; if enabled, discovery lists method and algorithms", async () => {
    const off = withSettings(scenario, { extra_client_auth: [] });
    const client = await aSigningClient(scenario);
    const assertion = await client.assertion();
    await assert.rejects(askAt(off, assertion), refusal("invalid_client"));
    await assert.rejects(askAt(off, assertion, client.app.client_id), refusal("invalid_client"));
    const before = discoveryDocument(off.server);
    assert.equal(JSON.stringify(before).includes("private_key_jwt"), false);
    assert.equal(JSON.stringify(before).includes("auth_signing_alg"), false);
    const methods = ["client_secret_basic", "client_secret_post"];
    const { auth, algorithms } = {
      auth: "endpoint_auth_methods_supported",
      algorithms: "endpoint_auth_signing_alg_values_supported",
    };
    assert.deepEqual(discoveryDocument(scenario.server), {
      ...before,
      [`token_${auth}`]: [...methods, "none", "private_key_jwt"],
      [`revocation_${auth}`]: [...methods, "none", "private_key_jwt"],
      [`introspection_${auth}`]: [...methods, "private_key_jwt"],
      [`token_${algorithms}`]: clientKeyAlgorithms,
      [`revocation_${algorithms}`]: clientKeyAlgorithms,
      [`introspection_${algorithms}`]: clientKeyAlgorithms,
    });
  });

  function askAt(server: TestServer, client_assertion: string, client_id?: string) {
    return token(
      endpointRequest({
        grant_type: "client_credentials",
        scope: "orders:read",
        client_id,
        client_assertion_type: assertionType,
        client_assertion,
      }),
      server.server,
    );
  }

  test("PR-33: aud must be the issuer alone, not a second value, an endpoint or another spelling", async () => {
    const client = await aSigningClient(scenario);
    await passes(client, { aud: issuer });
    await passes(client, { aud: [issuer] });
    for (const aud of [
      [],
      [[issuer]],
      [issuer, issuer],
      [issuer, `${issuer}/oauth/token`],
      [issuer, "https://other.example"],
      `${issuer}/oauth/token`,
      `${issuer}/oauth/par`,
      `${issuer}/`,
      issuer.toUpperCase(),
      "https://other.example",
      "",
      undefined,
      null,
      { issuer },
    ]) {
      await fails(client, refused(/aud must be/), { aud });
    }
  });

  test("PR-33: an app may be allowed the token endpoint as aud, but no second value and no other endpoint", async () => {
    const client = await aSigningClient(scenario, {
      app: { client_assertion_audience: "issuer_or_token_endpoint" },
    });
    await passes(client, { aud: issuer });
    await passes(client, { aud: `${issuer}/oauth/token` });
    await passes(client, { aud: [`${issuer}/oauth/token`] });
    for (const aud of [[issuer, `${issuer}/oauth/token`], `${issuer}/oauth/par`, `${issuer}/oauth/token/`]) {
      await fails(client, refused(/aud must be/), { aud });
    }
  });

  test("PR-33: under the profile oauth21, only the issuer is accepted as aud, whatever the app's record says", async () => {
    const client = await aSigningClient(scenario, {
      app: { client_assertion_audience: "issuer_or_token_endpoint", profile: "oauth21" },
    });
    for (const aud of [issuer, [issuer]]) await passes(client, { aud });
    await fails(client, refused(/aud must be/), { aud: `${issuer}/oauth/token` });
  });

  test("PR-34: typ is that of client authentication, JWT or absent, and an assertion with crit is refused", async () => {
    const client = await aSigningClient(scenario);
    for (const typ of ["client-authentication+jwt", "JWT", "jwt", undefined])
      await passes(client, {}, { typ });
    for (const typ of [
      ...listed`
      authorization-grant+jwt at+jwt dpop+jwt logout+jwt oauth-authz-req+jwt oauth-id-jag+jwt secevent+jwt
      application/jwt
    `,
      "",
      7,
      null,
    ]) {
      await fails(client, refused(/typ must be/), {}, { typ });
    }
    const text = compact({ alg: "ES256", kid: "k1", crit: ["b64"], b64: true }, client.claims());
    await assert.rejects(client.ask(text), refused(/crit/));
  });

  test("PR-35: iss, sub and client_id must be equal", async () => {
    const client = await aSigningClient(scenario);
    const other = await aSigningClient(scenario);
    const { client_id } = client.app;
    assert.ok(await client.ask(await client.assertion(), { client_id }));
    const longest = await aSigningClient(scenario, {
      app: { client_id: `https://a.example/${"a".repeat(2030)}` },
    });
    assert.ok(await longest.ask(await longest.assertion(), { client_id: longest.app.client_id }));
    await fails(client, refused(/iss and sub must both be/), { sub: other.app.client_id });
    await fails(client, refused(/iss and sub must both be/), { iss: other.app.client_id });
    await fails(client, refused(/must have iss/), { iss: undefined });
    await fails(client, refused(/must have sub/), { sub: undefined });
    await fails(client, unproven, { iss: other.app.client_id, sub: other.app.client_id });
    await assert.rejects(
      client.ask(await client.assertion(), { client_id: other.app.client_id }),
      refused(/client_id does not match/),
    );
  });

  test("PR-35: exp may be five minutes ahead; nbf and iat may be 8 seconds ahead, and fail beyond 60", async () => {
    const client = await aSigningClient(scenario);
    const now = seconds();
    for (const claims of [
      { exp: now + 1 },
      { exp: now + 300 },
      { nbf: now + 8, iat: now + 8 },
      { iat: now - 86_400 },
      { iat: undefined },
    ]) {
      await passes(client, claims);
    }
    for (const [claims, what] of [
      [{ exp: now }, /expired/],
      [{ exp: now - 60 }, /expired/],
      [{ exp: now + 301 }, /exp is 301 seconds in the future; the maximum is 300/],
      [{ exp: undefined }, /must have exp/],
      [{ exp: String(now + 60) }, /must have exp/],
      [{ nbf: now + 61 }, /nbf is in the future/],
      [{ iat: now + 61 }, /iat is in the future/],
      [{ nbf: "now" }, /nbf must be a Unix time/],
      [{ iat: null }, /iat must be a Unix time/],
      [{ jti: undefined }, /must have jti/],
      [{ jti: "" }, /must have jti/],
      [{ jti: "x".repeat(321) }, /must have jti/],
      [{ jti: "a\0b" }, /must have jti/],
    ] as const) {
      await fails(client, refused(what), claims);
    }
  });

  test("PR-35: an assertion works once for its client, at all endpoints together", async () => {
    const client = await aSigningClient(scenario, {
      app: { allowed_scopes: ["orders:read", "token:introspect"] },
    });
    const jti = crypto.randomUUID();
    const spent = await client.assertion({ jti });
    const { access_token } = await client.ask(spent);
    const again = refused(/already used/);
    await assert.rejects(client.ask(spent), again);
    await fails(client, again, { jti, exp: seconds() + 200 });
    const form = { client_assertion_type: assertionType, client_assertion: spent, token: access_token };
    await assert.rejects(introspect(endpointRequest(form), scenario.server), again);
    await revoke(endpointRequest(form), scenario.server);
    const fresh = async () => endpointRequest({ ...form, client_assertion: await client.assertion() });
    assert.ok("scope" in (await introspect(await fresh(), scenario.server)));
    await revoke(await fresh(), scenario.server);
    assert.equal("scope" in (await introspect(await fresh(), scenario.server)), false);
    // Each client's jti values are separate.
    await passes(await aSigningClient(scenario), { jti });
  });

  test("PR-35: an assertion that is refused before its signature is verified can still be used, and stores no row", async () => {
    const client = await aSigningClient(scenario);
    const stranger = aClientPair("ES256").privateKey;
    const before = await marks();
    const sound = await client.assertion();
    await fails(client, unproven, {}, {}, stranger);
    await fails(client, unproven, { iss: "nobody", sub: "nobody" });
    await fails(client, refused(/aud must be/), { aud: "https://other.example" });
    await fails(client, refused(/expired/), { exp: seconds() - 1 });
    await assert.rejects(client.ask(sound, { client_id: "other" }), refused(/client_id does not match/));
    await assert.rejects(client.ask(sound, { client_assertion_type: "x" }), refused(/client_assertion_type/));
    await assert.rejects(client.ask(sound, { client_secret: "s" }), refusal("invalid_request"));
    assert.equal(await marks(), before);
    assert.ok(await client.ask(sound));
    assert.equal(await marks(), before + 1);
  });

  test("PR-35: a revocation retried while the database is unavailable uses its assertion once", async () => {
    const client = await aSigningClient(scenario);
    const { access_token } = await client.ask(await client.assertion());
    const form = {
      client_assertion_type: assertionType,
      client_assertion: await client.assertion(),
      token: access_token,
    };
    let tries = 0;
    const away = withStore(scenario, {
      endPresentedAccessToken(...input) {
        tries++;
        if (tries === 1) throw new Error("the connection broke");
        return scenario.store.endPresentedAccessToken(...input);
      },
    });
    await revoke(endpointRequest(form), away.server);
    assert.equal(tries, 2);
    assert.equal((await scenario.store.list("oauth_tokens", { app_id: client.app.id }))[0]?.revoked, true);
  });

  test("PR-35: if two servers get twenty requests each with one assertion, one request succeeds", async () => {
    const address = await database.tables();
    const stores = [await openStoreAt(address), await openStoreAt(address)] as const;
    const servers = await Promise.all(stores.map((store) => testServer(store, switchedOn)));
    const [first] = servers;
    assert.ok(first !== undefined);
    const client = await aSigningClient(first);
    for (let round = 0; round < 3; round++) {
      const assertion = await client.assertion();
      const answers = await Promise.allSettled(
        servers.flatMap((server) => Array.from({ length: 20 }, () => askAt(server, assertion))),
      );
      assert.equal(answers.filter(({ status }) => status === "fulfilled").length, 1);
      for (const answer of answers) {
        if (answer.status === "rejected") refused(/already used/)(answer.reason);
      }
      assert.equal(await stores[0].count("oauth_tokens", { app_id: client.app.id }), round + 1);
    }
  });

  test("PR-36: every advertised algorithm works with a matching key, and none works without a key", async () => {
    for (const algorithm of clientKeyAlgorithms) {
      const client = await aSigningClient(scenario, { algorithm });
      await passes(client);
      await fails(client, unproven, {}, {}, aClientPair(algorithm).privateKey);
    }
    const client = await aSigningClient(scenario, { algorithm: "RS256" });
    const secret = Buffer.from(JSON.stringify(jwkOf(client.pair)));
    for (const alg of ["none", "None", "HS256", "HS512", "RS1", "", undefined, 7]) {
      const text = compact({ alg, kid: "k1" }, client.claims());
      const body = text.slice(0, text.lastIndexOf("."));
      const mac = createHmac("sha256", secret).update(body).digest("base64url");
      for (const signature of ["", mac]) {
        await assert.rejects(
          client.ask(`${body}.${signature}`),
          refused(/must be signed with one of|compact serialization/),
        );
      }
    }
  });

  test("PR-36: alg must suit the type of the key, and equal the key's own alg if it has one", async () => {
    const pair = aClientPair("RS256");
    const jwks = { keys: [jwkOf(pair, { kid: "k1", alg: "PS256" })] };
    const client = await aSigningClient(scenario, { algorithm: "PS256", pair, app: { jwks } });
    await passes(client);
    await fails(client, refused(/alg is RS256, but the key supports only PS256/), {}, { alg: "RS256" });
    await assert.rejects(
      client.ask(compact({ alg: "ES256", kid: "k1" }, client.claims(), Buffer.alloc(64))),
      unproven,
    );
    const edwards = aClientPair("EdDSA");
    for (const alg of ["EdDSA", "Ed25519"]) {
      const keys = [jwkOf(edwards, { kid: "k1" })];
      const named = await aSigningClient(scenario, {
        algorithm: alg,
        pair: edwards,
        app: { jwks: { keys } },
      });
      await passes(named);
    }
  });

  test("PR-36: keys come only from the client's record, and jwk, jku, x5u and x5c in the header are ignored", async () => {
    const client = await aSigningClient(scenario);
    const own = aClientPair("ES256");
    for (const header of [
      { jwk: jwkOf(own) },
      { jwk: jwkOf(own), kid: undefined },
      { jku: "https://evil.example/keys" },
      { x5u: "https://evil.example/certificate", kid: "k2" },
      { x5c: ["AAAA"] },
      { kid: "../../k1" },
    ]) {
      await fails(client, unproven, {}, header, own.privateKey);
    }
  });

  test("PR-36: the key is chosen by kid, or is the only one that suits the algorithm", async () => {
    const [first, second, rsa] = [aClientPair("ES256"), aClientPair("ES256"), aClientPair("RS256")];
    const pair = first;
    const keys = [jwkOf(first, { kid: "k1" }), jwkOf(second, { kid: "k2" }), jwkOf(rsa, { kid: "k3" })];
    const client = await aSigningClient(scenario, { pair, app: { jwks: { keys } } });
    await passes(client);
    await passes(client, {}, { kid: "k2" }, second.privateKey);
    await passes(client, {}, { alg: "RS256", kid: undefined }, rsa.privateKey);
    await fails(client, unproven, {}, { kid: "k2" });
    await fails(client, unproven, {}, { kid: undefined });
    await fails(client, unproven, {}, { kid: "k9" });
    await fails(client, refused(/kid/), {}, { kid: 7 });
  });

  test("PR-36: a changed key, method or state of the app applies at once, even before a token is stored", async () => {
    const client = await aSigningClient(scenario);
    await passes(client);
    const { id } = client.app;
    const fresh = aClientPair("ES256");
    const jwks = { keys: [jwkOf(fresh, { kid: "k1" })] };
    await scenario.store.update("oauth_apps", { id }, { jwks });
    await fails(client, unproven);
    await passes(client, {}, {}, fresh.privateKey);
    // The process cached the record a moment ago.
    const old = await scenario.store.findClient(client.app.client_id);
    const findClient = async () => old;
    const behind = withStore(scenario, { findClient });
    await scenario.store.update("oauth_apps", { id }, { jwks: client.app.jwks });
    await assert.rejects(askAt(behind, await client.assertion({}, {}, fresh.privateKey)), unproven);
    await scenario.store.update("oauth_apps", { id }, { jwks, token_endpoint_auth_method: null });
    await assert.rejects(askAt(behind, await client.assertion({}, {}, fresh.privateKey)), unproven);
    await scenario.store.update("oauth_apps", { id }, { token_endpoint_auth_method: "private_key_jwt" });
    assert.ok(await askAt(behind, await client.assertion({}, {}, fresh.privateKey)));
    await deactivate(scenario.store, "oauth_apps", id, scenario.clock.now());
    await fails(client, unproven, {}, {}, fresh.privateKey);
  });

  test("PR-38: an app may authenticate only by its registered method, and only by one in a request", async () => {
    const client = await aSigningClient(scenario);
    const { client_id } = client.app;
    const secret = await credentialsOf(scenario, client.app);
    const asking = { grant_type: "client_credentials", scope: "orders:read" };
    for (const request of [
      endpointRequest(asking, secret),
      endpointRequest({ ...asking, client_id, client_secret: `secret of ${client_id}` }),
      endpointRequest({ ...asking, client_id }),
    ]) {
      await assert.rejects(token(request, scenario.server), unproven);
    }
    for (const token_endpoint_auth_method of [null, "client_secret_basic", "client_secret_post"] as const) {
      const other = await aSigningClient(scenario, { app: { token_endpoint_auth_method } });
      await fails(other, unproven);
      await credentialsOf(scenario, other.app);
      const { client_id } = other.app;
      const value = `secret of ${client_id}`;
      assert.ok(await token(endpointRequest(asking, basic(client_id, value)), scenario.server));
      assert.ok(
        await token(endpointRequest({ ...asking, client_id, client_secret: value }), scenario.server),
      );
    }
    const form = {
      ...asking,
      client_assertion_type: assertionType,
      client_assertion: await client.assertion(),
    };
    for (const request of [
      endpointRequest(form, secret),
      endpointRequest({ ...form, client_id, client_secret: "x" }),
    ]) {
      await assert.rejects(
        token(request, scenario.server),
        refusal("invalid_request", /two authentication methods/),
      );
    }
    const open = await aSigningClient(scenario, { app: { public: true } });
    await fails(open, unproven);
  });

  test("PR-39: an error is explained, and evidence stored, only after the signature was verified", async () => {
    const client = await aSigningClient(scenario);
    const stranger = aClientPair("ES256").privateKey;
    for (const claims of [{ aud: "x" }, { exp: 1 }, { jti: undefined }, { iat: seconds() + 900 }]) {
      await fails(client, unproven, claims, {}, stranger);
      await fails(client, refused(/^the assertion/), claims);
    }
    const reported = await caught(client.ask(await client.assertion({ aud: "x" })));
    assert.deepEqual(await evidenceOf(reported), ['client_assertion aud: "x"']);
    const kept = await caught(client.ask(await client.assertion({}, { kid: "k7" })));
    assert.deepEqual(await evidenceOf(kept), [
      "client_assertion_key signature: no_key_fits",
      "client_assertion kid: k7",
    ]);
    assert.equal(kept.app?.id, client.app.id);
  });

  test("C-4: an unknown client, an inactive one and one without a key get the same response, at the same cost", async () => {
    const client = await aSigningClient(scenario);
    const ended = await aSigningClient(scenario);
    await deactivate(scenario.store, "oauth_apps", ended.app.id, scenario.clock.now());
    const keyless = await aSigningClient(scenario, { app: { jwks: null } });
    const secretive = await anApp(scenario.store);
    const answers = [];
    for (const client_id of [
      client.app.client_id,
      ended.app.client_id,
      keyless.app.client_id,
      secretive.client_id,
      "nobody",
      "urn:postern:server",
    ]) {
      const text = compact(
        { alg: "ES256", kid: "k1" },
        client.claims({ iss: client_id, sub: client_id }),
        Buffer.alloc(64),
      );
      const { code, status, description } = await caught(client.ask(text));
      answers.push({ code, status, description });
    }
    assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
  });

  test("H-8: a failed assertion is audited under the name of an existing client, and without any part of it", async () => {
    const client = await aSigningClient(scenario);
    const reported = async (assertion: string) => {
      scenario.events.length = 0;
      await assert.rejects(client.ask(assertion));
      const [event, ...others] = scenario.events;
      assert.deepEqual(others, []);
      assert.equal(event?.type, "client_authentication");
      assert.equal(JSON.stringify(event).includes(assertion.split(".").at(-1) ?? assertion), false);
      return event?.actor;
    };
    const actor = { kind: "client", id: client.app.client_id };
    assert.deepEqual(await reported(await client.assertion({ aud: "x" })), actor);
    assert.deepEqual(await reported(await client.assertion({}, {}, aClientPair("ES256").privateKey)), actor);
    assert.deepEqual(await reported(await client.assertion({ iss: "no", sub: "no" })), { kind: "anonymous" });
    assert.deepEqual(await reported("nothing"), { kind: "anonymous" });
  });
});
