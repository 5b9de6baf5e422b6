/** A platform administrator's grants to an app, used by other actors. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import type { AdminContext } from "../../src/admin/access/actor.ts";
import type { Input } from "../../src/admin/access/errors.ts";
import { createRecord, removeRecord, revokeRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import { anApp, aSecret, aServiceAccount, aUser, later } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { aMembership, managementFixture, type Requester } from "../support/management_fixture.ts";
import { problem, refused, testContext } from "./context.ts";

/** Each change of an app, and the field that a refusal names. */
const changes: readonly (readonly [Input, string])[] = [
  [{ redirect_uris: ["https://evil.example/steal"] }, "/redirect_uris"],
  [{ redirect_uris: [] }, "/redirect_uris"],
  [{ allowed_scopes: ["openid", "orders:read", "orders:admin"] }, "/allowed_scopes"],
  [{ allowed_scopes: ["openid"] }, "/allowed_scopes"],
  [{ allowed_grants: ["auth_code", "refresh", "client_credentials"] }, "/allowed_grants"],
  [{ allowed_response_types: [] }, "/allowed_response_types"],
  [{ app_type: "native" }, "/app_type"],
  [{ public: true }, "/public"],
  [{ access_token_ttl: 901 }, "/access_token_ttl"],
  [{ refresh_token_ttl: 604_801 }, "/refresh_token_ttl"],
  [{ refresh_token_rotation: false }, "/refresh_token_rotation"],
  [{ require_pushed_authorization_requests: false }, "/require_pushed_authorization_requests"],
  [{ require_pkce: false }, "/require_pkce"],
  [{ require_acr: null }, "/require_acr"],
  [{ client_assertion_audience: "issuer_or_token_endpoint" }, "/client_assertion_audience"],
  [{ default_scopes: ["openid"] }, "/default_scopes"],
  [{ localhost_any_port: true }, "/localhost_any_port"],
  [
    { metadata: { post_logout_redirect_uris: ["https://evil.example/"] } },
    "/metadata/post_logout_redirect_uris",
  ],
  [{ post_logout_redirect_uris: ["https://evil.example/"] }, "/post_logout_redirect_uris"],
  [{ token_endpoint_auth_method: "client_secret_post" }, "/token_endpoint_auth_method"],
  [{ jwks: { keys: [] } }, "/jwks"],
  [{ jwks_uri: "https://evil.example/jwks" }, "/jwks_uri"],
  [{ backchannel_logout_uri: "https://evil.example/logout" }, "/backchannel_logout_uri"],
  [{ claims: { locale: ["id_token"] } }, "/claims"],
  [{ claims_dialect: "auth0" }, "/claims_dialect"],
  [{ email_as_username: true }, "/email_as_username"],
  [{ organization_mode: "auto" }, "/organization_mode"],
  [{ who_may_sign_in: "any" }, "/who_may_sign_in"],
  [{ sign_in_roles: ["owner"] }, "/sign_in_roles"],
  [{ sign_in_groups: ["Sales"] }, "/sign_in_groups"],
  [{ metadata: { refresh_reuse_window: 60 } }, "/metadata/refresh_reuse_window"],
  [{ metadata: { resources: ["https://own.example"] } }, "/metadata/resources"],
];

const free: readonly Input[] = [
  { name: "Another name", description: "What it is", logo_url: "https://app.example/logo.png" },
  { access_token_ttl: 60, refresh_token_ttl: 3600 },
  { metadata: { colour: "blue" } },
  { active: false },
  { active: true },
];

const others = ["owner", "admin", "developer", "organization_key", "service_account", "client"] as const;

for (const database of databasesInForm)
  describe(`first_party apps, which a platform administrator vouched for, on ${database.name}`, async () => {
    const store = await database.open();
    const fixture = await managementFixture(store);
    const { acme, other, people, actors } = fixture;
    const base = testContext(store);
    const as = (requester: Requester): AdminContext => ({ ...base, actor: actors[requester] });
    const [apps, secrets] = [resourceOf("apps"), resourceOf("app_secrets")];
    const vouched = (overrides: Partial<OAuthApp> = {}) =>
      anApp(store, { organization_id: acme.id, owner_id: people.owner.id, first_party: true, ...overrides });

    test("G-2: only a platform administrator changes settings of an app that first_party depends on (security finding 3)", async () => {
      await anApp(store, { organization_id: acme.id, metadata: { resource: "https://own.example" } });
      const app = await vouched({
        require_pushed_authorization_requests: true,
        require_pkce: true,
        require_acr: "urn:postern:acr:mfa",
        who_may_sign_in: "members",
      });
      for (const requester of others)
        for (const [change, path] of changes)
          await assert.rejects(
            updateRecord(as(requester), apps, app.id, change),
            problem("forbidden", [path]),
            `${requester} ${JSON.stringify(change)}`,
          );
      assert.deepEqual(await store.find("oauth_apps", { id: app.id }), app);
      for (const change of free) await updateRecord(as("developer"), apps, app.id, change);
      for (const [change] of changes) {
        const { id } = await anApp(store, { organization_id: acme.id });
        await updateRecord(as("developer"), apps, id, change);
        await updateRecord(as("platform_administrator"), apps, (await vouched()).id, change);
      }
    });

    test("G-2: a platform administrator's limited credential cannot set first_party (security finding 27)", async () => {
      const scopes = ["postern:apps:write", "postern:apps:read", "postern:app_secrets:write"];
      const administrator = actors.platform_administrator;
      assert.ok(administrator.kind === "user");
      const narrow: AdminContext = { ...base, actor: { ...administrator, scopes } };
      const whole: AdminContext = { ...base, actor: { ...administrator, scopes: ["postern:manage"] } };
      const { id } = await vouched();
      const plain = await anApp(store, { organization_id: acme.id });
      const refusals: (readonly [() => Promise<unknown>, readonly string[]])[] = [
        [() => updateRecord(narrow, apps, plain.id, { first_party: true }), ["/first_party"]],
        [
          () => updateRecord(narrow, apps, plain.id, { metadata: { resource: "https://all.example" } }),
          ["/metadata/resource"],
        ],
        [
          () => updateRecord(narrow, apps, id, { redirect_uris: ["https://evil.example/cb"] }),
          ["/redirect_uris"],
        ],
        [() => updateRecord(narrow, apps, id, { owner_id: people.admin.id }), ["/owner_id"]],
        [() => createRecord(narrow, secrets, { app_id: id }), ["/app_id"]],
        [
          () => createRecord(narrow, apps, { name: "New", organization_id: acme.id, first_party: true }),
          ["/first_party"],
        ],
      ];
      for (const [attempt, paths] of refusals) await assert.rejects(attempt(), problem("forbidden", paths));
      await updateRecord(narrow, apps, id, { name: "Named anew" });
      await updateRecord(whole, apps, id, { owner_id: people.admin.id });
      await updateRecord(narrow, apps, plain.id, { owner_id: people.admin.id });
      await updateRecord(whole, apps, plain.id, { first_party: true });
      await updateRecord(narrow, apps, plain.id, { first_party: false });
    });

    test("G-2: the error for a first_party app says that a platform administrator vouched for it (security finding 3)", async () => {
      const { id } = await vouched();
      await assert.rejects(updateRecord(as("developer"), apps, id, { redirect_uris: [] }), {
        errors: [{ path: "/redirect_uris", code: "vouched_for", params: {} }],
      });
    });

    test("G-2: secrets of a first_party app are created by platform administrators and revoked by its managers (security finding 3)", async () => {
      const { id: app_id } = await vouched();
      const secret = await aSecret(store, { app_id, expires_at: later(3600) });
      for (const requester of others) {
        await assert.rejects(
          createRecord(as(requester), secrets, { app_id }),
          problem("forbidden", ["/app_id"]),
          requester,
        );
        for (const expires_at of [null, later(7200).toISOString()])
          await refused(updateRecord(as(requester), secrets, secret.id, { expires_at }), "forbidden /app_id");
      }
      await updateRecord(as("developer"), secrets, secret.id, { expires_at: later(60).toISOString() });
      await revokeRecord(as("developer"), secrets, secret.id);
      await removeRecord(as("developer"), secrets, secret.id);
      await createRecord(as("platform_administrator"), secrets, { app_id });
    });

    test("G-3: an app that moves to another organization loses what a platform administrator granted (security finding 6)", async () => {
      const user = await aUser(store);
      for (const { id: organization_id } of [acme, other])
        await aMembership(store, { user_id: user.id, organization_id, role: "admin" });
      const agency: AdminContext = { ...base, actor: { kind: "user", user } };
      const overrides: readonly (readonly [Partial<OAuthApp>, string])[] = [
        [{ allowed_scopes: ["openid", "token:introspect"] }, "/allowed_scopes/1"],
        [{ allowed_scopes: ["postern:apps:read"] }, "/allowed_scopes/0"],
        [{ metadata: { resource: `https://${randomUUID()}.example` } }, "/metadata/resource"],
        [{ first_party: true }, "/organization_id"],
      ];
      const move = { organization_id: other.id };
      for (const [what, path] of overrides) {
        const { id } = await anApp(store, { organization_id: acme.id, ...what });
        await refused(updateRecord(agency, apps, id, move), `forbidden ${path}`);
        await updateRecord(as("platform_administrator"), apps, id, move);
      }
      const resources = [`https://${randomUUID()}.example`];
      const { id } = await anApp(store, { organization_id: acme.id, resources });
      await updateRecord(agency, apps, id, move);
      const moved = await store.find("oauth_apps", { id });
      assert.deepEqual([moved?.organization_id, moved?.resources], [other.id, []]);
    });

    test("G-3: only owners and admins of both organizations may move an app (security finding 6)", async () => {
      const move = { organization_id: other.id };
      const roles = ["owner", "admin", "developer"] as const;
      for (const here of roles)
        for (const there of roles) {
          const user = await aUser(store);
          await aMembership(store, { user_id: user.id, organization_id: acme.id, role: here });
          await aMembership(store, { user_id: user.id, organization_id: other.id, role: there });
          const { id } = await anApp(store, { organization_id: acme.id });
          const moving = updateRecord({ ...base, actor: { kind: "user", user } }, apps, id, move);
          if (here === "developer" || there === "developer") {
            await assert.rejects(moving, problem("forbidden", ["/organization_id"]), `${here} ${there}`);
          } else await moving;
        }
    });
  });

for (const database of databasesInForm)
  describe(`records deactivated by a platform administrator on ${database.name}`, async () => {
    const store = await database.open();
    const fixture = await managementFixture(store);
    const { acme, people, actors } = fixture;
    const base = testContext(store);
    const as = (requester: Requester): AdminContext => ({ ...base, actor: actors[requester] });
    const root = as("platform_administrator");
    const made = {
      apps: () => anApp(store, { organization_id: acme.id, owner_id: people.owner.id }),
      service_accounts: () =>
        aServiceAccount(store, { organization_id: acme.id, created_by: people.owner.id }),
    };
    const [off, on] = [{ active: false }, { active: true }];

    for (const resourceType of ["apps", "service_accounts"] as const) {
      const resource = resourceOf(resourceType);

      test(`G-4: only a platform administrator may reactivate ${resourceType} that one deactivated (security finding 21)`, async () => {
        const { id } = await made[resourceType]();
        await updateRecord(root, resource, id, off);
        for (const requester of others) {
          await assert.rejects(
            updateRecord(as(requester), resource, id, on),
            problem("forbidden", ["/active"]),
            requester,
          );
          await assert.rejects(removeRecord(as(requester), resource, id), problem("forbidden"), requester);
        }
        await assert.rejects(updateRecord(as("owner"), resource, id, on), {
          errors: [{ path: "/active", code: "platform_switched_off", params: {} }],
        });
        await updateRecord(as("owner"), resource, id, { name: "Still mine to name" });
        await updateRecord(root, resource, id, on);
        await updateRecord(as("developer"), resource, id, off);
        await updateRecord(as("developer"), resource, id, on);
        await removeRecord(as("developer"), resource, id);
      });

      test(`G-4: only a platform administrator reactivates inactive ${resourceType} that one deactivated (security finding 21)`, async () => {
        const { id } = await made[resourceType]();
        await updateRecord(as("developer"), resource, id, off);
        await updateRecord(root, resource, id, off);
        await refused(updateRecord(as("owner"), resource, id, on), "forbidden /active");
      });
    }

    test("G-4: the email of a service account deactivated by a platform administrator stays reserved (security finding 25)", async () => {
      const resource = resourceOf("service_accounts");
      const { id, email } = await made.service_accounts();
      await updateRecord(root, resource, id, off);
      for (const requester of others)
        await assert.rejects(
          updateRecord(as(requester), resource, id, { email: `moved-${email}` }),
          problem("forbidden", ["/email"]),
          requester,
        );
      await updateRecord(root, resource, id, on);
      await updateRecord(as("owner"), resource, id, { email: `moved-${email}` });
    });

    test("G-4: a record that a platform administrator created inactive stays so, without revealing by whom (security finding 21)", async () => {
      const input = { name: "Off", organization_id: acme.id, public: true, active: false };
      const { record } = await createRecord(root, resourceOf("apps"), input);
      assert.equal("switched_off_by_platform" in record, false);
      const id = String(record.id);
      await refused(updateRecord(as("owner"), resourceOf("apps"), id, on), "forbidden /active");
    });
  });
