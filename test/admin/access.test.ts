import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import {
  permissionsAnywhere,
  permissionsIn,
  requirePermission,
  requirePermissionForNew,
  visibility,
} from "../../src/admin/access/access.ts";
import { type Actor, actorColumns, permissionsOfActor } from "../../src/admin/access/actor.ts";
import { detail } from "../../src/errors/details.ts";
import type { Problem } from "../../src/errors.ts";
import type { Permission } from "../../src/records/definition/permissions.ts";
import { english } from "../../src/web/words/english.ts";
import { detailText } from "../../src/web/words/error_text.ts";
import { aConsent, anApp, anOrganization, aServiceAccount, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { aMembership, extraPermission, managementFixture } from "../support/management_fixture.ts";
import { problem, refused } from "./context.ts";

for (const database of databasesInForm)
  describe(`permissions on ${database.name}`, async () => {
    const fixture = await managementFixture(await database.open());
    const { store, actors, acme, other, app } = fixture;
    const as = (actor: Actor) => ({ store, actor });

    test("a guessed id of another organization's record gets the same answer as an id that does not exist", async () => {
      const outsider = as(actors.outsider);
      const answers = [];
      for (const id of [app.id, app.id.toUpperCase(), randomUUID(), "no-uuid"])
        for (const permission of ["apps:read", "apps:write"] as const) {
          const error = await requirePermission(outsider, permission, "oauth_apps", id).then(
            () => undefined,
            ({ status, code, detail, errors }) => [
              status,
              code,
              detailText(detail, english).replace(id, "…"),
              errors,
            ],
          );
          answers.push(JSON.stringify(error));
        }
      assert.deepEqual(new Set(answers), new Set(['[404,"not_found","there is no app \\"…\\"",[]]']));
      const parents = [app.id, randomUUID()].map((app_id) =>
        requirePermissionForNew(outsider, "app_secrets:write", "oauth_app_secrets", { app_id }).then(
          () => "may",
          ({ code, detail }) => `${code} ${JSON.stringify(detail)}`,
        ),
      );
      const [guessed, made_up] = await Promise.all(parents);
      assert.match(String(guessed), /^not_found /);
      assert.equal(guessed, made_up);
    });

    test("a caller who may read a record but not write it gets 403 for a change", async () => {
      await requirePermission(as(actors.member), "apps:read", "oauth_apps", app.id);
      await refused(requirePermission(as(actors.member), "apps:write", "oauth_apps", app.id), "forbidden");
      await requirePermission(as(actors.developer), "apps:write", "oauth_apps", app.id);
      await requirePermission(
        as(actors.member_with_permission),
        extraPermission,
        "service_accounts",
        fixture.account.id,
      );
      const nobodys = { organization_ids: [], user_id: null };
      await assert.rejects(
        requirePermission(as(actors.owner), "users:write", "users", nobodys),
        problem("forbidden"),
        "there is nothing to hide about what belongs to nobody yet",
      );
    });

    test("the scopes of an access token limit what its user may do, for records of every type", async () => {
      const reader = as(actors.narrow_token);
      await requirePermission(reader, "apps:read", "oauth_apps", app.id);
      for (const id of [app.id, randomUUID()])
        await assert.rejects(requirePermission(reader, "apps:write", "oauth_apps", id), (error: Problem) => {
          assert.deepEqual(error.detail, detail("scope_needed", { scope: "postern:apps:write" }));
          return problem("forbidden")(error as never);
        });
      const keyed = as(actors.narrow_user_key);
      await refused(visibility(keyed, "users"), "forbidden");
      assert.deepEqual(
        permissionsAnywhere(await permissionsOfActor(keyed)),
        new Set(["apps:read", "apps:write"]),
      );
    });

    test("a list shows the caller's own records and those of organizations where the caller may read the type", async () => {
      assert.equal(await visibility(as(actors.platform_administrator), "signing_keys"), undefined);
      assert.equal(await visibility(as(actors.client_of_nobody), "users"), undefined);
      assert.deepEqual(await visibility(as(actors.admin), "users"), {
        organization_ids: [acme.id],
        user_id: fixture.people.admin.id,
      });
      assert.deepEqual(await visibility(as(actors.developer), "users"), {
        organization_ids: [],
        user_id: fixture.people.developer.id,
      });
      assert.deepEqual(await visibility(as(actors.organization_key), "sessions"), {
        organization_ids: [],
        user_id: null,
      });
      await refused(visibility(as(actors.owner), "signing_keys"), "forbidden");
    });

    test("an inactive caller has no permissions", async () => {
      const off = await anOrganization(store, { active: false });
      const user = await aUser(store);
      await aMembership(store, { user_id: user.id, organization_id: off.id, role: "owner" });
      const account = await aServiceAccount(store, { organization_id: off.id });
      const client = await anApp(store, { organization_id: off.id });
      const scopes = ["postern:manage"];
      const inactive: Actor[] = [
        { kind: "user", user: await aUser(store, { active: false, is_platform_admin: true }) },
        { kind: "organization", organization: off, api_key_id: randomUUID(), scopes },
        { kind: "service_account", account, scopes },
        {
          kind: "service_account",
          account: await aServiceAccount(store, { active: false, organization_id: acme.id }),
          scopes,
        },
        { kind: "client", app: client, scopes },
        { kind: "client", app: await anApp(store, { active: false }), scopes },
        { kind: "client", app: await anApp(store, { revoked_at: new Date() }), scopes },
      ];
      for (const actor of inactive)
        assert.deepEqual(
          permissionsAnywhere(await permissionsOfActor(as(actor))),
          new Set(),
          JSON.stringify(actor),
        );
      const owner = await permissionsOfActor(as({ kind: "user", user }));
      assert.deepEqual(owner.organizations, new Map());
      assert.ok(permissionsAnywhere(owner).has("users:read"), "their own things stay theirs");
    });

    test("an API key, service account or client of an organization has an admin's permissions there, within its scopes", async () => {
      const admin = permissionsIn(await permissionsOfActor(as(actors.admin)), acme.id);
      for (const who of ["organization_key", "service_account", "client"] as const) {
        const actorPermissions = await permissionsOfActor(as(actors[who]));
        assert.deepEqual(permissionsIn(actorPermissions, acme.id), admin, who);
        assert.deepEqual(permissionsIn(actorPermissions, other.id), new Set(), who);
        assert.equal(actorPermissions.user_id, null);
        const narrow = { ...actors[who], scopes: ["postern:tokens:read", "orders:read"] } as Actor;
        assert.deepEqual(
          permissionsAnywhere(await permissionsOfActor(as(narrow))),
          new Set(["tokens:read"]),
          who,
        );
      }
    });

    test("permissions of a membership are added to those of its role, and unknown ones grant nothing", async () => {
      const user = await aUser(store);
      await aMembership(store, {
        user_id: user.id,
        organization_id: acme.id,
        role: "accountant",
        permissions: ["billing:approve", "audit_events:read"],
      });
      const held = permissionsIn(await permissionsOfActor(as({ kind: "user", user })), acme.id);
      assert.deepEqual([...held], ["audit_events:read"] satisfies Permission[]);
    });

    test("users can read and change their own records, whichever organization these belong to", async () => {
      const { guest } = fixture.people;
      const mine = as(actors.subject);
      const consent = await aConsent(store, { user_id: guest.id, app_id: app.id });
      await requirePermission(mine, "consents:write", "oauth_consents", consent.id);
      await requirePermission(mine, "memberships:write", "memberships", fixture.memberships.guest.id);
      await refused(
        requirePermission(mine, "memberships:read", "memberships", fixture.memberships.owner.id),
        "not_found",
      );
      const personal = await anApp(store, { owner_id: guest.id });
      await requirePermission(mine, "apps:write", "oauth_apps", personal.id);
      const joint = await anApp(store, { owner_id: guest.id, organization_id: acme.id });
      await refused(requirePermission(mine, "apps:read", "oauth_apps", joint.id), "not_found");
    });

    test("a new record belongs to the organization that the request names", async () => {
      const developer = as(actors.developer);
      const inAcme = { organization_id: acme.id };
      await requirePermissionForNew(developer, "apps:write", "oauth_apps", inAcme);
      await refused(requirePermissionForNew(developer, "apps:write", "oauth_apps", {}), "forbidden");
      await refused(
        requirePermissionForNew(developer, "apps:write", "oauth_apps", { organization_id: other.id }),
        "not_found",
      );
      await assert.rejects(
        requirePermissionForNew(developer, "memberships:write", "memberships", {
          ...inAcme,
          user_id: fixture.people.developer.id,
        }),
        problem("forbidden"),
        "nobody joins by themselves",
      );
      await refused(
        requirePermissionForNew(developer, "api_keys:write", "api_keys", {
          user_id: fixture.people.owner.id,
        }),
        "not_found",
      );
      await requirePermissionForNew(developer, "api_keys:write", "api_keys", {
        user_id: fixture.people.developer.id,
      });
      await requirePermissionForNew(developer, "key_pairs:write", "service_account_key_pairs", {
        service_account_id: fixture.account.id,
      });
      await requirePermissionForNew(developer, "app_secrets:write", "oauth_app_secrets", { app_id: 7 });
      await refused(
        requirePermissionForNew(as(actors.member), "service_accounts:write", "service_accounts", {
          organization_id: 7,
        }),
        "forbidden",
      );
    });

    test("an audit event names every kind of actor", () => {
      const kinds = Object.values(actors).map((actor) => actorColumns(actor).actor_kind);
      assert.deepEqual(new Set(kinds), new Set(["user", "api_key", "service_account", "client"]));
      assert.deepEqual(actorColumns({ kind: "system", label: "door" }), {
        actor_kind: "system",
        actor_id: "door",
      });
    });
  });
