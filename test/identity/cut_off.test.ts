/** Changes that belong together are one commit, so a failing database leaves no partial change. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { confirmEmail, requestEmailChange } from "../../src/people/account/email/change_email.ts";
import { lookAtEmailUndo, undoEmail } from "../../src/people/account/email/undo_email.ts";
import { disown, lookAtDisownLink } from "../../src/people/account/endings/disown.ts";
import { removePasskey } from "../../src/people/authenticators/passkeys/change_passkey.ts";
import { findRecoveryCode } from "../../src/people/authenticators/recovery_codes/recovery_codes.ts";
import type { IdentityContext } from "../../src/people/core/context/context.ts";
import { newDisownToken } from "../../src/people/core/disown_token.ts";
import { findAccount } from "../../src/people/core/find_account.ts";
import { beginHalfSignIn, findHalfSignIn, finishHalfSignIn } from "../../src/people/core/half_sign_in.ts";
import { enqueueMail, sendOutbox } from "../../src/people/core/outbox.ts";
import { findSession, startSession } from "../../src/people/core/sessions.ts";
import { unlinkAccount } from "../../src/people/providers/linked_accounts.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { deletionDue } from "../../src/records/names/deletion_days.ts";
import { emailKey } from "../../src/records/names/email.ts";
import { userLock } from "../../src/records/names/lock_names.ts";
import type { Mail } from "../../src/records/names/notices.ts";
import type { Store } from "../../src/storage/store.ts";
import { testServer } from "../support/authorization_server.ts";
import { anOAuthAccount, anotherOfItsKey, aSession, aUser, byPassword, start } from "../support/builders.ts";
import { cutEverywhere } from "../support/cut_off.ts";
import { databasesInForm, describeInForm, type TestDatabase } from "../support/databases.ts";
import { identityOn } from "../support/identity_context.ts";
import { aPasskey } from "../support/passkeys.ts";
import { anAuthenticatorApp, someRecoveryCodes } from "../support/second_factors.ts";

const origin = { client_ip: "192.0.2.1", user_agent: null, request_id: "r" };
const day = 86_400;

async function setUp(database: TestDatabase, overrides: Partial<User> = {}) {
  const { server, clock } = await testServer(await database.open());
  const context = identityOn(server, { sends_mail: true });
  const { store } = context;
  const user = await aUser(store, { email: "victim@example.com", ...overrides });
  const signedIn = async () => ({
    user,
    session: await aSession(store, { user_id: user.id, created_at: clock.now() }),
  });
  const stored = async () => (await store.find("users", { id: user.id })) ?? assert.fail("no user");
  const change = async (to: string) => {
    const requested = await requestEmailChange(await stored(), to, context);
    assert.ok(requested.type === "asked", requested.type);
    const changed = await confirmEmail(await signedIn(), requested.token, { origin }, context);
    clock.advance(60);
    return changed ?? assert.fail("not changed");
  };
  return { store, clock, context, user, signedIn, stored, change };
}

const over = (context: IdentityContext, store: Store): IdentityContext => ({ ...context, store });

/** The enrollment of an authenticator app, which a mail reports. */
const anAct = (user: User, { id }: { readonly id: string }) =>
  ({ user, since: start, factor: { kind: "totp", id } }) as const;

for (const database of databasesInForm) {
  describe(`${database.name}: an interrupted operation has no partial effect`, () => {
    test("MF-12 “It was not me” removes the factor and uses up its link in one transaction", async () => {
      await cutEverywhere(
        async () => {
          const it = await setUp(database);
          const app = await anAuthenticatorApp(it.user, it.context);
          const token = await newDisownToken(anAct(it.user, app), it.context);
          return { ...it, token };
        },
        ({ context, token }, store) => disown(token, origin, over(context, store)),
        async ({ context, store, user, token }) => {
          const factors = () => store.count("totp_authenticators", { user_id: user.id });
          assert.equal(await factors(), (await lookAtDisownLink(token, context)) ? 1 : 0);
          await disown(token, origin, context);
          assert.equal(await factors(), 0);
        },
      );
    });

    test("MF-12 “It was not me” works while the account's deletion is pending, and not while the account is deactivated", async () => {
      const { context, store, clock, user } = await setUp(database);
      const app = await anAuthenticatorApp(user, context);
      const token = await newDisownToken(anAct(user, app), context);
      await store.update("users", { id: user.id }, { active: false });
      assert.equal(await disown(token, origin, context), undefined);
      assert.ok(await lookAtDisownLink(token, context));
      const deletion_at = deletionDue(clock.now());
      await store.update("users", { id: user.id }, { deletion_at });
      assert.ok(await disown(token, origin, context));
      assert.equal(await store.count("totp_authenticators", { user_id: user.id }), 0);
      // The deletion was requested after the app was added, so it is canceled as well (SS-15).
      const kept = await store.find("users", { id: user.id });
      assert.deepEqual([kept?.active, kept?.deletion_at], [true, null]);
    });

    test("MF-12 “It was not me” says whether its mailbox is still the account's", async () => {
      for (const [moved, same_mailbox] of [
        [(email: string) => email, true],
        [(email: string) => email.toUpperCase(), true],
        [anotherOfItsKey, false],
      ] as const) {
        const { context, store, user } = await setUp(database);
        const app = await anAuthenticatorApp(user, context);
        const token = await newDisownToken(anAct(user, app), context);
        const email = moved(user.email);
        assert.equal(emailKey(email), user.email_key);
        await store.update("users", { id: user.id }, { email });
        assert.equal((await disown(token, origin, context))?.same_mailbox, same_mailbox, email);
      }
    });

    test("SS-7 restoring an address and voiding the restore links of later changes is one transaction", async () => {
      await cutEverywhere(
        async () => {
          const it = await setUp(database);
          const first = await it.change("intruder1@example.com");
          return { ...it, first, second: await it.change("intruder2@example.com") };
        },
        ({ context, first }, store) => undoEmail(first.undo_token, origin, over(context, store)),
        async ({ context, stored, clock, first, second }) => {
          const { email } = await stored();
          const later = (await lookAtEmailUndo(second.undo_token, context))?.email;
          assert.equal(later, email === "victim@example.com" ? undefined : "intruder1@example.com");
          clock.advance(60);
          await undoEmail(first.undo_token, origin, context);
          await undoEmail(second.undo_token, origin, context);
          assert.equal((await stored()).email, "victim@example.com");
        },
      );
    });

    test("SS-7 a restore link that was voided stays invalid after a later restore", async () => {
      const { context, clock, stored, change } = await setUp(database);
      const first = await change("intruder1@example.com");
      const second = await change("intruder2@example.com");
      assert.ok(await undoEmail(first.undo_token, origin, context));
      clock.advance(3 * day + 60);
      const third = await change("new@example.com");
      assert.ok(await undoEmail(third.undo_token, origin, context));
      assert.equal(await lookAtEmailUndo(second.undo_token, context), undefined);
      assert.equal(await undoEmail(second.undo_token, origin, context), undefined);
      assert.equal((await stored()).email, "victim@example.com");
    });

    test("SS-7 an address can be restored even if a look-alike of it belongs to another account meanwhile", async () => {
      const email = "victim@stra\u00dfe.example";
      const { context, store, user, stored, change } = await setUp(database, { email });
      const { undo_token } = await change("intruder@example.com");
      const twin = await aUser(store, { email: "victim@strasse.example" });
      assert.equal(twin.email_key, user.email_key);
      assert.ok(await undoEmail(undo_token, origin, context));
      assert.equal((await stored()).email, email);
      assert.equal((await findAccount(store, email))?.id, user.id);
      assert.equal((await findAccount(store, twin.email))?.id, twin.id);
    });

    test("SS-7 a refused confirmation of an email address stores nothing", async () => {
      const { context, store, user, signedIn } = await setUp(database);
      const requested = await requestEmailChange(user, "taken@example.com", context);
      assert.ok(requested.type === "asked");
      await aUser(store, { email: "taken@example.com" });
      const here = await signedIn();
      const before = await store.count("ephemera", {});
      for (let turn = 0; turn < 20; turn++) {
        assert.equal(await confirmEmail(here, requested.token, { origin }, context), undefined);
      }
      assert.equal(await store.count("ephemera", {}), before);
    });

    test("SU-6 a user whose session ended during the request cannot change the account's email address", async () => {
      const { context, store, clock, user, signedIn, stored } = await setUp(database);
      const requested = await requestEmailChange(user, "intruder@example.com", context);
      assert.ok(requested.type === "asked");
      const here = await signedIn();
      const transaction = (async (work, options) => {
        // The owner has ended that session.
        await store.update("sessions", { id: here.session.id }, { ended_at: clock.now() });
        return store.transaction(work, options);
      }) as typeof store.transaction;
      const late = over(context, { ...store, transaction });
      assert.equal(await confirmEmail(here, requested.token, { origin }, late), undefined);
      assert.equal((await stored()).email, "victim@example.com");
      assert.ok(await confirmEmail(await signedIn(), requested.token, { origin }, context));
    });

    test("SS-7 restoring an address cancels a deletion requested after the change, and no earlier one", async () => {
      for (const [asked_after, kept] of [
        [60, true],
        [-60, false],
      ] as const) {
        const { context, store, clock, user, stored, change } = await setUp(database);
        const { undo_token } = await change("intruder@example.com");
        const changed_at = clock.now().getTime() - 60_000;
        const deletion_at = deletionDue(new Date(changed_at + asked_after * 1000));
        await store.update("users", { id: user.id }, { active: false, deletion_at });
        assert.equal((await undoEmail(undo_token, origin, context))?.kept, kept);
        const { active, email } = await stored();
        assert.deepEqual({ active, email }, { active: kept, email: "victim@example.com" });
        const undone = await store.count("audit_events", { type: "user.deletion_undone" });
        assert.equal(undone, kept ? 1 : 0);
      }
    });

    for (const kind of ["passkey", "provider"] as const) {
      test(`PK-11 removing a ${kind} ends its sessions and writes the audit event in one transaction`, async () => {
        await cutEverywhere(
          async () => {
            const it = await setUp(database, { password_hash: "$argon2id$x" });
            const { context, store, user } = it;
            const { passkey } = await aPasskey(user, context);
            const link = await anOAuthAccount(store, { user_id: user.id });
            const credential = kind === "passkey" ? passkey.id : link.id;
            const at = context.now().getTime();
            const methods = [{ kind, credential, at, ...(kind === "passkey" && { uv: true }) }];
            const intruder = await startSession({ user, methods, origin }, context);
            const mine = await startSession({ user, methods: byPassword(), origin }, context);
            return { ...it, passkey, link, intruder, signedIn: { user, session: mine.session } };
          },
          ({ context, passkey, link, signedIn }, store) =>
            kind === "passkey"
              ? removePasskey(passkey, signedIn, origin, over(context, store))
              : unlinkAccount(link, signedIn, origin, over(context, store)),
          async ({ context, store, intruder }, commits) => {
            const table = kind === "passkey" ? "passkeys" : "oauth_accounts";
            const type = kind === "passkey" ? "passkey.deleted" : "linked_account.deleted";
            const left = commits === 0 ? 1 : 0;
            assert.equal(await store.count(table, {}), left);
            assert.equal((await findSession(intruder.cookie, context)) === undefined, left === 0);
            assert.equal(await store.count("audit_events", { type }), 1 - left);
          },
        );
      });
    }

    test("MF-6 a recovery code and its half-finished sign-in are used up in the transaction that creates the session", async () => {
      await cutEverywhere(
        async () => {
          const it = await setUp(database);
          const { context, user } = it;
          await anAuthenticatorApp(user, context);
          const [code = ""] = await someRecoveryCodes(user, context);
          const overrides = { user, methods: byPassword(), browser: "b", request: "/" };
          await beginHalfSignIn(overrides, context);
          return { ...it, code };
        },
        async ({ context, user, code }, store) => {
          const half = await findHalfSignIn("b", context);
          const found = await findRecoveryCode(user, code, origin, context);
          assert.ok(half !== undefined && found.type === "proved");
          const { method, commitProof } = found;
          return finishHalfSignIn(half, { method, commitProof, origin }, over(context, store));
        },
        async ({ context, store, user, code }) => {
          const sessions = await store.count("sessions", { user_id: user.id });
          const half = await findHalfSignIn("b", context);
          const again = await findRecoveryCode(user, code, origin, context);
          const spent = [half === undefined, again.type === "wrong"];
          assert.deepEqual(spent, sessions === 1 ? [true, true] : [false, false]);
        },
      );
    });
  });
}

const message: Mail = {
  to: "ada@example.com",
  subject: "Your address was changed",
  text: "https://id.example/undo-email?token=pot_secret",
  html: "<p>pot_secret</p>",
};
const week = 7 * 24 * 60;

async function arranged(database: TestDatabase) {
  const { server, clock } = await testServer(await database.open());
  const context = identityOn(server, { sends_mail: true });
  const { store } = context;
  const user = await aUser(store);
  const keep = (mail = message, of = user) =>
    store.transaction(async (tx) => {
      await tx.lock(userLock(of.id));
      await enqueueMail(tx, of, mail, week, context);
    });
  const sent: Mail[] = [];
  const take = async (mail: Mail) => {
    sent.push(mail);
    return true;
  };
  let refused = 0;
  const refuse = async () => {
    refused += 1;
    return false;
  };
  const rows = () => store.list("ephemera", { kind: "mail" });
  return { store, clock, context, user, keep, sent, take, refuse, rows, refused: () => refused };
}

describeInForm("mails stored until they are sent", (database) => {
  test("SS-7 a mail with a link is stored in the transaction of its change, encrypted, until it is sent once", async () => {
    const { store, context, user, keep, sent, take, rows } = await arranged(database);
    await assert.rejects(
      store.transaction(async (tx) => {
        await enqueueMail(tx, user, message, week, context);
        throw new Error("the change fails");
      }),
    );
    assert.deepEqual(await rows(), []);
    await keep();
    const [row] = await rows();
    assert.doesNotMatch(JSON.stringify(row), /pot_secret|ada@|address was/);
    await Promise.all(Array.from({ length: 8 }, () => sendOutbox(context, take)));
    assert.deepEqual(sent, [message]);
    assert.deepEqual(await rows(), []);
  });

  test("SS-7 a mail refused by the mail server is retried at growing intervals, until its link expires", async () => {
    const { clock, context, keep, sent, take, refuse, refused } = await arranged(database);
    await keep();
    const pauses = [10, 60, 300, 1800, 7200, 21_600, 21_600];
    for (const [turn, pause] of pauses.entries()) {
      await sendOutbox(context, refuse);
      assert.equal(refused(), turn + 1);
      clock.advance(pause - 1);
      await sendOutbox(context, refuse);
      assert.equal(refused(), turn + 1, `not before ${pause} s`);
      clock.advance(1);
    }
    await sendOutbox(context, take);
    assert.deepEqual(sent, [message]);
    await keep();
    clock.advance(week * 60);
    await sendOutbox(context, take);
    assert.equal(sent.length, 1);
  });

  test("SS-7 if a process dies while sending a mail, another process sends it 15 minutes later", async () => {
    const { clock, context, keep, sent, take } = await arranged(database);
    await keep();
    const never = new Promise<boolean>(() => {});
    const begun = Promise.withResolvers<void>();
    void sendOutbox(context, () => {
      begun.resolve();
      return never;
    });
    await begun.promise;
    clock.advance(15 * 60 - 1);
    await sendOutbox(context, take);
    assert.deepEqual(sent, []);
    clock.advance(1);
    await sendOutbox(context, take);
    assert.deepEqual(sent, [message]);
  });

  test("SS-7 at most twenty mails wait for a user, and a change that could not be reported is refused", async () => {
    const { store, context, keep, take, rows, refuse, clock } = await arranged(database);
    for (let turn = 0; turn < 20; turn++) await keep();
    await assert.rejects(keep(), { name: "OverloadedError" });
    assert.equal((await rows()).length, 20);
    await keep(message, await aUser(store));
    await sendOutbox(context, refuse);
    clock.advance(10);
    await sendOutbox(context, take);
    assert.deepEqual(await rows(), []);
    await keep();
  });
});
