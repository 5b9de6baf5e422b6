import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import type { Actor } from "../../src/admin/access/actor.ts";
import type { Input } from "../../src/admin/access/errors.ts";
import { listRecords } from "../../src/admin/manage/list_records.ts";
import { createRecord, getRecord, removeRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { exportManifest } from "../../src/admin/manifest/export.ts";
import { impactOf } from "../../src/admin/reports/impact.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import type { Problem } from "../../src/errors.ts";
import { recordLock } from "../../src/records/names/lock_names.ts";
import type { Store } from "../../src/storage/store.ts";
import { aMembership, anOAuthAccount, anOrganization, aProvider, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { column } from "../support/lists.ts";
import { waitsOrEnds } from "../support/waits_or_ends.ts";
import { problem, refused, testContext } from "./context.ts";

const providers = resourceOf("providers");
const linkedAccounts = resourceOf("linked_accounts");
const organizations = resourceOf("organizations");

const secret = "a secret of the provider that nobody is told";
const google = { slug: "google", preset: "google", client_id: "123", client_secret: secret };
const acme = { slug: "acme", preset: "oidc", issuer: "https://login.acme.example", client_id: "postern" };

const pemOf = (namedCurve: string) =>
  generateKeyPairSync("ec", { namedCurve }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/** Returns the errors of a new provider with these values, as `path code`. */
async function errorsOf(store: Store, input: Input): Promise<string[]> {
  try {
    await createRecord(testContext(store), providers, input);
    return [];
  } catch (error) {
    const { code, errors } = error as Problem;
    assert.equal(code, "invalid_record", String(error));
    return errors.map((error) => `${error.path} ${error.code}`).toSorted();
  }
}

/** Returns the owner of a new organization, as an actor. */
async function anOwner(store: Store): Promise<{ actor: Actor; organization_id: string }> {
  const user = await aUser(store);
  const organization_id = (await anOrganization(store)).id;
  await aMembership(store, { user_id: user.id, organization_id, role: "owner" });
  return { actor: { kind: "user", user }, organization_id };
}

for (const database of databasesInForm)
  describe(`external providers on ${database.name}`, () => {
    const ready = async () => testContext(await database.open());

    test("EP-1 a provider's client secret is stored encrypted, and no response contains it", async () => {
      const context = await ready();
      const { store, sealer } = context;
      const { record } = await createRecord(context, providers, google);
      const id = String(record.id);
      assert.equal(record.label, "Google");
      const stored = async () => (await store.find("providers", { id }))?.client_secret ?? "";
      assert.equal(sealer.open("provider_secret", await stored(), id), secret);
      const another = `${secret} any more`;
      const changed = await updateRecord(context, providers, id, { client_secret: another });
      assert.equal(sealer.open("provider_secret", await stored(), id), another);
      const reported = [
        record,
        changed,
        await getRecord(context, providers, id),
        await listRecords(context, providers, {}),
        await exportManifest(context),
        await store.list("audit_events"),
      ];
      assert.ok(!JSON.stringify(reported).includes(secret));
      assert.ok(!JSON.stringify(reported).includes(await stored()));
      const [event] = await store.list("audit_events", { type: "provider.updated" });
      assert.deepEqual(event?.details?.also_changed, ["client_secret"]);
    });

    test("EP-1 an export applied to an empty server creates the same records, except for their secrets", async () => {
      const context = await ready();
      await createRecord(context, providers, google);
      const { record } = await createRecord(context, providers, acme);
      const user = await aUser(context.store, { email: "ada@example.com", email_key: "ada@example.com" });
      const of = { user_id: user.id, provider: "acme", provider_user_id: "7", access_token: "t" };
      await createRecord(context, linkedAccounts, of);
      const manifest = JSON.parse(JSON.stringify(await exportManifest(context)));
      const warned: string[] = [];
      const other = { ...(await ready()), warn: (message: string) => warned.push(message) };
      await applyManifest(manifest, other);
      assert.deepEqual(JSON.parse(JSON.stringify(await exportManifest(other))), manifest);
      assert.equal((await other.store.find("oauth_accounts", { provider: "acme" }))?.provider_id, record.id);
      assert.match(warned.join("\n"), /providers\[\d\]\.client_secret: is missing/);
      // A second run changes nothing, although the file contains the secret.
      const file = { providers: [google] };
      assert.equal((await applyManifest(file, other)).updated.length, 1);
      assert.equal((await applyManifest(file, other)).unchanged.length, 1);
    });

    test("EP-1 a provider whose slug became reserved later can be changed, but a new provider cannot use the slug", async () => {
      const context = await ready();
      const { id } = await aProvider(context.store, { slug: "lost-factors", preset: "oidc" });
      const changed = await updateRecord(context, providers, id, { label: "Renamed", slug: "lost-factors" });
      assert.equal(changed.label, "Renamed");
      await updateRecord(context, providers, id, { slug: "elsewhere" });
      await assert.rejects(
        updateRecord(context, providers, id, { slug: "lost-factors" }),
        ({ errors: [error] }: Problem) => error?.path === "/slug" && error.code === "reserved_slug",
      );
    });

    test("EP-1 the fields that a provider preset requires and accepts are checked when it is saved", async () => {
      const store = await database.open();
      const endpoints = {
        authorization_endpoint: "https://a.example/authorize",
        token_endpoint: "https://a.example/token",
        userinfo_endpoint: "https://a.example/me",
      };
      const oauth2 = { slug: "x", preset: "oauth2", client_id: "c", client_secret: secret };
      const claim_names = { subject: "id" };
      const cases: [Input, string[]][] = [
        [{ ...google, client_secret: undefined }, ["/client_secret needed_by_preset"]],
        [{ ...google, issuer: "https://a.example" }, ["/issuer not_of_preset"]],
        [{ ...google, slug: "github" }, ["/slug slug_of_preset"]],
        [{ ...google, slug: "second-factor" }, ["/slug reserved_slug"]],
        [{ ...google, slug: "Google" }, ["/slug not_slug"]],
        [{ ...google, settings: { pkce: false } }, ["/settings/pkce not_of_preset"]],
        [{ ...google, email_trust: "domains" }, ["/email_domains required", "/email_trust not_of_preset"]],
        [{ ...google, sign_up: "domains" }, ["/email_domains required"]],
        [{ ...google, email_domains: ["exa mple.com"] }, ["/email_domains/0 not_domain"]],
        [{ ...acme, issuer: undefined }, ["/issuer needed_by_preset"]],
        [{ ...acme, issuer: "http://login.acme.example" }, ["/issuer not_https_url"]],
        [{ ...acme, issuer: "https://user@login.acme.example" }, ["/issuer not_https_url"]],
        [{ ...acme, allowed_tenants: ["a"] }, ["/allowed_tenants not_of_preset"]],
        [{ ...acme, allowed_tenants: "a" }, ["/allowed_tenants not_list_of_strings"]],
        [{ ...acme, preset: "github" }, ["/client_secret needed_by_preset"]],
        [{ ...acme, ...endpoints }, Object.keys(endpoints).map((name) => `/${name} not_of_preset`)],
        [{ ...acme, preset: "saml" }, ["/label required", "/preset not_one_of"]],
        [
          {
            slug: "m",
            preset: "microsoft",
            client_id: "c",
            client_secret: secret,
            allowed_tenants: ["acme"],
          },
          ["/allowed_tenants/0 not_uuid"],
        ],
        [
          oauth2,
          [
            "/authorization_endpoint needed_by_preset",
            "/settings/claim_names needed_by_preset",
            "/token_endpoint needed_by_preset",
            "/userinfo_endpoint needed_by_preset",
          ],
        ],
        [
          { ...oauth2, ...endpoints, settings: { claim_names: {} } },
          ["/settings/claim_names/subject required"],
        ],
        [
          { ...oauth2, ...endpoints, settings: { claim_names }, trust_amr: true },
          ["/trust_amr not_of_preset"],
        ],
        [{ ...oauth2, ...endpoints, settings: { claim_names, pkce: "no" } }, ["/settings/pkce not_boolean"]],
        [{ ...oauth2, ...endpoints, slug: "plain", settings: { claim_names, pkce: false } }, []],
        [
          { slug: "apple", preset: "apple", client_id: "c", client_secret: secret },
          [
            "/client_secret not_p256_private_key",
            "/settings/key_id needed_by_preset",
            "/settings/team_id needed_by_preset",
          ],
        ],
        [{ ...oauth2, slug: "y", ...endpoints, settings: { claim_names } }, []],
        [{ ...acme, issuer: "http://127.0.0.1:4000" }, []],
        [{ ...acme, issuer: "https://id.acme.example/?tenant=1" }, ["/issuer issuer_with_query"]],
        [{ ...acme, issuer: "https://id.acme.example/#one" }, ["/issuer not_https_url"]],
        [
          {
            slug: "gitlab-acme",
            preset: "gitlab",
            client_id: "c",
            client_secret: "s",
            issuer: "https://git.acme.example",
          },
          [],
        ],
      ];
      for (const [input, expected] of cases)
        assert.deepEqual(await errorsOf(store, input), expected.toSorted(), JSON.stringify(input));
    });

    test("EP-1 Apple's private key may be given on one line, and only that type of key is accepted", async () => {
      const context = await ready();
      const of = { slug: "apple", preset: "apple", client_id: "c", settings: { team_id: "T", key_id: "K" } };
      const pem = pemOf("P-256");
      const { record } = await createRecord(context, providers, {
        ...of,
        client_secret: pem.replaceAll("\n", " "),
      });
      const id = String(record.id);
      const sealed = (await context.store.find("providers", { id }))?.client_secret ?? "";
      assert.equal(context.sealer.open("provider_secret", sealed, id), pem);
      await refused(
        updateRecord(context, providers, id, { client_secret: pemOf("P-384") }),
        "invalid_record /client_secret",
      );
    });

    test("EP-1 tenants and domains of a provider are stored in lower case", async () => {
      const context = await ready();
      const tenant = "9188040D-6C67-4C5B-B112-36A304B66DAD";
      const input = {
        slug: "m",
        preset: "microsoft",
        client_id: "c",
        client_secret: "s",
        allowed_tenants: [tenant],
      };
      const { record } = await createRecord(context, providers, input);
      assert.deepEqual(record.allowed_tenants, [tenant.toLowerCase()]);
      const trusted = { ...acme, email_trust: "domains", email_domains: ["Acme.Example"] };
      const made = await createRecord(context, providers, trusted);
      assert.deepEqual(made.record.email_domains, ["acme.example"]);
    });

    test("EP-1 an organization's own provider is trusted only within that organization", async () => {
      const store = await database.open();
      const { actor, organization_id } = await anOwner(store);
      const context = testContext(store, actor);
      const own = { ...acme, organization_id };
      const unlike: [Input, string][] = [
        [{ email_trust: "domains", email_domains: ["acme.example"] }, "/email_trust"],
        [{ email_trust: "claim" }, "/email_trust"],
        [{ sign_up: "anyone" }, "/sign_up"],
        [{ link: "automatic" }, "/link"],
        [{ trust_amr: true }, "/trust_amr"],
        [{ internal: true }, "/internal"],
        [{ slug: "oidc" }, "/slug"],
      ];
      for (const [more, path] of unlike)
        await refused(createRecord(context, providers, { ...own, ...more }), `forbidden ${path}`);
      await refused(createRecord(context, providers, acme), "forbidden");
      const { record } = await createRecord(context, providers, own);
      const id = String(record.id);
      // The organization may trust the email claims of a provider that it does not run itself.
      const googles = { ...google, slug: "acme-google", organization_id, email_trust: "claim" };
      await createRecord(context, providers, googles);

      const operator = testContext(store);
      const trust = { email_trust: "domains", email_domains: ["acme.example"] };
      await updateRecord(operator, providers, id, trust);
      for (const change of [
        { issuer: "https://evil.example" },
        { client_id: "another" },
        { email_domains: ["acme.example", "victim.example"] },
      ])
        await refused(updateRecord(context, providers, id, change), "forbidden /email_trust");
      assert.equal((await updateRecord(context, providers, id, { label: "Staff" })).label, "Staff");
      const elsewhere = testContext(store, (await anOwner(store)).actor);
      await refused(getRecord(elsewhere, providers, id), "not_found");
      await refused(updateRecord(elsewhere, providers, id, { label: "x" }), "not_found");
    });

    test("EP-1 only an unrestricted credential creates a provider of the server with URLs of its own", async () => {
      const store = await database.open();
      const user = await aUser(store, { is_platform_admin: true });
      const { organization_id } = await anOwner(store);
      const create = (scopes: string[], input: Input) =>
        createRecord(testContext(store, { kind: "user", user, scopes }), providers, input);
      const restricted = ["postern:providers:write", "postern:providers:read"];
      await refused(create(restricted, acme), "forbidden /issuer");
      const oauth2 = {
        ...google,
        slug: "acme-oauth2",
        preset: "oauth2",
        authorization_endpoint: "https://login.acme.example/authorize",
        token_endpoint: "https://login.acme.example/token",
        userinfo_endpoint: "https://login.acme.example/me",
        settings: { claim_names: { subject: "id" } },
      };
      const paths = "/authorization_endpoint /token_endpoint /userinfo_endpoint";
      await refused(create(restricted, oauth2), `forbidden ${paths}`);
      await create(restricted, google);
      await create(restricted, { ...acme, slug: "acme-staff", organization_id });
      await create(["postern:manage"], acme);
    });

    test("EP-1 an organization can neither activate nor delete a provider that a platform administrator deactivated", async () => {
      const store = await database.open();
      const { actor, organization_id } = await anOwner(store);
      const { id } = await aProvider(store, { organization_id });
      await updateRecord(testContext(store), providers, id, { active: false });
      const context = testContext(store, actor);
      await refused(updateRecord(context, providers, id, { active: true }), "forbidden /active");
      await refused(removeRecord(context, providers, id), "forbidden");
    });

    test("EP-2 provider settings that linked accounts depend on cannot change while links exist", async () => {
      const context = await ready();
      const { store } = context;
      const { record } = await createRecord(context, providers, acme);
      const id = String(record.id);
      const link = await anOAuthAccount(store, { provider: "acme", provider_id: id });
      for (const [change, paths] of [
        [{ slug: "other" }, ["/slug"]],
        [{ issuer: "https://other.example" }, ["/issuer"]],
        [{ preset: "gitlab", client_secret: "s", slug: "acme-2" }, ["/slug", "/preset"]],
      ] as const) {
        await assert.rejects(updateRecord(context, providers, id, change), problem("links_exist", paths));
        const file = { providers: [{ id, ...acme, ...change }] };
        await assert.rejects(applyManifest(file, context), (error: Problem) => error.code === "links_exist");
      }
      assert.deepEqual(await getRecord(context, providers, id), record);
      await updateRecord(context, providers, id, { label: "Acme staff", scopes: ["openid"] });
      await store.remove("oauth_accounts", { id: link.id });
      const changed = await updateRecord(context, providers, id, { issuer: "https://other.example" });
      assert.equal(changed.issuer, "https://other.example");
    });

    test("EP-2 deleting a provider with linked accounts requires links=delete, and the preview counts them", async () => {
      const context = await ready();
      const { store } = context;
      const { record } = await createRecord(context, providers, acme);
      const id = String(record.id);
      const user_id = (await aUser(store)).id;
      for (const each of [user_id, user_id, undefined])
        await anOAuthAccount(store, { provider: "acme", provider_id: id, ...(each && { user_id: each }) });
      const kept = await anOAuthAccount(store, { provider: "github" });
      assert.deepEqual(await impactOf(context, providers, id), { linked_accounts: 3, people: 2 });
      await refused(removeRecord(context, providers, id), "links_exist");
      assert.equal(await store.count("oauth_accounts"), 4);
      await removeRecord(context, providers, id, undefined, { links: "delete" });
      assert.deepEqual(column(await store.list("oauth_accounts"), "id"), [kept.id]);
      const [retired] = await store.list("retired_providers");
      assert.deepEqual(
        [retired?.slug, retired?.endpoint, retired?.provider_id],
        ["acme", "oidc https://login.acme.example", id],
      );
    });

    test("EP-2 a manifest prunes neither a provider with linked accounts nor an organization that has such a provider", async () => {
      const context = await ready();
      const { store } = context;
      const organization = { slug: "acme", name: "Acme" };
      const own = { ...acme, organization: "acme" };
      await applyManifest({ organizations: [organization], providers: [own] }, context);
      const [provider] = await store.list("providers");
      const link = await anOAuthAccount(store, { provider: "acme", provider_id: provider?.id ?? "" });
      for (const file of [{ organizations: [organization] }, {}])
        await assert.rejects(applyManifest(file, context, { prune: true }), (error: Problem) => {
          assert.equal(error.code, "links_exist");
          return true;
        });
      await store.remove("oauth_accounts", { id: link.id });
      await applyManifest({}, context, { prune: true });
      assert.equal(await store.count("providers"), 0);
      assert.equal((await store.find("retired_providers", { slug: "acme" }))?.provider_id, provider?.id);
    });

    // On SQLite, transactions do not overlap.
    if (database.name === "PostgreSQL")
      test("EP-2 if an account is linked while its organization is pruned, both the link and the organization stay", async () => {
        const context = await ready();
        const { store } = context;
        await applyManifest({ organizations: [{ slug: "acme", name: "Acme" }] }, context);
        const [organization] = await store.list("organizations");
        const provider = await aProvider(store, { organization_id: organization?.id ?? "" });
        const user = await aUser(store);
        const pruned = await store.transaction(async (tx) => {
          await tx.lock(recordLock("providers", provider.id));
          const pruning = applyManifest({}, context, { prune: true }).catch((error: Problem) => error.code);
          await waitsOrEnds(store, pruning);
          await anOAuthAccount(
            { ...store, insert: tx.insert },
            { provider_id: provider.id, user_id: user.id },
          );
          return { pruning };
        });
        assert.equal(await pruned.pruning, "links_exist");
        assert.equal(await store.count("oauth_accounts"), 1);
        assert.equal(await store.count("organizations"), 1);
      });

    test("EP-2 a provider created again under a slug with another issuer gets none of the earlier links", async () => {
      const context = await ready();
      const { store } = context;
      const user = await aUser(store, { email: "ada@example.com", email_key: "ada@example.com" });
      const first = await createRecord(context, providers, acme);
      const of = { user_id: user.id, provider: "acme", provider_user_id: "7" };
      await createRecord(context, linkedAccounts, { ...of, access_token: "t" });
      const exported = JSON.parse(JSON.stringify(await exportManifest(context)));
      await removeRecord(context, providers, String(first.record.id), undefined, { links: "delete" });

      const imported = { linked_accounts: exported.linked_accounts };
      const isRefused = (error: Problem) =>
        error.status === 409 && /linked_account/.test(error.errors[0]?.path ?? "");
      await assert.rejects(applyManifest(imported, context), isRefused);
      await refused(
        createRecord(context, linkedAccounts, { ...of, access_token: "t" }),
        "invalid_record /provider",
      );

      const again = await createRecord(context, providers, { ...acme, issuer: "https://evil.example" });
      await assert.rejects(applyManifest(imported, context), isRefused);
      await refused(
        createRecord(context, linkedAccounts, { ...of, access_token: "t", provider_id: first.record.id }),
        "invalid_record /provider_id",
      );
      // A linked account from a restored database still belongs to the deleted provider.
      await anOAuthAccount(store, { ...of, provider_id: String(first.record.id) });
      assert.equal(await store.count("oauth_accounts", { provider_id: String(again.record.id) }), 0);
    });

    test("EP-2 an organization cannot use the slug of another organization's deleted provider", async () => {
      const store = await database.open();
      const operator = testContext(store);
      const { record } = await createRecord(operator, providers, acme);
      await removeRecord(operator, providers, String(record.id));
      const { actor, organization_id } = await anOwner(store);
      const context = testContext(store, actor);
      const other = { ...acme, organization_id, issuer: "https://evil.example" };
      await refused(createRecord(context, providers, other), "forbidden /slug");
      const moved = await createRecord(context, providers, { ...other, slug: "mine" });
      await refused(
        updateRecord(context, providers, String(moved.record.id), { slug: "acme" }),
        "forbidden /slug",
      );
      // A provider with the same issuer as the deleted one, but with other endpoints.
      const endpoints = {
        authorization_endpoint: "https://login.acme.example/authorize",
        token_endpoint: "https://evil.example/token",
        userinfo_endpoint: "https://evil.example/me",
      };
      const settings = { claim_names: { subject: "id" } };
      const beside = { ...acme, ...endpoints, settings, preset: "oauth2", client_secret: "a secret" };
      await refused(createRecord(context, providers, { ...beside, organization_id }), "forbidden /slug");
      await createRecord(context, providers, { ...acme, organization_id });
    });

    test("EP-2 the subject claim of a provider is fixed while links exist; its other settings may change", async () => {
      const context = await ready();
      const { store } = context;
      const { record } = await createRecord(context, providers, {
        slug: "git",
        preset: "oauth2",
        client_id: "postern",
        client_secret: "a secret",
        authorization_endpoint: "https://git.example/authorize",
        token_endpoint: "https://git.example/token",
        userinfo_endpoint: "https://git.example/me",
        settings: { claim_names: { subject: "id" } },
      });
      const id = String(record.id);
      const link = await anOAuthAccount(store, { provider: "git", provider_user_id: "7", provider_id: id });
      const settings = { claim_names: { subject: "login" } };
      await refused(
        updateRecord(context, providers, id, { settings }),
        "links_exist /settings/claim_names/subject",
      );
      const named = { claim_names: { subject: "id", name: "full_name" }, pkce: false };
      assert.deepEqual((await updateRecord(context, providers, id, { settings: named })).settings, named);
      await store.remove("oauth_accounts", { id: link.id });
      await updateRecord(context, providers, id, { settings });
    });

    test("EP-2 a new provider of the server takes over links left without a provider; one of an organization does not", async () => {
      const store = await database.open();
      const context = testContext(store);
      const link = await anOAuthAccount(store, { provider: "acme" });
      const { actor, organization_id } = await anOwner(store);
      await refused(
        createRecord(testContext(store, actor), providers, { ...acme, organization_id }),
        "forbidden /slug",
      );
      const own = await createRecord(context, providers, { ...acme, organization_id });
      const held = async () => (await store.find("oauth_accounts", { id: link.id }))?.provider_id;
      assert.equal(await held(), null);
      await removeRecord(context, providers, String(own.record.id));
      const elsewhere = await createRecord(context, providers, { ...acme, issuer: "https://other.example" });
      assert.equal(await held(), null);
      await removeRecord(context, providers, String(elsewhere.record.id));
      const { record } = await createRecord(context, providers, { ...acme, issuer: "https://other.example" });
      assert.equal(await held(), record.id);
    });

    test("EP-2 deleting an organization deletes its providers and their links, and keeps the slugs reserved", async () => {
      const context = await ready();
      const { store } = context;
      const organization_id = (await anOrganization(store)).id;
      const { id } = await aProvider(store, { slug: "acme", organization_id });
      await anOAuthAccount(store, { provider: "acme", provider_id: id });
      await removeRecord(context, organizations, organization_id);
      assert.equal(await store.count("oauth_accounts"), 0);
      assert.equal((await store.find("retired_providers", { slug: "acme" }))?.provider_id, id);
    });

    test("EP-2 a link and the deletion of its provider made concurrently leave both or neither, in 20 rounds", async () => {
      const context = await ready();
      const { store } = context;
      for (let round = 0; round < 20; round++) {
        const slug = `round-${round}`;
        const { record } = await createRecord(context, providers, { ...acme, slug });
        const user_id = (await aUser(store)).id;
        const of = { user_id, provider: slug, provider_user_id: "7", access_token: "t" };
        await Promise.allSettled([
          createRecord(context, linkedAccounts, of),
          removeRecord(context, providers, String(record.id)),
        ]);
        const links = await store.count("oauth_accounts", { provider: slug });
        assert.equal(await store.count("providers", { slug }), links, `round ${round}`);
      }
    });

    test("EP-1 changes of a provider or its organization change the active sign-in providers immediately", async () => {
      const store = await database.open();
      const context = testContext(store);
      const organization_id = (await anOrganization(store)).id;
      const own = await aProvider(store, { slug: "own" });
      const theirs = await aProvider(store, { slug: "theirs", organization_id });
      await aProvider(store, { slug: "off", active: false });
      const slugs = async (of: string | null) => (await store.activeProviders(of)).map(({ slug }) => slug);
      assert.deepEqual(await slugs(null), ["own"]);
      assert.deepEqual(await slugs(organization_id), ["own", "theirs"]);
      assert.equal((await store.findProvider("theirs"))?.id, theirs.id);
      assert.equal(await store.findProvider("off"), undefined);
      await updateRecord(context, providers, own.id, { active: false });
      assert.deepEqual(await slugs(organization_id), ["theirs"]);
      assert.equal(await store.findProvider("own"), undefined);
      await updateRecord(context, organizations, organization_id, { active: false });
      assert.deepEqual(await slugs(organization_id), []);
      assert.equal(await store.findProvider("theirs"), undefined);
    });
  });
