import assert from "node:assert/strict";
import { test } from "node:test";
import { OverloadedError } from "../../src/errors.ts";
import { allAuthenticators } from "../../src/people/authenticators/all_authenticators.http.ts";
import {
  confirmRecoveryCodes,
  type Enrolled,
  showRecoveryCodes,
} from "../../src/people/authenticators/recovery_codes/enrol_factor.ts";
import { storeIn } from "../../src/people/authenticators/recovery_codes/finish_enrolment.http.ts";
import {
  findRecoveryCode,
  makeRecoveryCodes,
  recoveryCodesOf,
  replaceRecoveryCodes,
} from "../../src/people/authenticators/recovery_codes/recovery_codes.ts";
import {
  authenticatorAppsOf,
  ownAuthenticatorApp,
  removeAuthenticatorApp,
  renameAuthenticatorApp,
} from "../../src/people/authenticators/totp/authenticator_apps.ts";
import {
  beginTotpEnrolment,
  pendingTotp,
  proveNewTotp,
} from "../../src/people/authenticators/totp/enrol_totp.ts";
import type { IdentityContext } from "../../src/people/core/context/context.ts";
import { enter } from "../../src/people/core/enter.ts";
import { addMethods, startSession } from "../../src/people/core/sessions.ts";
import { tryFactor } from "../../src/people/entry/try_factor.ts";
import type { User } from "../../src/records/definition/definition.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import { authenticationClaims, methodKinds, reachesAcr } from "../../src/records/names/sign_in_methods.ts";
import { testServer } from "../support/authorization_server.ts";
import { aUser, byPassword } from "../support/builders.ts";
import { databases, describeInForm, openStoreAt } from "../support/databases.ts";
import { identityOn } from "../support/identity_context.ts";
import { listed } from "../support/listed.ts";
import { anAuthenticatorApp, proveTotp, someRecoveryCodes, spent } from "../support/second_factors.ts";
import { totpCode, wrongTotpCode } from "../support/totp.ts";
import { waitsOrEnds } from "../support/waits_or_ends.ts";

const origin = { client_ip: "192.0.2.1", user_agent: null, request_id: "r" };
const enrolling = { origin, store: storeIn({ authenticators: allAuthenticators }) };

/** Checks a recovery code, and consumes it in a separate transaction. */
async function proveRecoveryCode(...input: Parameters<typeof findRecoveryCode>) {
  return spent(await findRecoveryCode(...input), input[3]);
}

test("MF-11 there is no factor by push or SMS, and a mailed code never yields the level mfa", () => {
  assert.deepEqual(
    [...methodKinds].toSorted(),
    listed`
    mail_code passkey password provider recovery_code totp
  `,
  );
  const mail = { kind: "mail_code", credential: null, at: 0 } as const;
  const firsts = [undefined, "password", "provider"] as const;
  for (const kind of firsts) {
    const first = kind === undefined ? [] : [{ kind, credential: null, at: 0 }];
    const reported = authenticationClaims([...first, mail], ["urn:postern:acr:mfa"]);
    assert.ok(!reachesAcr(reported?.acr, "urn:postern:acr:mfa"), String(kind));
    assert.ok(!reported?.amr.includes("mfa"), String(kind));
  }
});

for (const database of databases)
  test(`MF-14 if two authenticator apps are removed at once on ${database.name}, the recovery codes go with the last`, async () => {
    const address = await database.tables();
    const stores = [await openStoreAt(address), await openStoreAt(address)] as const;
    const { server } = await testServer(stores[0]);
    const context = identityOn(server);
    const { transaction } = context.store;
    const user = await aUser(context.store, { password_hash: "some hash" });
    for (const name of ["Phone", "Tablet"]) await anAuthenticatorApp(user, context, name);
    await someRecoveryCodes(user, context);
    const [first, second] = await authenticatorAppsOf(user, context);
    assert.ok(first && second);
    // The first removal has written everything, and commits once the second waits for it.
    const [written, commits] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: typeof transaction = (work, options) =>
      transaction(async (tx) => {
        const result = await work(tx);
        written.resolve();
        await commits.promise;
        return result;
      }, options);
    const store = { ...context.store, transaction: slow };
    const one = removeAuthenticatorApp(first, origin, { ...context, store });
    await written.promise;
    const two = removeAuthenticatorApp(second, origin, { ...context, store: stores[1] });
    // On SQLite, the second removal begins after the first has ended.
    if (database.name === "PostgreSQL") await waitsOrEnds(stores[1], two);
    commits.resolve();
    assert.deepEqual(await Promise.all([one, two]), [true, true]);
    assert.deepEqual(await authenticatorAppsOf(user, context), []);
    assert.equal(await context.store.count("recovery_codes", { user_id: user.id }), 0);
  });

describeInForm("second factors", (database) => {
  async function setUp() {
    const address = await database.tables();
    const stores = [await openStoreAt(address), await openStoreAt(address)] as const;
    const { server, clock } = await testServer(stores[0]);
    const context = identityOn(server);
    const { store } = context;
    const user = await aUser(store, { password_hash: "some hash" });
    const { session } = await startSession({ user, methods: byPassword(), origin }, context);
    const other: IdentityContext = { ...context, store: stores[1] };
    return { context, other, clock, signedIn: { user, session } };
  }

  async function setUpCodes(signedIn: SignedIn, context: IdentityContext): Promise<string> {
    await beginTotpEnrolment(signedIn, context);
    const pending = await pendingTotp(signedIn, "Postern", context);
    assert.ok(pending);
    return pending.secret;
  }

  /** Returns a user with an authenticator app and a set of recovery codes. */
  async function enrolled() {
    const it = await setUp();
    const { signedIn, context, clock } = it;
    const secret = await setUpCodes(signedIn, context);
    const input = { code: totpCode(secret, context.now()), name: "Phone", ...enrolling };
    const proved = await proveNewTotp(signedIn, input, context);
    assert.equal(proved.type, "confirm");
    const codes = proved.type === "confirm" ? proved.codes : [];
    const done = await confirmRecoveryCodes(signedIn, enrolling, context);
    assert.ok(typeof done === "object" && done.factor);
    clock.advance(60);
    return { ...it, secret, codes, app: done.factor };
  }

  const events = async ({ store }: IdentityContext, user: Pick<User, "id">) =>
    (await store.list("audit_events", { actor_id: user.id }, { order_by: "id" })).map(({ type }) => type);

  test("MF-1 a new secret waits in its session until a correct code confirms it", async () => {
    const { context, signedIn } = await setUp();
    const secret = await setUpCodes(signedIn, context);
    assert.match(secret, /^[A-Z2-7]{32}$/);
    assert.equal((await pendingTotp(signedIn, "Postern", context))?.secret, secret);
    const { session } = await startSession({ user: signedIn.user, methods: byPassword(), origin }, context);
    assert.equal(await pendingTotp({ ...signedIn, session }, "Postern", context), undefined);
    const wrong = { code: wrongTotpCode(secret, context.now()), name: "Phone", ...enrolling };
    assert.deepEqual(await proveNewTotp(signedIn, wrong, context), { type: "wrong" });
    assert.deepEqual(await authenticatorAppsOf(signedIn.user, context), []);
  });

  test("MF-1 a new secret that is not confirmed expires after ten minutes", async () => {
    const { context, clock, signedIn } = await setUp();
    const secret = await setUpCodes(signedIn, context);
    clock.advance(600);
    assert.equal(await pendingTotp(signedIn, "Postern", context), undefined);
    const input = { code: totpCode(secret, context.now()), name: "Phone", ...enrolling };
    assert.deepEqual(await proveNewTotp(signedIn, input, context), { type: "gone" });
  });

  test("MF-1 the stored secret is encrypted for its own record", async () => {
    const { context, signedIn, secret, app } = await enrolled();
    const [row] = await authenticatorAppsOf(signedIn.user, context);
    assert.equal(row?.id, app.id);
    assert.ok(!JSON.stringify(row).includes(secret));
    assert.equal(context.sealer.open("totp_authenticator", row.secret_sealed, row.id), secret);
    assert.throws(() => context.sealer.open("totp_authenticator", row.secret_sealed, signedIn.user.id));
  });

  test("MF-1 authenticator apps of a user have different names, and can be renamed and removed", async () => {
    const { context, clock, signedIn, app } = await enrolled();
    const { user } = signedIn;
    const second = await setUpCodes(signedIn, context);
    const input = { code: totpCode(second, context.now()), ...enrolling };
    assert.deepEqual(await proveNewTotp(signedIn, { ...input, name: "" }, context), { type: "name" });
    assert.deepEqual(await proveNewTotp(signedIn, { ...input, name: "a\nb" }, context), { type: "name" });
    const more = await proveNewTotp(signedIn, { ...input, name: "Tablet" }, context);
    assert.equal(more.type, "enrolled");
    const first = await ownAuthenticatorApp(user, app.id, context);
    assert.ok(first);
    await renameAuthenticatorApp(first, "Old phone", origin, context);
    const names = async () => (await authenticatorAppsOf(user, context)).map(({ name }) => name);
    assert.deepEqual(await names(), ["Old phone", "Tablet"]);
    clock.advance(60);
    assert.equal((await proveTotp(user, totpCode(second, context.now()), context)).type, "proved");
    assert.equal(await removeAuthenticatorApp(first, origin, context), true);
    assert.equal(await removeAuthenticatorApp(first, origin, context), false);
    assert.deepEqual(await names(), ["Tablet"]);
    assert.equal((await recoveryCodesOf(user, context))?.left, 10);
    // Ids of the same millisecond have no order.
    assert.deepEqual(
      (await events(context, user)).toSorted(),
      listed`
        authenticator_app.created authenticator_app.created authenticator_app.deleted
        authenticator_app.updated recovery_codes.created
      `,
    );
  });

  test("MF-1 a user cannot reach another user's authenticator app", async () => {
    const { context, app } = await enrolled();
    const mallory = await aUser(context.store);
    assert.equal(await ownAuthenticatorApp(mallory, app.id, context), undefined);
  });

  test("MF-2 a code succeeds once among 50 parallel attempts in two processes", async () => {
    const { context, other, signedIn, secret } = await enrolled();
    const code = totpCode(secret, context.now());
    const tries = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        proveTotp(signedIn.user, code, index % 2 === 0 ? context : other),
      ),
    );
    assert.equal(tries.filter(({ type }) => type === "proved").length, 1);
    assert.equal(tries.filter(({ type }) => type === "wrong").length, 49);
  });

  test("MF-2 the code that confirmed the app cannot sign in, and neither can an earlier one", async () => {
    const { context, clock, signedIn, secret } = await enrolled();
    clock.advance(-60);
    for (const off of [-1, 0]) {
      const proof = await proveTotp(signedIn.user, totpCode(secret, context.now(), off), context);
      assert.equal(proof.type, "wrong");
    }
    const next = await proveTotp(signedIn.user, totpCode(secret, context.now(), 1), context);
    assert.equal(next.type, "proved");
  });

  test("MF-3 a correct code that is some minutes old is refused, and the clock difference is reported", async () => {
    const { context, clock, signedIn, secret } = await enrolled();
    clock.advance(600);
    const at = context.now();
    const prove = async (off: number) =>
      (await proveTotp(signedIn.user, totpCode(secret, at, off), context)).type;
    assert.deepEqual([await prove(-10), await prove(-2)], ["late", "late"]);
    assert.deepEqual([await prove(-11), await prove(2)], ["wrong", "wrong"]);
  });

  test("MF-6 a recovery code is used up in the same transaction that renews the session", async () => {
    const { context, signedIn } = await setUp();
    const { user } = signedIn;
    const { shown, hashed } = await makeRecoveryCodes(user, context);
    await context.store.transaction((tx) =>
      replaceRecoveryCodes(tx, user, hashed, { origin, at: context.now() }, context),
    );
    const found = await findRecoveryCode(user, shown[0] ?? "", origin, context);
    assert.ok(found.type === "proved");
    const { method, commitProof } = found;
    const renewed = await addMethods(signedIn, [method], context);
    assert.ok(renewed);
    // Another window renewed the session, so the proof cannot be added to it here.
    assert.equal(await addMethods(signedIn, [method], context, commitProof), undefined);
    assert.equal((await recoveryCodesOf(user, context))?.left, 10);
    assert.equal(await context.store.count("audit_events", { type: "recovery_code.used" }), 0);
    assert.ok(await addMethods(renewed.signedIn, [method], context, commitProof));
    assert.equal((await recoveryCodesOf(user, context))?.left, 9);
  });

  test("SU-6 a user whose session ended meanwhile can neither add a factor nor create recovery codes", async () => {
    for (const has_codes of [false, true]) {
      const it = await (has_codes ? enrolled() : setUp());
      const { context, clock, signedIn } = it;
      const { store } = context;
      const { user } = signedIn;
      const secret = await setUpCodes(signedIn, context);
      const input = { code: totpCode(secret, context.now()), name: "Theirs", ...enrolling };
      if (!has_codes) assert.equal((await proveNewTotp(signedIn, input, context)).type, "confirm");
      const before = await authenticatorAppsOf(user, context);
      clock.advance(1);
      const transaction = (async (work, options) => {
        // The owner has set a new password.
        await store.update("users", { id: user.id }, { tokens_not_before: clock.now() });
        return store.transaction(work, options);
      }) as typeof store.transaction;
      const slow = { ...context, store: { ...store, transaction } };
      if (has_codes) assert.deepEqual(await proveNewTotp(signedIn, input, slow), { type: "gone" });
      else assert.equal(await confirmRecoveryCodes(signedIn, enrolling, slow), "gone");
      assert.deepEqual(await authenticatorAppsOf(user, context), before);
    }
  });

  test("MF-4 wrong codes count towards the limit of codes, and not towards that of passkeys", async () => {
    const { context, signedIn, secret, codes } = await enrolled();
    const { user } = signedIn;
    const wrong = wrongTotpCode(secret, context.now());
    const requested = { user, origin, browser_marks: undefined };
    const byCode = (code: string) =>
      tryFactor(
        { ...requested, kind: "totp", guessable: true, prove: () => proveTotp(user, code, context) },
        context,
      );
    for (let turn = 1; turn <= 10; turn++) assert.equal((await byCode(wrong)).type, "wrong");
    assert.equal((await byCode(totpCode(secret, context.now()))).type, "throttled");
    const prove = () => proveRecoveryCode(user, codes[0] ?? "", origin, context);
    assert.equal(
      (await tryFactor({ ...requested, kind: "recovery_code", guessable: true, prove }, context)).type,
      "throttled",
    );
    const method = { kind: "passkey", credential: null, at: context.now().getTime() } as const;
    const input = async () => ({ type: "proved", method }) as const;
    const passkey = await tryFactor(
      { ...requested, kind: "passkey", guessable: false, prove: input },
      context,
    );
    assert.equal(passkey.type, "proved");
  });

  test("MF-4 an account allows twenty wrong codes an hour from all addresses, and a correct one resets the count", async () => {
    const { context, clock, signedIn, secret } = await enrolled();
    const { user } = signedIn;
    let address = 0;
    const byCode = (code: string) => {
      address += 1;
      const from = { ...origin, client_ip: `192.0.2.${address}` };
      const prove = () => proveTotp(user, code, context);
      return tryFactor(
        { user, origin: from, browser_marks: undefined, kind: "totp", guessable: true, prove },
        context,
      );
    };
    const wrong = () => byCode(wrongTotpCode(secret, clock.now()));
    for (let turn = 1; turn <= 20; turn++) assert.equal((await wrong()).type, "wrong");
    assert.deepEqual(await wrong(), { type: "throttled", retry_after: 3600 });
    clock.advance(3600);
    assert.equal((await byCode(totpCode(secret, clock.now()))).type, "proved");
    for (let turn = 1; turn <= 20; turn++) assert.equal((await wrong()).type, "wrong");
  });

  test("MF-6 a recovery code works once among 20 parallel attempts in two processes", async () => {
    const { context, other, signedIn, codes } = await enrolled();
    const { user } = signedIn;
    const [code = ""] = codes;
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        proveRecoveryCode(user, code, origin, index % 2 === 0 ? context : other),
      ),
    );
    const [proved, ...more] = tries.filter(({ type }) => type === "proved");
    assert.deepEqual(more, []);
    assert.equal(proved?.type === "proved" && proved.codes_left, 9);
    assert.equal((await recoveryCodesOf(user, context))?.left, 9);
    assert.equal((await events(context, user)).filter((type) => type === "recovery_code.used").length, 1);
  });

  test("MF-6 each attempt with a recovery code costs one hash, and a malformed code none", async () => {
    const { context, signedIn, codes } = await enrolled();
    let hashes = 0;
    const { passwords } = context;
    const counting: IdentityContext = {
      ...context,
      passwords: {
        ...passwords,
        verify: async (...input) => {
          hashes += 1;
          return passwords.verify(...input);
        },
        verifyAgainstNothing: async (...input) => {
          hashes += 1;
          return passwords.verifyAgainstNothing(...input);
        },
      },
    };
    const prove = async (text: string) => {
      hashes = 0;
      return (await proveRecoveryCode(signedIn.user, text, origin, counting)).type;
    };
    const [first = "", second = ""] = codes;
    const selectors = new Set(codes.map((code) => code.slice(0, 4)));
    const unknown = ["0000", "1111", "2222", "3333"].find((each) => !selectors.has(each)) ?? "";
    for (const text of [first.slice(0, 4) + second.slice(4), unknown + first.slice(4)]) {
      assert.equal(await prove(text), "wrong");
      assert.equal(hashes, 1);
    }
    assert.equal(await prove("no code"), "wrong");
    assert.equal(hashes, 0);
    assert.equal(await prove(first.toLowerCase().replaceAll("-", " ")), "proved");
    assert.equal(hashes, 1);
  });

  test("MF-6 a new set of recovery codes replaces the old one once the user confirms it", async () => {
    const { context, signedIn, codes } = await enrolled();
    const { user } = signedIn;
    const [first = "", second = ""] = codes;
    const fresh = await showRecoveryCodes(signedIn, null, context);
    assert.equal(fresh.length, 10);
    assert.equal((await proveRecoveryCode(user, fresh[0] ?? "", origin, context)).type, "wrong");
    assert.equal((await proveRecoveryCode(user, first, origin, context)).type, "proved");
    assert.deepEqual(await confirmRecoveryCodes(signedIn, enrolling, context), {
      factor: undefined,
      codes: true,
    });
    assert.equal((await proveRecoveryCode(user, second, origin, context)).type, "wrong");
    assert.equal((await proveRecoveryCode(user, fresh[0] ?? "", origin, context)).type, "proved");
    assert.equal(await confirmRecoveryCodes(signedIn, enrolling, context), "gone");
  });

  test("MF-7 the first authenticator app counts only once the recovery codes are confirmed", async () => {
    const { context, signedIn } = await setUp();
    const { user } = signedIn;
    const secret = await setUpCodes(signedIn, context);
    const input = { code: totpCode(secret, context.now()), name: "Phone", ...enrolling };
    assert.equal((await proveNewTotp(signedIn, input, context)).type, "confirm");
    const entrance = { user, methods: byPassword(), origin, browser: () => "b", request: "/account" };
    assert.equal((await enter(entrance, context)).type, "signed_in");
    const all = await Promise.all(
      Array.from({ length: 10 }, () => confirmRecoveryCodes(signedIn, enrolling, context)),
    );
    assert.equal(all.filter((each) => typeof each === "object").length, 1);
    assert.equal((await authenticatorAppsOf(user, context)).length, 1);
    assert.equal((await enter(entrance, context)).type, "second_factor");
  });

  test("MF-12 a factor is not stored if the mail that can undo it cannot be stored", async () => {
    const { context, signedIn } = await setUp();
    const secret = await setUpCodes(signedIn, context);
    const input = { code: totpCode(secret, context.now()), name: "Phone", ...enrolling };
    assert.equal((await proveNewTotp(signedIn, input, context)).type, "confirm");
    const notify = async () => {
      throw new OverloadedError(60);
    };
    await assert.rejects(confirmRecoveryCodes(signedIn, { ...enrolling, notify }, context), OverloadedError);
    assert.equal(await context.store.count("totp_authenticators", {}), 0);
    const reported: unknown[] = [];
    const keep = async (_tx: unknown, enrolled: Enrolled) => void reported.push(enrolled);
    const stored = await confirmRecoveryCodes(signedIn, { ...enrolling, notify: keep }, context);
    assert.deepEqual(reported, [stored]);
  });

  test("MF-7 recovery codes are removed together with the last second factor", async () => {
    const { context, signedIn, app } = await enrolled();
    const row = await ownAuthenticatorApp(signedIn.user, app.id, context);
    assert.ok(row);
    await removeAuthenticatorApp(row, origin, context);
    assert.equal(await recoveryCodesOf(signedIn.user, context), undefined);
  });
});
