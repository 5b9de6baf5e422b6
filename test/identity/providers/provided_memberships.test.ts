/**
 * Attributes of memberships, written from claims of an organization's provider (OC-7). The organization's
 * administrators choose the claims.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { AdminContext } from "../../../src/admin/access/actor.ts";
import { isInviterActive } from "../../../src/admin/changes/inviters.ts";
import { createRecord, removeRecord, updateRecord } from "../../../src/admin/manage/manage.ts";
import { resourceOf } from "../../../src/admin/resources/resources.ts";
import { fieldError } from "../../../src/errors/field_errors.ts";
import type { Problem } from "../../../src/errors.ts";
import { answerStep, takeStep } from "../../../src/people/providers/provider_steps.ts";
import type { UpstreamIdentity } from "../../../src/providers/upstream_identity.ts";
import { errorsOf, testContext } from "../../admin/context.ts";
import { testServer } from "../../support/authorization_server.ts";
import {
  aMembership,
  anAttribute,
  anOAuthAccount,
  anOrganization,
  aProvider as aProviderRow,
  aUser,
} from "../../support/builders.ts";
import { databases } from "../../support/databases.ts";
import { identityOn } from "../../support/identity_context.ts";
import {
  aProvider,
  scriptedBrowser,
  scriptedClient,
  upstreamPerson,
} from "../../support/scripted_providers.ts";

const [providers, linked] = (["providers", "linked_accounts"] as const).map(resourceOf);

for (const database of databases)
  describe(`OC-7: membership attributes from a provider's claims, on ${database.name}`, () => {
    async function setUp() {
      const { server } = await testServer(await database.open());
      const client = scriptedClient();
      const context = identityOn(server, { throttle: false, provider_client: client });
      const { store } = context;
      const [acme, other] = [await anOrganization(store), await anOrganization(store)];
      const provided = { writers: ["provider"] } as const;
      await anAttribute(store, { ...provided, name: "team" });
      await anAttribute(store, { ...provided, record_type: "memberships", name: "level" });
      await anAttribute(store, { ...provided, record_type: "memberships", name: "risk", readers: [] });
      for (const { id: organization_id } of [acme, other])
        await anAttribute(store, { ...provided, record_type: "memberships", name: "desk", organization_id });
      const provider = await aProvider(store, {
        organization_id: acme.id,
        // Some of these would be refused today. They may have been stored earlier, so the rules are also
        // applied at each sign-in.
        attribute_claims: { desk: "desk", level: "level", team: "team", note: "note", risk: "risk" },
      });
      const browser = scriptedBrowser(context, client);
      const come = (attributes: UpstreamIdentity["attributes"]) =>
        browser.visit(provider, upstreamPerson({ attributes }));
      return { context, store, acme, other, provider, come, root: testContext(store) };
    }

    test("an organization's provider writes attributes of its memberships, and nothing else of its users", async () => {
      const { context, store, acme, other, come, root } = await setUp();
      await anAttribute(store, { record_type: "memberships", name: "note", writers: ["admin"] });
      const claims = { desk: "D4", level: "7", team: "Board", note: "n", risk: "low" };
      const outcome = await answerStep(
        { type: "create", name: "Ann", joining: { type: "member" }, isInviterActive },
        await come(claims),
        context,
      );
      assert.equal(outcome.type, "entered");
      const user = await store.find("users", { email: "ann@firm.example" });
      assert.ok(user);
      const here = { user_id: user.id, organization_id: acme.id };
      const attributesIn = async (where: object) => (await store.find("memberships", where))?.attributes;
      assert.deepEqual(await attributesIn(here), { desk: "D4", level: "7" });
      const elsewhere = await aMembership(store, {
        ...{ user_id: user.id, organization_id: other.id, attributes: { desk: "theirs" } },
      });
      await takeStep(await come({ ...claims, desk: "D5", level: undefined }), context);
      assert.deepEqual(await attributesIn(here), { desk: "D5" });
      assert.deepEqual(await attributesIn({ id: elsewhere.id }), { desk: "theirs" });
      assert.equal((await store.find("users", { id: user.id }))?.attributes, null);
      assert.equal((await store.find("organizations", { id: acme.id }))?.attributes, null);
      const events = await store.list("audit_events", { type: "membership.updated" });
      assert.deepEqual(
        events.map((each) => [each.actor_id, each.organization_id]),
        [
          [user.id, acme.id],
          [user.id, acme.id],
        ],
      );
      // The removal of the link removes the attributes, and without a membership nothing is written.
      assert.ok(linked);
      const [link] = await store.list("oauth_accounts", { user_id: user.id });
      await removeRecord(root, linked, link?.id ?? "");
      assert.equal(await attributesIn(here), null);
      await store.remove("memberships", here);
      const { id: provider_id, slug } = (await store.list("providers"))[0] ?? { id: "", slug: "" };
      await anOAuthAccount(store, {
        ...{ user_id: user.id, provider: slug, provider_id, provider_user_id: link?.provider_user_id ?? "" },
      });
      await takeStep(await come(claims), context);
      assert.deepEqual(await store.list("memberships", { organization_id: acme.id }), []);
      assert.equal((await store.find("users", { id: user.id }))?.attributes, null);
    });

    test("only callers who may write memberships can change the provider's claim mapping or issuer", async () => {
      assert.ok(providers);
      const { store, acme, root } = await setUp();
      const provider = await aProviderRow(store, { organization_id: acme.id });
      const map = (context: AdminContext, attribute_claims: object | null) =>
        updateRecord(context, providers, provider.id, { attribute_claims });
      const memberWith = async (given: object): Promise<AdminContext> => {
        const user = await aUser(store);
        await aMembership(store, { user_id: user.id, organization_id: acme.id, ...given });
        return { ...root, actor: { kind: "user", user } };
      };
      const admin = await memberWith({ role: "admin" });
      const keeper = await memberWith({ permissions: ["providers:read", "providers:write"] });
      assert.deepEqual(await errorsOf(map(keeper, { desk: "desk" })), ["/attribute_claims role_beyond"]);
      assert.deepEqual((await map(admin, { desk: "desk" })).attribute_claims, { desk: "desk" });
      for (const name of ["team", "note", "given_name", "risk"]) {
        const error: Problem = await map(admin, { [name]: "x" }).catch((reason) => reason);
        const names = ["level", "desk"];
        assert.deepEqual(error.errors, [
          fieldError(`/attribute_claims/${name}`, "no_provided_attribute", { names }),
        ]);
      }
      const moved = updateRecord(keeper, providers, provider.id, { issuer: "https://elsewhere.example" });
      assert.deepEqual(await errorsOf(moved), ["/attribute_claims role_beyond"]);
      const define = createRecord(admin, resourceOf("attributes"), {
        ...{ record_type: "apps", name: "tier", writers: ["provider"], organization_id: acme.id },
      });
      assert.deepEqual(await errorsOf(define), ["/writers provider_alone"]);
    });
  });
