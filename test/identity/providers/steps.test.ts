import assert from "node:assert/strict";
import { test } from "node:test";
import { isInviterActive } from "../../../src/admin/changes/inviters.ts";
import { removeRecord } from "../../../src/admin/manage/manage.ts";
import { resourceOf } from "../../../src/admin/resources/resources.ts";
import type { Provider } from "../../../src/people/core/proofs/provider_account.ts";
import { addMethods, findSession, startSession } from "../../../src/people/core/sessions.ts";
import { trustedAssurance } from "../../../src/people/providers/finish_provider_sign_in.ts";
import { findLink, unlinkAccount } from "../../../src/people/providers/linked_accounts.ts";
import {
  type AnswerOutcome,
  answerStep,
  type Returned,
  takeStep,
} from "../../../src/people/providers/provider_steps.ts";
import {
  checkMailboxCode,
  findWaitingAccount,
  makeMailboxCode,
  storeAccount,
} from "../../../src/people/providers/waiting_account.ts";
import type { User } from "../../../src/records/definition/definition.ts";
import type { SignedIn } from "../../../src/records/definition/request_origin.ts";
import { emailTrusts, providerPresets } from "../../../src/records/names/names.ts";
import { methodsOf, type SignInMethod } from "../../../src/records/names/sign_in_methods.ts";
import { testContext } from "../../admin/context.ts";
import { insertAny } from "../../storage/any_row.ts";
import { testServer } from "../../support/authorization_server.ts";
import {
  aMembership,
  anInvitation,
  anOAuthAccount,
  anOrganization,
  aUser,
  byPassword,
  later,
  start,
} from "../../support/builders.ts";
import { describeInForm } from "../../support/databases.ts";
import { someOf } from "../../support/form.ts";
import { identityOn, inSession } from "../../support/identity_context.ts";
import { listed } from "../../support/listed.ts";
import {
  aProvider,
  origin,
  scriptedBrowser,
  scriptedClient,
  upstreamPerson,
} from "../../support/scripted_providers.ts";

const proved = { email_verified_at: start };

describeInForm("a user who returns from a provider", (database) => {
  async function setUp(overrides: Partial<Provider> = {}) {
    const { server, clock } = await testServer(await database.open());
    const client = scriptedClient();
    const context = identityOn(server, { throttle: false, provider_client: client });
    const { store } = context;
    const provider = await aProvider(store, overrides);
    const visit: ReturnType<typeof scriptedBrowser>["visit"] = (...args) =>
      scriptedBrowser(context, client).visit(...args);

    const signedIn = (user: User, methods?: readonly SignInMethod[]) => inSession(user, context, methods);

    /**
     * Stores the provider account that the user still has to confirm, and returns it as this browser finds
     * it.
     */
    async function waiting(returned: Returned) {
      const cookie = await storeAccount(returned.provider, returned.account, context);
      const proof = await findWaitingAccount(returned.provider, cookie, context);
      assert.ok(proof);
      return { cookie, proof, returned: { ...returned, proof } };
    }

    /** Enters the code from the mail. */
    async function byMail(returned: Returned, email: string): Promise<Returned> {
      const { cookie, proof } = await waiting(returned);
      const sent = await makeMailboxCode({ email, cookie, origin }, proof, returned.provider, context);
      assert.ok(sent.type === "mail");
      const checked = await checkMailboxCode({ code: sent.code, cookie }, proof, returned.provider, context);
      assert.ok(checked.type === "right");
      return { ...returned, account: checked.waiting.data, proof: checked.waiting };
    }

    const linksOf = (user: User) => store.list("oauth_accounts", { user_id: user.id });

    /** Returns a store that runs another action before the write with this number, and counts the writes. */
    function interrupted(before: number, work: () => Promise<unknown>) {
      let writes = 0;
      const around =
        <A extends unknown[], R>(write: (...args: A) => Promise<R>) =>
        async (...args: A): Promise<R> => {
          writes += 1;
          if (writes === before) await work();
          return write(...args);
        };
      const slow = {
        ...store,
        insert: around(store.insert) as typeof store.insert,
        update: around(store.update) as typeof store.update,
        transaction: around(store.transaction) as typeof store.transaction,
      };
      return { slow, writes: () => writes };
    }

    return { context, store, provider, visit, signedIn, waiting, byMail, linksOf, clock, interrupted };
  }

  const userOf = (outcome: AnswerOutcome) =>
    outcome.type === "entered" && outcome.entered.type === "signed_in" ? outcome.entered.user : undefined;

  test("EP-7, H-9: an account is found by slug and exact subject; 50 concurrent sign-ins create one user and link", async () => {
    const { context, store, provider, visit, waiting } = await setUp();
    const browsers = await Promise.all(
      Array.from({ length: 50 }, async () => waiting(await visit(provider, upstreamPerson()))),
    );
    const outcomes = await Promise.all(
      browsers.map(({ returned }) =>
        answerStep({ type: "create", name: "Ann", isInviterActive }, returned, context),
      ),
    );
    const users = new Set(outcomes.map((outcome) => userOf(outcome)?.id));
    assert.equal(users.size, 1);
    assert.equal(await store.count("users", { email: "ann@firm.example" }), 1);
    assert.equal(await store.count("oauth_accounts"), 1);
    assert.equal(await store.count("audit_events", { type: "user.created" }), 1);
    assert.equal(await store.count("audit_events", { type: "linked_account.created" }), 1);
    for (const subject of ["Upstream-1", "upstream-1 ", "upstream-1\u0301"]) {
      const other = await visit(provider, upstreamPerson({ subject }));
      assert.deepEqual(await takeStep(other, context), { type: "prove" }, subject);
    }
    const namesake = await aProvider(store, { slug: "namesake" });
    const elsewhere = await visit(namesake, upstreamPerson());
    assert.deepEqual(await takeStep(elsewhere, context), { type: "prove" });
  });

  test("EP-2: a link to an earlier provider with the slug does not sign in, and only its own user can replace it", async () => {
    const { context, store, provider, visit, waiting, signedIn, linksOf } = await setUp();
    const user = await aUser(store, { ...proved, password_hash: "x" });
    const other = await aUser(store, proved);
    const key = { provider: provider.slug, provider_user_id: "upstream-1" };
    for (const provider_id of [store.newId(start), null]) {
      await store.remove("oauth_accounts", key);
      const link = await anOAuthAccount(store, { user_id: user.id, ...key, provider_id });
      const outcome = await takeStep(await visit(provider, upstreamPerson()), context);
      assert.notEqual(outcome.type, "entered");
      const { returned } = await waiting(await visit(provider, upstreamPerson()));
      assert.deepEqual(
        await answerStep({ type: "create", name: "Ann", isInviterActive }, returned, context),
        {
          type: "linked_elsewhere",
        },
      );
      assert.equal(await store.count("users"), 2);
      const requested = { purpose: "link", signedIn: await signedIn(other) } as const;
      const theirs = await takeStep(await visit(provider, upstreamPerson(), requested), context);
      assert.deepEqual(theirs, { type: "linked_elsewhere" });
      assert.deepEqual(await store.list("oauth_accounts"), [link]);
      const own = { purpose: "link", signedIn: await signedIn(user) } as const;
      const linked = await takeStep(await visit(provider, upstreamPerson(), own), context);
      assert.equal(linked.type, "linked");
      assert.deepEqual(
        (await linksOf(user)).map((each) => each.provider_id),
        [provider.id],
      );
      const audited = { type: "linked_account.deleted", target_id: link.id };
      assert.equal(await store.count("audit_events", audited), 1);
    }
  });

  test("EP-2: nothing is created or linked if the provider's issuer changed meanwhile", async () => {
    const { context, store, provider, visit, waiting } = await setUp();
    const { returned } = await waiting(await visit(provider, upstreamPerson()));
    await store.update("providers", { id: provider.id }, { issuer: "https://other.example" });
    const outcome = await answerStep({ type: "create", name: "Ann", isInviterActive }, returned, context);
    assert.notEqual(outcome.type, "entered");
    assert.equal(await store.count("oauth_accounts"), 0);
    assert.equal(await store.count("users", { email: "ann@firm.example" }), 0);
  });

  test("EP-9: a user with a link is signed in and keeps their data, and the link stores the provider's new address", async () => {
    const { context, store, provider, visit } = await setUp();
    const user = await aUser(store, { ...proved, name: "Ada" });
    const key = { provider: provider.slug, provider_user_id: "upstream-1" };
    const link = await anOAuthAccount(store, { user_id: user.id, ...key });
    const outcome = await takeStep(
      await visit(provider, upstreamPerson({ email: "moved@firm.example", name: "Other" })),
      context,
    );
    assert.equal(userOf(outcome)?.id, user.id);
    const after = await store.find("users", { id: user.id });
    assert.deepEqual({ ...after, last_login_at: null }, { ...user, last_login_at: null });
    const noted = await store.find("oauth_accounts", { id: link.id });
    assert.equal(noted?.email, "moved@firm.example");
    assert.ok(noted?.last_used_at);
    assert.equal(await store.count("users", { email: "moved@firm.example" }), 0);
  });

  test("EP-9: a deactivated user is refused in the same way as with a password", async () => {
    const { context, store, provider, visit } = await setUp();
    const user = await aUser(store, { active: false });
    await anOAuthAccount(store, { user_id: user.id, provider: "example", provider_user_id: "upstream-1" });
    const outcome = await takeStep(await visit(provider, upstreamPerson()), context);
    assert.deepEqual(outcome, { type: "refuse_inactive" });
    assert.equal(await store.count("sessions", { user_id: user.id }), 0);
  });

  test("EP-10: a verified address counts only with email_trust claim, and a page precedes any change", async () => {
    assert.deepEqual(
      emailTrusts.map((email_trust) => trustedAssurance({ email_trust }, "verified")),
      ["none", "verified", "none"],
    );
    assert.equal(trustedAssurance({ email_trust: "domains" }, "authoritative"), "authoritative");
    const { context, store, provider, visit, waiting } = await setUp();
    const { returned } = await waiting(await visit(provider, upstreamPerson()));
    assert.deepEqual(await takeStep(returned, context), { type: "offer_new_account" });
    assert.equal(await store.count("users"), 0);
    const refused = await answerStep({ type: "create", name: " ", isInviterActive }, returned, context);
    assert.deepEqual(refused, { type: "refused", field: "name" });
    const user = userOf(
      await answerStep({ type: "create", name: " Ann ", isInviterActive }, returned, context),
    );
    assert.equal(user?.name, "Ann");
    assert.equal(user?.password_hash, null);
    assert.ok(user?.email_verified_at);
    const [session] = await store.list("sessions", { user_id: user?.id });
    const [link] = await store.list("oauth_accounts", { user_id: user?.id });
    assert.ok(session && link);
    assert.equal(link.access_token, "");
    assert.deepEqual(
      methodsOf(session).map(({ kind, credential }) => ({ kind, credential })),
      [{ kind: "provider", credential: link.id }],
    );
  });

  test("EP-10: the provider's policy decides who gets a new account, for each policy", async () => {
    const { context, store, visit, byMail } = await setUp();
    await anInvitation(store, {
      email: "asked@firm.example",
      email_key: "asked@firm.example",
      expires_at: later(60),
    });
    const late = { email: "late@firm.example", email_key: "late@firm.example", expires_at: start };
    await anInvitation(store, late);
    const { id: organization_id } = await anOrganization(store, { active: false });
    const off = { email: "off@firm.example", email_key: "off@firm.example", expires_at: later(60) };
    await anInvitation(store, { ...off, organization_id });
    const addresses = ["asked@firm.example", "late@firm.example", off.email, "x@own.example"];
    const steps: Record<string, string[]> = {};
    for (const sign_up of ["never", "invited", "domains", "anyone"] as const) {
      const provider = await aProvider(store, { slug: sign_up, sign_up, email_domains: ["own.example"] });
      steps[sign_up] = [];
      for (const email of [...addresses, "y@else.example"]) {
        const returned = await visit(provider, upstreamPerson({ email }));
        const { type } = await takeStep(returned, context);
        const unsure = await visit(provider, upstreamPerson({ email, email_assurance: "none" }));
        assert.equal((await takeStep(unsure, context)).type, "prove");
        assert.equal((await takeStep(await byMail(unsure, email), context)).type, type);
        steps[sign_up].push(type);
      }
    }
    const [yes, no] = ["offer_new_account", "no_account"];
    assert.deepEqual(steps, {
      never: [no, no, no, no, no],
      invited: [yes, no, no, no, no],
      domains: [no, no, no, yes, no],
      anyone: [yes, yes, yes, yes, yes],
    });
  });

  test("EP-10: a permitted domain admits its own addresses in any spelling, and no other domain", async () => {
    const { context, store, visit } = await setUp();
    const [messages, labels] = ["bücher.example", "xn--bcher-kva.example"];
    for (const [domain, slug] of [
      [messages, "letters"],
      [labels, "labels"],
    ] as const) {
      const provider = await aProvider(store, { slug, sign_up: "domains", email_domains: [domain] });
      for (const own of [messages, labels, labels.toUpperCase()]) {
        const outcome = await takeStep(
          await visit(provider, upstreamPerson({ email: `ann@${own}` })),
          context,
        );
        assert.deepEqual(outcome, { type: "offer_new_account" }, `${own} at ${domain}`);
      }
      const below = await visit(provider, upstreamPerson({ email: `ann@a.${labels}` }));
      assert.deepEqual(await takeStep(below, context), { type: "no_account" });
    }
  });

  test("EP-11: an existing account is linked after a proof and not for its address, and a signed-in user is asked", async () => {
    const { context, store, provider, visit, waiting, signedIn, linksOf } = await setUp();
    const user = await aUser(store, { ...proved, email: "ann@firm.example", password_hash: "x" });
    for (const email_assurance of ["none", "verified", "authoritative"] as const) {
      const outcome = await takeStep(await visit(provider, upstreamPerson({ email_assurance })), context);
      assert.deepEqual(outcome, { type: "prove" }, email_assurance);
    }
    const { returned } = await waiting(await visit(provider, upstreamPerson()));
    const here = { ...returned, signedIn: await signedIn(user) };
    assert.deepEqual(await takeStep(here, context), { type: "offer_link" });
    assert.equal((await linksOf(user)).length, 0);
    const outcome = await answerStep({ type: "link" }, here, context);
    assert.ok(outcome.type === "joined" && outcome.opened !== undefined);
    const joined = await findSession(outcome.opened.cookie, context);
    assert.equal(joined?.session.id, here.signedIn.session.id);
    assert.deepEqual(joined && methodsOf(joined.session).map(({ kind }) => kind), ["password", "provider"]);
    assert.equal((await linksOf(user)).length, 1);
  });

  test("EP-11: a session from before the sign-in does not count as a proof", async () => {
    const { context, store, provider, visit, signedIn, clock } = await setUp();
    const user = await aUser(store, { ...proved, email: "ann@firm.example" });
    const before = await signedIn(user);
    clock.advance(1);
    const returned = await visit(provider, upstreamPerson(), { signedIn: before });
    assert.deepEqual(await takeStep(returned, context), { type: "prove" });
    assert.deepEqual(await answerStep({ type: "link" }, returned, context), { type: "prove" });
  });

  test("EP-11: after a mailed code the user is asked before the account is linked and signed in", async () => {
    const { context, store, provider, visit, byMail, linksOf } = await setUp();
    const user = await aUser(store, { ...proved, email: "ann@firm.example", password_hash: "x" });
    const returned = await visit(provider, upstreamPerson({ email: undefined, email_assurance: "none" }));
    const mailed = await byMail(returned, "Ann@firm.example");
    assert.deepEqual(await takeStep(mailed, context), { type: "offer_proved" });
    assert.equal((await linksOf(user)).length, 0);
    const outcome = await answerStep({ type: "link" }, mailed, context);
    assert.equal(userOf(outcome)?.id, user.id);
    assert.equal((await linksOf(user)).length, 1);
    const after = await store.find("users", { id: user.id });
    assert.equal(after?.password_hash, "x");
  });

  test("EP-11: a mailed code does not replace the second factor", async () => {
    const { context, store, provider, visit, byMail, linksOf, signedIn, clock } = await setUp();
    const user = await aUser(store, { ...proved, email: "ann@firm.example", password_hash: "x" });
    const app = await insertAny(store, "totp_authenticators", { users: user.id });
    const mailed = await byMail(await visit(provider, upstreamPerson()), "ann@firm.example");
    const outcome = await takeStep(mailed, context);
    assert.deepEqual(outcome, { type: "proving", entered: { type: "second_factor" } });
    assert.equal((await linksOf(user)).length, 0);
    const at = clock.now().getTime();
    const both: SignInMethod[] = [
      { kind: "mail_code", credential: null, at },
      { kind: "totp", credential: app.id, at },
    ];
    const here = { ...mailed, signedIn: await signedIn(user, both) };
    assert.deepEqual(await takeStep(here, context), { type: "offer_link" });
    await answerStep({ type: "link" }, here, context);
    assert.equal((await linksOf(user)).length, 1);
  });

  test("EP-11: whatever was added to an account before its address was proved is removed", async () => {
    const { context, store, provider, visit, byMail, signedIn } = await setUp();
    const user = await aUser(store, { email: "ann@firm.example", password_hash: "the squatter's" });
    const squatter = await signedIn(user);
    const mailed = await byMail(await visit(provider, upstreamPerson()), user.email);
    assert.deepEqual(await takeStep(mailed, context), { type: "offer_take_over" });
    assert.equal((await store.find("users", { id: user.id }))?.password_hash, "the squatter's");
    const outcome = await answerStep({ type: "link" }, mailed, context);
    assert.equal(userOf(outcome)?.id, user.id);
    const after = await store.find("users", { id: user.id });
    assert.equal(after?.password_hash, null);
    assert.ok(after?.email_verified_at);
    assert.notEqual((await store.find("sessions", { id: squatter.session.id }))?.ended_at, null);
  });

  test("P-5: codes mailed to one mailbox are counted together, for any spelling of its domain", async () => {
    const { context, store, provider, visit, waiting } = await setUp();
    await aUser(store, { email: "ann@firm.example" });
    const { cookie, proof } = await waiting(await visit(provider, upstreamPerson()));
    const sent: string[] = [];
    for (let turn = 0; turn < 8; turn++) {
      const email = `ann@fi${"\u00ad".repeat(turn)}rm.example`;
      const from = { ...origin, client_ip: `192.0.2.${turn}` };
      const throttled = { ...context, throttle: true };
      const made = await makeMailboxCode({ email, cookie, origin: from }, proof, provider, throttled);
      sent.push(made.type === "mail" ? made.to : made.type);
    }
    const [first, ...others] = sent;
    assert.equal(first, "ann@firm.example");
    assert.ok(others.includes("throttled"));
    assert.deepEqual([...new Set(sent)], ["ann@firm.example", "throttled"]);
  });

  test("EP-11: a code is mailed to the account with exactly that address, even if a look-alike exists", async () => {
    const { context, store, provider, visit, waiting } = await setUp();
    const [email, other] = ["eve@stra\u00dfe.example", "eve@strasse.example"];
    await aUser(store, { email, email_key: email });
    await aUser(store, { email: other });
    const { cookie, proof } = await waiting(await visit(provider, upstreamPerson()));
    for (const [typed, to] of [
      [` ${email}`, email],
      ["eve@xn--strae-oqa.example", email],
      [other, other],
    ] as const) {
      const made = await makeMailboxCode({ email: typed, cookie, origin }, proof, provider, context);
      assert.equal(made.type === "mail" && made.to, to);
    }
  });

  test("EP-11: an unproved account that has more than a password is not taken over", async () => {
    const { context, store, provider, visit, byMail } = await setUp();
    const user = await aUser(store, { email: "ann@firm.example", password_hash: "x" });
    await anOAuthAccount(store, { user_id: user.id, provider: "example", provider_user_id: "squatter" });
    const mailed = await byMail(await visit(provider, upstreamPerson()), user.email);
    assert.deepEqual(await takeStep(mailed, context), { type: "prove" });
  });

  test("EP-11: five wrong attempts end a mailed code, and parallel attempts all count", async () => {
    const { context, provider, visit, waiting } = await setUp();
    const { cookie, proof } = await waiting(await visit(provider, upstreamPerson()));
    const requested = { email: "ann@firm.example", cookie, origin };
    const sent = await makeMailboxCode(requested, proof, provider, context);
    assert.ok(sent.type === "mail" && /^\d{4} \d{4}$/.test(sent.code));
    const check = (code: string) => checkMailboxCode({ code, cookie }, proof, provider, context);
    const wrong = sent.code === "0000 0000" ? "00000001" : "00000000";
    const tries: string[] = [];
    for (let turn = 0; turn < 5; turn++) tries.push((await check(wrong)).type);
    assert.deepEqual(tries, ["wrong", "wrong", "wrong", "wrong", "ended"]);
    assert.equal((await check(sent.code)).type, "ended");
    const again = await makeMailboxCode(requested, proof, provider, context);
    assert.ok(again.type === "mail");
    const all = await Promise.all(Array.from({ length: 20 }, () => check(again.code)));
    assert.equal(all.filter(({ type }) => type === "right").length, 1);
  });

  test("EP-11: a proof is void if the link was created or removed meanwhile", async () => {
    const { context, store, provider, visit, waiting, signedIn, linksOf, clock } = await setUp();
    const user = await aUser(store, { ...proved, password_hash: "x" });
    const early = await waiting(await visit(provider, upstreamPerson()));
    const first = await waiting(await visit(provider, upstreamPerson()));
    const here = await signedIn(user);
    await answerStep({ type: "link" }, { ...first.returned, signedIn: here }, context);
    const [link] = await linksOf(user);
    assert.ok(link);
    const twice = await answerStep({ type: "link" }, { ...first.returned, signedIn: here }, context);
    assert.equal(userOf(twice)?.id, user.id, "it is linked already");
    const unlinked = await unlinkAccount(link, here, origin, context);
    assert.deepEqual(unlinked, { type: "unlinked", here: "goes_on" });
    const late = await answerStep({ type: "link" }, { ...early.returned, signedIn: here }, context);
    assert.deepEqual(late, { type: "void" });
    assert.equal((await linksOf(user)).length, 0);
    clock.advance(1);
    const after = await waiting(await visit(provider, upstreamPerson()));
    const anew = { ...after.returned, signedIn: await signedIn(user) };
    assert.equal((await answerStep({ type: "link" }, anew, context)).type, "joined");
  });

  for (const kind of ["linked_accounts", "users"] as const) {
    test(`EP-11: a proof is void if an administrator removed ${kind} meanwhile`, async () => {
      const { context, store, provider, visit, waiting, signedIn, linksOf, clock } = await setUp();
      const [ann, bob] = [await aUser(store, proved), await aUser(store, proved)];
      const early = await waiting(await visit(provider, upstreamPerson()));
      const first = await waiting(await visit(provider, upstreamPerson()));
      const hers = await signedIn(ann);
      await answerStep({ type: "link" }, { ...first.returned, signedIn: hers }, context);
      const [link] = await linksOf(ann);
      assert.ok(link);
      const through = [{ kind: "provider", credential: link.id, at: context.now().getTime() }] as const;
      const opened = await signedIn(ann, through);
      const admin = { ...testContext(store), now: context.now };
      await removeRecord(admin, resourceOf(kind), kind === "users" ? ann.id : link.id);
      const ended = (await store.find("sessions", { id: opened.session.id }))?.ended_at ?? null;
      if (kind === "linked_accounts") assert.deepEqual(ended, context.now());
      const his = await signedIn(bob);
      const late = await answerStep({ type: "link" }, { ...early.returned, signedIn: his }, context);
      assert.deepEqual(late, { type: "void" });
      assert.equal((await linksOf(bob)).length, 0);
      clock.advance(1);
      const after = await waiting(await visit(provider, upstreamPerson()));
      const anew = { ...after.returned, signedIn: await signedIn(bob) };
      assert.equal((await answerStep({ type: "link" }, anew, context)).type, "joined");
    });
  }

  test("EP-11: link=automatic needs a proved mailbox, an authoritative provider, and no second factor", async () => {
    const { context, store, provider, visit } = await setUp({ link: "automatic" });
    const cases: [string, Partial<User>, Partial<Parameters<typeof upstreamPerson>[0]>, boolean][] = [
      ["authoritative", proved, { email_assurance: "authoritative" }, true],
      ["verified", proved, { email_assurance: "verified" }, false],
      ["none", proved, { email_assurance: "none" }, false],
      ["unproved", {}, { email_assurance: "authoritative" }, false],
      ["administrator", { ...proved, is_platform_admin: true }, { email_assurance: "authoritative" }, false],
      ["inactive", { ...proved, active: false }, { email_assurance: "authoritative" }, false],
      ["factor", proved, { email_assurance: "authoritative" }, false],
      ["Spelling", proved, { email: "sPELLING@FIRM.example", email_assurance: "authoritative" }, true],
      ["strasse", proved, { email: "straße@firm.example", email_assurance: "authoritative" }, false],
    ];
    for (const [name, fields, person, isLinked] of cases) {
      const email = `${name}@firm.example`;
      const user = await aUser(store, { email, password_hash: "x", ...fields });
      if (name === "factor") await insertAny(store, "totp_authenticators", { users: user.id });
      const returned = await visit(provider, upstreamPerson({ subject: name, email, ...person }));
      const outcome = await takeStep(returned, context);
      assert.equal(userOf(outcome)?.id, isLinked ? user.id : undefined, name);
      if (!isLinked) assert.deepEqual(outcome, { type: "prove" }, name);
    }
  });

  test("EP-12: the signed-in user can link an account, except one linked to another user", async () => {
    const { context, store, provider, visit, signedIn, linksOf } = await setUp();
    const [ann, bob] = [await aUser(store, proved), await aUser(store, proved)];
    const [hers, his] = [await signedIn(ann), await signedIn(bob)];
    const link = async (here: typeof hers) =>
      takeStep(await visit(provider, upstreamPerson(), { purpose: "link", signedIn: here }), context);
    const made = await link(hers);
    assert.equal(made.type === "linked" && made.user.id, ann.id);
    assert.deepEqual(await link(hers), { type: "already_linked" });
    assert.deepEqual(await link(his), { type: "linked_elsewhere" });
    assert.equal((await linksOf(bob)).length, 0);
  });

  test("EP-12: a user whose session ended meanwhile cannot link an account", async () => {
    const { context, store, provider, visit, signedIn, linksOf, clock } = await setUp();
    const user = await aUser(store, { ...proved, password_hash: "x" });
    const here = await signedIn(user);
    const returned = await visit(provider, upstreamPerson(), { purpose: "link", signedIn: here });
    clock.advance(1);
    const transaction = (async (work, options) => {
      // The owner has set a new password.
      await store.update("users", { id: user.id }, { tokens_not_before: clock.now() });
      return store.transaction(work, options);
    }) as typeof store.transaction;
    const outcome = await takeStep(returned, { ...context, store: { ...store, transaction } });
    assert.equal(outcome.type, "void");
    assert.deepEqual(await linksOf(user), []);
  });

  test("EP-13: the last sign-in method cannot be unlinked, even by two concurrent requests", async () => {
    const { context, store, provider, signedIn, linksOf } = await setUp();
    const user = await aUser(store, proved);
    const links = await Promise.all(
      ["one", "two"].map((provider_user_id) =>
        anOAuthAccount(store, { user_id: user.id, provider: provider.slug, provider_user_id }),
      ),
    );
    const here = await signedIn(user);
    const outcomes = await Promise.all(links.map((link) => unlinkAccount(link, here, origin, context)));
    assert.deepEqual(outcomes.map(({ type }) => type).toSorted(), ["last_way", "unlinked"]);
    assert.equal((await linksOf(user)).length, 1);
    assert.equal(await store.count("audit_events", { type: "linked_account.deleted" }), 1);
    const withPassword = await aUser(store, { password_hash: "x" });
    const link = await anOAuthAccount(store, { user_id: withPassword.id, provider: provider.slug });
    const outcome = await unlinkAccount(link, await signedIn(withPassword), origin, context);
    assert.equal(outcome.type, "unlinked");
  });

  test("EP-13: unlinking an account ends the sessions that depend on it", async () => {
    const { context, store, provider, visit, signedIn } = await setUp();
    const user = await aUser(store, { password_hash: "x" });
    const key = { provider: provider.slug, provider_user_id: "upstream-1" };
    const link = await anOAuthAccount(store, { user_id: user.id, ...key });
    const other = await takeStep(await visit(provider, upstreamPerson()), context);
    assert.ok(other.type === "entered" && other.entered.type === "signed_in");
    await unlinkAccount(link, await signedIn(user), origin, context);
    assert.equal(await findSession(other.entered.cookie, context), undefined);
  });

  test("EP-13: no session starts by a link removed during the sign-in, at whatever write it is removed", async () => {
    const { context, store, provider, visit, signedIn, interrupted } = await setUp();
    const user = await aUser(store, { password_hash: "x" });
    const key = { provider: provider.slug, provider_user_id: "upstream-1" };
    const here = await signedIn(user);
    const outcomes: string[] = [];
    for (let before = 1; outcomes.at(-1) !== "goes on"; before++) {
      const link = await anOAuthAccount(store, { user_id: user.id, ...key });
      const returned = await visit(provider, upstreamPerson());
      const { slow, writes } = interrupted(before, () => unlinkAccount(link, here, origin, context));
      const outcome = await takeStep(returned, { ...context, store: slow });
      const begun = (await store.list("sessions", { user_id: user.id, ended_at: null })).filter((session) =>
        methodsOf(session).some(({ credential }) => credential === link.id),
      );
      if (writes() < before) {
        outcomes.push("goes on");
        assert.equal(begun.length, 1);
      } else {
        outcomes.push(outcome.type === "entered" ? outcome.entered.type : outcome.type);
        assert.deepEqual(begun, [], `unlinked before write ${before}`);
      }
    }
    assert.ok(outcomes.includes("refused"), outcomes.join());
  });

  test("EP-13: no session is stepped up by a link removed meanwhile, at whatever write it is removed", async () => {
    const { context, store, provider, visit, signedIn, interrupted } = await setUp();
    const user = await aUser(store, { password_hash: "x" });
    const key = { provider: provider.slug, provider_user_id: "upstream-1" };
    const elsewhere = await signedIn(user);
    const outcomes: string[] = [];
    for (let before = 1; outcomes.at(-1) !== "goes on"; before++) {
      const link = await anOAuthAccount(store, { user_id: user.id, ...key });
      const here = await signedIn(user);
      const returned = await visit(provider, upstreamPerson(), { purpose: "sudo", signedIn: here });
      const { slow, writes } = interrupted(before, () => unlinkAccount(link, elsewhere, origin, context));
      const outcome = await takeStep(returned, { ...context, store: slow });
      const session = await store.find("sessions", { id: here.session.id });
      const counts = session && methodsOf(session).some(({ credential }) => credential === link.id);
      outcomes.push(writes() < before ? "goes on" : outcome.type);
      assert.equal(counts, writes() < before, `unlinked before write ${before}`);
      assert.equal(session?.ended_at, null, "it rests on the password");
    }
    assert.ok(outcomes.includes("other_account"), outcomes.join());
  });

  test("EP-13: a session that is renewed does not regain a link removed meanwhile", async () => {
    const { context, store, provider, signedIn } = await setUp();
    const user = await aUser(store, { password_hash: "x" });
    const methods = byPassword(context.now());
    const renewals = {
      "by another sign-in": async (previous: SignedIn) =>
        (await startSession({ user, methods, origin, previous }, context)).session,
      "by another proof": async (seen: SignedIn) =>
        (await addMethods(seen, methods, context))?.signedIn.session,
    };
    for (const [how, renew] of Object.entries(renewals)) {
      const link = await anOAuthAccount(store, { user_id: user.id, provider: provider.slug });
      const at = context.now().getTime();
      const seen = await signedIn(user, [...methods, { kind: "provider", credential: link.id, at }]);
      await unlinkAccount(link, seen, origin, context);
      const renewed = await renew(seen);
      assert.equal(renewed?.id, seen.session.id, how);
      const stored = await store.find("sessions", { id: seen.session.id });
      for (const session of [renewed, stored]) {
        assert.deepEqual(session && methodsOf(session).map(({ kind }) => kind), ["password"], how);
      }
    }
  });

  test("EP-14: the second factor is required after a provider, unless the provider proves one and counts for it", async () => {
    const { context, store, visit, clock } = await setUp();
    const user = await aUser(store, proved);
    await insertAny(store, "totp_authenticators", { users: user.id });
    const results: string[] = [];
    for (const trust_amr of [false, true]) {
      const slug = `trust-${trust_amr}`;
      const provider = await aProvider(store, { slug, trust_amr });
      await anOAuthAccount(store, { user_id: user.id, provider: slug, provider_user_id: "upstream-1" });
      for (const age of [undefined, 10, 301]) {
        const auth_time = age === undefined ? undefined : later(-age, clock.now());
        const person = upstreamPerson({ amr: ["pwd", "mfa"], auth_time });
        const outcome = await takeStep(await visit(provider, person), context);
        assert.ok(outcome.type === "entered");
        results.push(`${trust_amr} ${age} ${outcome.entered.type}`);
      }
    }
    assert.deepEqual(results, [
      "false undefined second_factor",
      "false 10 second_factor",
      "false 301 second_factor",
      "true undefined second_factor",
      "true 10 signed_in",
      "true 301 second_factor",
    ]);
  });

  test("OR-12: a session ends when the provider's session does, but lasts at least a minute", async () => {
    const { context, store, provider, visit, clock } = await setUp();
    const user = await aUser(store, proved);
    const key = { provider: provider.slug, provider_user_id: "upstream-1" };
    await anOAuthAccount(store, { user_id: user.id, ...key });
    const lasts: number[] = [];
    for (const seconds of [3600, -5]) {
      const person = upstreamPerson({ session_expiry: later(seconds, clock.now()) });
      const outcome = await takeStep(await visit(provider, person), context);
      assert.ok(outcome.type === "entered" && outcome.entered.type === "signed_in");
      const { expires_at } = outcome.entered.session;
      lasts.push((expires_at.getTime() - clock.now().getTime()) / 1000);
    }
    assert.deepEqual(lasts, [3600, 60]);
  });

  test("EP-18: if another account is signed in, the user must confirm before the session changes", async () => {
    const { context, store, provider, visit, signedIn } = await setUp();
    const [ann, bob] = [await aUser(store, proved), await aUser(store, proved)];
    const key = { provider: provider.slug, provider_user_id: "upstream-1" };
    await anOAuthAccount(store, { user_id: ann.id, ...key });
    const his = await signedIn(bob);
    const returned = await visit(provider, upstreamPerson(), { signedIn: his });
    assert.deepEqual(await takeStep(returned, context), { type: "ask_to_switch" });
    assert.ok((await store.find("sessions", { id: his.session.id }))?.ended_at === null);
    assert.equal(userOf(await answerStep({ type: "switch" }, returned, context))?.id, ann.id);
  });

  test("EP-19: the provider's tokens are discarded, or stored encrypted if the record says so", async () => {
    const { context, store, visit, waiting, provider } = await setUp({ keep_tokens: true });
    const tokens = { access_token: "secret one", refresh_token: "secret two", expires_at: later(60) };
    const { returned } = await waiting(await visit(provider, upstreamPerson({ tokens })));
    await answerStep({ type: "create", name: "Ann", isInviterActive }, returned, context);
    const link = await findLink(provider, { subject: "upstream-1", provider_id: provider.id }, store);
    assert.ok(link?.refresh_token);
    assert.ok(!JSON.stringify(await store.list("oauth_accounts")).includes("secret"));
    assert.equal(context.sealer.open("linked_account", link.access_token, link.id), "secret one");
    assert.equal(context.sealer.open("linked_account", link.refresh_token, link.id), "secret two");
  });

  test("SU-6: a provider steps up a session only with an account linked to the session's user", async () => {
    const { context, store, provider, visit, signedIn } = await setUp();
    const user = await aUser(store, proved);
    const here = await signedIn(user);
    const requested = { purpose: "sudo", signedIn: here } as const;
    const other = await takeStep(await visit(provider, upstreamPerson(), requested), context);
    assert.deepEqual(other, { type: "other_account" });
    const key = { provider: provider.slug, provider_user_id: "upstream-1" };
    await anOAuthAccount(store, { user_id: user.id, ...key });
    const outcome = await takeStep(await visit(provider, upstreamPerson(), requested), context);
    assert.ok(outcome.type === "stepped_up");
    const found = await findSession(outcome.cookie, context);
    assert.equal(found?.session.id, here.session.id);
    assert.deepEqual(found && methodsOf(found.session).map(({ kind }) => kind), ["password", "provider"]);
  });

  test("section 5 line 2: for every owner, preset, trust and state, the user signs in or sees a page with a way to continue", async () => {
    const { context, store, visit, byMail } = await setUp();
    const states = ["none", "password", "passkey", "linked", "inactive", "invited", "unverified"] as const;
    const verdicts = ["none", "verified", "authoritative"] as const;
    const requested = new Set<string>();
    const presets = someOf(providerPresets, 3);
    // A provider of the server, of the user's own organization, and of another one.
    const owners = ["server", "own", "other"] as const;
    const cells = owners.flatMap((owner) => presets.map((preset) => ({ owner, preset })));
    const organization_id = (await anOrganization(store)).id;
    for (const { owner, preset } of cells) {
      const slug = `${preset}-${owner}`;
      const whose = owner === "server" ? {} : { organization_id };
      const provider = await aProvider(store, { slug, preset, sign_up: "invited", ...whose });
      const isOther = owner === "other";
      for (const email_assurance of verdicts) {
        for (const state of states) {
          const name = `${slug}-${email_assurance}-${state}`;
          const email = `${name}@firm.example`;
          if (state === "invited") {
            const inviting = owner === "own" ? { organization_id } : {};
            await anInvitation(store, { email, expires_at: later(3600), ...inviting });
          } else if (state !== "none") {
            const user = await aUser(store, {
              email,
              active: state !== "inactive",
              password_hash: state === "passkey" ? null : "x",
              email_verified_at: state === "unverified" ? null : start,
            });
            if (owner === "own") await aMembership(store, { user_id: user.id, organization_id });
            const keys = { signs_in: true, uv_initialized: true };
            if (state === "passkey") await insertAny(store, "passkeys", { users: user.id }, keys);
            const key = { provider: slug, provider_user_id: name };
            if (state === "linked") await anOAuthAccount(store, { user_id: user.id, ...key });
          }
          const person = upstreamPerson({ subject: name, email, email_assurance });
          const outcome = await takeStep(await visit(provider, person), context);
          const known = state !== "none" && state !== "invited";
          const expected =
            state === "linked"
              ? isOther
                ? "beyond_reach"
                : "entered"
              : known || email_assurance === "none"
                ? "prove"
                : state === "invited" && !isOther
                  ? "offer_new_account"
                  : "no_account";
          assert.equal(outcome.type, expected, name);
          requested.add(outcome.type);
          if (outcome.type !== "prove") continue;
          const mailed = await takeStep(await byMail(await visit(provider, person), email), context);
          const ends = {
            none: "no_account",
            invited: isOther ? "no_account" : "offer_new_account",
            password: isOther ? "beyond_reach" : "offer_proved",
            passkey: isOther ? "beyond_reach" : "proving",
            inactive: "refuse_inactive",
            unverified: isOther ? "beyond_reach" : "offer_take_over",
            linked: "entered",
          };
          assert.equal(mailed.type, ends[state], `${name} by mail`);
          requested.add(mailed.type);
        }
      }
    }
    // Each of these has a page with a way to continue, which is tested over HTTP.
    assert.deepEqual(
      [...requested].toSorted(),
      listed`
        beyond_reach entered no_account offer_new_account offer_proved offer_take_over prove proving
        refuse_inactive
      `,
    );
  });
});
