import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Actor } from "../../src/admin/access/actor.ts";
import { readOfRecord } from "../../src/admin/manage/manage.ts";
import { exportManifest } from "../../src/admin/manifest/export.ts";
import { readSignInMethods, type SignInMethods } from "../../src/admin/records/sign_in_methods.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { insertAny } from "../storage/any_row.ts";
import { aMembership, anOAuthAccount, anOrganization, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { refused, testContext } from "./context.ts";

const users = resourceOf("users");

for (const database of databasesInForm)
  describe(`sign-in methods of a user, on ${database.name}`, () => {
    async function setUp() {
      const store = await database.open();
      const ada = await aUser(store, { password_hash: "$argon2id$secret-hash" });
      const handle = Buffer.alloc(32, 7);
      await store.update("users", { id: ada.id }, { webauthn_handle: handle });
      const passkey = await insertAny(
        store,
        "passkeys",
        { users: ada.id },
        {
          name: "Phone",
          rp_id: "id.example",
          credential_id: "secret-credential",
          public_key: "secret-public-key",
          signs_in: true,
          uv_initialized: true,
        },
      );
      const app = await insertAny(
        store,
        "totp_authenticators",
        { users: ada.id },
        { name: "App", secret_sealed: "secret-sealed" },
      );
      for (const used_at of [null, null, new Date(0)]) {
        const input = { used_at, code_hash: "secret-code", selector: used_at === null ? undefined : "ZZZZ" };
        const { selector, ...rest } = input;
        await insertAny(
          store,
          "recovery_codes",
          { users: ada.id },
          { ...rest, ...(selector && { selector }) },
        );
      }
      const link = await anOAuthAccount(store, { user_id: ada.id, provider: "github" });
      const read = async (actor: Actor, id = ada.id) =>
        (await readOfRecord({ ...testContext(store), actor }, users, "sign_in_methods", id)) as SignInMethods;
      return { store, ada, handle, passkey, app, link, read };
    }

    test("MF-10 the list has all methods of the user, without any secret, key, handle or credential id", async () => {
      const { store, ada, handle, passkey, app, link, read } = await setUp();
      const root = await aUser(store, { is_platform_admin: true });
      const methods = await read({ kind: "user", user: root });
      const { passkeys, authenticator_apps, linked_accounts, ...rest } = methods;
      assert.deepEqual(rest, {
        user_id: ada.id,
        password: true,
        recovery_codes: 2,
        recovery: null,
        highest_acr: "phr",
      });
      const reported = passkeys.map(({ id, name, rp_id, aaguid }) => [id, name, rp_id, aaguid]);
      assert.deepEqual(reported, [[passkey.id, "Phone", "id.example", passkey.aaguid]]);
      assert.deepEqual(
        authenticator_apps.map(({ id, name }) => [id, name]),
        [[app.id, "App"]],
      );
      assert.deepEqual(
        linked_accounts.map(({ id, provider }) => [id, provider]),
        [[link.id, "github"]],
      );
      const text = JSON.stringify(methods);
      assert.doesNotMatch(text, /secret-|argon2/);
      assert.ok(!text.includes(handle.toString("base64url")));
      const names = [methods, ...passkeys, ...authenticator_apps, ...linked_accounts].flatMap(Object.keys);
      assert.ok(names.every((each) => !/secret|hash|key$|handle|credential|counter|token|step/.test(each)));
    });

    test("MF-10 the list reports a recovery while it is pending", async () => {
      const { store, ada } = await setUp();
      const root = await aUser(store, { is_platform_admin: true });
      const context = { ...testContext(store), actor: { kind: "user", user: root } } as const;
      const read = async (recovery_delay_hours: number, after = 0) => {
        const now = () => new Date(context.now().getTime() + after);
        const methods = await readSignInMethods(
          { ...context, now, switches: { recovery_delay_hours } },
          ada.id,
        );
        return methods.recovery;
      };
      const created_at = context.now();
      const [halfway_at, due_at, expires_at] = [1.5, 3, 10].map(
        (days) => new Date(created_at.getTime() + days * 86_400_000),
      );
      const { email_key } = ada;
      await insertAny(
        store,
        "recoveries",
        { users: ada.id },
        { ...{ email_key, created_at, halfway_at, due_at, expires_at }, passkeys_only: false },
      );
      const reported = { lost: "second_factors", started_at: created_at, due_at, expires_at };
      assert.equal(JSON.stringify(await read(72)), JSON.stringify(reported));
      await store.update("recoveries", { user_id: ada.id }, { passkeys_only: true });
      assert.equal((await read(72))?.lost, "passkeys");
      assert.equal(await read(72, 10 * 86_400_000), null, "it is over");
      assert.equal(await read(0), null, "there are none on this server");
      const email = "another@example.com";
      await store.update("users", { id: ada.id }, { email, email_key: email });
      assert.equal(await read(72), null, "another address ended it");
    });

    test("MF-10 platform administrators and the user may read the list; an organization's administrator may not", async () => {
      const { store, ada, read } = await setUp();
      const { id: organization_id } = await anOrganization(store);
      const boss = await aUser(store);
      await aMembership(store, { user_id: boss.id, organization_id, role: "admin" });
      await aMembership(store, { user_id: ada.id, organization_id, role: "member" });
      assert.equal((await read({ kind: "user", user: ada })).user_id, ada.id);
      await refused(read({ kind: "user", user: boss }), "forbidden");
      const scoped = { kind: "user", user: ada, scopes: ["postern:apps:read"] } as const;
      await refused(read(scoped), "forbidden");
      const root = await aUser(store, { is_platform_admin: true });
      const nobody = store.newId(new Date(0));
      await refused(read({ kind: "user", user: root }, nobody), "not_found");
    });

    test("an export of users contains no passkeys, authenticator apps, recovery codes or remembered devices", async () => {
      const { store, ada, handle, passkey, app } = await setUp();
      const device = await insertAny(store, "devices", { users: ada.id });
      const exported = JSON.stringify(await exportManifest(testContext(store)));
      assert.ok(exported.includes(ada.email));
      assert.doesNotMatch(exported, /secret-(credential|public-key|sealed|code)/);
      for (const { id } of [passkey, app, device]) assert.ok(!exported.includes(id));
      assert.ok(!exported.includes(handle.toString("base64url")));
      assert.doesNotMatch(exported, /passkey|totp|recovery_code|webauthn/);
    });
  });
