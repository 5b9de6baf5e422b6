/**
 * Profiles: an app that does not comply cannot be saved, and the error lists everything that it lacks
 * (PR-60).
 */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import type { AdminContext } from "../../src/admin/access/actor.ts";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { createApp, updateApp } from "../../src/admin/records/apps.ts";
import { profileMisfits } from "../../src/admin/records/profile_misfits.ts";
import type { Problem } from "../../src/errors.ts";
import { anApp, anOrganization, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { refused, testContext } from "./context.ts";

const switches = { extra_client_auth: ["private_key_jwt"], extra_features: ["dpop", "par"] } as const;
const ecJwk = (curve = "P-256") =>
  generateKeyPairSync("ec", { namedCurve: curve }).publicKey.export({ format: "jwk" });
const rsaJwk = { ...generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ format: "jwk" }) };

/** Returns the errors of a refused write as `path code`. */
const errorsOf = (work: Promise<unknown>): Promise<string[]> =>
  work.then(
    () => [],
    ({ errors = [] }: Problem) => errors.map(({ path, code }) => `${path} ${code}`).sort(),
  );

/** Every field violates FAPI 2.0. */
const misfit = {
  profile: "fapi2",
  public: true,
  token_endpoint_auth_method: "none",
  token_endpoint_auth_signing_alg: "RS256",
  id_token_signed_response_alg: "RS256",
  redirect_uris: ["https://app.example/cb", "http://127.0.0.1/cb", "https://localhost/cb"],
} as const;

const lacks = [
  "/id_token_signed_response_alg not_one_of",
  "/jwks keys_missing",
  "/public public_by_profile",
  "/redirect_uris/1 redirect_insecure",
  "/redirect_uris/2 redirect_insecure",
  "/token_endpoint_auth_method not_one_of",
  "/token_endpoint_auth_signing_alg not_one_of",
];

/** Returns the error as it is for the first app of a manifest. */
const inManifest = (error: string) => error.replace(/^[/](\w+)/, "apps[0].$1").replace(/[/](\d+)/, "[$1]");

for (const database of databasesInForm)
  describe(`security profiles of apps on ${database.name}`, async () => {
    const store = await database.open();
    const context: AdminContext = { ...testContext(store), switches };
    const { id: owner_id, email } = await aUser(store);
    const basis = { name: "Orders", owner_id };
    const fitting = {
      ...basis,
      profile: "fapi2",
      token_endpoint_auth_method: "private_key_jwt",
      jwks: { keys: [ecJwk()] },
      redirect_uris: ["https://app.example/cb"],
    };
    const create = (input: object, by = context) => createApp(by, { ...basis, ...input });

    test("PR-60: an app that meets its profile is saved, with a signing key if the caller may create keys", async () => {
      const organization = await anOrganization(store);
      const owner = await aUser(store);
      const member = { organization_id: organization.id, owner_id: owner.id };
      await store.insert("memberships", {
        id: store.newId(context.now()),
        user_id: owner.id,
        organization_id: organization.id,
        role: "owner",
        created_at: context.now(),
        updated_at: context.now(),
      });
      const byOwner: AdminContext = { ...context, actor: { kind: "user", user: owner } };
      assert.deepEqual(await errorsOf(createApp(byOwner, { ...fitting, ...member })), [
        "/profile no_signing_key",
      ]);
      const { app } = await createApp(context, fitting);
      assert.equal(app.profile, "fapi2");
      assert.equal(await store.count("signing_keys", { algorithm: "ES256" }), 1);
      assert.equal((await createApp(byOwner, { ...fitting, ...member })).app.profile, "fapi2");
      assert.equal(await store.count("signing_keys", { algorithm: "ES256" }), 1);
      await create({ profile: "oauth21" });
    });

    test("PR-60: an app that violates its profile is refused with all errors, by request and by manifest", async () => {
      assert.deepEqual(await errorsOf(create(misfit)), lacks);
      const native = { ...misfit, profile: null, app_type: "native" } as const;
      const { app } = await createApp(context, { ...basis, ...native });
      assert.deepEqual(await errorsOf(updateApp(context, app.id, { profile: "fapi2" })), lacks);
      const entry = { ...misfit, name: "From a file", owner: email, app_type: "native" };
      await assert.rejects(applyManifest({ apps: [entry] }, context), (error: Problem) => {
        const found = error.errors?.map(({ path, code }) => `${path} ${code}`).sort();
        assert.deepEqual(found, lacks.map(inManifest));
        return true;
      });
      const switchedOff = await errorsOf(create(misfit, { ...context, switches: {} }));
      assert.deepEqual(switchedOff, [...lacks, "/profile not_switched_on"].sort());
    });

    test("PR-60: the server needs a signing key of an algorithm that both the profile and the app allow", async () => {
      const input = (jwk: object, more: object = {}) =>
        create({ ...fitting, jwks: { keys: [jwk] }, ...more });
      const none = ["/jwks no_key_of_algorithms"];
      assert.deepEqual(await errorsOf(input(ecJwk("P-384"))), none);
      assert.deepEqual(await errorsOf(input({ ...rsaJwk, alg: "RS256" })), none);
      assert.deepEqual(await errorsOf(input(ecJwk(), { token_endpoint_auth_signing_alg: "PS256" })), none);
      for (const jwk of [rsaJwk, { ...rsaJwk, alg: "PS256" }])
        await input(jwk, { token_endpoint_auth_signing_alg: "PS256" });
      assert.deepEqual(await errorsOf(input({ ...ecJwk(), d: "AA" })), [
        ...none,
        "/jwks/keys/0/d private_key",
      ]);
    });

    test("PR-36: an app that authenticates with signed assertions must have a key or a jwks_uri", async () => {
      const signing = { token_endpoint_auth_method: "private_key_jwt" };
      assert.deepEqual(await errorsOf(create(signing)), ["/jwks keys_missing"]);
      const { app } = await create({ ...signing, jwks_uri: "https://app.example/jwks" });
      await refused(updateApp(context, app.id, { jwks_uri: null }), "invalid_record /jwks");
      await updateApp(context, app.id, { jwks_uri: null, jwks: { keys: [ecJwk()] } });
      await updateApp(context, app.id, { name: "Another name" });
    });

    test("PR-60: under a server profile, an older app may be changed but not made less compliant", async () => {
      const held: AdminContext = { ...context, switches: { profiles: ["fapi2"] } };
      const before = await anApp(store, { owner_id, redirect_uris: ["http://127.0.0.1/cb"] });
      await updateApp(held, before.id, { name: "Renamed" });
      const more = { redirect_uris: ["http://127.0.0.1/cb", "https://localhost/cb"] };
      assert.deepEqual(await errorsOf(updateApp(held, before.id, more)), [
        "/redirect_uris/1 redirect_insecure",
      ]);
      await updateApp(held, before.id, { redirect_uris: ["https://app.example/cb"] });
      assert.deepEqual(await errorsOf(create({}, held)), [
        "/jwks keys_missing",
        "/token_endpoint_auth_method not_one_of",
      ]);
      const { profile: _, ...unnamed } = fitting;
      const { app } = await createApp(held, unnamed);
      assert.deepEqual(profileMisfits(app, held.switches), []);
    });

    test("PR-60: the manager of a first_party app cannot take it out of its profile, only a platform administrator can", async () => {
      const organization = await anOrganization(store);
      const manager = await aUser(store);
      await store.insert("memberships", {
        id: store.newId(context.now()),
        user_id: manager.id,
        organization_id: organization.id,
        role: "owner",
        created_at: context.now(),
        updated_at: context.now(),
      });
      const { app } = await createApp(context, {
        ...fitting,
        owner_id: manager.id,
        organization_id: organization.id,
        first_party: true,
      });
      const byManager: AdminContext = { ...context, actor: { kind: "user", user: manager } };
      await refused(updateApp(byManager, app.id, { profile: null }), "forbidden /profile");
    });
  });
