import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Actor } from "../../src/admin/access/actor.ts";
import { isInviterActive } from "../../src/admin/changes/inviters.ts";
import { inviteMember, listInvitations } from "../../src/admin/invitations/invitations.ts";
import { membership } from "../../src/admin/invitations/memberships.ts";
import { updateUser } from "../../src/admin/records/users.ts";
import { sealer } from "../../src/crypto/sealing.ts";
import { serverMemory } from "../../src/oauth/core/memory.ts";
import type { IdentityContext, IdentityEvent } from "../../src/people/core/context/context.ts";
import { acceptAsNewUser, acceptInvitation, findInvitation } from "../../src/people/entry/invitations.ts";
import type { Organization, User } from "../../src/records/definition/definition.ts";
import type { Store } from "../../src/storage/store.ts";
import { testContext } from "../admin/context.ts";
import { aMembership, anInvitation, anOrganization, aUser, later, start } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";

const origin = { client_ip: "192.0.2.7", user_agent: "test", request_id: "r1" };
const fresh = { name: "Grace", password: "an entirely new password" };
const day = 86_400;

describeInForm("invitations", (database) => {
  let store: Store;
  before(async () => {
    store = await database.open();
  });

  interface Fixture {
    readonly acme: Organization;
    readonly owner: User;
    readonly context: ReturnType<typeof testContext>;
    readonly identity: IdentityContext;
    readonly events: IdentityEvent[];
    invited(email: string, role?: string, by?: User): Promise<string>;
  }

  async function fixture(): Promise<Fixture> {
    const owner = await aUser(store);
    const acme = await anOrganization(store);
    await aMembership(store, { user_id: owner.id, organization_id: acme.id, role: "owner" });
    const context = testContext(store);
    const events: IdentityEvent[] = [];
    const identity: IdentityContext = {
      store,
      memory: serverMemory(),
      passwords: context.passwords,
      sealer: sealer([Buffer.alloc(32, 7)]),
      now: context.now,
      report: (event) => events.push(event),
      throttle: false,
    };
    return {
      acme,
      owner,
      context,
      identity,
      events,
      async invited(email, role = "developer", by = owner) {
        const actor: Actor = { kind: "user", user: by };
        const outcome = await inviteMember({ ...context, actor }, acme.id, { email, role });
        assert.equal(outcome.type, "invited");
        return outcome.type === "invited" ? outcome.token : "";
      },
    };
  }

  const address = () => `${crypto.randomUUID()}@example.com`;
  const find = (token: string, { identity }: Fixture) => findInvitation(token, isInviterActive, identity);
  const asNew = (token: string, { identity }: Fixture, input = {}) =>
    acceptAsNewUser({ token, origin, ...fresh, ...input }, isInviterActive, identity);
  const as = (user: User, token: string, { identity }: Fixture) =>
    acceptInvitation({ token, user, origin }, isInviterActive, identity);

  test("H-5: only a signature of the link is stored, and a link with any change finds no invitation", async () => {
    const it = await fixture();
    const token = await it.invited(address());
    assert.ok(!JSON.stringify(await store.list("invitations")).includes(token));
    assert.ok(await find(token, it));
    for (const other of [token.slice(0, -1), `${token}A`, token.toUpperCase(), ` ${token}`, ""]) {
      assert.equal(await find(other, it), undefined);
    }
  });

  test("H-5: an invitation cannot be accepted by a look-alike address, and creates no second account for one", async () => {
    const it = await fixture();
    const carl = await aUser(store, { email: "carl@strasse.example" });
    const token = await it.invited("carl@stra\u00dfe.example");
    const found = await find(token, it);
    assert.deepEqual([found?.account, found?.is_taken], [undefined, true]);
    assert.deepEqual(await as(carl, token, it), { type: "someone_else" });
    assert.deepEqual(await asNew(token, it), { type: "account_exists" });
    const email = "\u00c9lise@example.com";
    const elise = await aUser(store, { email: email.toLowerCase() });
    assert.equal((await as(elise, await it.invited(email), it)).type, "joined");
  });

  test("the link of an invitation works for seven days", async () => {
    const it = await fixture();
    const token = await it.invited(address());
    it.context.clock.advance(7 * day - 1);
    assert.ok(await find(token, it));
    it.context.clock.advance(1);
    assert.equal(await find(token, it), undefined);
    assert.deepEqual(await asNew(token, it), { type: "dead_link" });
  });

  test("a newer invitation replaces an older one to the same address, whatever its case", async () => {
    const it = await fixture();
    const email = address();
    const older = await it.invited(email, "member");
    const newer = await it.invited(email.toUpperCase(), "developer");
    assert.equal(await find(older, it), undefined);
    assert.equal((await find(newer, it))?.invitation.role, "developer");
    assert.equal(await store.count("invitations", { organization_id: it.acme.id }), 1);
  });

  test("an invitation ends when its inviter loses the role, the membership or the account", async () => {
    const it = await fixture();
    const endings: ((inviter: User, membership_id: string) => Promise<unknown>)[] = [
      (_, id) => store.update("memberships", { id }, { role: "developer" }),
      (_, id) => store.remove("memberships", { id }),
      ({ id }) => store.update("users", { id }, { active: false }),
      ({ id }) => store.remove("users", { id }),
    ];
    for (const end of endings) {
      const inviter = await aUser(store);
      const { id } = await aMembership(store, {
        user_id: inviter.id,
        organization_id: it.acme.id,
        role: "admin",
      });
      const token = await it.invited(address(), "admin", inviter);
      assert.ok(await find(token, it));
      await end(inviter, id);
      assert.equal(await find(token, it), undefined);
      assert.deepEqual(await asNew(token, it), { type: "dead_link" });
    }
  });

  test("G-7: an invitation whose inviter lost the role stays invalid if the role is restored (security finding 23)", async () => {
    const it = await fixture();
    const system = { ...it.context, actor: { kind: "system", label: "test" } as const };
    type Loss = (inviter: User, membership_id: string) => Promise<() => Promise<unknown>>;
    const losses: Loss[] = [
      async (_, id) => {
        await membership.update(system, id, { role: "developer" });
        return () => membership.update(system, id, { role: "admin" });
      },
      async ({ id: user_id }, id) => {
        await membership.remove(system, id);
        return () => aMembership(store, { user_id, organization_id: it.acme.id, role: "admin" });
      },
      async ({ id }) => {
        await updateUser(system, id, { active: false });
        return () => updateUser(system, id, { active: true });
      },
    ];
    for (const lose of losses) {
      const inviter = await aUser(store);
      const { id } = await aMembership(store, {
        user_id: inviter.id,
        organization_id: it.acme.id,
        role: "admin",
      });
      const [wide, narrow] = [
        await it.invited(address(), "admin", inviter),
        await it.invited(address(), "member"),
      ];
      await membership.update(system, id, { permissions: ["apps:read"] });
      assert.ok(await find(wide, it), "a change that takes nothing leaves it");
      const giveBack = await lose(inviter, id);
      await giveBack();
      assert.equal(await find(wide, it), undefined);
      assert.deepEqual(await asNew(wide, it), { type: "dead_link" });
      assert.ok(await find(narrow, it), "another inviter's stays");
      const [reported] = await store.list(
        "audit_events",
        { type: "invitation.withdrawn" },
        { order_by: "id", descending: true, limit: 1 },
      );
      assert.equal(reported?.organization_id, it.acme.id);
      assert.equal((reported?.details as { reason?: string } | null)?.reason, "inviter_lost_role");
    }
  });

  test("an invitation does not work while its organization is inactive, and is deleted with it", async () => {
    const it = await fixture();
    const token = await it.invited(address());
    await store.update("organizations", { id: it.acme.id }, { active: false });
    assert.equal(await find(token, it), undefined);
    await store.update("organizations", { id: it.acme.id }, { active: true });
    assert.ok(await find(token, it));
    await store.remove("organizations", { id: it.acme.id });
    assert.equal(await store.count("invitations", { organization_id: it.acme.id }), 0);
  });

  test("many concurrent acceptances of one link create one account and one membership", async () => {
    const it = await fixture();
    const email = address();
    const token = await it.invited(email);
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => asNew(token, it)));
    // A read during the first commit may see the account before the link counts as used.
    const types = outcomes.map(({ type }) => (type === "account_exists" ? "dead_link" : type)).sort();
    assert.deepEqual(types, [...Array<string>(5).fill("dead_link"), "joined"]);
    const [user, ...others] = await store.list("users", { email });
    assert.equal(others.length, 0);
    assert.equal(await store.count("memberships", { user_id: user?.id ?? "" }), 1);
    assert.equal(user?.last_login_at?.getTime(), it.context.now().getTime());
  });

  test("if the person got an account meanwhile, no second one is created, and the account can accept", async () => {
    const it = await fixture();
    const email = address();
    const token = await it.invited(email);
    const grace = await aUser(store, { email: email.toUpperCase() });
    assert.deepEqual(await asNew(token, it), { type: "account_exists" });
    const outcome = await as(grace, token, it);
    assert.equal(outcome.type, "joined");
  });

  test("a membership created concurrently is found and not created again", async () => {
    const it = await fixture();
    for (let turn = 0; turn < 5; turn++) {
      const grace = await aUser(store);
      const token = await it.invited(grace.email);
      const where = { user_id: grace.id, organization_id: it.acme.id };
      const [outcome] = await Promise.all([
        as(grace, token, it),
        aMembership(store, where).catch((error: Error) => assert.equal(error.name, "UniqueViolation")),
      ]);
      assert.equal(outcome.type, "joined");
      assert.equal(await store.count("memberships", where), 1);
    }
  });

  test("L-15: an invitation is for the account with exactly its address, and for no look-alike", async () => {
    const it = await fixture();
    const email = `stra\u00dfe.${address()}`;
    const owner = await aUser(store, { email, email_key: email });
    const namesake = await aUser(store, { email: email.replace("\u00df", "ss") });
    const token = await it.invited(email);
    assert.equal((await find(token, it))?.account?.id, owner.id);
    assert.deepEqual(await as(namesake, token, it), { type: "someone_else" });
    assert.equal((await as(owner, token, it)).type, "joined");
  });

  test("only an active account that still has the invited address can accept the invitation", async () => {
    const it = await fixture();
    const grace = await aUser(store);
    const token = await it.invited(grace.email);
    assert.deepEqual(await as(await aUser(store), token, it), { type: "someone_else" });
    await store.update("users", { id: grace.id }, { active: false });
    assert.deepEqual(await as(grace, token, it), { type: "someone_else" });
    const moved = address();
    await store.update("users", { id: grace.id }, { active: true, email: moved, email_key: moved });
    assert.deepEqual(await as(grace, token, it), { type: "someone_else" });
    assert.equal(await store.count("memberships", { user_id: grace.id }), 0);
  });

  test("H-8: inviting and accepting are in the organization's audit log, with actor and address", async () => {
    const it = await fixture();
    const email = address();
    const token = await it.invited(email);
    const outcome = await asNew(token, it);
    assert.equal(outcome.type, "joined");
    const user = await store.find("users", { email });
    const rows = await store.list("audit_events", { organization_id: it.acme.id });
    const reported = rows.map(({ type, actor_id, client_ip }) => [type, actor_id, client_ip]);
    assert.deepEqual(reported.sort(), [
      ["invitation.accepted", user?.id, origin.client_ip],
      ["invitation.created", it.owner.id, null],
      ["membership.created", user?.id, origin.client_ip],
    ]);
    assert.ok(!JSON.stringify(rows).includes("pot_"));
    assert.equal(await store.count("audit_events", { type: "user.created", target_id: user?.id ?? "" }), 1);
    // The sign-in that follows is reported by the route, and not here.
    assert.deepEqual(it.events, []);
  });

  test("a weak password or an empty name is refused, and creates nothing", async () => {
    const it = await fixture();
    const token = await it.invited(address());
    assert.deepEqual(await asNew(token, it, { name: "", password: "short" }), {
      type: "refused",
      errors: ["name", "too_short"],
    });
    assert.deepEqual(await asNew(token, it, { password: "x".repeat(1025) }), {
      type: "refused",
      errors: ["too_long"],
    });
    assert.ok(await find(token, it));
  });

  test("an organization has at most a hundred open invitations, and expired ones do not count", async () => {
    const it = await fixture();
    const of = { organization_id: it.acme.id, invited_by: it.owner.id };
    for (let count = 0; count < 100; count++) {
      await anInvitation(store, { ...of, expires_at: later(count === 0 ? 60 : day) });
    }
    const context = { ...it.context, actor: { kind: "user", user: it.owner } as const };
    const requested = { email: address(), role: "member" };
    assert.deepEqual(await inviteMember(context, it.acme.id, requested), {
      type: "refused",
      error: "too_many_open",
    });
    it.context.clock.advance(60);
    assert.equal((await listInvitations(context, it.acme.id)).open.length, 99);
    assert.equal((await inviteMember(context, it.acme.id, requested)).type, "invited");
  });

  test("a user sends at most a hundred invitations within an hour", async () => {
    const it = await fixture();
    const context = { ...it.context, actor: { kind: "user", user: it.owner } as const };
    const requested = { email: address(), role: "member" };
    for (let count = 0; count < 100; count++) {
      assert.equal((await inviteMember(context, it.acme.id, requested)).type, "invited");
    }
    assert.deepEqual(await inviteMember(context, it.acme.id, requested), {
      type: "refused",
      error: "throttled",
      retry_after: 3600,
    });
    it.context.clock.advance(3600);
    assert.equal((await inviteMember(context, it.acme.id, requested)).type, "invited");
  });

  test("H-11: an expired invitation is deleted", async () => {
    const { id } = await anInvitation(store, { expires_at: start });
    const open = await anInvitation(store, { expires_at: later(day) });
    await store.sweep(later(1));
    assert.equal(await store.find("invitations", { id }), undefined);
    assert.ok(await store.find("invitations", { id: open.id }));
  });
});
