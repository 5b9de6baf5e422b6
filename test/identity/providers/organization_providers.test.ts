/** The limits of an organization's provider: it signs in only users of that organization. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isInviterActive } from "../../../src/admin/changes/inviters.ts";
import { findSession } from "../../../src/people/core/sessions.ts";
import { missingProofs } from "../../../src/people/core/sudo/sudo.ts";
import { joiningOf } from "../../../src/people/providers/provider_people.ts";
import { answerStep, type Returned, takeStep } from "../../../src/people/providers/provider_steps.ts";
import { findWaitingAccount, storeAccount } from "../../../src/people/providers/waiting_account.ts";
import type { EmailAssurance } from "../../../src/providers/email_assurance.ts";
import type { Provider, User } from "../../../src/records/definition/definition.ts";
import { methodsOf } from "../../../src/records/names/sign_in_methods.ts";
import { testServer } from "../../support/authorization_server.ts";
import {
  aMembership,
  anAppRole,
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
    async function waiting(
      overrides: {
        readonly proved_email?: string;
        readonly email_assurance?: EmailAssurance;
        readonly user?: User;
      } = {},
    ) {
      const { proved_email, email_assurance = "none", user } = overrides;
      const returned = await visit(provider, upstreamPerson({ email, email_assurance }));
      const account = { ...returned.account, ...(proved_email !== undefined && { proved_email }) };
      const cookie = await storeAccount(provider, account, context);
      const proof = await findWaitingAccount(provider, cookie, context);
      return { ...returned, account, proof, signedIn: user && (await signedIn(user)) };
    }

    /** Returns the answer of a user who has seen the page of the new account. */
    async function created({ account }: Pick<Returned, "account">) {
      const joining = await joiningOf(provider, { ...account, email }, isInviterActive, store, context.now());
      return { type: "create", name: "Ann", joining, isInviterActive } as const;
    }

    /** Returns a context in which this happens before the next transaction. */
    function meanwhile(happen: () => Promise<unknown>) {
      const transaction = async (...args: Parameters<typeof store.transaction>) => {
        await happen();
        return store.transaction(...args);
      };
      return { ...context, store: { ...store, transaction } as typeof store };
    }

    async function invite(role: string) {
      const invited_by = (await aUser(store)).id;
      await aMembership(store, { user_id: invited_by, organization_id, role: "owner" });
      return anInvitation(store, { email, organization_id, invited_by, role });
    }

    const linksOf = (user: User) => store.list("oauth_accounts", { user_id: user.id });
    return {
      context,
      store,
      clock,
      provider,
      organization_id,
      visit,
      signedIn,
      waiting,
      created,
      meanwhile,
      invite,
      linksOf,
    };
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
    const leaving = it.meanwhile(() => it.store.remove("memberships", { user_id: user.id }));
    assert.deepEqual(await answerStep({ type: "link" }, mailed, leaving), { type: "void" });
    assert.equal((await it.linksOf(user)).length, 0);
  });

  /** How the address is proved, whether an able inviter invited it, and what the new account becomes. */
  const newcomers: readonly [
    {
      proved_email?: string;
      email_assurance?: EmailAssurance;
      sign_up: Provider["sign_up"];
      inviter?: string;
    },
    string,
  ][] = [
    [{ proved_email: email, sign_up: "anyone" }, "member"],
    [{ email_assurance: "verified", sign_up: "anyone" }, "member"],
    [{ proved_email: email, sign_up: "invited", inviter: "owner" }, "as invited"],
    [{ email_assurance: "authoritative", sign_up: "invited", inviter: "owner" }, "as invited"],
    [{ email_assurance: "authoritative", sign_up: "domains", inviter: "owner" }, "as invited"],
    [{ email_assurance: "verified", sign_up: "invited", inviter: "owner" }, "none"],
    [{ email_assurance: "authoritative", sign_up: "anyone", inviter: "member" }, "none"],
  ];

  test("P-1: a new account takes up the invitation with its roles if the address is proved, and is otherwise not a member", async () => {
    for (const [{ proved_email, email_assurance = "none", sign_up, inviter }, expected] of newcomers) {
      const label = JSON.stringify({ proved_email, email_assurance, sign_up, inviter });
      const it = await setUp({ sign_up, email_domains: ["firm.example"] });
      const { store, organization_id } = it;
      const app_role = await anAppRole(store);
      if (inviter !== undefined) {
        const invited_by = (await aUser(store)).id;
        await aMembership(store, { user_id: invited_by, organization_id, role: inviter });
        const roles = { role: "developer", app_role_ids: [app_role.id] };
        await anInvitation(store, { email, organization_id, invited_by, ...roles });
      }
      const returned = await it.waiting({ email_assurance, ...(proved_email && { proved_email }) });
      assert.deepEqual(await takeStep(returned, it.context), { type: "offer_new_account" }, label);
      const created = await it.created(returned);
      assert.equal((await answerStep(created, returned, it.context)).type, "entered", label);
      const user = await store.find("users", { email });
      const held = (await store.list("memberships", { user_id: user?.id ?? "" })).map(
        ({ organization_id, role, app_role_ids }) => [organization_id, role, app_role_ids],
      );
      const becomes = {
        member: [[organization_id, "member", []]],
        "as invited": [[organization_id, "developer", [app_role.id]]],
        none: [],
      }[expected];
      assert.deepEqual(held, becomes, label);
      const left = await store.count("invitations", { organization_id });
      assert.equal(left, expected === "none" ? 1 : 0, label);
      const events = await Promise.all(
        ["membership.created", "invitation.accepted"].map((type) =>
          store.count("audit_events", { type, organization_id }),
        ),
      );
      assert.deepEqual(events, { member: [1, 0], "as invited": [1, 1], none: [0, 0] }[expected], label);
      it.clock.advance(60);
      const again = await takeStep(await it.visit(it.provider, upstreamPerson()), it.context);
      assert.equal(again.type, "entered", label);
    }
  });

  test("P-1: no account takes up an invitation that is withdrawn at the same moment", async () => {
    const it = await setUp({ sign_up: "invited" });
    const { store } = it.context;
    const invited_by = (await aUser(store)).id;
    const { organization_id } = it;
    await aMembership(store, { user_id: invited_by, organization_id, role: "owner" });
    const { id } = await anInvitation(store, { email, organization_id, invited_by });
    const returned = await it.waiting({ email_assurance: "authoritative" });
    const isInviterActiveUntilNow: typeof isInviterActive = async (reads, invitation) => {
      const is = await isInviterActive(reads, invitation);
      await (reads as typeof store).remove("invitations", { id });
      return is;
    };
    const created = { ...(await it.created(returned)), isInviterActive: isInviterActiveUntilNow };
    assert.deepEqual(await answerStep(created, returned, it.context), { type: "no_account" });
    assert.equal(await store.find("users", { email }), undefined);
    assert.equal(await store.count("memberships", { organization_id }), 1);
  });

  test("P-1: an account joins only as its page announced, although the invitation is created, changed or withdrawn meanwhile", async () => {
    const changes: readonly ((it: Fixture) => Promise<unknown>)[] = [
      async ({ invite, store, organization_id }) => {
        await store.remove("invitations", { organization_id });
        await invite("owner");
      },
      ({ store, organization_id }) => store.update("invitations", { organization_id }, { role: "owner" }),
      async ({ store, organization_id }) => {
        const app_role_ids = [(await anAppRole(store)).id];
        await store.update("invitations", { organization_id }, { app_role_ids });
      },
      ({ store, organization_id }) => store.remove("invitations", { organization_id }),
    ];
    for (const [index, change] of changes.entries()) {
      const it = await setUp({ sign_up: "anyone" });
      await it.invite("developer");
      const returned = await it.waiting({ email_assurance: "authoritative" });
      const created = await it.created(returned);
      const outcome = await answerStep(
        created,
        returned,
        it.meanwhile(() => change(it)),
      );
      assert.deepEqual(outcome, { type: "offer_new_account" }, `change ${index}`);
      assert.equal(await it.store.find("users", { email }), undefined);
    }
    const it = await setUp({ sign_up: "anyone" });
    const returned = await it.waiting({ email_assurance: "authoritative" });
    const asMember = await it.created(returned);
    await it.invite("owner");
    assert.deepEqual(await answerStep(asMember, returned, it.context), { type: "offer_new_account" });
    assert.equal(await it.store.find("users", { email }), undefined);
  });

  test("EP-10: an invitation that is withdrawn or expires meanwhile permits no account, for any owner of the provider", async () => {
    for (const isServers of [true, false]) {
      for (const email_assurance of ["authoritative", "verified"] as const) {
        for (const isWithdrawn of [true, false]) {
          const it = await setUp({ sign_up: "invited", ...(isServers && { organization_id: null }) });
          const { id } = await it.invite("admin");
          const returned = await it.waiting({ email_assurance });
          assert.deepEqual(await takeStep(returned, it.context), { type: "offer_new_account" });
          const created = await it.created(returned);
          const expires_at = it.context.now();
          const ending = it.meanwhile(() =>
            isWithdrawn
              ? it.store.remove("invitations", { id })
              : it.store.update("invitations", { id }, { expires_at }),
          );
          const label = JSON.stringify({ isServers, email_assurance, isWithdrawn });
          assert.deepEqual(await answerStep(created, returned, ending), { type: "no_account" }, label);
          assert.equal(await it.store.find("users", { email }), undefined, label);
        }
      }
    }
  });

  test("EP-8: nothing is created or linked by settings of the provider that have changed meanwhile", async () => {
    const changes: readonly Partial<Provider>[] = [
      { email_trust: "never" },
      { email_domains: [] },
      { sign_up: "never" },
      { link: "ask" },
      { allowed_tenants: ["other"] },
      { active: false },
      { organization_id: null },
    ];
    for (const change of changes) {
      const label = JSON.stringify(change);
      const it = await setUp({ email_trust: "domains", email_domains: ["firm.example"], link: "automatic" });
      const { store, provider } = it;
      const changing = it.meanwhile(() => store.update("providers", { id: provider.id }, change));
      const returned = await it.waiting({ email_assurance: "authoritative" });
      const outcome = await answerStep(await it.created(returned), returned, changing);
      assert.deepEqual(outcome, { type: "offer_new_account" }, label);
      assert.equal(await store.find("users", { email }), undefined, label);
      const user = await member(it, "member");
      const known = await it.waiting({ email_assurance: "authoritative" });
      assert.deepEqual(await takeStep(known, changing), { type: "void" }, label);
      assert.equal((await it.linksOf(user)).length, 0, label);
    }
  });

  test("EP-11: linking an invited user's account leaves the invitation open, because the user has not consented to it", async () => {
    const it = await setUp({ link: "automatic" });
    const { store, organization_id } = it;
    await anInvitation(store, { email, organization_id });
    const user = await aUser(store, { email, email_verified_at: start });
    const outcome = await takeStep(await it.waiting({ email_assurance: "authoritative" }), it.context);
    assert.equal(outcome.type, "entered");
    assert.equal(await store.count("memberships", { user_id: user.id }), 0);
    assert.equal(await store.count("invitations", { organization_id }), 1);
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
