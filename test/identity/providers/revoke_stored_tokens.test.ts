/** Tokens of links that end: queued in the same commit, and revoked at the provider afterwards (EP-19). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { removeDueUsers } from "../../../src/admin/records/due_deletions.ts";
import { removeLinkedAccount } from "../../../src/admin/records/linked_accounts.ts";
import { deleteProvider } from "../../../src/admin/records/providers.ts";
import { deleteUser } from "../../../src/admin/records/users.ts";
import { organizations } from "../../../src/admin/resources/people.ts";
import { startSession } from "../../../src/people/core/sessions.ts";
import { unlinkAccount } from "../../../src/people/providers/linked_accounts.ts";
import { revokeStoredTokens } from "../../../src/people/providers/revoke_stored_tokens.ts";
import { UpstreamError } from "../../../src/providers/upstream_error.ts";
import type { OAuthAccount, Provider, User } from "../../../src/records/definition/definition.ts";
import { testContext } from "../../admin/context.ts";
import { testServer } from "../../support/authorization_server.ts";
import { anOAuthAccount, anOrganization, aUser, byPassword } from "../../support/builders.ts";
import { describeInForm, openStoreAt } from "../../support/databases.ts";
import { identityOn } from "../../support/identity_context.ts";
import { aProvider, origin, scriptedClient } from "../../support/scripted_providers.ts";

const kind = "upstream_revocation";
const tokens = { access_token: "access of the provider", refresh_token: "refresh of the provider" };

describeInForm("provider tokens of linked accounts that are removed", (database) => {
  async function setUp(overrides: Partial<Provider> = {}) {
    const address = await database.tables();
    const opened = await openStoreAt(address);
    const { server, clock } = await testServer(opened);
    const client = scriptedClient();
    const context = identityOn(server, { throttle: false, provider_client: client });
    const { store, sealer, now } = context;
    const admin = { ...testContext(store), sealer, now };
    const provider = await aProvider(store, { keep_tokens: true, ...overrides });

    /** Returns a linked user, with tokens that are encrypted for the link. */
    async function linked(more: Partial<User> = {}, of = provider) {
      const user = await aUser(store, { password_hash: "x", ...more });
      const id = store.newId(now());
      const sealed = (token: string) => sealer.seal("linked_account", token, id);
      const link = await anOAuthAccount(store, {
        id,
        user_id: user.id,
        provider: of.slug,
        access_token: sealed(tokens.access_token),
        refresh_token: sealed(tokens.refresh_token),
      });
      return { user, link };
    }

    async function unlink({ user, link }: { user: User; link: OAuthAccount }) {
      const { session } = await startSession({ user, methods: byPassword(now()), origin }, context);
      const outcome = await unlinkAccount(link, { user, session }, origin, context);
      assert.equal(outcome.type, "unlinked");
    }

    const waiting = () => store.count("ephemera", { kind });
    const audited = async () =>
      (await store.list("audit_events", { type: "linked_account.tokens_revoked" })).map(
        ({ outcome, actor_kind, target_id, details }) => ({ outcome, actor_kind, target_id, details }),
      );
    return { address, clock, context, admin, store, client, provider, linked, unlink, waiting, audited };
  }

  test("EP-19: however a link is removed, its tokens are revoked at the provider, with an audit event", async () => {
    const it = await setUp();
    const { store, admin, context, clock, client } = it;
    const organization = await anOrganization(store);
    const theirs = await aProvider(store, { slug: "theirs", organization_id: organization.id });
    const doomed = await aProvider(store, { slug: "doomed" });
    const due = { active: false, deletion_at: clock.now() };
    const endings: Record<string, () => Promise<OAuthAccount>> = {
      async "the person unlinks"() {
        const both = await it.linked();
        await it.unlink(both);
        return both.link;
      },
      async "an administrator removes the link"() {
        const { link } = await it.linked();
        await removeLinkedAccount(admin, link.id);
        return link;
      },
      async "the user is deleted"() {
        const { user, link } = await it.linked();
        await deleteUser(admin, user.id);
        return link;
      },
      async "the user's own deletion comes true"() {
        const { link } = await it.linked(due);
        assert.equal(await removeDueUsers(admin), 1);
        return link;
      },
      async "the provider is deleted with its links"() {
        const { link } = await it.linked({}, doomed);
        await deleteProvider(admin, doomed.id, true);
        return link;
      },
      async "the organization of the provider is deleted"() {
        const { link } = await it.linked({}, theirs);
        await organizations.remove?.(admin, organization.id, undefined, {});
        return link;
      },
    };
    for (const [name, end] of Object.entries(endings)) {
      client.revoked.length = 0;
      const before = (await it.audited()).length;
      const link = await end();
      assert.equal(client.revoked.length, 0, `${name}: nobody waits for the provider`);
      const [row] = await store.list("ephemera", { kind });
      assert.ok(row?.value && !row.value.includes("of the provider"), `${name}: what waits is sealed`);
      assert.equal(await revokeStoredTokens(context), 1, name);
      assert.deepEqual(client.revoked, [tokens], name);
      assert.equal(await it.waiting(), 0, name);
      const reported = await it.audited();
      assert.equal(reported.length, before + 1, name);
      assert.deepEqual(
        reported.find(({ target_id }) => target_id === link.id),
        {
          outcome: "success",
          actor_kind: "system",
          target_id: link.id,
          details: { provider: link.provider },
        },
        name,
      );
    }
  });

  test("EP-19: nothing is revoked if the link has no tokens or no provider, or if the removal is rolled back", async () => {
    const it = await setUp();
    const { store, client, context } = it;
    const none = await it.linked();
    await store.update("oauth_accounts", { id: none.link.id }, { access_token: "", refresh_token: null });
    await it.unlink(none);
    const unknown = await it.linked();
    await store.update("oauth_accounts", { id: unknown.link.id }, { provider_id: null });
    await it.unlink(unknown);
    const { link } = await it.linked();
    const failing = store.transaction(async (tx) => {
      await store.enqueueRevocation(tx, link, it.clock.now());
      throw new Error("undone");
    });
    await assert.rejects(failing, { message: "undone" });
    assert.equal(await it.waiting(), 0);
    client.revoke = async () => false;
    await it.unlink(await it.linked());
    await revokeStoredTokens(context);
    assert.deepEqual([await it.waiting(), await it.audited()], [0, []], "some providers have no way");
  });

  test("EP-19: a provider that does not respond delays no unlinking, and is tried five times in six hours", async () => {
    const it = await setUp();
    const { clock, context, client } = it;
    let tries = 0;
    client.revoke = async () => {
      tries += 1;
      throw new UpstreamError("timeout");
    };
    const both = await it.linked();
    await it.unlink(both);
    const made: number[] = [];
    for (let minute = 0; minute <= 400; minute += 1) {
      const before = tries;
      await revokeStoredTokens(context);
      if (tries > before) made.push(minute);
      clock.advance(60);
    }
    assert.deepEqual(made, [0, 1, 10, 60, 360]);
    const [reported, ...others] = await it.audited();
    assert.deepEqual([reported?.outcome, reported?.target_id, others], ["failure", both.link.id, []]);
    assert.equal(await it.waiting(), 0);
  });

  test("EP-19: 50 concurrent runs in two processes revoke once, and the work of a crashed one is taken over", async () => {
    const it = await setUp();
    const { clock, context, client, store } = it;
    const other = { ...context, store: await openStoreAt(it.address) };
    await it.unlink(await it.linked());
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, index) => revokeStoredTokens(index % 2 ? context : other)),
    );
    assert.equal(
      made.reduce((sum, each) => sum + each),
      1,
    );
    assert.equal(client.revoked.length, 1);
    await it.unlink(await it.linked());
    assert.equal((await store.claimRevocations(clock.now())).length, 1, "it crashes here");
    assert.equal(await revokeStoredTokens(other), 0);
    clock.advance(60);
    assert.equal(await revokeStoredTokens(other), 1);
    assert.deepEqual([client.revoked.length, await it.waiting()], [2, 0]);
  });

  test("EP-19: a server that stops makes no further attempt, and the remaining ones run later", async () => {
    const it = await setUp();
    const { clock, context, client } = it;
    for (let links = 0; links < 3; links++) await it.unlink(await it.linked());
    const stopping = new AbortController();
    let tries = 0;
    client.revoke = async () => {
      tries += 1;
      stopping.abort();
      throw new UpstreamError("timeout");
    };
    await revokeStoredTokens(context, stopping.signal);
    assert.deepEqual([tries, await it.waiting(), await it.audited()], [1, 3, []]);
    client.revoke = async () => true;
    clock.advance(60);
    assert.equal(await revokeStoredTokens(context), 3);
    assert.equal(await it.waiting(), 0);
  });
});
