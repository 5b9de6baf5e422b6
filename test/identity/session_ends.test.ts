/** Every path that ends a session notifies the apps that used it (BL-2). A new path needs a line here. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { deleteMembership } from "../../src/admin/invitations/end_membership.ts";
import { actOnRecord, removeRecord, revokeRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { removeDueUsers } from "../../src/admin/records/due_deletions.ts";
import { requestDeletion } from "../../src/admin/records/own_deletion.ts";
import { resetFactors } from "../../src/admin/records/reset_factors.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { endSessionsOf } from "../../src/admin/resources/sign_out.ts";
import { readForm } from "../../src/oauth/core/params.ts";
import { endSession } from "../../src/oauth/end_session.ts";
import { confirmEmail, requestEmailChange } from "../../src/people/account/email/change_email.ts";
import { undoEmail } from "../../src/people/account/email/undo_email.ts";
import { disown } from "../../src/people/account/endings/disown.ts";
import { removePasskey } from "../../src/people/authenticators/passkeys/change_passkey.ts";
import { makeResetMail, resetPassword } from "../../src/people/authenticators/password/password_reset.ts";
import { dueRecoveryMails } from "../../src/people/authenticators/recovery/due_recoveries.ts";
import { finishRecovery } from "../../src/people/authenticators/recovery/finish_recovery.ts";
import { removeLostPasskeys } from "../../src/people/authenticators/recovery/remove_lost_passkeys.ts";
import { beginRecovery } from "../../src/people/core/delayed_recovery.ts";
import { newDisownToken } from "../../src/people/core/disown_token.ts";
import { beginHalfSignIn, findHalfSignIn } from "../../src/people/core/half_sign_in.ts";
import { startSession, writeSession } from "../../src/people/core/sessions.ts";
import { endAllAccess } from "../../src/people/entry/kept_access.ts";
import { linkAccount, unlinkAccount } from "../../src/people/providers/linked_accounts.ts";
import { endUpstreamSessions } from "../../src/people/providers/upstream_logout.ts";
import type { OAuthApp, User } from "../../src/records/definition/definition.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import type { SignInMethod } from "../../src/records/names/sign_in_methods.ts";
import { testContext } from "../admin/context.ts";
import { serverOn } from "../support/authorization_server.ts";
import { aMembership, anApp, anOAuthAccount, aUser, byPassword, start } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { codeFlow, credentialsOf, formOf, origin } from "../support/flows.ts";
import { identityOn, inSession } from "../support/identity_context.ts";
import { aPasskey } from "../support/passkeys.ts";
import { aProvider, scriptedClient } from "../support/scripted_providers.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";

const [database] = databases;
const hour = 3600;
const noMail = async () => {};

describe("notices to apps when sessions end", () => {
  assert.ok(database);
  const as = serverOn(database, { extra_features: ["logout_notices"] });
  let app: OAuthApp;
  const context = () =>
    identityOn(as.server, {
      sends_mail: true,
      throttle: false,
      settings: {
        recovery_delay_hours: 72,
        extra_sign_in: ["passkey", "totp"] as const,
        extra_features: ["logout_notices"] as const,
      },
    });
  const admin = () => ({ ...testContext(as.store), now: as.clock.now });

  before(async () => {
    app = await anApp(as.store, {
      first_party: true,
      backchannel_logout_uri: "https://app.example.com/logout",
    });
  });

  /** Returns a user in a session in which the app received a code. */
  async function met(user: User, methods: readonly SignInMethod[] = byPassword(as.clock.now())) {
    const who = await inSession(user, context(), methods);
    await codeFlow(as, app, await credentialsOf(as, app), who);
    as.clock.advance(1);
    return who;
  }
  const stored = async ({ id }: User) => (await as.store.find("users", { id })) ?? assert.fail("no user");

  /** Each function ends a session, and returns it. */
  const ways: Readonly<Record<string, () => Promise<SignedIn>>> = {
    async "the user signs out at the app"() {
      const who = await met(await aUser(as.store));
      const input = { params: readForm(formOf({})), signedIn: who, confirmed: true, origin };
      await endSession(input, as.server);
      return who;
    },
    async "the user ends all access at sign-out"() {
      const who = await met(await aUser(as.store));
      await endAllAccess(who, origin, context());
      return who;
    },
    async "another person signs in in the browser"() {
      const who = await met(await aUser(as.store));
      const user = await aUser(as.store);
      await startSession({ user, methods: byPassword(), origin, previous: who }, context());
      return who;
    },
    async "the session is revoked"() {
      const who = await met(await aUser(as.store));
      await revokeRecord(admin(), resourceOf("sessions"), who.session.id);
      return who;
    },
    async "the user signs out everywhere"() {
      const who = await met(await aUser(as.store));
      await endSessionsOf(admin(), who.user.id);
      return who;
    },
    async "an administrator signs the user out"() {
      const who = await met(await aUser(as.store));
      await actOnRecord(admin(), resourceOf("users"), "sign_out", who.user.id, {});
      return who;
    },
    async "everything is revoked"() {
      const who = await met(await aUser(as.store));
      await actOnRecord(admin(), resourceOf("users"), "revoke_everything", who.user.id, {});
      return who;
    },
    async "the user is deactivated"() {
      const who = await met(await aUser(as.store));
      await updateRecord(admin(), resourceOf("users"), who.user.id, { active: false });
      return who;
    },
    async "an administrator sets a password"() {
      const who = await met(await aUser(as.store));
      const password = "a new and long passphrase";
      await updateRecord(admin(), resourceOf("users"), who.user.id, { password });
      return who;
    },
    async "the user is deleted"() {
      const who = await met(await aUser(as.store));
      await removeRecord(admin(), resourceOf("users"), who.user.id);
      return who;
    },
    async "a manifest prunes the user"() {
      const email = "pruned@example.com";
      await applyManifest({ users: [{ email, name: "Pruned" }] }, admin());
      const user = await as.store.find("users", { email_key: email });
      const who = await met(user ?? assert.fail("no user"));
      await applyManifest({}, admin(), { prune: true });
      return who;
    },
    async "the user asks for the deletion, which is due later"() {
      const who = await met(await aUser(as.store));
      const given = { successor: undefined, enqueueCancelLink: noMail };
      await requestDeletion(admin(), who.user, given);
      as.clock.advance(15 * 24 * hour);
      await removeDueUsers(admin());
      return who;
    },
    async "an administrator takes all second factors"() {
      const user = await aUser(as.store);
      await anAuthenticatorApp(user, context());
      const who = await met(user);
      await resetFactors(admin(), user.id, { reason: "a lost phone" });
      return who;
    },
    async "an administrator takes the passkey of the session"() {
      const user = await aUser(as.store, { password_hash: "x" });
      const { passkey } = await aPasskey(user, context());
      await anAuthenticatorApp(user, context());
      const who = await met(user, [{ kind: "passkey", credential: passkey.id, at: 0, uv: true }]);
      const given = { factor_id: passkey.id, reason: "a lost phone" };
      await actOnRecord(admin(), resourceOf("users"), "remove_factor", user.id, given);
      return who;
    },
    async "the user removes the passkey of the session"() {
      const user = await aUser(as.store, { password_hash: "x" });
      const { passkey } = await aPasskey(user, context());
      const who = await met(user, [{ kind: "passkey", credential: passkey.id, at: 0, uv: true }]);
      await removePasskey(passkey, await inSession(user, context()), origin, context());
      return who;
    },
    async "a lost passkey is removed after the wait"() {
      const user = await aUser(as.store, { password_hash: "x" });
      const { passkey } = await aPasskey(user, context());
      await anAuthenticatorApp(user, context());
      const requested = { lost: "passkeys", origin, language: "en", keep: noMail } as const;
      await beginRecovery(await stored(user), requested, context());
      as.clock.advance(66 * hour);
      await dueRecoveryMails(context(), noMail);
      // Writes only the rows, because a sign-in with the passkey would cancel the recovery.
      const methods: SignInMethod[] = [{ kind: "passkey", credential: passkey.id, at: 0, uv: true }];
      const { session } = await as.store.transaction((tx) =>
        writeSession(tx, { user, methods, origin }, context()),
      );
      await codeFlow(as, app, await credentialsOf(as, app), { user, session });
      as.clock.advance(7 * hour);
      assert.equal(await removeLostPasskeys(context(), noMail), 1);
      return { user, session };
    },
    async "the user unlinks the account of the session"() {
      const user = await aUser(as.store, { password_hash: "x" });
      const { id, slug } = await aProvider(as.store, { slug: "unlinked" });
      const link = await anOAuthAccount(as.store, { user_id: user.id, provider: slug, provider_id: id });
      const who = await met(user, [{ kind: "provider", credential: link.id, at: 0 }]);
      await unlinkAccount(link, await inSession(user, context()), origin, context());
      return who;
    },
    async "the provider of the session says that it ended"() {
      const user = await aUser(as.store);
      const provider = await aProvider(as.store, { slug: "signs-out" });
      const link = await anOAuthAccount(as.store, {
        user_id: user.id,
        provider: provider.slug,
        provider_id: provider.id,
      });
      const who = await met(user, [{ kind: "provider", credential: link.id, at: 0 }]);
      const client = scriptedClient();
      const expires_at = new Date(as.clock.now().getTime() + 120_000);
      const ended = { subject: link.provider_user_id, sid: undefined, jti: "one", expires_at };
      client.logouts.set("token", ended);
      await endUpstreamSessions(provider, "token", origin, { ...context(), provider_client: client });
      return who;
    },
    async "the membership ends whose provider signed the user in"() {
      const { user_id, organization_id, id } = await aMembership(as.store);
      const user = (await as.store.find("users", { id: user_id })) ?? assert.fail("no user");
      const provider = await aProvider(as.store, { slug: "of-members", organization_id });
      const account = { user_id, provider: provider.slug, provider_id: provider.id };
      const link = await anOAuthAccount(as.store, account);
      const who = await met(user, [{ kind: "provider", credential: link.id, at: 0 }]);
      await deleteMembership(admin(), id);
      return who;
    },
    async "an account at a provider takes over"() {
      const user = await aUser(as.store, { email_verified_at: null });
      const provider = await aProvider(as.store, { slug: "takes-over" });
      const who = await met(user);
      const at = as.clock.now().getTime();
      const account = {
        ...({ provider_id: provider.id, subject: "s", email: user.email, verdict: "none" } as const),
        ...{ name: undefined, amr: undefined, at, returned_at: at, request: "/", tokens: undefined },
      };
      const reach = { proved_email: true, take_over: true };
      const outcome = await linkAccount(user, { provider, account, origin }, reach, context());
      assert.equal(outcome.type, "linked");
      return who;
    },
    async "the session expires"() {
      const who = await met(await aUser(as.store));
      as.clock.advance(12 * hour + 120);
      await as.store.notifyOfExpired(as.clock.now());
      return who;
    },
    async "an account is recovered"() {
      const user = await aUser(as.store, { password_hash: "x" });
      await anAuthenticatorApp(user, context());
      const requested = { lost: "factors", origin, language: "en", keep: noMail } as const;
      const begun = await beginRecovery(await stored(user), requested, context());
      as.clock.advance(72 * hour);
      await dueRecoveryMails(context(), noMail);
      const who = await met(user);
      const browser = "a browser";
      const half = { user: await stored(user), methods: byPassword(as.clock.now()), browser, request: "/" };
      await beginHalfSignIn(half, context());
      const found = (await findHalfSignIn(browser, context())) ?? assert.fail("no half sign-in");
      const given = { cookie: begun?.cookie, origin, request: "/" };
      assert.equal(await finishRecovery(found, given, context()), true);
      return who;
    },
    async "the password is reset"() {
      const user = await aUser(as.store, { password_hash: "x" });
      const who = await met(user);
      const mail = await makeResetMail({ email: user.email, origin }, context());
      assert.equal(mail?.type, "link");
      const given = { token: mail.token, password: "a new and long passphrase", origin };
      assert.equal((await resetPassword(given, context())).type, "done");
      return who;
    },
    async "a change of the address is undone"() {
      const user = await aUser(as.store, { password_hash: "x" });
      const who = await met(user);
      const requested = await requestEmailChange(user, `other-${user.email}`, context());
      assert.ok(requested.type === "asked");
      const changed = await confirmEmail(who, requested.token, { origin }, context());
      as.clock.advance(60);
      assert.ok(await undoEmail(changed?.undo_token ?? "", origin, context()));
      return who;
    },
    async "“It was not me”"() {
      const user = await aUser(as.store, { password_hash: "x" });
      const { id } = await anAuthenticatorApp(user, context());
      const who = await met(user);
      const act = { user, since: start, factor: { kind: "totp", id } } as const;
      assert.ok(await disown(await newDisownToken(act, context()), origin, context()));
      return who;
    },
  };

  for (const [way, end] of Object.entries(ways))
    test(`BL-2: ${way}, and the app is notified exactly once`, async () => {
      const { user, session } = await end();
      const notices = await as.store.list("deliveries", { subject_key: user.id });
      assert.deepEqual(
        notices.map(({ event_id, target_id }) => ({ event_id, target_id })),
        [{ event_id: session.id, target_id: app.id }],
      );
    });

  test("BL-2: after a new password, the app is notified of all the user's sessions except the current one", async () => {
    const user = await aUser(as.store);
    const here = await met(user);
    const elsewhere = await met(user);
    const own = { ...admin(), actor: { kind: "user", user, session_id: here.session.id } as const };
    await updateRecord(own, resourceOf("users"), user.id, { password: "a new and long passphrase" });
    const notices = await as.store.list("deliveries", { subject_key: user.id });
    assert.deepEqual(
      notices.map(({ event_id }) => event_id),
      [elsewhere.session.id],
    );
  });

  test("BL-3: signing out everywhere notifies an app once, however many sessions end", async () => {
    const user = await aUser(as.store);
    for (let index = 0; index < 8; index++) await met(user);
    const kept = await met(user);
    await endSessionsOf(admin(), user.id, kept.session.id);
    const notices = await as.store.list("deliveries", { subject_key: user.id });
    assert.deepEqual(
      notices.map(({ event_id }) => event_id),
      [null],
    );
    assert.equal(await as.store.count("session_apps", { session_id: kept.session.id }), 1);
  });

  test("FO-1: ending many sessions and storing their notices is one transaction", async () => {
    const user = await aUser(as.store);
    for (let index = 0; index < 8; index++) await met(user);
    let left = 4;
    const endTokensOfSession: typeof as.store.endTokensOfSession = (...given) => {
      if (left-- === 0) throw new Error("killed");
      return as.store.endTokensOfSession(...given);
    };
    const killed = { ...admin(), store: { ...as.store, endTokensOfSession } };
    const counts = async () => ({
      open: await as.store.count("sessions", { user_id: user.id, ended_at: null }),
      notices: await as.store.count("deliveries", { subject_key: user.id }),
      audited: await as.store.count("audit_events", { type: "session.revoked" }),
    });
    const before = await counts();
    await assert.rejects(endSessionsOf(killed, user.id), /killed/);
    assert.deepEqual(await counts(), { ...before, open: 8, notices: 0 });
    await endSessionsOf(admin(), user.id);
    assert.deepEqual(await counts(), { open: 0, notices: 1, audited: before.audited + 8 });
  });

  test("BL-4: after an administrator ended the session, the browser signs in again with a new sid", async () => {
    const user = await aUser(as.store);
    const who = await met(user);
    await revokeRecord(admin(), resourceOf("sessions"), who.session.id);
    const again = { user, methods: byPassword(as.clock.now()), origin, previous: who };
    const { session } = await startSession(again, context());
    assert.notEqual(session.id, who.session.id);
    assert.notEqual((await as.store.find("sessions", { id: who.session.id }))?.ended_at, null);
  });

  /** The files that end sessions, with the paths above that call them. */
  const places: Readonly<Record<string, readonly (keyof typeof ways)[] | { readonly none: string }>> = {
    "admin/changes/changes.ts": ["the user is deactivated", "an administrator sets a password"],
    "admin/records/removals.ts": ["the user is deleted"],
    "admin/records/remove_factor.ts": ["an administrator takes the passkey of the session"],
    "admin/records/reset_factors.ts": ["an administrator takes all second factors"],
    "admin/records/sessions.ts": ["the session is revoked"],
    "admin/resources/end_access.ts": ["an administrator signs the user out", "everything is revoked"],
    "admin/resources/sign_out.ts": ["the user signs out everywhere"],
    "oauth/end_session.ts": ["the user signs out at the app"],
    "people/account/email/undo_email.ts": ["a change of the address is undone"],
    "people/account/endings/disown.ts": ["“It was not me”"],
    "admin/invitations/end_membership.ts": ["the membership ends whose provider signed the user in"],
    "people/account/session.routes.ts": ["the user signs out everywhere"],
    "people/authenticators/passkeys/change_passkey.ts": ["the user removes the passkey of the session"],
    "people/authenticators/password/password_reset.ts": ["the password is reset"],
    "people/authenticators/recovery/finish_recovery.ts": ["an account is recovered"],
    "people/authenticators/recovery/remove_lost_passkeys.ts": ["a lost passkey is removed after the wait"],
    "people/authenticators/stolen/end_stolen.ts": { none: "it switches off apps and service accounts" },
    "people/core/sessions.ts": ["another person signs in in the browser"],
    "people/core/undo_deletion.ts": { none: "the sessions ended when the deletion was asked for" },
    "people/entry/home.routes.ts": ["the user signs out at the app"],
    "people/entry/kept_access.ts": ["the user ends all access at sign-out"],
    "people/providers/linked_accounts.ts": [
      "the user unlinks the account of the session",
      "an account at a provider takes over",
    ],
    "people/providers/upstream_logout.ts": ["the provider of the session says that it ended"],
    "records/names/liveness.ts": { none: "it computes moments" },
    "storage/database/verbs.ts": { none: "it writes the notices" },
    "storage/people/ended_links.ts": ["the user unlinks the account of the session"],
    "storage/people/opened_sessions.ts": ["the user removes the passkey of the session"],
    "storage/sweep/expired_sessions.ts": ["the session expires"],
    "storage/sqlite/file.ts": { none: "a restored database is one of the past, and apps hear nothing of it" },
    "storage/tokens/revocations.ts": ["the user signs out at the app"],
    "cli/remote/login.ts": { none: "it asks the server to end the session" },
  };

  test("BL-2: this table contains every place in the code that ends sessions", () => {
    const root = join(import.meta.dirname, "../../src");
    const ends =
      /\b(endSession|endOwnSession|endSessionIn|endSessionsOf|endEverythingOf|endOpenedSessions|endsUpTo|notifyOfEnds|notices\.ofExpired)\(|\bended_at: (?!null|optional|time)\w|SET ended_at/;
    const found = readdirSync(root, { recursive: true, encoding: "utf8" })
      .map((name) => name.replaceAll("\\", "/"))
      .filter((name) => name.endsWith(".ts") && !/^(client\/generated|web\/words)\//.test(name))
      .filter((name) => {
        const code = readFileSync(join(root, name), "utf8");
        return code.split("\n").some((line) => ends.test(line) && !/^\s*(\*|\/\/|export )/.test(line));
      });
    assert.deepEqual(found.toSorted(), Object.keys(places).toSorted());
    for (const of of Object.values(places))
      if (!("none" in of)) for (const way of of) assert.ok(ways[way], way);
  });
});
