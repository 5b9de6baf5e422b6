/**
 * Registration is a self-service invitation. These are its rules, on both databases
 * (docs/decisions/registration-and-invitations.md).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { offerFirstPasskey } from "../../src/people/authenticators/passkeys/first_passkey.ts";
import type { IdentitySettings } from "../../src/people/core/context/context.ts";
import { newFormCookie } from "../../src/people/core/form_tokens.ts";
import { beganIn, findRegistration, register } from "../../src/people/entry/register.ts";
import { redeemRegistrationCode } from "../../src/people/entry/registration_code.ts";
import { admitRegistration, makeRegistrationMail } from "../../src/people/entry/request_registration.ts";
import { mayRegister, signUpRules } from "../../src/people/entry/sign_up_rules.ts";
import type { Organization } from "../../src/records/definition/definition.ts";
import { softwareAuthenticator } from "../support/authenticator.ts";
import { testServer } from "../support/authorization_server.ts";
import { anInvitation, anOrganization, aUser, later, start } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { identityOn } from "../support/identity_context.ts";
import { type Device, testSite as site } from "../support/passkeys.ts";

const origin = { client_ip: "192.0.2.1", user_agent: "test", request_id: "r-1" };
const password = "an entirely new password";

describeInForm("registration of an account", (database) => {
  async function setUp(settings: IdentitySettings = { sign_up: "open" }) {
    const it = await testServer(await database.open());
    const context = identityOn(it.server, { settings });
    const browser = newFormCookie(context);
    const requested = (email: string, organization?: Organization, from = browser) => ({
      email,
      origin,
      browser: from,
      request: "/oauth/authorize?x=1",
      rules: signUpRules(organization, context) ?? assert.fail("nobody may register"),
    });
    const ask = (email: string, organization?: Organization, from?: string) =>
      makeRegistrationMail(requested(email, organization, from), context);
    const mailed = async (email = "ada@example.com", from?: string) => {
      const message = await ask(email, undefined, from);
      return message?.type === "link" ? message : assert.fail(message?.type);
    };
    const finish = (token: string, input = {}) =>
      register({ token, name: "Ada", password, origin, ...input }, context);
    const redeem = (code: string, from: string | undefined = browser) =>
      redeemRegistrationCode({ code, browser: from }, context);
    const may = (email: string, organization?: Organization) =>
      mayRegister(email, signUpRules(organization, context) ?? [], context);
    return { ...it, context, browser, requested, ask, mailed, finish, redeem, may };
  }

  test("SS-1 registration is closed unless a setting opens it, and an organization cannot open it further", async () => {
    for (const settings of [{}, { sign_up: "closed" as const }]) {
      const { context, store } = await setUp(settings);
      const open = await anOrganization(store, { settings: { sign_up: { policy: "open" } } });
      assert.equal(signUpRules(undefined, context), undefined);
      assert.equal(signUpRules(open, context), undefined);
    }
  });

  test("SS-1 an address must be permitted both by the server and by the organization of the requesting application", async () => {
    const { store, context, may } = await setUp({
      sign_up: "domains",
      sign_up_domains: ["example.com", "münchen.example"],
    });
    const silent = await anOrganization(store);
    const settings = { sign_up: { policy: "domains", domains: ["example.com", "other.example"] } };
    const narrow = await anOrganization(store, { settings });
    const shut = await anOrganization(store, { settings: { sign_up: { policy: "closed" } } });
    assert.equal(signUpRules(shut, context), undefined);
    const cases: [string, Organization | undefined, boolean][] = [
      ["ada@example.com", undefined, true],
      ["ada@EXAMPLE.com", undefined, true],
      ["ada@sub.example.com", undefined, false],
      ["ada@example.com.evil.example", undefined, false],
      ["ada@notexample.com", undefined, false],
      ["ada@xn--mnchen-3ya.example", undefined, true],
      ["ada@münchen.example", silent, true],
      ["ada@example.com", narrow, true],
      ["ada@other.example", narrow, false],
      ["ada@münchen.example", narrow, false],
    ];
    for (const [email, organization, admitted] of cases) {
      assert.equal(await may(email, organization), admitted, `${email} ${organization?.slug}`);
    }
  });

  test("SS-1 with the policy invited, an open invitation is required, to the requesting organization if there is one", async () => {
    const { store, clock, may, ask } = await setUp({ sign_up: "invited" });
    const acme = await anOrganization(store, { settings: { sign_up: { policy: "invited" } } });
    await anInvitation(store, { email: "ada@example.com" });
    await anInvitation(store, { email: "grace@example.com", organization_id: acme.id });
    const off = await anOrganization(store, { active: false });
    await anInvitation(store, { email: "eve@example.com", organization_id: off.id });
    assert.deepEqual(
      [await may("ada@example.com"), await may("grace@example.com"), await may("eve@example.com")],
      [true, true, false],
    );
    assert.deepEqual(
      [await may("ada@example.com", acme), await may("grace@example.com", acme)],
      [false, true],
    );
    await anInvitation(store, { email: "ann@strasse.example" });
    assert.deepEqual([await may("Ann@STRASSE.example"), await may("ann@straße.example")], [true, false]);
    assert.equal(await ask("stranger@example.com"), undefined, "the server writes to no stranger");
    clock.advance(8 * 86_400);
    assert.equal(await may("grace@example.com"), false);
  });

  test("SS-2 the account is created only after the mail is opened and name and password are entered", async () => {
    const { store, clock, mailed, finish } = await setUp();
    const { to, token, code } = await mailed("Ada@example.com");
    assert.equal(to, "Ada@example.com");
    assert.match(code, /^\d{4} \d{4}$/);
    assert.equal(await store.count("users"), 0);
    const kept = JSON.stringify(await store.list("ephemera")).toLowerCase();
    for (const secret of [token, code.replace(" ", ""), "ada@example.com"])
      assert.ok(!kept.includes(secret.toLowerCase()));
    clock.advance(60);
    const made = await finish(token, { name: "  Ada  " });
    assert.equal(made.type, "registered");
    const [user] = await store.list("users");
    assert.deepEqual(
      [user?.name, user?.email, user?.email_key, user?.email_verified_at, user?.is_platform_admin],
      ["Ada", "Ada@example.com", "ada@example.com", later(60), false],
    );
    const [event] = await store.list("audit_events", { type: "user.created" });
    assert.deepEqual([event?.actor_id, event?.details], [user?.id, { registered: true }]);
    assert.deepEqual(await finish(token), { type: "dead_link" });
  });

  test("SS-2 a known address gets a mail that says so, sent to the address stored in the account (SS-6)", async () => {
    const { store, ask, redeem } = await setUp();
    await aUser(store, { email: "mike@example.com" });
    await aUser(store, { email: "off@example.com", active: false });
    for (const typed of ["mike@example.com", "MIKE@example.com", "mi\u212Ae@example.com"]) {
      assert.deepEqual(await ask(typed), { type: "account_exists", to: "mike@example.com" });
    }
    assert.deepEqual(await ask("off@example.com"), { type: "inactive", to: "off@example.com" });
    assert.deepEqual(await redeem("00000000"), { type: "wrong" }, "the code page is as for everybody");
  });

  test("SS-6 addresses that differ in dots or a plus part are different, and mail goes to the address as typed", async () => {
    const { store, mailed, ask } = await setUp();
    await aUser(store, { email: "ada.lovelace@example.com" });
    for (const email of ["adalovelace@example.com", "ada.lovelace+x@example.com"]) {
      assert.equal((await mailed(email)).to, email);
    }
    assert.equal((await ask("ada.lovelace@example.com"))?.type, "account_exists");
  });

  test("SS-4 the code replaces the link only in the browser that requested it, and works once", async () => {
    const { context, browser, mailed, redeem, finish } = await setUp();
    const { code } = await mailed();
    const other = newFormCookie(context);
    assert.deepEqual(await redeem(code, other), { type: "ended" });
    assert.deepEqual(await redeem(code, ""), { type: "ended" });
    const outcome = await redeem(` ${code.replace(" ", "-")} `);
    const token = outcome.type === "right" ? outcome.token : assert.fail(outcome.type);
    assert.deepEqual(await redeem(code), { type: "ended" });
    const registration = await findRegistration(token, context);
    assert.equal(registration?.request, "/oauth/authorize?x=1");
    assert.ok(registration && beganIn(registration, browser));
    for (const elsewhere of [other, undefined, ""]) assert.ok(!beganIn(registration, elsewhere));
    assert.equal((await finish(token)).type, "registered");
  });

  test("SS-2 five wrong attempts end the code, also in parallel, and the link still works", async () => {
    const { mailed, redeem, finish } = await setUp();
    const { code, token } = await mailed();
    const wrong = code === "1234 5678" ? "87654321" : "12345678";
    for (let tries = 1; tries < 5; tries++) assert.deepEqual(await redeem(wrong), { type: "wrong" });
    assert.deepEqual(await redeem(wrong), { type: "ended" });
    assert.deepEqual(await redeem(code), { type: "ended" });
    assert.equal((await finish(token)).type, "registered");
    const third = await mailed("eve@example.com");
    const right = await Promise.all(Array.from({ length: 12 }, () => redeem(third.code)));
    assert.equal(right.filter(({ type }) => type === "right").length, 1);
  });

  test("SS-2 many concurrent completions, by any links to one address, create one account", async () => {
    const { store, mailed, finish } = await setUp();
    const tokens = [(await mailed()).token, (await mailed("ADA@example.com")).token];
    const outcomes = await Promise.all([...tokens, ...tokens, ...tokens].map((token) => finish(token)));
    assert.equal(outcomes.filter(({ type }) => type === "registered").length, 1);
    assert.equal(await store.count("users"), 1);
    const rest = outcomes.filter(({ type }) => type !== "registered");
    assert.ok(rest.every(({ type }) => type === "account_exists" || type === "dead_link"));
  });

  test("SS-2 an account created with the address meanwhile is left unchanged", async () => {
    const { store, mailed, finish } = await setUp();
    const { token } = await mailed();
    const user = await aUser(store, { email: "ada@example.com" });
    assert.deepEqual(await finish(token), { type: "account_exists" });
    assert.deepEqual(await store.find("users", { id: user.id }), user);
  });

  test("SS-2 link and code are valid for thirty minutes, and an invalid name or password does not use up the link", async () => {
    const { clock, context, mailed, finish, redeem } = await setUp();
    const { token } = await mailed();
    assert.deepEqual(await finish(token, { name: " ", password: "short" }), {
      type: "refused",
      errors: ["name", "too_short"],
    });
    clock.advance(30 * 60 - 1);
    assert.ok(await findRegistration(token, context));
    clock.advance(1);
    assert.deepEqual(await finish(token), { type: "dead_link" });
    const { code } = await mailed("grace@example.com");
    clock.advance(30 * 60);
    assert.deepEqual(await redeem(code), { type: "ended" });
  });

  test("SS-3 a request for a known, a forbidden and a new address writes the same rows", async () => {
    const { store, ask } = await setUp({ sign_up: "domains", sign_up_domains: ["example.com"] });
    await aUser(store, { email: "abc@example.com" });
    const shapes: string[] = [];
    for (const email of ["abc@example.com", "new@example.com", "new@example.org"]) {
      await store.remove("ephemera", {});
      await ask(email);
      const rows = await store.list("ephemera");
      // The encrypted result may differ in length by one byte.
      const sizes = rows.map(({ kind, value, expires_at }) => [
        kind,
        Math.round((value?.length ?? 0) / 8),
        expires_at.getTime() - start.getTime(),
      ]);
      shapes.push(JSON.stringify(sizes.toSorted()));
      assert.equal(rows.length, 2);
    }
    assert.equal(new Set(shapes).size, 1, shapes.join("\n"));
  });

  test("SS-1 requests are limited by address and by source, separately from password resets", async () => {
    const { context, requested } = await setUp();
    const from = (client_ip: string, email = "ada@example.com") =>
      admitRegistration({ ...requested(email), origin: { ...origin, client_ip } }, context);
    for (let times = 0; times < 5; times++) assert.equal(await from(`198.51.100.${times}`), undefined);
    assert.equal(await from("198.51.100.99"), 900);
    for (let times = 0; times < 19; times++) {
      assert.equal(await from("198.51.100.99", `other${times}@example.com`), undefined);
    }
    assert.equal(await from("198.51.100.99", "one-more@example.com"), 900);
  });

  test("H-8: requests are in the audit log, without address, code or token", async () => {
    const { store, events, mailed, ask } = await setUp();
    const user = await aUser(store, { email: "grace@example.com" });
    const { token, code } = await mailed();
    await ask("grace@example.com");
    const reported = events.map(({ type, outcome, target, details }) => [type, outcome, target?.id, details]);
    assert.deepEqual(reported, [
      ["registration_request", "success", undefined, undefined],
      ["registration_request", "failure", user.id, { reason: "known_user" }],
    ]);
    const text = JSON.stringify(events);
    for (const secret of ["example.com", token, code]) assert.ok(!text.includes(secret));
  });
});

/** A new account with a passkey in place of a password, on both databases (docs/decisions/passkeys.md). */
const holder = "a token of forms";

describeInForm("a new account's first passkey", (database) => {
  async function setUp() {
    const { server } = await testServer(await database.open());
    const context = identityOn(server);
    const { store } = context;
    const link = async (email: string) => {
      const rules = [{ policy: "open", domains: [] }] as const;
      const requested = { email, origin, browser: newFormCookie(context), request: "/", rules };
      const message = await makeRegistrationMail(requested, context);
      return message?.type === "link" ? message.token : assert.fail(message?.type);
    };
    const ask = (token: string) => {
      const requested = { holder, site, server_name: "ID" };
      const options = offerFirstPasskey({ token, email: "ada@example.com" }, requested, context);
      return options as { challenge: string; user: { id: string } };
    };
    const finish = (token: string, device: Device, challenge: string) => {
      const answer = JSON.stringify(device.register(challenge));
      const passkey = { answer, holder, site, name: "Key" };
      return register({ token, name: "Ada", origin, passkey }, context);
    };
    return { context, store, link, ask, finish };
  }

  test("PK-1 the user handle is the same for each attempt with a link, and differs between links", async () => {
    const { link, ask } = await setUp();
    const [one, other] = [await link("ada@example.com"), await link("bob@example.com")];
    assert.equal(ask(one).user.id, ask(one).user.id);
    assert.notEqual(ask(one).user.id, ask(other).user.id);
    assert.notEqual(ask(one).challenge, ask(one).challenge);
  });

  test("SS-2 if several completions are parallel, one creates the account with its passkey", async () => {
    const { store, link, ask, finish } = await setUp();
    const token = await link("ada@example.com");
    const outcomes = await Promise.all(
      [1, 2, 3, 4, 5].map(() => finish(token, softwareAuthenticator(site), ask(token).challenge)),
    );
    assert.equal(outcomes.filter(({ type }) => type === "registered").length, 1);
    assert.deepEqual([await store.count("users"), await store.count("passkeys")], [1, 1]);
  });

  test("PK-2 a passkey of another account, or made for another link, creates no account", async () => {
    const { store, link, ask, finish } = await setUp();
    const [one, other] = [await link("ada@example.com"), await link("bob@example.com")];
    const device = softwareAuthenticator(site);
    assert.equal((await finish(one, device, ask(one).challenge)).type, "registered");
    assert.deepEqual(await finish(other, device, ask(other).challenge), {
      type: "refused",
      errors: ["passkey_taken"],
    });
    const theirs = softwareAuthenticator(site);
    assert.deepEqual(await finish(other, theirs, ask(one).challenge), {
      type: "refused",
      errors: ["passkey_refused"],
    });
    assert.equal(await store.count("users"), 1);
    assert.equal((await finish(other, theirs, ask(other).challenge)).type, "registered");
  });

  test("PK-6 a passkey without user verification creates no account", async () => {
    const { store, link, ask, finish } = await setUp();
    const token = await link("ada@example.com");
    const device = softwareAuthenticator({ ...site, uv: false });
    assert.deepEqual(await finish(token, device, ask(token).challenge), {
      type: "refused",
      errors: ["passkey_refused"],
    });
    assert.equal(await store.count("users"), 0);
  });
});
