/** Attributes of users that are written from claims at sign-in (OC-7). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdminContext } from "../../../src/admin/access/actor.ts";
import { isInviterActive } from "../../../src/admin/changes/inviters.ts";
import { createRecord, removeRecord, updateRecord } from "../../../src/admin/manage/manage.ts";
import { resourceOf } from "../../../src/admin/resources/resources.ts";
import { unlinkAccount } from "../../../src/people/providers/linked_accounts.ts";
import { answerStep, takeStep } from "../../../src/people/providers/provider_steps.ts";
import type { UpstreamIdentity } from "../../../src/providers/upstream_identity.ts";
import type { Provider } from "../../../src/records/definition/definition.ts";
import { errorsOf, testContext } from "../../admin/context.ts";
import { testServer } from "../../support/authorization_server.ts";
import { anAttribute, anOAuthAccount, aUser } from "../../support/builders.ts";
import { describeInForm } from "../../support/databases.ts";
import { identityOn, inSession } from "../../support/identity_context.ts";
import {
  aProvider,
  origin,
  scriptedBrowser,
  scriptedClient,
  upstreamPerson,
} from "../../support/scripted_providers.ts";

const [users, providers, linked] = (["users", "providers", "linked_accounts"] as const).map(resourceOf);

describeInForm("OC-7: user attributes from a provider's claims", (database) => {
  async function setUp(mapping: Provider["attribute_claims"] = { team: "dept" }) {
    const { server } = await testServer(await database.open());
    const client = scriptedClient();
    const context = identityOn(server, { throttle: false, provider_client: client });
    const { store } = context;
    await anAttribute(store, { name: "team", writers: ["provider"] });
    await anAttribute(store, { name: "note", writers: ["user", "admin"] });
    const provider = await aProvider(store, { attribute_claims: mapping });
    const browser = scriptedBrowser(context, client);
    const come = (attributes: UpstreamIdentity["attributes"], purpose = {}) =>
      browser.visit(provider, upstreamPerson({ attributes }), purpose);
    const attributesOf = async (id: string) => (await store.find("users", { id }))?.attributes;
    const root = testContext(store);
    return { context, store, provider, come, attributesOf, root };
  }
  type SetUp = Awaited<ReturnType<typeof setUp>>;

  async function signUp({ context, come, store }: SetUp, attributes: UpstreamIdentity["attributes"]) {
    const outcome = await answerStep(
      { type: "create", name: "Ann", isInviterActive },
      await come(attributes),
      context,
    );
    assert.equal(outcome.type, "entered");
    const user = await store.find("users", { email: "ann@firm.example" });
    assert.ok(user);
    return user;
  }

  test("the attributes follow the claims of each sign-in, and each change has an audit event with their names", async () => {
    const it = await setUp();
    const { id } = await signUp(it, { team: "Sales" });
    assert.deepEqual(await it.attributesOf(id), { team: "Sales" });
    await it.store.update("users", { id }, { attributes: { team: "Sales", note: "own" } });
    const events = () => it.store.list("audit_events", { type: "user.updated" });
    const count = (await events()).length;
    assert.equal(count, 1);
    await takeStep(await it.come({ team: "Sales" }), it.context);
    assert.equal((await events()).length, count);
    await takeStep(await it.come({ team: "Support" }), it.context);
    assert.deepEqual(await it.attributesOf(id), { team: "Support", note: "own" });
    await takeStep(await it.come({}), it.context);
    assert.deepEqual(await it.attributesOf(id), { note: "own" });
    const written = await events();
    const none = { attributes: [] };
    const one = { attributes: ["team"] };
    const byText = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted();
    assert.deepEqual(
      byText(written.map(({ actor_id, details }) => [actor_id, details?.before, details?.after])),
      byText([
        [id, none, one],
        [id, one, one],
        [id, one, none],
      ]),
    );
    assert.doesNotMatch(JSON.stringify(written), /Sales|Support/);
  });

  test("no user, administrator or provider without a mapping can write the attributes", async () => {
    const it = await setUp();
    assert.ok(users);
    const user = await signUp(it, { team: "Sales" });
    const own: AdminContext = { ...it.root, actor: { kind: "user", user } };
    for (const context of [own, it.root])
      for (const attributes of [{ team: "Board" }, {}])
        assert.deepEqual(await errorsOf(updateRecord(context, users, user.id, { attributes })), [
          "/attributes/team attribute_not_yours",
        ]);
    const other = await aProvider(it.store, { slug: "other", issuer: "https://other.example" });
    await anOAuthAccount(it.store, {
      ...{ user_id: user.id, provider: other.slug, provider_id: other.id, provider_user_id: "o" },
    });
    const { context } = it;
    const client = scriptedClient();
    const visitor = scriptedBrowser({ ...context, provider_client: client }, client);
    const person = upstreamPerson({ subject: "o", attributes: { team: "Board" } });
    await takeStep(await visitor.visit(other, person), context);
    assert.deepEqual(await it.attributesOf(user.id), { team: "Sales" });
  });

  test("removing the link removes them, also if an administrator removes it, and removing other links does not", async () => {
    assert.ok(providers && linked);
    const endings: Record<string, (it: SetUp, link_id: string, user_id: string) => Promise<unknown>> = {
      async user(it, id, user_id) {
        const user = await it.store.find("users", { id: user_id });
        assert.ok(user);
        await it.store.update("users", { id: user_id }, { password_hash: "$argon2id$kept" });
        const signedIn = await inSession(user, it.context);
        assert.equal((await unlinkAccount({ id }, signedIn, origin, it.context)).type, "unlinked");
      },
      administrator: (it, id) => removeRecord(it.root, linked, id),
      provider: (it) => removeRecord(it.root, providers, it.provider.id, undefined, { links: "delete" }),
    };
    for (const [who, end] of Object.entries(endings)) {
      const it = await setUp();
      const { id } = await signUp(it, { team: "Sales" });
      await it.store.update("users", { id }, { attributes: { team: "Sales", note: "own" } });
      const another = await anOAuthAccount(it.store, { user_id: id, provider: "another", provider_id: null });
      await removeRecord(it.root, linked, another.id);
      assert.deepEqual(await it.attributesOf(id), { team: "Sales", note: "own" }, who);
      const [link] = await it.store.list("oauth_accounts", { user_id: id });
      assert.ok(link);
      await end(it, link.id, id);
      assert.deepEqual(await it.attributesOf(id), { note: "own" }, who);
    }
  });

  test("a username that another user has, or that is another user's address, is not stored", async () => {
    const it = await setUp({ preferred_username: "preferred_username", team: "dept" });
    await anAttribute(it.store, { name: "preferred_username", writers: ["provider"], pattern: "[^,]+" });
    await aUser(it.store, { attributes: { preferred_username: "root" }, username_key: "root" });
    const { id } = await signUp(it, { preferred_username: "r00t", team: "Sales" });
    assert.deepEqual(await it.attributesOf(id), { team: "Sales" });
    await takeStep(await it.come({ preferred_username: "ann", team: "Sales" }), it.context);
    assert.deepEqual(await it.attributesOf(id), { team: "Sales", preferred_username: "ann" });
    assert.equal((await it.store.find("users", { id }))?.username_key, "ann");
    await takeStep(await it.come({ preferred_username: "eve@firm.example", team: "Sales" }), it.context);
    assert.deepEqual(await it.attributesOf(id), { team: "Sales" });
    assert.equal((await it.store.find("users", { id }))?.username_key, null);
  });

  test("only a provider may write such an attribute, and a provider's mapping must name existing attributes", async () => {
    const it = await setUp();
    assert.ok(providers);
    const define = (more: object) =>
      createRecord(it.root, resourceOf("attributes"), { record_type: "users", name: "grade", ...more });
    assert.deepEqual(await errorsOf(define({ writers: ["provider", "admin"] })), ["/writers provider_alone"]);
    assert.deepEqual(await errorsOf(define({ record_type: "apps", writers: ["provider"] })), [
      "/writers provider_alone",
    ]);
    const map = (attribute_claims: object, id = it.provider.id) =>
      updateRecord(it.root, providers, id, { attribute_claims });
    assert.deepEqual(await errorsOf(map({ note: "n" })), ["/attribute_claims/note no_provided_attribute"]);
    assert.deepEqual(await errorsOf(map({ absent: "n" })), [
      "/attribute_claims/absent no_provided_attribute",
    ]);
    assert.deepEqual((await map({ team: "division" })).attribute_claims, { team: "division" });
  });

  test("a sign-in that started before the mapping existed changes no attribute", async () => {
    const it = await setUp();
    const { id } = await signUp(it, { team: "Sales" });
    await takeStep(await it.come(undefined), it.context);
    assert.deepEqual(await it.attributesOf(id), { team: "Sales" });
  });
});
