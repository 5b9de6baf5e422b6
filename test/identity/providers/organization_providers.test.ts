/** The limits of an organization's provider: it signs in only users of that organization. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isInviterActive } from "../../../src/admin/changes/inviters.ts";
import { findSession } from "../../../src/people/core/sessions.ts";
import { missingProofs } from "../../../src/people/core/sudo/sudo.ts";
import { answerStep, takeStep } from "../../../src/people/providers/provider_steps.ts";
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
      const created = { type: "create", name: "Ann", isInviterActive } as const;
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
    const created = { type: "create", name: "Ann", isInviterActive: isInviterActiveUntilNow } as const;
    assert.deepEqual(await answerStep(created, returned, it.context), { type: "no_account" });
    assert.equal(await store.find("users", { email }), undefined);
    assert.equal(await store.count("memberships", { organization_id }), 1);
  });

  test("EP-11: linking an invited user's account leaves the invitation open, because nobody has consented to it", async () => {
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
