import assert from "node:assert/strict";
import { test } from "node:test";
import { createApp } from "../../../src/admin/records/apps.ts";
import { testContext } from "../../admin/context.ts";
import { serverOn } from "../../support/authorization_server.ts";
import { aMembership, anOrganization, aUser } from "../../support/builders.ts";
import { describeInForm } from "../../support/databases.ts";
import { ask, authorizeParameters, redirected } from "../../support/flows.ts";
import { aClientFixture, refusal } from "../client_fixture.ts";

describeInForm("apps for members alone", (database) => {
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
      await assert.rejects(fixture.refresh(refresh_token), refusal("invalid_grant", /only members/));
      await assert.rejects(fixture.exchange(code), refusal("invalid_grant", /only members/));
    });

  test("OC-8: an app created by kind for an organization is for its members, unless it says otherwise", async () => {
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
