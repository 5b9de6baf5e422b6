/** A request repeated with its `Idempotency-Key` after its caller lost a permission. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { anApp, anOrganization, aSecret, aUser } from "../../support/builders.ts";
import { databasesInForm } from "../../support/databases.ts";
import { aMembership } from "../../support/management_fixture.ts";
import { anApiKeyText, apiServer, bearer } from "./server.ts";

for (const database of databasesInForm) {
  describe(`a repeated request on ${database.name}`, () => {
    async function setUp() {
      const it = await apiServer(database);
      const { store } = it;
      const user = await aUser(store);
      const acme = await anOrganization(store);
      const membership = await aMembership(store, {
        user_id: user.id,
        organization_id: acme.id,
        role: "admin",
      });
      const { key } = await anApiKeyText(it, { user_id: user.id, scopes: ["postern:manage"] });
      const post = async (path: string, payload: object) => {
        const headers = {
          ...bearer(key),
          "content-type": "application/json",
          "idempotency-key": "the-same-one",
        };
        const answer = await it.app.inject({ method: "POST", url: `/api/v1/${path}`, headers, payload });
        return {
          status: answer.statusCode,
          body: answer.body,
          replayed: answer.headers["idempotency-replayed"],
          notice: answer.headers["postern-notice"],
        };
      };
      const become = (role: string) => store.update("memberships", { id: membership.id }, { role });
      return { ...it, acme, user, post, become };
    }

    test("G-9: a user who lost access to an app does not get its secret by repeating the request (security finding 17)", async () => {
      const { store, acme, post, become } = await setUp();
      const allowed_scopes = ["orders:read", "postern:memberships:write"];
      const allowed_grants = ["client_credentials"];
      const { id: app_id } = await anApp(store, { organization_id: acme.id, allowed_scopes, allowed_grants });
      const made = await post("app-secrets", { app_id });
      assert.equal(made.status, 201, made.body);
      const again = await post("app-secrets", { app_id });
      assert.deepEqual([again.status, again.body, again.replayed], [201, made.body, "true"]);
      for (const [role, status] of [
        ["developer", 403],
        ["member", 404],
      ] as const) {
        await become(role);
        const refused = await post("app-secrets", { app_id });
        assert.equal(refused.status, status, role);
        assert.equal(refused.replayed, undefined);
        assert.doesNotMatch(refused.body, /"secret"/);
      }
      await become("admin");
      assert.deepEqual((await post("app-secrets", { app_id })).body, made.body);
    });

    test("G-9: a new key is not shown again to a caller who may no longer create it (security finding 17)", async () => {
      const { acme, post, become } = await setUp();
      const requested = { name: "x", organization_id: acme.id, scopes: ["postern:memberships:read"] };
      const made = await post("api-keys", requested);
      assert.equal(made.status, 201, made.body);
      await become("developer");
      const refused = await post("api-keys", requested);
      assert.equal(refused.status, 404);
      assert.doesNotMatch(refused.body, /"key"/);
    });

    test("a repeated request returns the same notices as the first one, and another request does not", async () => {
      const { acme, post } = await setUp();
      const requested = { name: "Shop", organization_id: acme.id, metadata: { default_scopes: [] } };
      const made = await post("apps", requested);
      assert.equal(made.status, 201, made.body);
      assert.match(String(made.notice), /^\/metadata\/default_scopes: /);
      const again = await post("apps", requested);
      assert.deepEqual([again.body, again.replayed, again.notice], [made.body, "true", made.notice]);
      assert.equal((await post("service-accounts", {})).notice, undefined);
    });

    test("G-9: a repeated revocation requires the permission again (security finding 17)", async () => {
      const { store, acme, post, become } = await setUp();
      const { id: app_id } = await anApp(store, { organization_id: acme.id });
      const { id } = await aSecret(store, { app_id });
      assert.equal((await post(`app-secrets/${id}/revoke`, {})).status, 200);
      assert.equal((await post(`app-secrets/${id}/revoke`, {})).replayed, "true");
      await become("member");
      assert.equal((await post(`app-secrets/${id}/revoke`, {})).status, 404);
    });
  });
}
