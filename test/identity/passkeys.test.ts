import assert from "node:assert/strict";
import { test } from "node:test";
import { newChallenge } from "../../src/crypto/passkey_challenge.ts";
import { removePasskey, renamePasskey } from "../../src/people/authenticators/passkeys/change_passkey.ts";
import { handleOf, passkeysOf } from "../../src/people/authenticators/passkeys/own_passkeys.ts";
import { creationOptions, requestOptions } from "../../src/people/authenticators/passkeys/passkey_options.ts";
import { offeredPasskeySite, passkeySite } from "../../src/people/authenticators/passkeys/passkey_site.ts";
import { type PasskeyAnswer, provePasskey } from "../../src/people/authenticators/passkeys/prove_passkey.ts";
import {
  proveNewPasskey,
  registrationPurpose,
  storePasskey,
} from "../../src/people/authenticators/passkeys/register_passkey.ts";
import { isProvedByOlder, youngPasskeys } from "../../src/people/authenticators/passkeys/young_passkeys.ts";
import {
  makeRecoveryCodes,
  replaceRecoveryCodes,
} from "../../src/people/authenticators/recovery_codes/recovery_codes.ts";
import { enter } from "../../src/people/core/enter.ts";
import { findSession, startSession } from "../../src/people/core/sessions.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { authenticationClaims, phishingResistantAcr } from "../../src/records/names/sign_in_methods.ts";
import { type Changes, flag, softwareAuthenticator } from "../support/authenticator.ts";
import { testServer } from "../support/authorization_server.ts";
import { aUser, byPassword } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { identityOn } from "../support/identity_context.ts";
import { aPasskey, type Device, passkeyOrigin as origin, testSite as site } from "../support/passkeys.ts";

const holder = "a token of forms";

test("PK-2 passkeys are for the host of the base URL, and not offered if that is an IP address", () => {
  assert.deepEqual(passkeySite("https://id.example.com:8443"), {
    rp_id: "id.example.com",
    origin: "https://id.example.com:8443",
  });
  assert.equal(passkeySite("http://127.0.0.1:8080"), undefined);
  assert.equal(passkeySite("http://[::1]:8080"), undefined);
  assert.notEqual(
    offeredPasskeySite("http://localhost", { settings: { extra_sign_in: ["passkey"] } }),
    undefined,
  );
  assert.equal(offeredPasskeySite("http://localhost", { settings: { extra_sign_in: ["totp"] } }), undefined);
  assert.equal(offeredPasskeySite("http://localhost", {}), undefined);
});

describeInForm("passkeys", (database) => {
  async function setUp() {
    const { server, clock, events } = await testServer(await database.open());
    const context = identityOn(server);
    const { store, sealer, now } = context;
    const user = await aUser(store, { password_hash: "some hash" });
    const challenged = (purpose: PasskeyAnswer["purpose"]) =>
      newChallenge({ purpose, holder }, sealer, now());
    const prove = (
      device: Device,
      overrides: Partial<PasskeyAnswer> & { changes?: Changes; challenge?: string } = {},
    ) => {
      const { purpose = "sign_in", changes, challenge = challenged(purpose), ...rest } = overrides;
      const answer = JSON.stringify(device.assert(challenge, changes));
      return provePasskey({ purpose, holder, answer, origin, ...rest }, site, context);
    };
    const asFactor = (device: Device, of: User = user, changes: Changes = {}) =>
      prove(device, { purpose: "second_factor", user: of, changes });
    return { context, store, clock, events, user, challenged, prove, asFactor };
  }

  test("PK-1 all passkeys of a user have the same 32-byte user handle, even if two are created at once", async () => {
    const { context, user } = await setUp();
    const handles = await Promise.all([1, 2, 3, 4].map(() => handleOf(user, context)));
    assert.equal(new Set(handles).size, 1);
    assert.equal(Buffer.from(handles[0] ?? "", "base64url").length, 32);
    assert.notEqual(await handleOf(await aUser(context.store), context), handles[0]);
  });

  test("PK-1 a passkey is stored with the values of its registration", async () => {
    const { context, user, clock } = await setUp();
    const { device, passkey } = await aPasskey(user, context, { synced: true, name: "Phone" });
    const [stored] = await passkeysOf(user, site, context);
    assert.deepEqual(stored, passkey);
    const { id: _, public_key, created_at, ...rest } = passkey;
    assert.ok(public_key.length > 50);
    assert.ok(created_at <= clock.now());
    assert.deepEqual(rest, {
      user_id: user.id,
      name: "Phone",
      credential_id: device.credential_id,
      algorithm: -7,
      rp_id: "id.example",
      transports: ["hybrid", "internal"],
      aaguid: "00000000-0000-0000-0000-000000000000",
      backup_eligible: true,
      backed_up: true,
      uv_initialized: true,
      signs_in: true,
      counter: 0,
      last_used_at: null,
    });
  });

  test("PK-1 a response with another user's handle, or none, is refused", async () => {
    const { context, user, prove, challenged } = await setUp();
    const { device } = await aPasskey(user, context);
    const other = await handleOf(await aUser(context.store), context);
    for (const userHandle of [other, undefined]) {
      const challenge = challenged("sign_in");
      const made = device.assert(challenge);
      const answer = JSON.stringify({ ...made, response: { ...made.response, userHandle } });
      const proof = await prove(device, { challenge, answer });
      assert.deepEqual(proof, { type: "refused", error: "foreign" });
    }
  });

  test("PK-2 the options for a new passkey require user verification and no attestation", async () => {
    const { context, user } = await setUp();
    const { device } = await aPasskey(user, context);
    const passkeys = await passkeysOf(user, site, context);
    const handle = await handleOf(user, context);
    const options = creationOptions(
      "passkey",
      "AAAA",
      { user, handle, passkeys },
      { site, server_name: "ID" },
    );
    assert.deepEqual(options, {
      rp: { id: "id.example", name: "ID" },
      user: { id: handle, name: user.email, displayName: user.name },
      challenge: "AAAA",
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })),
      timeout: 300_000,
      excludeCredentials: [
        { type: "public-key", id: device.credential_id, transports: ["hybrid", "internal"] },
      ],
      authenticatorSelection: {
        residentKey: "required",
        requireResidentKey: true,
        userVerification: "required",
      },
      attestation: "none",
      extensions: { credProps: true },
    });
  });

  test("PK-2 a registration challenge works once, only for its purpose and in its browser", async () => {
    const { context, clock } = await setUp();
    const { sealer, now } = context;
    const register = async (
      challenge: string,
      overrides: { kind?: "security_key"; holder?: string } = {},
    ): Promise<string> => {
      const device = softwareAuthenticator(site);
      const { kind = "passkey", holder: there = holder } = overrides;
      const requested = { purpose: registrationPurpose[kind], holder: there };
      const answer = JSON.stringify(device.register(challenge));
      const proof = await proveNewPasskey({ kind, name: "Key", answer, requested }, site, context);
      return proof.type === "refused" ? proof.error : proof.type;
    };
    const challenge = newChallenge({ purpose: "register", holder }, sealer, now());
    assert.equal(await register(challenge, { holder: "another browser" }), "challenge");
    assert.equal(await register(challenge, { kind: "security_key" }), "challenge");
    assert.equal(await register(newChallenge({ purpose: "sudo", holder }, sealer, now())), "challenge");
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => register(challenge)));
    assert.deepEqual(outcomes.toSorted(), ["expired", "expired", "expired", "expired", "proved"]);
    const late = newChallenge({ purpose: "register", holder }, sealer, now());
    clock.advance(300);
    assert.equal(await register(late), "expired");
  });

  test("PK-2 a credential that is already registered cannot be registered again by any user", async () => {
    const { context, user } = await setUp();
    const { passkey } = await aPasskey(user, context);
    const other = await aUser(context.store);
    const { id: _, user_id, last_used_at, created_at, ...proved } = passkey;
    const stored = await context.store.transaction((tx) => storePasskey(tx, other, proved, origin, context));
    assert.deepEqual(stored, { error: "taken" });
    assert.equal(await context.store.count("passkeys", { user_id: other.id }), 0);
  });

  test("PK-3 a sign-in challenge works once, only for its purpose and in its browser, for five minutes", async () => {
    const { context, user, prove, challenged, clock } = await setUp();
    const { device } = await aPasskey(user, context, { synced: true });
    const challenge = challenged("sign_in");
    const errorOf = async (overrides: Parameters<typeof prove>[1]) => {
      const proof = await prove(device, overrides);
      return proof.type === "refused" ? proof.error : proof.type;
    };
    assert.equal(await errorOf({ challenge, holder: "another browser" }), "challenge");
    assert.equal(await errorOf({ challenge, purpose: "sudo" }), "challenge");
    assert.equal(await errorOf({ challenge: challenged("second_factor") }), "challenge");
    assert.equal(await errorOf({ challenge: "AAAA" }), "challenge");
    assert.equal(await errorOf({ challenge }), "proved");
    assert.equal(await errorOf({ challenge }), "expired");
    const late = challenged("sign_in");
    clock.advance(300);
    assert.equal(await errorOf({ challenge: late }), "expired");
  });

  test("PK-3 if one response is sent 20 times in parallel, one attempt succeeds", async () => {
    const { context, user, challenged } = await setUp();
    const { device } = await aPasskey(user, context, { synced: true });
    const challenge = challenged("sign_in");
    const answer = JSON.stringify(device.assert(challenge));
    const overrides = { purpose: "sign_in", holder, answer, origin } as const;
    const proofs = await Promise.all(
      Array.from({ length: 20 }, () => provePasskey(overrides, site, context)),
    );
    assert.equal(proofs.filter(({ type }) => type === "proved").length, 1);
    assert.equal(proofs.filter(({ type }) => type === "expired").length, 19);
  });

  test("PK-3 a passkey used as second factor or to confirm an action must belong to the same user", async () => {
    const { context, user, prove, asFactor } = await setUp();
    const { device } = await aPasskey(await aUser(context.store), context);
    assert.deepEqual(await asFactor(device), { type: "refused", error: "foreign" });
    assert.deepEqual(await prove(device, { purpose: "sudo", user }), { type: "refused", error: "foreign" });
  });

  test("PK-3 an invalid response writes nothing to the database", async () => {
    const { context, user, prove, store } = await setUp();
    const { device } = await aPasskey(user, context);
    const before = await store.count("ephemera", {});
    const stranger = softwareAuthenticator({ ...site, user_handle: await handleOf(user, context) });
    const proof = await prove(stranger);
    assert.deepEqual(proof, { type: "refused", error: "unknown", credential_id: stranger.credential_id });
    assert.equal((await prove(device, { changes: { rp_id: "evil.example" } })).type, "refused");
    const shapeless = await prove(device, { answer: "{}" });
    assert.equal(shapeless.type === "refused" && shapeless.error, "challenge");
    assert.equal(await store.count("ephemera", {}), before);
  });

  test("PK-3 a passkey of a user who may not sign in is refused", async () => {
    const { context, user, prove, store } = await setUp();
    const { device } = await aPasskey(user, context);
    await store.update("users", { id: user.id }, { active: false });
    assert.deepEqual(await prove(device), { type: "refused", error: "inactive" });
  });

  test("PK-4 a passkey that changes to backup-eligible is refused, and an audit event is written", async () => {
    const { context, user, prove, events } = await setUp();
    const { device, passkey } = await aPasskey(user, context);
    const proof = await prove(device, { changes: { flags: flag.be } });
    assert.equal(proof.type === "refused" && proof.error, "backup_eligible_changed");
    assert.deepEqual(events.at(-1), {
      type: "passkey.refused",
      outcome: "failure",
      actor: { kind: "user", id: user.id },
      target: { table: "passkeys", id: passkey.id },
      origin,
      details: { fault: "backup_eligible_changed", purpose: "sign_in" },
    });
  });

  test("PK-4 the backup state of a passkey is stored at each use", async () => {
    const { context, user, prove, clock } = await setUp();
    const { device } = await aPasskey(user, context, { synced: true });
    assert.equal((await prove(device, { changes: { flags: flag.bs } })).type, "proved");
    const [alone] = await passkeysOf(user, site, context);
    assert.equal(alone?.backed_up, false);
    assert.ok(alone?.last_used_at && alone.last_used_at <= clock.now());
    assert.equal((await prove(device)).type, "proved");
    assert.equal((await passkeysOf(user, site, context))[0]?.backed_up, true);
  });

  test("PK-5 a signature counter that does not grow is refused and audited, except for passkeys that can be copied", async () => {
    const { context, user, prove, asFactor, events } = await setUp();
    const { device } = await aPasskey(user, context, { changes: { counter: 7 } });
    for (const counter of [7, 3, 0]) {
      for (const proof of [
        await prove(device, { changes: { counter } }),
        await asFactor(device, user, { counter }),
      ]) {
        assert.equal(proof.type === "refused" && proof.error, "counter");
        assert.equal(proof.type === "refused" && proof.by?.user.id, user.id);
      }
    }
    assert.equal(events.filter(({ details }) => details?.fault === "counter").length, 6);
    assert.equal((await prove(device, { changes: { counter: 8 } })).type, "proved");
    assert.equal((await passkeysOf(user, site, context))[0]?.counter, 8);
    assert.equal((await prove(device, { changes: { counter: 8 } })).type, "refused");
    const other = await aUser(context.store);
    const { device: synced } = await aPasskey(other, context, { synced: true, changes: { counter: 7 } });
    assert.equal((await prove(synced, { changes: { counter: 3 } })).type, "proved");
  });

  test("PK-6 a security key without user verification counts only as a second factor", async () => {
    const { context, user, prove, asFactor } = await setUp();
    const { device, passkey } = await aPasskey(user, context, { kind: "security_key", uv: false });
    assert.deepEqual([passkey.signs_in, passkey.uv_initialized], [false, false]);
    const verified = { flags: flag.uv };
    const alone = await prove(device, { changes: verified });
    assert.equal(alone.type === "refused" && alone.error, "second_factor_only");
    const first = await asFactor(device);
    assert.ok(first.type === "proved");
    assert.equal(first.method.uv, false);
  });

  test("PK-6 user verification counts only after it was first seen together with a password", async () => {
    const { context, user, asFactor, prove } = await setUp();
    const { device } = await aPasskey(user, context, { kind: "security_key", uv: false });
    const verified = { flags: flag.uv };
    const sudo = await prove(device, { purpose: "sudo", user, changes: verified });
    assert.equal(sudo.type === "proved" && sudo.method.uv, false);
    const first = await asFactor(device, user, verified);
    assert.equal(first.type === "proved" && first.method.uv, false);
    const second = await asFactor(device, user, verified);
    assert.equal(second.type === "proved" && second.method.uv, true);
  });

  test("PK-7 a passkey with user verification gives the level phr and needs no further factor", async () => {
    const { context, user, prove } = await setUp();
    const { device } = await aPasskey(user, context);
    await aPasskey(user, context, { kind: "security_key", uv: false });
    const proof = await prove(device);
    assert.ok(proof.type === "proved");
    const { acr, amr } = authenticationClaims([proof.method]) ?? {};
    assert.equal(acr, phishingResistantAcr);
    assert.deepEqual(amr, ["pop", "user", "mfa"]);
    const entrance = { user, methods: [proof.method], origin, browser: () => "", request: "/account" };
    const entered = await enter(entrance, context);
    assert.ok(entered.type === "signed_in");
    assert.equal((await findSession(entered.cookie, context))?.session.acr, phishingResistantAcr);
  });

  test("PK-9 the options for a sign-in name no passkey, and those for a second factor name the user's", async () => {
    const { context, user } = await setUp();
    const { device } = await aPasskey(user, context);
    assert.deepEqual(requestOptions("AAAA", [], site, { require_uv: true }), {
      challenge: "AAAA",
      rpId: "id.example",
      timeout: 300_000,
      allowCredentials: [],
      userVerification: "required",
    });
    const options = requestOptions("AAAA", await passkeysOf(user, site, context), site, {
      require_uv: false,
    });
    assert.deepEqual(options.allowCredentials, [
      { type: "public-key", id: device.credential_id, transports: ["hybrid", "internal"] },
    ]);
  });

  test("PK-11 removing a passkey ends the sessions that it opened, and no others", async () => {
    const { context, user, prove, store } = await setUp();
    const { device, passkey } = await aPasskey(user, context);
    const { device: other } = await aPasskey(user, context);
    const sessionBy = async (used: Device) => {
      const proof = await prove(used);
      assert.ok(proof.type === "proved");
      return startSession({ user, methods: [proof.method], origin }, context);
    };
    const [opened, others] = [await sessionBy(device), await sessionBy(other)];
    const here = await startSession({ user, methods: byPassword(), origin }, context);
    const removed = await removePasskey(passkey, { user, session: here.session }, origin, context);
    assert.deepEqual(removed, { type: "removed", here: "goes_on" });
    assert.equal(await findSession(opened.cookie, context), undefined);
    assert.notEqual(await findSession(others.cookie, context), undefined);
    assert.notEqual(await findSession(here.cookie, context), undefined);
    assert.equal(await store.count("passkeys", { user_id: user.id }), 1);
    const proof = await prove(device);
    assert.equal(proof.type === "refused" && proof.error, "unknown");
  });

  test("PK-11 no session starts with a passkey that was removed during the sign-in", async () => {
    const { context, user, prove, store } = await setUp();
    const { device, passkey } = await aPasskey(user, context);
    const proof = await prove(device);
    assert.ok(proof.type === "proved");
    const entrance = { user, methods: [proof.method], origin, browser: () => "", request: "/account" };
    const entered = await enter(entrance, context);
    assert.equal(entered.type, "signed_in");
    await store.remove("passkeys", { id: passkey.id });
    assert.deepEqual(await enter(entrance, context), { type: "refused" });
    const sessions = await store.list("sessions", { user_id: user.id });
    assert.equal(sessions.filter(({ methods }) => methods?.[0]?.kind === "passkey").length, 1);
  });

  test("PK-11 a session that removes its own passkey continues with its other factors, or ends if it has none", async () => {
    const { context, user, prove } = await setUp();
    for (const [and, here] of [
      [byPassword(), "goes_on"],
      [[], "ended"],
    ] as const) {
      const { device, passkey } = await aPasskey(user, context);
      const proof = await prove(device);
      assert.ok(proof.type === "proved");
      const own = await startSession({ user, methods: [proof.method, ...and], origin }, context);
      const signedIn = { user, session: own.session };
      const removed = await removePasskey(passkey, signedIn, origin, context);
      assert.deepEqual(removed, { type: "removed", here });
      const left = await findSession(own.cookie, context);
      assert.deepEqual(left?.session.methods, here === "ended" ? undefined : and);
      assert.notEqual(left?.session.acr, phishingResistantAcr);
    }
  });

  test("PK-11 the last sign-in method is not removed", async () => {
    const { context, store } = await setUp();
    const user = await aUser(store, { password_hash: null });
    const { passkey } = await aPasskey(user, context);
    const { session } = await startSession({ user, methods: byPassword(), origin }, context);
    assert.deepEqual(await removePasskey(passkey, { user, session }, origin, context), {
      type: "last_way",
    });
    await aPasskey(user, context);
    const removed = await removePasskey(passkey, { user, session }, origin, context);
    assert.equal(removed.type, "removed");
  });

  test("PK-11 a passkey counts as new for a day, unless it is the account's first one", async () => {
    const { context, user, clock } = await setUp();
    await aPasskey(user, context);
    clock.advance(1);
    const { passkey: second } = await aPasskey(user, context);
    assert.deepEqual([...(await youngPasskeys(user, context))], [second.id]);
    clock.advance(86_400);
    assert.deepEqual([...(await youngPasskeys(user, context))], []);
  });

  test("PK-11 a new passkey cannot confirm the removal of older ones, but an older one or the password can", async () => {
    const { context, user, prove, clock } = await setUp();
    const since = new Date(clock.now().getTime() - 1000);
    const soFar = () => ({ since, now: clock.now() });
    const vouched = async (device: Device) => {
      const proof = await prove(device);
      assert.ok(proof.type === "proved");
      const { session } = await startSession({ user, methods: [proof.method], origin }, context);
      return isProvedByOlder({ user, session }, soFar(), context);
    };
    const { device: first } = await aPasskey(user, context);
    assert.equal(await vouched(first), true);
    const { session: earlier } = await startSession(
      { user, methods: byPassword(clock.now()), origin },
      context,
    );
    clock.advance(1);
    const lately = { since: clock.now(), now: clock.now() };
    assert.equal(await isProvedByOlder({ user, session: earlier }, lately, context), true, "none is young");
    const { device: second } = await aPasskey(user, context);
    assert.equal(await vouched(second), false);
    assert.equal(await vouched(first), true);
    const { session } = await startSession({ user, methods: byPassword(clock.now()), origin }, context);
    assert.equal(await isProvedByOlder({ user, session }, soFar(), context), false);
    const old = { since: new Date(clock.now().getTime() + 1), now: clock.now() };
    assert.equal(await isProvedByOlder({ user, session }, old, context), false);
    clock.advance(86_400);
    assert.equal(await vouched(second), true);
  });

  test("MF-7 recovery codes are removed together with the last passkey, and not before", async () => {
    const { context, store, user } = await setUp();
    const [first, second] = [await aPasskey(user, context), await aPasskey(user, context)];
    const { session } = await startSession({ user, methods: byPassword(), origin }, context);
    const { hashed } = await makeRecoveryCodes(user, context);
    const overrides = { origin, at: context.now() };
    await store.transaction((tx) => replaceRecoveryCodes(tx, user, hashed, overrides, context));
    await removePasskey(first.passkey, { user, session }, origin, context);
    assert.equal(await store.count("recovery_codes", { user_id: user.id }), 10);
    await removePasskey(second.passkey, { user, session }, origin, context);
    assert.equal(await store.count("recovery_codes", { user_id: user.id }), 0);
    assert.equal(await store.count("audit_events", { type: "passkey.deleted", actor_id: user.id }), 2);
  });

  test("renaming a passkey is reported to the user and changes only the name", async () => {
    const { context, store, user } = await setUp();
    const { passkey } = await aPasskey(user, context, { name: "Phone" });
    await renamePasskey(passkey, "Laptop", origin, context);
    assert.deepEqual(await passkeysOf(user, site, context), [{ ...passkey, name: "Laptop" }]);
    const [event] = await store.list("audit_events", { type: "passkey.updated" });
    assert.deepEqual(event?.details, { before: { name: "Phone" }, after: { name: "Laptop" } });
  });
});
