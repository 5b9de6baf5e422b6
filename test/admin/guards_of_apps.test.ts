import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import type { Actor } from "../../src/admin/access/actor.ts";
import type { Row } from "../../src/records/definition.ts";
import {
  aConsent,
  aKeyPair,
  anApiKey,
  anApp,
  aResource,
  aSecret,
  aServiceAccount,
} from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { managementWorld } from "../support/management_world.ts";
import { problem } from "./context.ts";
import { guarded } from "./guarded.ts";

const manage = ["postern:manage"];

for (const database of databasesInForm) {
  describe(`what nobody may give to clients and machines on ${database.name}`, async () => {
    const store = await database.open();
    const world = await managementWorld(store);
    const { acme, other, people, actors } = world;
    const as = (actor: Actor) => guarded(store, actor);
    const root = as(actors.platform_administrator);
    const narrowRoot = (...scopes: string[]) => as({ kind: "user", user: people.root, scopes });

    test("a key's scopes are no wider than what its owner and its maker may do", async () => {
      const key = await anApiKey(store, { organization_id: acme.id });
      const keyOf = (given: Partial<Row<"api_keys">>) => ({ ...key, id: randomUUID(), ...given });
      const wide = ["postern:apps:write", "postern:signing_keys:write", "postern:manage", "postern:nothing"];
      await assert.rejects(
        as(actors.admin).add("api_keys", keyOf({ scopes: wide })),
        problem("forbidden", ["/scopes/1", "/scopes/2", "/scopes/3"]),
      );
      await as(actors.admin).add("api_keys", keyOf({ scopes: ["postern:apps:write", "orders:read"] }));
      await assert.rejects(
        as(actors.admin).add("api_keys", keyOf({ scopes: ["invoices:read", "token:introspect"] })),
        problem("forbidden", ["/scopes/0", "/scopes/1"]),
      );
      const mine = { organization_id: null, user_id: people.developer.id };
      const developer = as(actors.developer);
      await developer.add(
        "api_keys",
        keyOf({ ...mine, scopes: ["postern:apps:write", "postern:sessions:read"] }),
      );
      await assert.rejects(
        developer.add("api_keys", keyOf({ ...mine, scopes: ["postern:memberships:write", "postern:read"] })),
        problem("forbidden", ["/scopes/1"]),
      );
      const own = await anApiKey(store, mine);
      await assert.rejects(
        developer.change("api_keys", own, { scopes: ["postern:apps:read", "postern:audit_events:write"] }),
        problem("forbidden", ["/scopes/1"]),
      );
      const narrow = as({ kind: "user", user: people.developer, scopes: ["postern:api_keys:write"] });
      await assert.rejects(
        narrow.add("api_keys", keyOf({ ...mine, scopes: ["postern:api_keys:write", "postern:apps:read"] })),
        problem("forbidden", ["/scopes/1"]),
      );
      await root.add("api_keys", keyOf({ scopes: [...manage, "anything", "token:introspect"] }));
      await assert.rejects(
        root.add("api_keys", keyOf({ ...mine, scopes: ["postern:signing_keys:read"] })),
        problem("forbidden", ["/scopes/0"]),
      );
      await assert.rejects(
        narrowRoot("postern:api_keys:write").add("api_keys", keyOf({ scopes: manage })),
        problem("forbidden", ["/scopes/0"]),
      );
    });

    test("a key is made for oneself, or for an organization whose keys one manages", async () => {
      const key = await anApiKey(store, { organization_id: acme.id });
      const keyOf = (given: Partial<Row<"api_keys">>) => ({ ...key, id: randomUUID(), ...given });
      const nobodys = keyOf({ organization_id: null });
      await assert.rejects(as(actors.admin).add("api_keys", nobodys), problem("forbidden", ["/user_id"]));
      await assert.rejects(
        as(actors.admin).add("api_keys", keyOf({ user_id: people.owner.id })),
        problem("forbidden", ["/user_id"]),
      );
      await assert.rejects(
        as(actors.developer).add("api_keys", keyOf({ user_id: people.developer.id })),
        problem("forbidden", ["/organization_id"]),
      );
      await assert.rejects(
        as(actors.admin).change("api_keys", key, { user_id: people.owner.id }),
        problem("forbidden", ["/user_id"]),
      );
    });

    test("what reaches beyond an organization is a platform administrator's to put on an app", async () => {
      const app = await anApp(store, { organization_id: acme.id, owner_id: people.owner.id });
      const developer = as(actors.developer);
      const fresh = { ...app, id: randomUUID(), owner_id: people.developer.id };
      await developer.add("oauth_apps", fresh);
      await assert.rejects(
        developer.add("oauth_apps", {
          ...fresh,
          owner_id: people.owner.id,
          first_party: true,
          allowed_scopes: ["orders:read", "token:introspect", "postern:apps:read"],
          metadata: { resource: "https://api.example", resources: ["https://elsewhere.example"] },
          resources: ["https://elsewhere.example"],
        }),
        problem("forbidden", [
          "/owner_id",
          "/first_party",
          "/allowed_scopes/1",
          "/allowed_scopes/2",
          "/metadata/resource",
          "/metadata/resources",
        ]),
      );
      await assert.rejects(
        developer.add("oauth_apps", { ...fresh, organization_id: null }),
        problem("forbidden"),
      );
      await assert.rejects(
        developer.change("oauth_apps", app, { organization_id: other.id }),
        problem("forbidden"),
      );
      await assert.rejects(
        developer.change("oauth_apps", app, { owner_id: people.developer.id, first_party: true }),
        problem("forbidden", ["/owner_id", "/first_party"]),
      );
      await assert.rejects(
        narrowRoot("postern:apps:write").change("oauth_apps", app, { allowed_scopes: manage }),
        problem("forbidden", ["/allowed_scopes/0"]),
      );
      const machine = as(actors.service_account);
      await machine.add("oauth_apps", fresh);
      await assert.rejects(
        machine.add("oauth_apps", { ...fresh, owner_id: people.outsider.id }),
        problem("forbidden", ["/owner_id"]),
      );
    });

    test("a resource is one app's, and apps of its organization may ask tokens for it", async () => {
      const resource = `https://${randomUUID()}.example`;
      const api = await anApp(store, { organization_id: acme.id });
      const rival = await anApp(store);
      await root.change("oauth_apps", api, { metadata: { resource } });
      const made = { identifier: resource, organization_id: acme.id, app_ids: [api.id] };
      await aResource(store, { ...made, who_may_ask: "listed" });
      await root.change("oauth_apps", api, { metadata: { resource, note: "the same" } });
      await assert.rejects(
        root.change("oauth_apps", rival, { metadata: { resource: ["https://b.example", resource] } }),
        problem("conflict", ["/metadata/resource"]),
      );
      const sibling = await anApp(store, { organization_id: acme.id });
      await as(actors.developer).change("oauth_apps", sibling, { resources: [resource] });
      await as(actors.developer).change("oauth_apps", api, { metadata: { resource, colour: "blue" } });
      const stranger = await anApp(store, { organization_id: other.id });
      await assert.rejects(
        as(actors.outsider).change("oauth_apps", stranger, { resources: [resource] }),
        problem("forbidden", ["/resources/0"]),
      );
    });

    test("nobody gets hold of an app or an account that may do more than they", async () => {
      const allowed_scopes = ["orders:read", "postern:memberships:write"];
      const app = await anApp(store, { organization_id: acme.id, allowed_scopes });
      const secret = await aSecret(store, { app_id: app.id });
      const account = await aServiceAccount(store, { organization_id: acme.id, allowed_scopes });
      const pair = await aKeyPair(store, { service_account_id: account.id });
      const developer = as(actors.developer);
      const attempts = [
        () => developer.add("oauth_app_secrets", secret),
        () => developer.change("oauth_app_secrets", secret, { expires_at: null }),
        () => developer.change("oauth_apps", app, { redirect_uris: ["https://evil.example/cb"] }),
        () => developer.add("service_account_key_pairs", pair),
        () => developer.change("service_account_key_pairs", pair, { active: true }),
      ];
      for (const attempt of attempts) await assert.rejects(attempt(), problem("forbidden"));
      await developer.change("oauth_apps", app, { name: "Harmless", allowed_scopes: ["orders:read"] });
      await as(actors.admin).add("service_account_key_pairs", pair);
      await developer.change("oauth_app_secrets", secret, { revoked: true });
      await developer.change("service_account_key_pairs", pair, { revoked: true });
      const inAcme = { organization_id: acme.id, allowed_scopes: manage };
      const machine = await anApp(store, { ...inAcme, allowed_grants: ["client_credentials"] });
      await as(actors.admin).add("oauth_app_secrets", { ...secret, app_id: machine.id });
      await assert.rejects(
        as(actors.admin).change("oauth_apps", machine, { allowed_grants: ["auth_code"] }),
        problem("forbidden"),
        "who sends users' codes elsewhere could act for an administrator",
      );
      await assert.rejects(
        as(actors.owner).change("oauth_apps", await anApp(store, inAcme), { redirect_uris: [] }),
        problem("forbidden"),
      );
      const personal = await anApp(store, { owner_id: people.guest.id, allowed_scopes: manage });
      await assert.rejects(
        as(actors.subject).add("oauth_app_secrets", { ...secret, app_id: personal.id }),
        problem("forbidden"),
      );
    });

    test("a service account is given no scope that its maker or its organization does not hold", async () => {
      const account = { ...world.account, id: randomUUID(), created_by: people.developer.id };
      const developer = as(actors.developer);
      await developer.add("service_accounts", {
        ...account,
        allowed_scopes: ["orders:read", "postern:apps:read"],
      });
      await assert.rejects(
        developer.add("service_accounts", {
          ...account,
          created_by: people.owner.id,
          allowed_scopes: ["postern:memberships:write", "orders:read", "invoices:read"],
        }),
        problem("forbidden", ["/created_by", "/allowed_scopes/0", "/allowed_scopes/2"]),
      );
      await assert.rejects(
        developer.change("service_accounts", world.account, { organization_id: other.id }),
        problem("forbidden"),
      );
      await assert.rejects(
        developer.change("service_accounts", world.account, { created_by: people.developer.id }),
        problem("forbidden", ["/created_by"]),
      );
    });

    test("a consent is given by its user on the consent page, and elsewhere only narrowed or taken back", async () => {
      const consent = await aConsent(store, {
        user_id: people.guest.id,
        app_id: world.app.id,
        scopes: ["openid", "profile", "email"],
      });
      await as(actors.subject).change("oauth_consents", consent, { scopes: ["openid"] });
      for (const who of ["subject", "admin"] as const) {
        await assert.rejects(as(actors[who]).add("oauth_consents", consent), problem("forbidden"));
        await assert.rejects(
          as(actors[who]).change("oauth_consents", consent, { scopes: ["openid", "orders:read"] }),
          problem("forbidden", ["/scopes"]),
        );
        await as(actors[who]).change("oauth_consents", consent, { granted: false, revoked: true });
        await assert.rejects(
          as(actors[who]).change("oauth_consents", consent, { granted: true, revoked: false }),
          problem("forbidden", ["/granted", "/revoked"]),
        );
      }
    });
  });
}
