/** The algorithm of an app's id_tokens: its keys, its signatures, and its entries in discovery. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import type { AdminContext } from "../../src/admin/access/actor.ts";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { createApp, updateApp } from "../../src/admin/records/apps.ts";
import { createSigningKey, rotateKeys } from "../../src/admin/records/signing_keys.ts";
import { leftHalfHash } from "../../src/crypto/signing_algorithms.ts";
import { detail } from "../../src/errors/details.ts";
import { Problem } from "../../src/errors.ts";
import { readForm } from "../../src/oauth/core/params.ts";
import { discoveryDocument } from "../../src/oauth/discovery_document.ts";
import { endSession } from "../../src/oauth/end_session.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import { type SigningAlgorithm, signingAlgorithms } from "../../src/records/names/names.ts";
import { problem } from "../admin/context.ts";
import { issuer, serverOn, testServer } from "../support/authorization_server.ts";
import { aMembership, anApp, anOrganization, aUser } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { codeFlow, credentialsOf, formOf, origin, signedIn } from "../support/flows.ts";

describeInForm("the signing algorithm of id_tokens", (database) => {
  const as = serverOn(database);
  let operator: AdminContext;

  before(async () => {
    const { store, passwords, sealer, now } = as.server;
    operator = { store, passwords, sealer, now, actor: { kind: "system", label: "test" }, switches: {} };
  });

  const published = async () => (await as.server.keys()).algorithms(as.clock.now());
  const supported = async () =>
    discoveryDocument(as.server, await published()).id_token_signing_alg_values_supported;

  /** Verifies the app's id_token as its client does: with the published keys, and only this algorithm. */
  async function verified(id_token: string, app: OAuthApp, algorithm: SigningAlgorithm) {
    const keySet = createLocalJWKSet((await as.server.keys()).jwks(as.clock.now()));
    const { payload } = await jwtVerify(id_token, keySet, {
      issuer,
      audience: app.client_id,
      algorithms: [algorithm],
      currentDate: as.clock.now(),
    });
    return payload;
  }

  test("PR-56: a server without other algorithms creates, publishes and lists only RS256", async () => {
    assert.deepEqual(await supported(), ["RS256"]);
    assert.deepEqual(discoveryDocument(as.server).id_token_signing_alg_values_supported, ["RS256"]);
    assert.equal(await as.store.count("signing_keys", {}), 1);
  });

  test("PR-54: only callers who may rotate keys can choose an algorithm that has no key, and the error names the command", async () => {
    const organization = await anOrganization(as.store);
    const user = await aUser(as.store);
    await aMembership(as.store, { user_id: user.id, organization_id: organization.id, role: "owner" });
    const owner: AdminContext = { ...operator, actor: { kind: "user", user } };
    const input = { name: "Orders", organization_id: organization.id };
    const named = { id_token_signed_response_alg: "PS256" };
    const refused = problem("invalid_record", ["/id_token_signed_response_alg"]);
    await assert.rejects(createApp(owner, { ...input, ...named }), refused);
    const { app } = await createApp(owner, input);
    await assert.rejects(updateApp(owner, app.id, named), refused);
    // A limited credential of a platform administrator rotates no keys either.
    const root = await aUser(as.store, { is_platform_admin: true });
    const scopes = ["postern:apps:write"];
    const narrow: AdminContext = { ...operator, actor: { kind: "user", user: root, scopes } };
    await assert.rejects(updateApp(narrow, app.id, named), refused);
    assert.deepEqual(await published(), ["RS256"]);
    await rotateKeys(operator, { algorithm: "PS256" });
    assert.equal((await updateApp(owner, app.id, named)).id_token_signed_response_alg, "PS256");
    assert.deepEqual(await supported(), ["RS256", "PS256"]);
  });

  test("PR-54: a request or manifest that chooses an algorithm without a key creates one immediately", async () => {
    const app = await anApp(as.store);
    await updateApp(operator, app.id, { id_token_signed_response_alg: "ES256" });
    assert.deepEqual(await supported(), ["RS256", "PS256", "ES256"]);
    const { email } = await aUser(as.store);
    const entry = { client_id: "by-file", name: "By file", owner: email };
    const file = { apps: [{ ...entry, id_token_signed_response_alg: "EdDSA" }] };
    await applyManifest(file, operator, { dryRun: true });
    assert.equal(await as.store.count("signing_keys", { algorithm: "EdDSA" }), 0);
    await applyManifest(file, operator);
    await applyManifest(file, operator);
    assert.deepEqual(await supported(), [...signingAlgorithms]);
    for (const algorithm of signingAlgorithms) {
      assert.equal(await as.store.count("signing_keys", { algorithm }), 1, algorithm);
    }
  });

  test("PR-54: a refused request leaves no key, whatever else is wrong with it", async () => {
    const fresh = await testServer(await database.open());
    const { store, sealer, passwords, now } = fresh.server;
    const context: AdminContext = { ...operator, store, sealer, passwords, now };
    const keys = () => store.count("signing_keys", {});
    const named = { id_token_signed_response_alg: "ES256" };
    const app = await anApp(store);
    const owner_id = app.owner_id;
    const before = await keys();
    const invalid = { ...named, name: "", owner_id };
    await assert.rejects(createApp(context, invalid), problem("invalid_record", ["/name"]));
    const taken = { ...named, name: "Taken", client_id: app.client_id, owner_id };
    await assert.rejects(createApp(context, taken), { code: "conflict" });
    const ownerless = { ...named, name: "Ownerless", owner_id: crypto.randomUUID() };
    await assert.rejects(createApp(context, ownerless), problem("invalid_record", ["/owner_id"]));
    await assert.rejects(
      updateApp(context, app.id, { ...named, name: 7 }),
      problem("invalid_record", ["/name"]),
    );
    await assert.rejects(updateApp(context, crypto.randomUUID(), named), { code: "not_found" });
    const stale = () => {
      throw new Problem("stale", detail("stale"));
    };
    await assert.rejects(updateApp(context, app.id, named, stale), { code: "stale" });
    assert.equal(await keys(), before);
    // Two concurrent requests create one key.
    await Promise.all([0, 1].map(() => createApp(context, { ...named, name: "Fine", owner_id })));
    assert.equal(await keys(), before + 1);
    await updateApp(context, app.id, { id_token_signed_response_alg: "EdDSA" });
    assert.equal(await keys(), before + 2);
  });

  for (const algorithm of signingAlgorithms) {
    test(`PR-54: jose verifies an id_token by ${algorithm}, access tokens stay RS256; PR-55: it works as a hint`, async () => {
      for (const held of signingAlgorithms) {
        if ((await as.store.count("signing_keys", { algorithm: held })) === 0)
          await rotateKeys(operator, { algorithm: held });
      }
      const bye = "https://app.example/bye";
      const app = await anApp(as.store, {
        first_party: true,
        id_token_signed_response_alg: algorithm === "RS256" ? null : algorithm,
        post_logout_redirect_uris: [bye],
      });
      const proof = await credentialsOf(as, app);
      const who = await signedIn(as, await aUser(as.store));
      const { id_token = "", access_token } = await codeFlow(as, app, proof, who);
      assert.equal(decodeProtectedHeader(id_token).alg, algorithm);
      assert.equal(decodeProtectedHeader(access_token).alg, "RS256");
      const claims = await verified(id_token, app, algorithm);
      assert.equal(claims.at_hash, leftHalfHash(access_token, algorithm));
      for (const other of signingAlgorithms.filter((name) => name !== algorithm)) {
        await assert.rejects(verified(id_token, app, other), { code: "ERR_JOSE_ALG_NOT_ALLOWED" });
      }
      // A key that has since retired still verifies the hints that it signed.
      await rotateKeys(operator, { algorithm, lead_seconds: 5 });
      as.clock.advance(10);
      const next = await codeFlow(as, app, proof, who);
      assert.notEqual(decodeProtectedHeader(next.id_token ?? "").kid, decodeProtectedHeader(id_token).kid);
      await codeFlow(as, app, proof, who, { id_token_hint: id_token });
      const params = readForm(formOf({ id_token_hint: id_token, post_logout_redirect_uri: bye }));
      const outcome = await endSession({ params, signedIn: who, confirmed: false, origin }, as.server);
      assert.equal(outcome.type, "ended");
    });
  }

  test("PR-54: POST /signing-keys creates a key of the named algorithm", async () => {
    const before = await as.store.count("signing_keys", { algorithm: "ES256" });
    assert.equal((await createSigningKey(operator, { algorithm: "ES256" })).algorithm, "ES256");
    assert.equal(await as.store.count("signing_keys", { algorithm: "ES256" }), before + 1);
    assert.equal((await createSigningKey(operator, {})).algorithm, "RS256");
    for (const algorithm of ["none", "HS256", "Ed25519", null, 1]) {
      await assert.rejects(
        createSigningKey(operator, { algorithm }),
        problem("invalid_record", ["/algorithm"]),
      );
    }
  });
});
