/** Who proves that a mailbox is theirs, and what follows from it (SS-5). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Actor } from "../../src/admin/access/actor.ts";
import { inviteMember } from "../../src/admin/invitations/invitations.ts";
import { isInviterActive } from "../../src/admin/invitations/inviters.ts";
import { createUser, updateUser } from "../../src/admin/records/users.ts";
import type { IdentityContext } from "../../src/identity/context.ts";
import { acceptAsNewUser, acceptInvitation } from "../../src/identity/invitations.ts";
import { makeResetLetter, resetPassword } from "../../src/identity/password_reset.ts";
import { completeSetup, makeSetupLink } from "../../src/identity/setup.ts";
import { serverMemory } from "../../src/oauth/memory.ts";
import { userClaims } from "../../src/oauth/user_claims.ts";
import { publicView } from "../../src/records/view.ts";
import { testContext } from "../admin/context.ts";
import { aMembership, anOrganization, aUser, start } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";

const origin = { client_ip: "192.0.2.7", user_agent: "test", request_id: "r1" };
const password = "an entirely new password";

describeInForm("verified addresses", (database) => {
  async function setUp() {
    const store = await database.open();
    const management = testContext(store);
    const { passwords, sealer, now } = management;
    const identity: IdentityContext = {
      store,
      memory: serverMemory(),
      passwords,
      sealer,
      now,
      report() {},
      throttle: false,
    };
    const verified = async (id: string) =>
      (await store.find("users", { id }))?.email_verified_at?.getTime() ?? null;
    return { store, management, identity, verified, at: start.getTime() };
  }

  async function invited(
    { store, management }: Pick<Awaited<ReturnType<typeof setUp>>, "store" | "management">,
    email: string,
    mailed: boolean,
  ): Promise<string> {
    const owner = await aUser(store);
    const organization = await anOrganization(store);
    await aMembership(store, { user_id: owner.id, organization_id: organization.id, role: "owner" });
    const actor: Actor = { kind: "user", user: owner };
    const context = { ...management, actor, ...(mailed && { onInvitation() {} }) };
    const outcome = await inviteMember(context, organization.id, { email, role: "member" });
    return outcome.type === "invited" ? outcome.token : assert.fail(outcome.fault);
  }

  test("SS-5 an invitation that was mailed proves the mailbox of a new account, and one handed over does not", async () => {
    const it = await setUp();
    for (const mailed of [true, false]) {
      const email = `new-${mailed}@example.com`;
      const token = await invited(it, email, mailed);
      const accepted = await acceptAsNewUser(
        { token, name: "Grace", password, origin },
        isInviterActive,
        it.identity,
      );
      assert.equal(accepted.type, "joined");
      const id = accepted.type === "joined" ? accepted.user.id : "";
      assert.equal(await it.verified(id), mailed ? it.at : null);
    }
  });

  test("SS-5 an account that accepts a mailed invitation proves its address, spelt as it was invited alone", async () => {
    const it = await setUp();
    const cases = [
      ["one@example.com", true, true],
      ["two@example.com", false, false],
      // Another mailbox, where case counts in the part before the @.
      ["Three@example.com", true, false],
    ] as const;
    for (const [email, mailed, proved] of cases) {
      const user = await aUser(it.store, { email: email.toLowerCase() });
      const token = await invited(it, email, mailed);
      const outcome = await acceptInvitation({ token, user, origin }, isInviterActive, it.identity);
      assert.equal(outcome.type, "joined");
      assert.equal(await it.verified(user.id), proved ? it.at : null, email);
    }
  });

  test("SS-5 a completed reset proves the mailbox, and asking for one does not", async () => {
    const { store, identity, verified, at } = await setUp();
    const user = await aUser(store, { password_hash: "$argon2id$old" });
    const letter = await makeResetLetter({ email: user.email, origin }, identity);
    const token = letter?.type === "link" ? letter.token : "";
    assert.equal(await verified(user.id), null);
    await resetPassword({ token, password, origin }, identity);
    assert.equal(await verified(user.id), at);
  });

  test("SS-5 what an administrator types is proved by nobody, and another address empties it", async () => {
    const { store, management, verified } = await setUp();
    const typed = await createUser(management, { name: "Ada", email: "ada@example.com" });
    assert.equal(typed.email_verified_at, null);
    for (const asked of [
      { name: "Ada", email: "eve@example.com", email_verified_at: start.toISOString() },
      { name: "Ada", email: "eve@example.com", email_verified_at: null },
    ]) {
      await assert.rejects(createUser(management, asked), { code: "invalid_record" });
    }
    const user = await aUser(store, { email: "grace@example.com", email_verified_at: start });
    await assert.rejects(updateUser(management, user.id, { email_verified_at: null }), {
      code: "invalid_record",
    });
    await updateUser(management, user.id, { name: "Grace", email: user.email });
    assert.equal(await verified(user.id), start.getTime(), "the same address again");
    await updateUser(management, user.id, { email: "Grace@example.com" });
    assert.equal(await verified(user.id), null);
    await updateUser(management, user.id, { email: "grace@example.com" });
    assert.equal(await verified(user.id), null, "the former address does not bring it back");
  });

  test("SS-5 the first administrator's address is typed, and proved by nobody", async () => {
    const { store, identity, verified } = await setUp();
    const path = await makeSetupLink(identity);
    const token = new URL(path ?? "", "https://id.example").searchParams.get("token") ?? "";
    const given = { token, name: "Root", email: "root@example.com", password, origin };
    const made = await completeSetup(given, identity);
    assert.equal(made.type, "made");
    const root = await store.find("users", { is_platform_admin: true });
    assert.equal(await verified(root?.id ?? ""), null);
  });

  test("SS-5 the claim follows it: true while it is set, absent otherwise, and only with the scope email", async () => {
    const { store } = await setUp();
    const unproved = await aUser(store);
    const proved = await aUser(store, { email_verified_at: start });
    assert.equal("email_verified" in userClaims(["openid", "email"], unproved), false);
    assert.equal(userClaims(["openid", "email"], proved).email_verified, true);
    assert.equal("email_verified" in userClaims(["openid", "profile"], proved), false);
    assert.equal(publicView("users", proved).email_verified_at, start.toISOString());
  });
});
