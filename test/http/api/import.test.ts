/** Users of another program, imported through the management API (MG-6). */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, describe, test } from "node:test";
import { hashSync } from "bcryptjs";
import { keyText } from "../../../src/admin/manifest/members/entry.ts";
import { mostImported } from "../../../src/api/import_routes.ts";
import { matchTotp } from "../../../src/crypto/totp.ts";
import { signIn } from "../../../src/people/entry/sign_in.ts";
import type { User } from "../../../src/records/definition/definition.ts";
import { anOrganization, anotherOfItsKey, aProvider, aUser } from "../../support/builders.ts";
import { databasesInForm } from "../../support/databases.ts";
import { inForm } from "../../support/form.ts";
import { identityOn } from "../../support/identity_context.ts";
import { aPasskey, testSite } from "../../support/passkeys.ts";
import { totpCode } from "../../support/totp.ts";
import { type ApiServer, anApiKeyText, apiServer, bearer } from "./server.ts";

const password = "an example of a password";
const hash = hashSync(password, 4);
const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const origin = { client_ip: "192.0.2.1", user_agent: "test", request_id: "r-1" };

for (const database of databasesInForm)
  describe(`the import of users on ${database.name}`, () => {
    let it: ApiServer;
    before(async () => {
      it = await apiServer(database);
    });

    const send = (body: string, key = it.key) =>
      it.app.inject({
        method: "POST",
        url: "/api/v1/import/people",
        headers: { ...bearer(key), "content-type": "application/json" },
        payload: body,
      });
    async function importing(people: readonly object[], more: object = {}, key = it.key) {
      const answer = await send(JSON.stringify({ source: "keycloak", people, ...more }), key);
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json().results as {
        status: string;
        id: string;
        losses: { path: string; code: string; message: string }[];
        errors: { path: string; code: string }[];
      }[];
    }
    const one = async (person: object, more: object = {}) =>
      (await importing([person], more))[0] ?? assert.fail();
    const enter = (email: string, typed = password) =>
      signIn({ email, password: typed, origin }, identityOn(it.server));

    /** Returns a user with every kind of record. */
    async function whole(name: string) {
      const organization = await anOrganization(it.store, { slug: `org-${name}` });
      const provider = await aProvider(it.store, { slug: `idp-${name}` });
      const made = await aUser(it.store);
      const { passkey } = await aPasskey(made, identityOn(it.server));
      const handle = Buffer.alloc(32, name);
      await it.store.remove("users", { id: made.id });
      return {
        external_id: `id-${name}`,
        email: `${name}@example.com`,
        email_verified_at: "2020-02-03T04:05:06Z",
        name: `Name of ${name}`,
        created_at: "2019-01-01T00:00:00Z",
        password: { hash },
        webauthn_user_handle: handle.toString("base64url"),
        totp: [{ otpauth: `otpauth://totp/Shop:x?secret=${secret}&issuer=Shop`, name: "Phone" }],
        passkeys: [
          {
            credential_id: passkey.credential_id,
            public_key: passkey.public_key,
            counter: 3,
            rp_id: testSite.rp_id,
            transports: ["internal", "teleport"],
            user_verified: true,
            discoverable: true,
          },
        ],
        linked_accounts: [{ provider: provider.slug, provider_user_id: "1157" }],
        memberships: [{ organization: organization.slug, role: "admin" }],
      };
    }

    test("MG-6: a user is imported once with all their records, and can sign in", async () => {
      const person = await whole("ada");
      assert.equal((await one(person, { dry_run: true })).status, "created");
      assert.equal(await it.store.count("users", { email: person.email }), 0);
      const made = await one(person);
      assert.deepEqual([made.status, made.losses, made.errors], ["created", [], []]);
      const user = await it.store.find("users", { id: made.id });
      assert.equal(user?.created_at.toISOString(), "2019-01-01T00:00:00.000Z");
      assert.equal(user.email_verified_at?.toISOString(), "2020-02-03T04:05:06.000Z");
      assert.equal(user.webauthn_handle?.toString("base64url"), person.webauthn_user_handle);
      const user_id = user.id;
      const [app] = await it.store.list("totp_authenticators", { user_id });
      assert.ok(app);
      const opened = it.server.sealer.open("totp_authenticator", app.secret_sealed, app.id);
      assert.ok(await matchTotp(opened, totpCode(secret, it.clock.now()), it.clock.now()));
      const [passkey] = await it.store.list("passkeys", { user_id });
      assert.deepEqual([passkey?.counter, passkey?.signs_in, passkey?.transports], [3, true, ["internal"]]);
      assert.equal(await it.store.count("oauth_accounts", { user_id, provider_user_id: "1157" }), 1);
      assert.equal(await it.store.count("memberships", { user_id, role: "admin" }), 1);
      const [event] = await it.store.list("audit_events", { type: "user.imported", target_id: user_id });
      const { after: _, ...details } = { ...event?.details };
      assert.deepEqual(details, { source: "keycloak", password: true, authenticator_apps: 1, passkeys: 1 });
      assert.ok(!JSON.stringify(event).includes(hash) && !JSON.stringify(event).includes(secret));
      assert.equal((await enter(person.email)).type, "second_factor");

      const before = await it.store.list("users", { id: user_id });
      assert.equal((await one(person)).status, "unchanged");
      assert.deepEqual(await it.store.list("users", { id: user_id }), before);
      assert.equal(await it.store.count("audit_events", { type: "user.imported", target_id: user_id }), 1);
    });

    test("MG-6: a repeated import restores nothing that was changed or removed on this server", async () => {
      const person = { ...(await whole("bea")), active: true };
      const { id } = await one(person);
      const changes = { email: "beatrice@example.com", email_key: "beatrice@example.com", name: "Bea" };
      await it.store.update("users", { id }, { ...changes, active: false, email_verified_at: null });
      const tables = ["oauth_accounts", "totp_authenticators", "passkeys", "memberships"] as const;
      for (const table of tables) await it.store.remove(table, { user_id: id });
      await it.store.update("users", { id }, { password_hash: null });
      const before = await it.store.find("users", { id });
      const weak = { hash: `{SHA}${createHash("sha1").update(password).digest("base64")}` };
      for (const again of [person, { ...person, name: "Other", password: weak, email_verified_at: null }]) {
        assert.equal((await one(again, { dry_run: true })).status, "unchanged");
        assert.equal((await one(again)).status, "unchanged");
      }
      assert.deepEqual(await it.store.find("users", { id }), before);
      for (const table of tables) assert.equal(await it.store.count(table, { user_id: id }), 0, table);
    });

    test("MG-6: a later import adds records that were missing before, until the user has signed in", async () => {
      const { password: hashed, totp, memberships, ...rest } = await whole("eli");
      const bare = { external_id: rest.external_id, email: rest.email };
      const { id } = await one(bare);
      assert.equal((await it.store.find("users", { id }))?.name, "eli@example.com");
      assert.equal((await one({ ...bare, password: hashed, memberships })).status, "updated");
      assert.equal((await one({ ...bare, password: hashed, memberships })).status, "unchanged");
      await it.store.remove("memberships", { user_id: id });
      assert.equal((await enter(rest.email)).type, "signed_in");
      assert.equal((await one({ ...rest, password: hashed, totp, memberships })).status, "unchanged");
      for (const table of ["memberships", "totp_authenticators", "oauth_accounts", "passkeys"] as const)
        assert.equal(await it.store.count(table, { user_id: id }), 0, table);
    });

    test("MG-6: a repeated import adds only a missing password to a user imported by an earlier version", async () => {
      const { password: hashed, ...rest } = await whole("flo");
      const { id } = await one({ external_id: rest.external_id, email: rest.email });
      await it.store.update("imported_people", { user_id: id }, { carried: null });
      assert.equal((await one({ ...rest, password: hashed })).status, "updated");
      assert.equal(await it.store.count("memberships", { user_id: id }), 0);
      assert.equal((await enter(rest.email)).type, "signed_in");
    });

    test("MG-6: a record that cannot be imported is reported as lost, and a user who cannot be imported is refused", async () => {
      const { credential_id, public_key } = (await whole("cleo")).passkeys[0] ?? assert.fail();
      const lossy = await one({
        external_id: "cleo",
        email: "cleo@example.com",
        password: { hash: hash.replace("$2b$04", "$2b$15") },
        totp: [{ otpauth: `otpauth://totp/x?secret=${secret}&digits=8` }, "no object"],
        passkeys: [
          { credential_id, public_key, rp_id: "other.example" },
          { credential_id, public_key, rp_id: testSite.rp_id, discoverable: true },
          { credential_id, public_key: "AAAA", rp_id: testSite.rp_id },
        ],
        linked_accounts: [{ provider: "nowhere", provider_user_id: "1" }],
        memberships: [{ organization: "nowhere", role: "member" }, { organization: "org-cleo" }],
      });
      assert.equal(lossy.status, "created");
      assert.deepEqual(lossy.losses.map(({ path, code }) => `${path} ${code}`).sort(), [
        "/linked_accounts/0/provider no_record_of_name",
        "/memberships/0/organization no_record_of_name",
        "/memberships/1/role required",
        "/passkeys/0 passkey_of_other_host",
        "/passkeys/1 passkey_without_handle",
        "/passkeys/2 unusual_passkey",
        "/password/hash foreign_hash",
        "/totp/0/otpauth unusual_totp",
        "/totp/1 not_object",
      ]);
      assert.equal(
        lossy.losses.find(({ code }) => code === "foreign_hash")?.message,
        "is not a hash that this server can verify (bcrypt): cost at byte 4 is not between 4 and 14",
      );
      const results = await importing([
        { external_id: "d", email: "CLEO@example.com" },
        { external_id: "e", email: "no address" },
        { email: "f@example.com" },
        { external_id: "g", id: lossy.id, email: "g@example.com" },
        { external_id: "cleo", id: it.administrator.id, email: "cleo@example.com" },
        { external_id: "h", email: "h@example.com", is_platform_admin: true },
        { external_id: "k", email: "k@example.com", id: "00000000-0000-0000-0000-000000000000" },
        { external_id: "l", email: "l@example.com", created_at: "2999-01-01T00:00:00Z" },
        { external_id: "m", email: "m@example.com", email_verified_at: "2999-01-01T00:00:00Z" },
        "no object" as unknown as object,
      ]);
      assert.deepEqual(
        results.map(({ status, errors }) => [status, ...errors.map(({ path }) => path)]),
        [
          ["refused", "/email"],
          ["refused", "/email"],
          ["refused", "/external_id"],
          ["refused", "/id"],
          ["refused", "/id"],
          ["created"],
          ["refused", "/id"],
          ["refused", "/created_at"],
          ["refused", "/email_verified_at"],
          ["refused", "", "/external_id"],
        ],
      );
      assert.deepEqual(
        results[5]?.losses.map(({ path, code }) => [path, code]),
        [["/is_platform_admin", "appoints_nobody"]],
      );
      const [appointed] = await it.store.list("users", { email: "h@example.com" });
      assert.equal(appointed?.is_platform_admin, false);
    });

    test("MG-12: with complete_applied, sign-in methods are added to users that a manifest created, and to no others", async () => {
      const at = it.clock.now();
      const made = async (
        name: string,
        { applied = true, ...more }: Partial<User> & { applied?: boolean } = {},
      ) => {
        const user = await aUser(it.store, { email: `${name}@example.com`, ...more });
        if (applied) await it.store.markApplied("users", user.id, at);
        return user;
      };
      const line = ({ id, email }: Pick<User, "id" | "email">) => ({
        ...{ external_id: id, id, email, password: { hash }, email_verified_at: "2020-02-03T04:05:06Z" },
      });
      const attempt = async (user: User, more: object, given = line(user), key = it.key) => {
        const [{ status, errors } = assert.fail()] = await importing([given], more, key);
        return [status, ...errors.map(({ path, code }) => `${path} ${code}`)];
      };
      const whole = { source: "postern", complete_applied: true };
      const taken = ["refused", "/id taken"];
      const vic = await made("vic");
      for (const more of [{}, { source: "postern" }, { complete_applied: false }])
        assert.deepEqual(await attempt(vic, more), taken);
      const scopes = ["postern:import"];
      const narrow = await anApiKeyText(it, { user_id: it.administrator.id, scopes });
      assert.deepEqual(await attempt(vic, whole, line(vic), narrow.key), taken);
      const other = { ...line(vic), email: anotherOfItsKey(vic.email) };
      assert.deepEqual(await attempt(vic, whole, other), taken);
      const own = await made("own", { applied: false });
      assert.deepEqual(await attempt(own, whole), taken);
      const imported = await made("imported", { applied: false });
      const by = { source: "shop", name: "users imported" };
      await it.store.markApplied("users", imported.id, at, it.store, by);
      assert.deepEqual(await attempt(imported, whole), taken);
      const used = await made("used", { last_login_at: at });
      assert.deepEqual(await attempt(used, whole), taken);
      for (const { id } of [vic, own, imported, used]) {
        const user = await it.store.find("users", { id });
        assert.deepEqual([user?.password_hash, user?.email_verified_at], [null, null]);
      }

      assert.deepEqual(await attempt(vic, { ...whole, dry_run: true }), ["updated"]);
      assert.deepEqual(await attempt(vic, whole), ["updated"]);
      assert.equal((await enter(vic.email)).type, "signed_in");
      assert.notEqual((await it.store.find("users", { id: vic.id }))?.email_verified_at, null);
    });

    test("MG-12: people of another Postern server are added only to records that a manifest created under the name in the line", async () => {
      const at = it.clock.now();
      const applied = async (table: "organizations" | "providers", id: string, slug: string) => {
        await it.store.markApplied(table, id, at);
        await it.store.rememberName(
          { table, id, name: keyText(table, { slug }), by_entry: true },
          at,
          it.store,
        );
      };
      const ours = await anOrganization(it.store, { slug: "ours" });
      const corp = await aProvider(it.store, { slug: "corp" });
      await applied("organizations", ours.id, "ours");
      await applied("providers", corp.id, "corp");
      await aProvider(it.store, { slug: "apple", preset: "apple", issuer: null });
      // Owners of organizations created these records, or gave them the names of records on the other server.
      const evil = await anOrganization(it.store, { slug: "evil" });
      await aProvider(it.store, { slug: "theirs", organization_id: evil.id });
      const renamed = await anOrganization(it.store, { slug: "renamed" });
      await applied("organizations", renamed.id, "earlier");
      const imported = await anOrganization(it.store, { slug: "imported" });
      await it.store.markApplied("organizations", imported.id, at, it.store, { source: "shop", name: null });
      const byId = await anOrganization(it.store, { slug: "by-id" });
      const organizations = ["ours", "evil", "renamed", "imported", byId.id];
      const providers = ["corp", "apple", "theirs"];
      const line = (name: string) => ({
        ...{ external_id: `moved-${name}`, email: `moved-${name}@example.com` },
        memberships: organizations.map((organization) => ({ organization, role: "member" })),
        linked_accounts: providers.map((provider) => ({ provider, provider_user_id: name })),
      });
      const whole = { source: "postern", complete_applied: true };
      const made = await aUser(it.store, { email: "moved-2@example.com" });
      await it.store.markApplied("users", made.id, at);
      for (const given of [line("1"), { ...line("2"), id: made.id }]) {
        const { id, losses, status } = await one(given, whole);
        assert.notEqual(status, "refused");
        const memberships = await it.store.list("memberships", { user_id: id });
        assert.deepEqual(
          memberships.map(({ organization_id }) => organization_id).sort(),
          [ours.id, byId.id].sort(),
        );
        const links = await it.store.list("oauth_accounts", { user_id: id });
        assert.deepEqual(links.map(({ provider }) => provider).sort(), ["apple", "corp"]);
        assert.deepEqual(
          losses.map(({ path, code }) => `${path} ${code}`),
          [
            "/linked_accounts/2/provider not_applied",
            ...[1, 2, 3].map((index) => `/memberships/${index}/organization not_applied`),
          ],
        );
      }
    });

    test("MG-12: a line with the external id of a user who has another address adds nothing to the user", async () => {
      const ann = { external_id: "5", email: "ann@example.com", email_verified_at: "2020-02-03T04:05:06Z" };
      const { id } = await one(ann);
      const before = await it.store.find("users", { id });
      const mallory = { external_id: "5", email: "mallory@example.com", password: { hash } };
      for (const line of [mallory, { ...mallory, email: anotherOfItsKey(ann.email) }, { ...mallory, id }])
        for (const dry_run of [true, false]) {
          const { status, errors } = await one(line, { dry_run });
          assert.deepEqual(
            [status, ...errors.map(({ path, code }) => `${path} ${code}`)],
            ["refused", "/email other_person"],
          );
        }
      assert.deepEqual(await it.store.find("users", { id }), before);
      // A line that would add nothing is unchanged, so a user who changed the address fails no later import.
      assert.equal((await one({ external_id: "5", email: "mallory@example.com" })).status, "unchanged");
      assert.equal((await one({ ...mallory, email: "ANN@example.com" })).status, "updated");
      await it.store.update("users", { id }, { email: "new@example.com", email_key: "new@example.com" });
      assert.equal((await one({ ...ann, password: { hash } })).status, "unchanged");
    });

    test("MG-12: an account at a preset is linked only to the server's provider of this preset, at the preset's own address", async () => {
      const organization_id = (await anOrganization(it.store)).id;
      const at = { issuer: null };
      await aProvider(it.store, { slug: "github", preset: "github", ...at });
      await aProvider(it.store, { slug: "google", preset: "google", ...at, organization_id });
      await aProvider(it.store, { slug: "gitlab", preset: "gitlab", issuer: "https://git.example" });
      await aProvider(it.store, { slug: "oidc", preset: "oidc" });
      const presets = ["github", "google", "gitlab", "oidc", "facebook"];
      const made = await one({
        ...{ external_id: "linked", email: "linked@example.com" },
        linked_accounts: presets.map((preset) => ({ preset, provider_user_id: "1157" })),
      });
      const links = await it.store.list("oauth_accounts", { user_id: made.id });
      assert.deepEqual(
        links.map(({ provider }) => provider),
        ["github"],
      );
      assert.deepEqual(
        made.losses.map(({ path, code }) => `${path} ${code}`),
        [1, 2, 3, 4].map((index) => `/linked_accounts/${index}/provider no_record_of_name`),
      );
    });

    test("MG-6: an import requires a platform administrator's unrestricted credential, or the scope postern:import", async () => {
      const person = (name: string) => ({ external_id: name, email: `${name}@example.com` });
      const keyOf = async (user_id: string, scopes: string[]) =>
        (await anApiKeyText(it, { user_id, scopes })).key;
      const narrow = await keyOf(it.administrator.id, ["postern:import"]);
      assert.equal((await importing([person("i")], {}, narrow))[0]?.status, "created");
      const member = await aUser(it.store);
      for (const key of [
        await keyOf(member.id, ["postern:import", "postern:manage"]),
        await keyOf(it.administrator.id, ["postern:users:write"]),
      ])
        assert.equal((await send("no json", key)).statusCode, 403);
      assert.equal((await send("no json", "none")).statusCode, 401);
      // A restricted credential cannot change the address of a user who has become an administrator.
      const [made] = await importing([person("j")], {}, narrow);
      await it.store.update("users", { id: made?.id ?? "" }, { is_platform_admin: true });
      const [refused] = await importing([{ ...person("j"), email: "k@example.com" }], {}, narrow);
      assert.deepEqual(
        [refused?.status, refused?.errors[0]?.code],
        ["refused", "administrator_full_credential_only"],
      );
      const read = await it.app.inject({ url: "/api/v1/users", headers: bearer(narrow) });
      assert.equal(read.statusCode, 403);
    });

    test("MG-6: a request whose outer object is malformed is refused as a whole", async () => {
      const people = [{ external_id: "x", email: "x@example.com" }];
      for (const [body, paths] of [
        [{ source: "Key Cloak", people }, ["/source"]],
        [{ source: "k", people: [] }, ["/people"]],
        [{ source: "k", people: Array(mostImported + 1).fill({}) }, ["/people"]],
        [{ source: "k", people, dry_run: "yes", other: 1 }, ["/other", "/dry_run"]],
        [{ source: "postern", people, complete_applied: 1 }, ["/complete_applied"]],
        [{ source: "keycloak", people, complete_applied: true }, ["/complete_applied"]],
      ] as const) {
        const answer = await send(JSON.stringify(body));
        assert.equal(answer.statusCode, 422);
        assert.deepEqual(
          answer.json().errors.map(({ path }: { path: string }) => path),
          paths,
        );
      }
    });

    test("MG-6: no damaged password hash causes a server error, and none is quoted", async () => {
      const texts = [hash, `$pbkdf2-sha256$i=1000,l=32$AAAA$${"A".repeat(42)}E`, `$6$salt$${"a".repeat(86)}`];
      const count = inForm(200, 10_000);
      for (let from = 0; from < count; from += 100) {
        const people = Array.from({ length: 100 }, (_, index) => {
          const number = from + index;
          const text = texts[number % texts.length] ?? "";
          const at = (number * 7) % text.length;
          const damaged =
            text.slice(0, at) + String.fromCharCode(33 + (number % 90)) + text.slice(at + 1 + (number % 3));
          return { external_id: `m${number}`, email: `m${number}@example.com`, password: { hash: damaged } };
        });
        const answer = await send(JSON.stringify({ source: "mutants", people, dry_run: true }));
        assert.equal(answer.statusCode, 200);
        for (const { password } of people) assert.ok(!answer.body.includes(password.hash));
      }
    });
  });
