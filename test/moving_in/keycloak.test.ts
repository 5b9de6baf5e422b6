/** A realm exported by Keycloak 26.7, without the keys that only the realm itself uses. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { exportFile, personOf, type Read, readFiles, readText, signsIn } from "./reading.ts";

const read = (): Promise<Read> => readFiles("keycloak", [exportFile("keycloak_26.json")]);

const of = (found: Read, object: string) => found.losses.filter((loss) => loss.startsWith(`${object} · `));
const appOf = ({ apps }: Read, client_id: string) => apps.find((app) => app.client_id === client_id) ?? {};

describe("importing from Keycloak", () => {
  test("users with every kind of hash keep password, sub and verified email", async () => {
    const found = await read();
    const passwords = {
      "ada@example.com": "ada: correct horse 1",
      "bob@example.com": "bob: correct horse 2",
      "cyd@example.com": "cyd: correct horse 3",
      "dee@example.com": "dee: correct horse 4",
      "eve@example.com": "eve: correct horse 5",
      "gus@example.com": "gus: correct horse 6",
    };
    for (const [email, password] of Object.entries(passwords)) {
      assert.ok(await signsIn(personOf(found, email), password), email);
      assert.ok(!(await signsIn(personOf(found, email), `${password}!`)), email);
    }
    const { password: _, ...ada } = personOf(found, "ada@example.com");
    const id = "2bcd50ee-4e9c-4e73-92fb-e03e39845a21";
    const at = "2026-11-28T18:21:48.506Z";
    assert.deepEqual(ada, {
      ...{ external_id: id, id, email: "ada@example.com", name: "Ada Example", active: true },
      ...{ email_verified_at: at, created_at: at },
      attributes: { given_name: "Ada", family_name: "Example", preferred_username: "ada" },
    });
    const gus = personOf(found, "gus@example.com");
    assert.deepEqual([gus.active, gus.email_verified_at], [false, undefined]);
  });

  test("PBKDF2 hashes with SHA-256 and 64 bytes, and credentials before Keycloak 8, are imported", async () => {
    const { pbkdf2Sync } = await import("node:crypto");
    const salt = Buffer.from("salt of sixteen.");
    const hash = (bytes: number, digest: string, rounds: number) =>
      pbkdf2Sync("old password", salt, rounds, bytes, digest).toString("base64");
    const user = (email: string, credential: object) => ({ id: email, email, credentials: [credential] });
    const users = [
      user("new@example.com", {
        type: "password",
        secretData: { value: hash(64, "sha256", 27_500), salt: salt.toString("base64") },
        credentialData: { hashIterations: 27_500, algorithm: "pbkdf2-sha256" },
      }),
      user("old@example.com", {
        type: "password",
        hashedSaltedValue: hash(64, "sha1", 20_000),
        salt: salt.toString("base64"),
        hashIterations: 20_000,
        algorithm: "pbkdf2",
      }),
    ];
    const found = await readText("keycloak", JSON.stringify({ realm: "shop", users }));
    for (const person of found.people) assert.ok(await signsIn(person, "old password"), person.email);
    assert.equal(found.people.length, 2);
  });

  test("one-time code secrets are imported as the bytes of their text, and unsupported kinds are reported", async () => {
    const found = await read();
    const { totp = [] } = personOf(found, "eve@example.com");
    assert.deepEqual(
      totp.map(({ otpauth, name }) => [new URL(otpauth).searchParams.get("secret"), name]),
      // The Base32 form of "HdJ6zGsTq1xY0pLwQeRt", as coreutils writes it.
      [["JBSEUNT2I5ZVI4JRPBMTA4CMO5IWKUTU", "Phone"]],
    );
    assert.equal(
      of(found, "user eve@example.com").filter((loss) => loss.includes("credential otp")).length,
      1,
    );
  });

  test("security keys keep the realm's host, and passkeys bound to Keycloak's user handle are reported", async () => {
    const found = await read();
    const { passkeys = [] } = personOf(found, "fay@example.com");
    assert.deepEqual(
      passkeys.map(({ rp_id, discoverable, counter, name }) => [rp_id, discoverable, counter, name]),
      [["id.example.com", false, 7, "Yubi"]],
    );
    assert.match(of(found, "user fay@example.com").join(), /webauthn-passwordless · it is bound/);
    const credential = {
      type: "webauthn",
      secretData: "{}",
      credentialData: '{"credentialId":"+/8=","credentialPublicKey":"pQ==","counter":1}',
    };
    const users = [{ id: "1", email: "a@example.com", credentials: [credential] }];
    const without = await readText("keycloak", JSON.stringify({ users }));
    assert.match(of(without, "user a@example.com").join(), /does not contain its host/);
    const mapped = await readText("keycloak", JSON.stringify({ users }), { rp_id: "id.example.com" });
    assert.equal(mapped.people[0]?.passkeys?.[0]?.credential_id, "-_8");
  });

  test("linked accounts, memberships, identity providers and organizations are imported", async () => {
    const found = await read();
    const { linked_accounts, memberships } = personOf(found, "dee@example.com");
    assert.deepEqual(linked_accounts, [
      { provider: "corp", provider_user_id: "dee-at-corp" },
      { provider: "google", provider_user_id: "115700000000000000001" },
    ]);
    assert.deepEqual(memberships, [{ organization: "acme", role: "member" }]);
    assert.deepEqual(found.organizations, [{ slug: "acme", name: "Acme Corp", active: true }]);
    assert.deepEqual(
      found.providers.map(({ slug, preset, client_secret }) => [slug, preset, client_secret]),
      [
        ["corp", "oidc", "corp-secret-of-the-shop-1"],
        ["google", "google", "GOCSPX-not-a-real-secret"],
        ["vaulted", "github", undefined],
      ],
    );
    assert.match(of(found, "provider vaulted").join(), /client_secret · not in the export/);
    assert.match(of(found, "provider partner-saml").join(), /no preset for saml/);
  });

  test("MG-11: identity providers are inactive, and one that a single organization uses belongs to it", async () => {
    const provider = (alias: string, enabled = true) => ({
      ...{ alias, enabled, providerId: "google", organizationId: "1" },
      config: { clientId: "shop", clientSecret: "secret-of-the-provider" },
    });
    const organization = (alias: string, ...names: string[]) => ({
      ...{ alias, enabled: true, identityProviders: names.map((name) => ({ alias: name })) },
    });
    const realm = {
      realm: "shop",
      identityProviders: [provider("corp"), provider("both"), provider("all", false)],
      organizations: [organization("acme", "corp", "both"), organization("hooli", "both")],
    };
    const found = await readText("keycloak", JSON.stringify(realm));
    assert.deepEqual(
      found.providers.map(({ slug, organization, active }) => [slug, organization, active]),
      [
        ["corp", "acme", false],
        ["both", undefined, false],
        ["all", undefined, false],
      ],
    );
    const inactive = "active · inactive: register its redirect URI, then activate it";
    assert.deepEqual(
      found.losses,
      ["corp", "both"].map((slug) => `provider ${slug} · ${inactive}`),
    );
  });

  test("clients keep client_id and secret, and wildcards and unsupported features are reported", async () => {
    const found = await read();
    const web = appOf(found, "shop-web");
    assert.deepEqual(web.redirect_uris, ["https://shop.example/cb"]);
    assert.deepEqual(web.post_logout_redirect_uris, ["https://shop.example/bye"]);
    assert.deepEqual(web.secrets, ["shop-web-secret-of-decent-length"]);
    assert.deepEqual(of(found, "client shop-web"), [
      "client shop-web · first_party · not imported: users are asked for consent unless you set it yourself",
      "client shop-web · post_logout_redirect_uris https://shop.example/* · wildcard",
      "client shop-web · redirect_uris https://shop.example/old/* · wildcard",
      "client shop-web · protocolMapper department · mappers are not supported: tokens have the claims of their scopes",
      "client shop-web · baseUrl · not supported",
    ]);
    const spa = appOf(found, "shop-spa");
    assert.deepEqual(
      [spa.kind, spa.public, spa.redirect_uris],
      ["browser", true, ["https://app.shop.example/callback", "https://app.shop.example/relative/cb"]],
    );
    assert.deepEqual(
      of(found, "client shop-spa").map((loss) => loss.split(" · ")[1]),
      ["grant implicit", "grant password", "first_party"],
    );
    assert.deepEqual(appOf(found, "shop-worker").allowed_grants, ["client_credentials"]);
    assert.equal(appOf(found, "shop-mobile").kind, "native");
    assert.equal(appOf(found, "shop-signed").jwks_uri, "https://signed.shop.example/jwks.json");
    assert.equal(appOf(found, "shop-old").active, false);
    assert.match(of(found, "client shop-old").join(), /http:\/\/old.shop.example\/cb · not_https/);
    assert.match(of(found, "client shop-api").join(), /create an API/);
    assert.match(of(found, "client https://saml.shop.example/sp").join(), /its protocol is saml/);
    assert.equal(found.apps.length, 6);
  });

  test("MG-11: no imported client gets a scope of this server's API, or skips consent", async () => {
    const client = { enabled: true, protocol: "openid-connect", consentRequired: false };
    const clients = [
      {
        ...{ ...client, clientId: "billing", secret: "known-to-the-author-of-the-file" },
        ...{ serviceAccountsEnabled: true, defaultClientScopes: ["postern:manage", "invoices"] },
      },
      {
        ...{ ...client, clientId: "front", publicClient: true, standardFlowEnabled: true },
        ...{ redirectUris: ["https://shop.example/callback"], defaultClientScopes: ["profile"] },
        optionalClientScopes: ["postern:manage", "postern:invented", "token:introspect"],
      },
    ];
    const found = await readText("keycloak", JSON.stringify({ realm: "shop", clients }));
    assert.deepEqual(appOf(found, "billing").allowed_scopes, ["invoices"]);
    assert.deepEqual(appOf(found, "front").allowed_scopes, ["openid", "profile"]);
    assert.ok(found.apps.every((app) => !("first_party" in app)));
    const ours = "a scope of this server: grant it yourself";
    const asked = "not imported: users are asked for consent unless you set it yourself";
    assert.deepEqual(of(found, "client front"), [
      ...["postern:manage", "postern:invented", "token:introspect"].map(
        (scope) => `client front · scope ${scope} · ${ours}`,
      ),
      `client front · first_party · ${asked}`,
    ]);
  });

  test("clients keep their back-channel logout URL, and a secret in a vault is reported as such", async () => {
    const client = { protocol: "openid-connect", enabled: true, standardFlowEnabled: true };
    const attributes = {
      "backchannel.logout.url": "/bcl",
      "backchannel.logout.session.required": "true",
      "backchannel.logout.revoke.offline.tokens": "true",
    };
    const clients = [
      {
        ...client,
        clientId: "web",
        secret: ["$", "{vault.web}"].join(""),
        rootUrl: "https://shop.example/",
        attributes,
      },
      {
        ...client,
        clientId: "old",
        secret: "short",
        attributes: { "backchannel.logout.session.required": "true" },
      },
    ];
    const found = await readText("keycloak", JSON.stringify({ realm: "shop", clients }));
    const web = appOf(found, "web");
    assert.equal(web.backchannel_logout_uri, "https://shop.example/bcl");
    assert.equal(web.backchannel_logout_session_required, true);
    assert.equal(web.secrets, undefined);
    assert.deepEqual(of(found, "client web").slice(1), [
      "client web · secret · the export has a reference to a vault, not the secret: the app gets a new secret",
      "client web · backchannel.logout.revoke.offline.tokens · not supported: offline access survives the session",
    ]);
    assert.ok(!("backchannel_logout_uri" in appOf(found, "old")));
    assert.match(
      of(found, "client old").join(),
      /secret · shorter than 20 characters: the app gets a new secret$/,
    );
  });

  test("every field of the realm, and every role, group and user is imported or reported", async () => {
    const found = await read();
    assert.match(of(found, "user phone-only").join(), /no email address/);
    assert.deepEqual(
      of(found, "user bob@example.com").map((loss) => loss.split(" · ")[1]),
      ["groups", "realmRoles"],
    );
    assert.deepEqual(
      found.losses.filter((loss) => /^(role|group) /.test(loss)).map((loss) => loss.split(" · ")[0]),
      ["role cashier", "role manager", "group /staff", "group /staff"],
    );
    assert.match(of(found, "role cashier").join(), /set organization in the --map file or the form/);
    const realm = of(found, "realm shop").map((loss) => loss.split(" · ")[1]);
    assert.ok(realm.includes("accessTokenLifespan") && realm.includes("clientScopes"));
    // The user of a client's service account is skipped, because its client is imported.
    assert.equal(found.people.length, 7);
  });

  test("if the map names an organization, the realm's roles and groups are imported into it", async () => {
    const found = await readFiles("keycloak", [exportFile("keycloak_26.json")], { organization: "shop" });
    assert.deepEqual(
      found.organizations.map(({ slug }) => slug),
      ["acme"],
    );
    assert.deepEqual(
      found.roles.map(({ organization, name }) => [organization, name]),
      [
        ["shop", "cashier"],
        ["shop", "manager"],
      ],
    );
    assert.deepEqual(
      found.groups.map(({ display_name, roles }) => [display_name, roles]),
      [["/staff", []]],
    );
    // The role includes another role.
    assert.deepEqual(personOf(found, "bob@example.com").memberships, [
      { organization: "shop", role: "member", role_ids: ["manager", "cashier"], groups: ["/staff"] },
    ]);
    assert.deepEqual(personOf(found, "cyd@example.com").memberships, [
      { organization: "acme", role: "member" },
      { organization: "shop", role: "member" },
    ]);
    assert.deepEqual(
      found.losses.filter((loss) => /^(role|group) |Roles|· groups/.test(loss)),
      ["group /staff · attributes · attributes of groups are not supported"],
    );
  });

  test("client roles include the name of their client, and subgroups their path and their parents' roles", async () => {
    const realm = {
      realm: "shop",
      roles: {
        realm: [
          {
            name: "boss",
            composites: { realm: ["boss"], client: { till: ["open"], account: ["view-profile"] } },
          },
          { name: "default-roles-shop", composites: { realm: ["offline_access", "guest"] } },
          { name: "guest" },
        ],
        client: { till: [{ name: "open" }, { name: "close" }], account: [{ name: "view-profile" }] },
      },
      groups: [
        {
          ...{ id: "1", name: "staff", path: "/staff", realmRoles: ["guest"] },
          subGroups: [{ id: "2", name: "night", path: "/staff/night", clientRoles: { till: ["close"] } }],
        },
      ],
      users: [
        {
          ...{ id: "u", username: "ada", email: "a@example.com", groups: ["/staff/night", "/none"] },
          ...{ realmRoles: ["boss", "default-roles-shop"], clientRoles: { account: ["view-profile"] } },
        },
      ],
    };
    const found = await readText("keycloak", JSON.stringify(realm), { organization: "shop" });
    assert.deepEqual(
      found.groups.map(({ display_name, roles, external_id }) => [display_name, roles, external_id]),
      [
        ["/staff", ["guest"], "1"],
        ["/staff/night", ["guest", "till:close"], "2"],
      ],
    );
    assert.deepEqual(found.people[0]?.memberships, [
      {
        ...{ organization: "shop", role: "member", role_ids: ["boss", "till:open", "guest"] },
        groups: ["/staff/night"],
      },
    ]);
    assert.match(of(found, "user a@example.com").join(), /the export has no group \/none/);
  });

  test("users in separate files are imported with the realm of the main file", async () => {
    const realm = {
      realm: "shop",
      webAuthnPolicyRpId: "id.example.com",
      organizations: [{ name: "Acme", alias: "acme", members: [{ username: "ada" }] }],
    };
    const users = { realm: "shop", users: [{ id: "1", username: "ada", email: "a@example.com" }] };
    const { writeFileSync } = await import("node:fs");
    const { temporaryFolder } = await import("../support/temp.ts");
    const folder = temporaryFolder();
    writeFileSync(`${folder}/users.json`, JSON.stringify(users));
    writeFileSync(`${folder}/realm.json`, JSON.stringify(realm));
    const found = await readFiles("keycloak", [`${folder}/users.json`, `${folder}/realm.json`]);
    assert.deepEqual(found.people[0]?.memberships, [{ organization: "acme", role: "member" }]);
  });
});
