/** Accounts that are created with a passkey in place of a password (docs/decisions/passkeys.md). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { credentialPrefix, findSignature, newCredential } from "../../src/crypto/credentials.ts";
import { makeSetupLink } from "../../src/people/entry/setup.ts";
import { sendForm, submit } from "../support/account.ts";
import { type TestBrowser, testBrowser } from "../support/app.ts";
import { softwareAuthenticator } from "../support/authenticator.ts";
import { aMembership, anInvitation, anOrganization, aUser } from "../support/builders.ts";
import { optionsOf, signInByPasskey, testSite } from "../support/passkeys.ts";
import { newestRegistrationMail, requestRegistration, signUpApp } from "../support/registering.ts";

const settings = {
  extra_sign_in: ["passkey"],
  sign_up: "open",
  self_service: ["email", "deletion"],
} as const;
const guest = "grace@example.com";

async function setUp() {
  const it = await signUpApp(settings);
  const mailed = async (about: RegExp) => {
    await it.outbox.settled();
    return it.outbox.kept().find(({ subject, text }) => about.test(subject) || about.test(text));
  };
  return { ...it, mailed };
}

type It = Awaited<ReturnType<typeof setUp>>;

/** Each link that creates an account: the link, the path of its form, and its fields. */
const links: Readonly<Record<string, (it: It) => Promise<{ link: string; path: string; email?: string }>>> = {
  registration: async ({ browser, outbox }) => {
    await requestRegistration(browser, guest, "/account");
    return { link: (await newestRegistrationMail(outbox)).link, path: "/register/finish" };
  },
  invitation: async ({ store, server }) => {
    const token = newCredential(credentialPrefix.one_time, server.now());
    const owner = await aUser(store);
    const acme = await anOrganization(store);
    await aMembership(store, { user_id: owner.id, organization_id: acme.id, role: "owner" });
    await anInvitation(store, {
      organization_id: acme.id,
      invited_by: owner.id,
      email: guest,
      token_signature: findSignature(credentialPrefix.one_time, token) ?? assert.fail(),
    });
    return { link: `/invitation?token=${token}`, path: "/invitation" };
  },
  "setup link": async ({ identity }) => {
    const link = (await makeSetupLink(identity)) ?? assert.fail();
    return { link, path: "/setup", email: guest };
  },
};

/** Submits the page of a link with a passkey, as its script would. */
async function makeAccount(
  browser: TestBrowser,
  { link, path, email }: { link: string; path: string; email?: string },
  { synced = true, ...input }: { synced?: boolean; name?: string; answer?: string } = {},
) {
  const page = await browser.get(link);
  assert.equal(page.statusCode, 200, page.body);
  const options = optionsOf(page) as { challenge: string; user: { id: string } };
  const device = softwareAuthenticator({ ...testSite, user_handle: options.user.id, synced });
  const answer = await sendForm(browser, page, path, {
    name: "Grace",
    answer: JSON.stringify(device.register(options.challenge)),
    ...(email !== undefined && { email }),
    ...input,
  });
  return { answer, device, options, page };
}

describe("an account created with a passkey", () => {
  for (const [what, linkOf] of Object.entries(links)) {
    test(`SS-2 by ${what}, a new account has no password, is notified by mail, and signs in with its passkey`, async () => {
      const it = await setUp();
      const { app, browser, store, mailed } = it;
      const made = await makeAccount(browser, await linkOf(it));
      assert.ok([200, 302].includes(made.answer.statusCode), made.answer.body);
      const [user] = await store.list("users", { email: guest });
      assert.equal(user?.password_hash, null);
      assert.equal(user?.webauthn_handle?.toString("base64url"), made.options.user.id);
      assert.equal(Buffer.from(made.options.user.id, "base64url").length, 32);
      const [passkey] = await store.list("passkeys", { user_id: user?.id ?? "" });
      assert.deepEqual([passkey?.signs_in, passkey?.uv_initialized], [true, true]);
      const audited = await store.list("audit_events", {}, { order_by: "id" });
      const types = audited.map(({ type }) => type);
      assert.ok(types.includes("user.created") && types.includes("passkey.created"), types.join());
      assert.equal((await mailed(/My passkey/))?.to, guest);
      const sessions = await store.list("sessions", { user_id: user?.id ?? "" });
      for (const { acr, methods } of sessions) {
        assert.equal(acr, "phr");
        assert.deepEqual(
          methods?.flatMap(({ kind, credential, uv }) =>
            kind === "mail_code" ? [] : [[kind, credential, uv]],
          ),
          [["passkey", passkey?.id, true]],
        );
      }
      assert.equal(sessions.length, 1);
      const other = testBrowser(app);
      assert.equal((await signInByPasskey(other, made.device)).headers.location, "/account");
      assert.equal((await other.get("/account")).statusCode, 200);
    });

    test(`SS-2 by ${what}, a passkey made in another browser or for another link or purpose creates no account`, async () => {
      const it = await setUp();
      const { app, browser, store, clock } = it;
      const where = await linkOf(it);
      const users = await store.count("users");
      const stranger = await makeAccount(testBrowser(app), where, { name: "" });
      assert.equal(stranger.answer.statusCode, 422);
      const login = optionsOf(await browser.get("/login"));
      const page = await browser.get(where.link);
      const send = (challenge: string) => {
        const answer = JSON.stringify(stranger.device.register(challenge));
        return sendForm(browser, page, where.path, { name: "Grace H", email: guest, answer });
      };
      for (const challenge of [stranger.options.challenge, String(login.challenge), "AAAA"]) {
        const refused = await send(challenge);
        assert.equal(refused.statusCode, 422, refused.body);
        assert.match(refused.body, /That passkey was not accepted/);
        assert.match(refused.body, /value="Grace H"/);
        assert.match(refused.body, /data-passkey="create"/);
      }
      clock.advance(300);
      const late = await send(String(optionsOf(page).challenge));
      assert.match(late.body, /That took too long/);
      assert.equal(await store.count("users"), users);
      assert.equal(await store.count("passkeys"), 0);
      const made = await makeAccount(browser, where);
      assert.ok([200, 302].includes(made.answer.statusCode), "the link is good still");
      assert.equal(made.options.user.id, stranger.options.user.id, "each try has the same handle");
    });

    test(`SS-2 by ${what}, only a password is offered if passkeys are off`, async () => {
      const it = await signUpApp({ sign_up: "open" });
      const mailed = async () => undefined;
      const { link } = await linkOf({ ...it, mailed });
      const page = await it.browser.get(link);
      assert.doesNotMatch(page.body, /passkey/);
      assert.match(page.body, /name="password"/);
    });
  }

  test("PK-14 if the account's passkey is on one device only, the mail and the security page warn about it", async () => {
    const it = await setUp();
    const { browser, mailed } = it;
    await makeAccount(browser, await (links.registration ?? assert.fail())(it), { synced: false });
    assert.match((await mailed(/My passkey/))?.text ?? "", /your only way to sign in/);
    assert.match((await browser.get("/account/security")).body, /your only way to sign in/);
    const other = await setUp();
    await makeAccount(other.browser, await (links.registration ?? assert.fail())(other), { synced: true });
    assert.doesNotMatch((await other.mailed(/My passkey/))?.text ?? "", /your only way/);
  });

  test("SS-13, SU-6 a user without a password confirms by passkey, and a password reset says that there is none", async () => {
    const it = await setUp();
    const { app, browser, clock, mailed, store } = it;
    const { device } = await makeAccount(browser, await (links.registration ?? assert.fail())(it));
    const [user] = await store.list("users", { email: guest });
    await submit(testBrowser(app), "/forgot-password", "/forgot-password", { email: guest });
    const mail = await mailed(/passkey/i);
    assert.doesNotMatch(mail?.text ?? "", /token=/);
    for (const [path, fields] of [
      ["/account/password", { password: "brand new words", password_again: "brand new words" }],
      ["/account/email", { email: "hopper@example.com" }],
      ["/account/deletion", {}],
    ] as const) {
      clock.advance(400);
      const wall = await submit(browser, path, path, fields);
      assert.match(wall.body, /data-passkey="get"/, path);
      assert.doesNotMatch(wall.body, /name="sudo_password"|name="sudo_code"/, path);
      const sudo_passkey = JSON.stringify(device.assert(String(optionsOf(wall).challenge)));
      const done = await sendForm(browser, wall, path, { sudo_passkey });
      assert.ok(done.statusCode < 400, `${path}: ${done.body}`);
    }
    const after = await store.find("users", { id: user?.id ?? "" });
    assert.notEqual(after?.password_hash, null);
    assert.notEqual(after?.deletion_at, null);
    assert.ok(await mailed(/delet/i));
  });
});
