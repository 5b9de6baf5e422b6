import assert from "node:assert/strict";
import { test } from "node:test";
import { createApp } from "../../../src/admin/records/apps.ts";
import { testContext } from "../../admin/context.ts";
import { serverOn } from "../../support/authorization_server.ts";
import { aGroup, aGroupMember, aMembership, anOrganization, aRole, aUser } from "../../support/builders.ts";
import { describeInForm } from "../../support/databases.ts";
import { ask, authorizeParameters, redirected } from "../../support/flows.ts";
import { aClientFixture, refusal } from "../client_fixture.ts";

describeInForm("apps that admit members only", (database) => {
  const as = serverOn(database);

  for (const ofOrganization of [true, false])
    test(`OC-8: an app ${ofOrganization ? "of an organization" : "of the server"} admits members only, and only during their membership`, async () => {
      const organization = await anOrganization(as.store);
      const fixture = await aClientFixture(as, {
        first_party: true,
        who_may_sign_in: "members",
        organization_id: ofOrganization ? organization.id : null,
      });
      const { app, user, who } = fixture;
      const parameters = (given = {}) => authorizeParameters(app, given);
      if (ofOrganization) await aMembership(as.store, { user_id: user.id });
      const page = await ask(as, who, parameters());
      assert.ok(page.type === "members_only");
      assert.equal(redirected(page.answer).get("error"), "access_denied");
      assert.equal(
        redirected(await ask(as, who, parameters({ prompt: "none" }))).get("error"),
        "access_denied",
      );
      const member = await aMembership(as.store, { user_id: user.id, organization_id: organization.id });
      const { refresh_token } = await fixture.flow();
      const code = await fixture.code();
      await as.store.remove("memberships", { id: member.id });
      await assert.rejects(
        fixture.refresh(refresh_token),
        refusal("invalid_grant", /whose members may sign in/),
      );
      await assert.rejects(fixture.exchange(code), refusal("invalid_grant", /whose members may sign in/));
    });

  for (const by of ["roles", "groups"] as const)
    for (const ofOrganization of [true, false])
      test(`OC-8: an app ${ofOrganization ? "of an organization" : "of the server"} admits users only while they have one of its ${by}`, async () => {
        const { id: organization_id } = await anOrganization(as.store);
        const fixture = await aClientFixture(as, {
          first_party: true,
          who_may_sign_in: by,
          sign_in_roles: ["auditor", "admin"],
          sign_in_groups: ["Sales"],
          organization_id: ofOrganization ? organization_id : null,
        });
        const { app, user, who } = fixture;
        const outcome = async (given = {}) => ask(as, who, authorizeParameters(app, given));
        const role = await aRole(as.store, { organization_id, name: "auditor" });
        const group = await aGroup(as.store, { organization_id, display_name: "Sales" });
        assert.equal((await outcome()).type, "members_only");
        const membership = await aMembership(as.store, { user_id: user.id, organization_id });
        const page = await outcome();
        assert.ok(page.type === "members_only");
        assert.equal(redirected(page.answer).get("error"), "access_denied");
        assert.equal(redirected(await outcome({ prompt: "none" })).get("error"), "access_denied");
        const joined = await aGroupMember(as.store, membership, group);
        await as.store.update("groups", { id: group.id }, { role_ids: [role.id] });
        const { refresh_token } = await fixture.flow();
        const code = await fixture.code();
        await as.store.remove("group_members", { id: joined.id });
        await assert.rejects(
          fixture.refresh(refresh_token),
          refusal("invalid_grant", /certain roles or in certain groups/),
        );
        await assert.rejects(
          fixture.exchange(code),
          refusal("invalid_grant", /certain roles or in certain groups/),
        );
      });

  test("OC-8: a role in one organization does not admit its holder to the server's app in another organization", async () => {
    const fixture = await aClientFixture(as, {
      first_party: true,
      who_may_sign_in: "roles",
      sign_in_roles: ["admin"],
      organization_mode: "optional",
      allowed_scopes: ["openid", "organization"],
    });
    const { app, user, who } = fixture;
    const one = await aMembership(as.store, { user_id: user.id, role: "admin" });
    const two = await aMembership(as.store, { user_id: user.id });
    const at = async ({ organization_id: organization }: { organization_id: string }) =>
      (await ask(as, who, authorizeParameters(app, { scope: "openid", organization }))).type;
    assert.deepEqual([await at(one), await at(two)], ["redirect", "members_only"]);
    const { refresh_token } = await fixture.flow({ scope: "openid", organization: one.organization_id });
    const other = { organization: two.organization_id };
    await assert.rejects(
      fixture.refresh(refresh_token, other),
      refusal("invalid_grant", /certain roles or in certain groups/),
    );
  });

  test("OC-8: an organization's app created by kind admits only members, unless the request says otherwise", async () => {
    const owner = await aUser(as.store);
    const { id: organization_id } = await anOrganization(as.store);
    const context = testContext(as.store);
    const made = async (input: object) => {
      const given = { name: "Web", owner_id: owner.id, redirect_uris: ["https://app.example/cb"], ...input };
      return (await createApp(context, given)).app.who_may_sign_in;
    };
    assert.equal(await made({ kind: "website", organization_id }), "members");
    assert.equal(await made({ kind: "website", organization_id, who_may_sign_in: "any" }), "any");
    assert.equal(await made({ kind: "website" }), "any");
    assert.equal(await made({ organization_id }), "any");
    assert.equal(await made({ kind: "machine", organization_id, redirect_uris: [] }), "any");
  });
});
