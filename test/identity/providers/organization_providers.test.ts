/** The limits of an organization's provider: it signs in only users of that organization. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findSession } from "../../../src/people/core/sessions.ts";
import { missingProofs } from "../../../src/people/core/sudo/sudo.ts";
import { answerStep, takeStep } from "../../../src/people/providers/provider_steps.ts";
import { findWaitingAccount, storeAccount } from "../../../src/people/providers/waiting_account.ts";
import type { Provider, User } from "../../../src/records/definition/definition.ts";
import { methodsOf } from "../../../src/records/names/sign_in_methods.ts";
import { testServer } from "../../support/authorization_server.ts";
import {
  aMembership,
  anInvitation,
  anOAuthAccount,
  anOrganization,
  aUser,
  later,
  start,
} from "../../support/builders.ts";
import { describeInForm } from "../../support/databases.ts";
import { identityOn, inSession } from "../../support/identity_context.ts";
import {
  aProvider,
  scriptedBrowser,
  scriptedClient,
  upstreamPerson,
} from "../../support/scripted_providers.ts";

const email = "ann@firm.example";

describeInForm("an organization's provider", (database) => {
  async function setUp(overrides: Partial<Provider> = {}) {
    const { server, clock } = await testServer(await database.open());
    const client = scriptedClient();
    const context = identityOn(server, { throttle: false, provider_client: client });
    const { store } = context;
    const organization_id = (await anOrganization(store)).id;
    const provider = await aProvider(store, { slug: "acme", organization_id, ...overrides });
    const { visit } = scriptedBrowser(context, client);

    const signedIn = (user: User) => inSession(user, context);

    /**
     * Stores a provider account that the user still has to confirm. `user` has signed in since the return
     * from the provider.
     */
    async function waiting(overrides: { readonly proved_email?: string; readonly user?: User } = {}) {
      const returned = await visit(provider, upstreamPerson({ email, email_assurance: "none" }));
      const { proved_email, user } = overrides;
      const account = { ...returned.account, ...(proved_email !== undefined && { proved_email }) };
      const cookie = await storeAccount(provider, account, context);
      const proof = await findWaitingAccount(provider, cookie, context);
      return { ...returned, account, proof, signedIn: user && (await signedIn(user)) };
    }

    const linksOf = (user: User) => store.list("oauth_accounts", { user_id: user.id });
    return { context, store, clock, provider, organization_id, visit, signedIn, waiting, linksOf };
  }

  type Fixture = Awaited<ReturnType<typeof setUp>>;

  /** The kinds of users, and whether the provider signs them in. */
  const people: readonly [string, boolean, (it: Fixture) => Promise<User>][] = [
    ["a member", true, async (it) => member(it, "member")],
    ["its owner", true, async (it) => member(it, "owner")],
    [
      "a member of two organizations",
      true,
      async (it) => {
        const user = await member(it, "member");
        await aMembership(it.store, { user_id: user.id, role: "member" });
        return user;
      },
    ],
    [
      "somebody whom it invited",
      true,
      async ({ store, organization_id }) => {
        await anInvitation(store, { email, organization_id });
        return aUser(store, { email, email_verified_at: start });
      },
    ],
    ["a stranger", false, async ({ store }) => aUser(store, { email, email_verified_at: start })],
    [
      "somebody whom another organization invited",
      false,
      async ({ store }) => {
        await anInvitation(store, { email });
        return aUser(store, { email, email_verified_at: start });
      },
    ],
    [
      "somebody whose invitation has ended",
      false,
      async ({ store, organization_id }) => {
        await anInvitation(store, { email, organization_id, expires_at: start });
        return aUser(store, { email, email_verified_at: start });
      },
    ],
    [
      "a platform administrator who is a member",
      false,
      async (it) => member(it, "owner", { is_platform_admin: true }),
    ],
    [
      "a member who administers another organization",
      false,
      async (it) => {
        const user = await member(it, "member");
        await aMembership(it.store, { user_id: user.id, role: "admin" });
        return user;
      },
    ],
    [
      "a member with a permission elsewhere",
      false,
      async (it) => {
        const user = await member(it, "member");
        await aMembership(it.store, { user_id: user.id, permissions: ["apps:write"] });
        return user;
      },
    ],
  ];

  async function member({ store, organization_id }: Fixture, role: string, overrides: Partial<User> = {}) {
    const user = await aUser(store, { email, email_verified_at: start, ...overrides });
    await aMembership(store, { user_id: user.id, organization_id, role });
    return user;
  }

  test("EP-11: only members of the organization can be linked, by whatever proof", async () => {
    for (const [name, isReached, make] of people) {
      const it = await setUp();
      const user = await make(it);
      const mailed = await it.waiting({ proved_email: email });
      const expected = isReached ? "offer_proved" : "beyond_reach";
      assert.deepEqual(await takeStep(mailed, it.context), { type: expected }, name);
      const here = await it.waiting({ user });
      const offered = isReached ? "offer_link" : "beyond_reach";
      assert.deepEqual(await takeStep(here, it.context), { type: offered }, name);
      if (!isReached) {
        const session = await it.signedIn(user);
        const requested = { purpose: "link", signedIn: session } as const;
        const linking = await it.visit(it.provider, upstreamPerson(), requested);
        assert.deepEqual(await takeStep(linking, it.context), { type: "beyond_reach" }, name);
        for (const returned of [mailed, here]) {
          assert.deepEqual(await answerStep({ type: "link" }, returned, it.context), {
            type: "beyond_reach",
          });
        }
        assert.equal((await it.linksOf(user)).length, 0, name);
      } else {
        const outcome = await answerStep({ type: "link" }, mailed, it.context);
        assert.equal(outcome.type, "entered", name);
        assert.equal((await it.linksOf(user)).length, 1, name);
      }
    }
  });

  test("EP-9: an existing link signs in and steps up only members of the organization", async () => {
    for (const [name, isReached, make] of people) {
      const it = await setUp();
      const user = await make(it);
      const key = { provider: "acme", provider_user_id: "upstream-1" };
      await anOAuthAccount(it.store, { user_id: user.id, ...key });
      const outcome = await takeStep(await it.visit(it.provider, upstreamPerson()), it.context);
      assert.equal(outcome.type, isReached ? "entered" : "beyond_reach", name);
      if (isReached) continue;
      const requested = { purpose: "sudo", signedIn: await it.signedIn(user) } as const;
      const stepped = await takeStep(await it.visit(it.provider, upstreamPerson(), requested), it.context);
      assert.deepEqual(stepped, { type: "beyond_reach" }, name);
      assert.deepEqual((await it.store.enrolledMethods(user)).providers, [], `${name}: no way in`);
    }
  });

  test("EP-11: no link is created if the membership ends before the user presses the button", async () => {
    const it = await setUp();
    const user = await member(it, "member");
    const mailed = await it.waiting({ proved_email: email });
    assert.deepEqual(await takeStep(mailed, it.context), { type: "offer_proved" });
    const { store } = it.context;
    const leaving = {
      ...it.context,
      store: {
        ...store,
        async transaction(...overrides: Parameters<typeof store.transaction>) {
          await store.remove("memberships", { user_id: user.id });
          return store.transaction(...overrides);
        },
      } as typeof store,
    };
    assert.deepEqual(await answerStep({ type: "link" }, mailed, leaving), { type: "void" });
    assert.equal((await it.linksOf(user)).length, 0);
  });

  test("EP-10: a new account becomes a member, and an invited user becomes one only by accepting the invitation", async () => {
    for (const isInvited of [false, true]) {
      const it = await setUp({ sign_up: isInvited ? "invited" : "anyone" });
      const { store, organization_id } = it;
      if (isInvited) await anInvitation(store, { email, organization_id, role: "admin" });
      const mailed = await it.waiting({ proved_email: email });
      const outcome = await answerStep({ type: "create", name: "Ann" }, mailed, it.context);
      assert.equal(outcome.type, "entered");
      const user = await store.find("users", { email });
      const memberships = await store.list("memberships", { user_id: user?.id ?? "" });
      const held = memberships.map((each) => [each.organization_id, each.role]);
      assert.deepEqual(held, isInvited ? [] : [[organization_id, "member"]]);
      assert.equal(
        await store.count("audit_events", { type: "membership.created", organization_id }),
        isInvited ? 0 : 1,
      );
      it.clock.advance(60);
      const again = await takeStep(await it.visit(it.provider, upstreamPerson()), it.context);
      assert.equal(again.type, "entered");
    }
  });

  test("EP-10: an invitation to another organization permits no account through this provider", async () => {
    const it = await setUp({ sign_up: "invited" });
    await anInvitation(it.store, { email, expires_at: later(3600) });
    const mailed = await it.waiting({ proved_email: email });
    assert.deepEqual(await takeStep(mailed, it.context), { type: "no_account" });
  });

  test("SU-6: a recent sign-in at an organization's provider is not sufficient for sensitive actions", async () => {
    const it = await setUp();
    const user = await member(it, "member");
    const key = { provider: "acme", provider_user_id: "upstream-1" };
    await anOAuthAccount(it.store, { user_id: user.id, ...key });
    const person = upstreamPerson({ auth_time: it.clock.now() });
    const outcome = await takeStep(await it.visit(it.provider, person), it.context);
    assert.ok(outcome.type === "entered" && outcome.entered.type === "signed_in");
    const session = await findSession(outcome.entered.cookie, it.context);
    assert.ok(session);
    assert.deepEqual(
      methodsOf(session.session).map(({ kind, undated, of_organization }) => [
        kind,
        undated,
        of_organization,
      ]),
      [["provider", undefined, true]],
    );
    const enrolled = await it.store.enrolledMethods(user);
    assert.equal(enrolled.providers.length, 1);
    assert.deepEqual(missingProofs(session, enrolled, it.clock.now()), [["mail_code"]]);
    const withPassword = { ...enrolled, password: true };
    assert.deepEqual(missingProofs(session, withPassword, it.clock.now()), [["password"]]);
  });
});
