/** The sessions that end when a provider reports the end of its own session (BL-9). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Provider } from "../../../src/people/core/proofs/provider_account.ts";
import { addMethods, findSession, startSession } from "../../../src/people/core/sessions.ts";
import { endUpstreamSessions } from "../../../src/people/providers/upstream_logout.ts";
import type { UpstreamLogout } from "../../../src/providers/logout_token.ts";
import type { OAuthAccount, User } from "../../../src/records/definition/definition.ts";
import type { SignInMethod } from "../../../src/records/names/sign_in_methods.ts";
import { testServer } from "../../support/authorization_server.ts";
import {
  aMembership,
  anOAuthAccount,
  anOrganization,
  aUser,
  byPassword,
  later,
} from "../../support/builders.ts";
import { databases } from "../../support/databases.ts";
import { identityOn } from "../../support/identity_context.ts";
import { aProvider, origin, scriptedClient } from "../../support/scripted_providers.ts";

const database = databases[0] ?? assert.fail("no database");

describe("back-channel logout by a provider", () => {
  async function setUp() {
    const { server } = await testServer(await database.open());
    const client = scriptedClient();
    const context = identityOn(server, { throttle: false, provider_client: client });
    const { store, now } = context;
    const linked = async (provider: Provider, subject: string, user?: User) => {
      const user_id = (user ?? (await aUser(store))).id;
      const key = { provider: provider.slug, provider_id: provider.id, provider_user_id: subject };
      return anOAuthAccount(store, { user_id, ...key });
    };
    const through = ({ id: credential }: OAuthAccount, upstream_sid?: string): SignInMethod => ({
      kind: "provider",
      credential,
      at: now().getTime(),
      ...(upstream_sid !== undefined && { upstream_sid }),
    });
    const userOf = async ({ user_id }: OAuthAccount) =>
      (await store.find("users", { id: user_id })) ?? assert.fail("no user");
    /** Starts a session with these proofs, and returns a function that reports whether it still exists. */
    const session = async (user: User, methods: readonly SignInMethod[]) => {
      const { cookie } = await startSession({ user, methods, origin }, context);
      return async () => (await findSession(cookie, context)) !== undefined;
    };
    const begun = async (link: OAuthAccount, upstream_sid?: string) =>
      session(await userOf(link), [through(link, upstream_sid)]);
    let tokens = 0;
    const said = (ended: Partial<UpstreamLogout>) => {
      tokens += 1;
      const token = `token ${tokens}`;
      client.logouts.set(token, {
        ...{ subject: undefined, sid: undefined, jti: token, expires_at: later(120, now()) },
        ...ended,
      });
      return token;
    };
    const end = (provider: Provider, ended: Partial<UpstreamLogout>) =>
      endUpstreamSessions(provider, said(ended), origin, context);
    return { store, context, linked, through, userOf, session, begun, said, end };
  }
  const live = (sessions: readonly (() => Promise<boolean>)[]) =>
    Promise.all(sessions.map((isLive) => isLive()));

  test("BL-9: a provider's sign-out ends the sessions opened through it, with or without sub in its token", async () => {
    for (const subject of ["ann", undefined]) {
      const it = await setUp();
      const provider = await aProvider(it.store);
      const [ann, bob] = [await it.linked(provider, "ann"), await it.linked(provider, "bob")];
      const user = await it.userOf(ann);
      const sessions = [
        await it.begun(ann, "s1"),
        await it.session(user, [...byPassword(it.context.now()), it.through(ann, "s1")]),
        await it.begun(ann, "s2"),
        await it.begun(bob, "s3"),
        await it.session(user, byPassword(it.context.now())),
      ];
      await it.end(provider, { subject, sid: "s1" });
      assert.deepEqual(await live(sessions), [false, false, true, true, true], `sub ${subject}`);
      const events = (await it.store.list("audit_events", { type: "sign_out" })).length;
      await it.end(provider, { subject, sid: "unknown" });
      assert.deepEqual(await live(sessions), [false, false, true, true, true], `sub ${subject}`);
      assert.equal((await it.store.list("audit_events", { type: "sign_out" })).length, events);
    }
  });

  test("BL-9: sub ends every session through the account; with sid, only matching sessions and those without a sid", async () => {
    const it = await setUp();
    const provider = await aProvider(it.store);
    const [ann, bob] = [await it.linked(provider, "ann"), await it.linked(provider, "bob")];
    const sessions = [
      await it.begun(ann, "s1"),
      await it.begun(ann),
      await it.begun(bob, "s1"),
      await it.begun(bob),
    ];
    await it.end(provider, { subject: "ann", sid: "s0" });
    assert.deepEqual(await live(sessions), [true, false, true, true]);
    await it.end(provider, { subject: "ann" });
    assert.deepEqual(await live(sessions), [false, false, true, true]);
    await it.end(provider, { subject: "nobody" });
    assert.deepEqual(await live(sessions), [false, false, true, true]);
  });

  test("BL-9: a provider cannot end sessions of another provider, nor an organization's provider those of others", async () => {
    const it = await setUp();
    const provider = await aProvider(it.store);
    const organization = await anOrganization(it.store);
    const theirs = await aProvider(it.store, { slug: "theirs", organization_id: organization.id });
    const ann = await it.linked(provider, "ann");
    const user = await it.userOf(ann);
    await aMembership(it.store, { user_id: user.id, organization_id: organization.id });
    const link = await it.linked(theirs, "ann", user);
    const sessions = [
      await it.begun(ann, "s1"),
      await it.begun(link, "s1"),
      await it.session(user, byPassword(it.context.now())),
    ];
    for (const ended of [{ sid: "s1" }, { subject: "ann" }, { subject: "ann", sid: "s1" }]) {
      await it.end(theirs, ended);
      assert.deepEqual(await live(sessions), [true, false, true]);
    }
    await it.end(provider, { sid: "s1" });
    assert.deepEqual(await live(sessions), [false, false, true]);
  });

  test("BL-9: a session to which the provider was added as a proof ends as well", async () => {
    const it = await setUp();
    const provider = await aProvider(it.store);
    const ann = await it.linked(provider, "ann");
    const user = await it.userOf(ann);
    const { cookie } = await startSession(
      { user, methods: byPassword(it.context.now()), origin },
      it.context,
    );
    const signedIn = (await findSession(cookie, it.context)) ?? assert.fail("no session");
    const added = await addMethods(signedIn, [it.through(ann, "s1")], it.context);
    assert.ok(added);
    await it.end(provider, { sid: "s1" });
    assert.equal(await findSession(added.cookie, it.context), undefined);
  });

  test("BL-9: a logout token is accepted once, and again only if the sessions could not be ended", async () => {
    const it = await setUp();
    const provider = await aProvider(it.store);
    const ann = await it.linked(provider, "ann");
    const first = await it.begun(ann);
    const token = it.said({ subject: "ann" });
    const store = {
      ...it.context.store,
      endSessionIn: async () => {
        throw new Error("the database is away");
      },
    };
    const away = endUpstreamSessions(provider, token, origin, { ...it.context, store });
    await assert.rejects(away, /the database is away/);
    await endUpstreamSessions(provider, token, origin, it.context);
    assert.equal(await first(), false);
    const again = await it.begun(ann);
    await assert.rejects(endUpstreamSessions(provider, token, origin, it.context), { kind: "logout_jti" });
    assert.equal(await again(), true);
  });
});
