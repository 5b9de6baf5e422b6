import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { removeRecord, updateRecord } from "../../../src/admin/manage/manage.ts";
import { memberships as ofMemberships } from "../../../src/admin/resources/people.ts";
import { resourceOf } from "../../../src/admin/resources/resources.ts";
import type { Membership } from "../../../src/records/definition/definition.ts";
import type { Store } from "../../../src/storage/store.ts";
import { testContext } from "../../admin/context.ts";
import { type TestServer, testServer } from "../../support/authorization_server.ts";
import {
  aGroup,
  aGroupMember,
  aMembership,
  anOAuthAccount,
  aProvider,
  aRole,
  aSession,
  aToken,
  later,
} from "../../support/builders.ts";
import { databasesInForm, openStoreAt } from "../../support/databases.ts";
import { deactivate } from "../../support/endings.ts";
import { until } from "../../support/until.ts";
import {
  aClientFixture,
  type ClientFixture,
  claimsOf,
  inactive,
  refusal,
  withStore,
} from "../client_fixture.ts";

const scope = "openid organization roles offline_access";
const given = {
  first_party: true,
  allowed_scopes: ["openid", "organization", "roles"],
  organization_mode: "auto",
} as const;

for (const database of databasesInForm)
  describe(`membership claims while memberships change, on ${database.name}`, () => {
    let as: TestServer;
    /** Another process on the same database, with a separate cache. */
    let there: TestServer;
    before(async () => {
      const address = await database.tables();
      const here = await openStoreAt(address);
      as = await testServer(here);
      there = withStore(as, (await openStoreAt(address)) as Store);
    });

    /** Creates a user with two memberships, and a family of tokens for each. */
    async function members() {
      const fixture = await aClientFixture(as, given);
      const one = await aMembership(as.store, { user_id: fixture.user.id });
      const two = await aMembership(as.store, { user_id: fixture.user.id });
      const flow = ({ organization_id: organization }: Membership) => fixture.flow({ scope, organization });
      return { fixture, one, two, ofOne: await flow(one), ofTwo: await flow(two) };
    }
    const context = () => testContext(as.store);
    const rolesAt = async (fixture: ClientFixture, token: string) =>
      ((await fixture.introspect(token)) as { roles?: unknown }).roles;

    test("OC-4: a changed role shows at once in introspection, within a second in other processes, and in new tokens", async () => {
      const { fixture, one, ofOne } = await members();
      const elsewhere = fixture.at(there);
      for (const at of [fixture, elsewhere])
        assert.deepEqual(await rolesAt(at, ofOne.access_token), ["member"]);
      await updateRecord(context(), ofMemberships, one.id, { role: "admin" });
      assert.deepEqual(await rolesAt(fixture, ofOne.access_token), ["admin"]);
      await until(
        async () => JSON.stringify(await rolesAt(elsewhere, ofOne.access_token)) === '["admin"]',
        "the other process tells the new role",
      );
      const { access_token } = await fixture.refresh(ofOne.refresh_token);
      assert.deepEqual(claimsOf(access_token).roles, ["admin"]);
    });

    test("OC-4: a changed group shows at once in introspection, and within a second in other processes", async () => {
      const { fixture, one, ofOne } = await members();
      const elsewhere = fixture.at(there);
      const { id: role_id, name } = await aRole(as.store, { name: `group role ${one.id}` });
      const group = await aGroup(as.store, { organization_id: one.organization_id });
      const rolesAre = async (at: ClientFixture, ...expected: string[]) =>
        JSON.stringify(await rolesAt(at, ofOne.access_token)) === JSON.stringify(expected);
      const { id } = await aGroupMember(as.store, one, group);
      await until(() => rolesAre(elsewhere, "member"), "the group gives no role yet");
      await updateRecord(context(), resourceOf("groups"), group.id, { role_ids: [role_id] });
      await until(() => rolesAre(fixture, "member", name), "this process tells the role of the group");
      await until(() => rolesAre(elsewhere, "member", name), "the other process tells the role of the group");
      await removeRecord(context(), resourceOf("group_members"), id);
      await until(() => rolesAre(elsewhere, "member"), "the other process tells that the member left");
    });

    test("OC-4: ending a membership removes the member from all groups in the same transaction", async () => {
      const { one, two } = await members();
      for (const each of [one, two]) await aGroupMember(as.store, each);
      await removeRecord(context(), ofMemberships, one.id);
      const left = await as.store.list("group_members", { user_id: one.user_id });
      assert.deepEqual(
        left.map(({ membership_id }) => membership_id),
        [two.id],
      );
    });

    test("OC-4: removing a member ends only tokens for that organization, and they stay ended if the member returns", async () => {
      const { fixture, one, ofOne, ofTwo } = await members();
      const elsewhere = fixture.at(there);
      assert.ok(await elsewhere.isActive(ofOne.access_token));
      const code = await fixture.code({ scope, organization: one.organization_id });
      await removeRecord(context(), ofMemberships, one.id);
      assert.deepEqual(await fixture.introspect(ofOne.access_token), inactive);
      await until(
        async () => !(await elsewhere.isActive(ofOne.access_token)),
        "it ends at the other process",
      );
      const row = await fixture.rowOf(ofOne.access_token);
      assert.deepEqual([row.revoked, row.revoked_reason], [true, "membership_ended"]);
      await assert.rejects(fixture.refresh(ofOne.refresh_token), refusal("invalid_grant"));
      await assert.rejects(fixture.exchange(code), refusal("invalid_grant", /no longer a member/));
      assert.ok(await fixture.isActive(ofTwo.access_token));
      const { user_id, organization_id } = one;
      await aMembership(as.store, { user_id, organization_id });
      assert.deepEqual(await fixture.introspect(ofOne.access_token), inactive);
      await fixture.refresh(ofTwo.refresh_token);
    });

    test("OC-4: removing a member ends sessions opened through the organization's provider", async () => {
      const { fixture, one, two } = await members();
      const { user } = fixture;
      const sessions: string[] = [];
      for (const { organization_id } of [one, two]) {
        const provider = await aProvider(as.store, { organization_id });
        const link = { user_id: user.id, provider: provider.slug, provider_id: provider.id };
        const { id: credential } = await anOAuthAccount(as.store, link);
        const methods = [{ kind: "provider", credential, at: as.clock.now().getTime() }] as const;
        const times = { last_seen_at: as.clock.now(), expires_at: later(604_800) };
        sessions.push((await aSession(as.store, { user_id: user.id, methods, ...times })).id);
      }
      const impact = await as.store.impactOf("memberships", one.id, as.clock.now(), 100);
      assert.deepEqual(impact, { members: 1, tokens: 1, sessions: 1 });
      await removeRecord(context(), ofMemberships, one.id);
      const ended = async (id = "") => (await as.store.find("sessions", { id }))?.ended_at !== null;
      assert.deepEqual(await Promise.all([...sessions, fixture.who.session.id].map(ended)), [
        true,
        false,
        false,
      ]);
    });

    test("OC-4: deactivating an organization ends the tokens for it", async () => {
      const { fixture, one, ofOne, ofTwo } = await members();
      as.clock.advance(1);
      await deactivate(as.store, "organizations", one.organization_id, as.clock.now());
      assert.deepEqual(await fixture.introspect(ofOne.access_token), inactive);
      await assert.rejects(fixture.refresh(ofOne.refresh_token), refusal("invalid_grant"));
      assert.ok(await fixture.isActive(ofTwo.access_token));
    });

    test("OC-4: a refresh fails if the membership ends while it runs", async () => {
      const { fixture, one, ofOne } = await members();
      const { store } = as;
      const rotateRefreshToken: Store["rotateRefreshToken"] = async (rotation) => {
        await store.remove("memberships", { id: one.id });
        return store.rotateRefreshToken(rotation);
      };
      const racing = fixture.at(withStore(as, { rotateRefreshToken }));
      await assert.rejects(racing.refresh(ofOne.refresh_token), refusal("invalid_grant"));
    });

    test("OC-4: all tokens of a removed member end immediately, and their rows are marked in batches", async () => {
      const { fixture, one, ofOne, ofTwo } = await members();
      const family_id = as.store.newId(as.clock.now());
      const row = { user_id: fixture.user.id, app_id: fixture.app.id, membership_id: one.id, family_id };
      for (let at = 0; at < 501; at += 1)
        await aToken(as.store, { ...row, created_at: as.clock.now(), access_expires_at: later(900) });
      await removeRecord(context(), ofMemberships, one.id);
      assert.deepEqual(await fixture.introspect(ofOne.access_token), inactive);
      await as.store.markEndedTokens();
      const where = { membership_id: one.id, revoked: false } as const;
      assert.equal(await as.store.count("oauth_tokens", where), 0);
      assert.equal((await as.store.find("users", { id: fixture.user.id }))?.ended_grants, null);
      assert.ok(await fixture.isActive(ofTwo.access_token));
    });
  });
