/** Small exports as each system documents them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { lossSums } from "../../src/moving_in/core/loss_sums.ts";
import { inForm } from "../support/form.ts";
import { withoutConversions } from "../support/without_conversions.ts";
import { exportFile, personOf, type Read, readFiles, readText, signsIn } from "./reading.ts";

const of = (found: Read, object: string) =>
  found.losses.filter((loss) => loss.startsWith(`${object} · `)).map((loss) => loss.slice(object.length + 3));

describe("importing from Auth0", () => {
  const files = ["auth0_users.ndjson", "auth0_hashes.ndjson", "auth0_clients.json"].map(exportFile);

  test("password hashes that Auth0's support exports are assigned to the right users", async () => {
    const found = await readFiles("auth0", files);
    const lines = found.people.filter(({ email }) => email === "ada@example.com");
    assert.deepEqual(
      lines.map(({ external_id, id }) => [external_id, id]),
      [["auth0|5f7c8ec7c33c6c004bbafe82", undefined]],
    );
    assert.ok(lines[0] && (await signsIn(lines[0], "auth0 password 1")));
    assert.deepEqual(lines[0]?.linked_accounts, [
      { provider: "google-oauth2", provider_user_id: "115700000000000000002" },
    ]);
    assert.equal(personOf(found, "cyd@example.com").active, false);
    assert.deepEqual(
      of(found, "user ada@example.com")
        .map((loss) => loss.split(" · ")[0])
        .sort(),
      ["multifactor", "nickname", "user_metadata.colour"],
    );
    assert.match(of(found, "user cyd@example.com").join(), /windowslive · Microsoft users/);
    assert.match(of(found, "user sms|5f7c8ec7c33c6c004bbafe83").join(), /no email address/);
    const reversed = await readFiles("auth0", files.toReversed());
    const ada = reversed.people.filter(({ email }) => email === "ada@example.com");
    assert.equal(ada.length, 1, "in any order of the files");
    assert.ok(ada[0] && (await signsIn(ada[0], "auth0 password 1")));
    assert.equal(ada[0].linked_accounts?.length, 1);
    const mapped = await readFiles("auth0", files, { providers: { "google-oauth2": "google" } });
    assert.equal(personOf(mapped, "bob@example.com").linked_accounts?.[0]?.provider, "google");
  });

  test("only the username of the lines from Auth0's support is reported as not imported", async () => {
    const line = {
      ...{ _id: { $oid: "1" }, email: "a@example.com", username: "ada", email_verified: true, tenant: "dev" },
      ...{ connection: "Username-Password-Authentication", _tmp_is_unique: true, version: "1.1" },
      passwordHash: "$2b$10$4uOQtfzYBFDD3OlCm.7ccuotCgxorBiQMMadH0cH4C1WWWP2IPkF.",
      identifiers: [{ type: "email", value: "a@example.com", verified: true }],
      last_password_reset: { $date: "2023-12-08T20:44:31.608Z" },
    };
    const found = await readText("auth0", JSON.stringify([line]));
    assert.deepEqual(found.losses, [
      "user a@example.com · username · usernames are not supported: users sign in with their email address",
    ]);
  });

  test("clients keep client_id and secret, and unsupported features are reported", async () => {
    const found = await readFiles("auth0", files);
    assert.deepEqual(
      found.apps.map(({ kind, allowed_grants, secrets }) => [kind, allowed_grants, secrets]),
      [
        [
          "website",
          ["auth_code", "refresh", "client_credentials"],
          ["auth0-web-secret-of-decent-length-0001"],
        ],
        ["browser", ["auth_code", "refresh"], undefined],
        ["machine", ["client_credentials"], ["auth0-m2m-secret-of-decent-length-0003"]],
      ],
    );
    assert.deepEqual(of(found, "client aWeb0000000000000000000000000001"), [
      "grant implicit · this grant type is not supported",
      "first_party · not imported: users are asked for consent unless you set it yourself",
      "redirect_uris https://*.shop.example/callback · wildcard",
      "jwt_configuration.alg · id_tokens are signed with a key of the server, not with the secret",
      "initiate_login_uri · not supported",
    ]);
    assert.match(of(found, "client aSpa0000000000000000000000000002").join(), /origin https:\/\/other/);
    assert.match(of(found, "client AllClients0000000000000000000000").join(), /built into Auth0/);
  });

  test("an entry that is no record of Auth0 is reported with the names of its fields, as not recognized", async () => {
    const user = { user_id: "auth0|1", email: "ada@example.com" };
    const found = await readText("auth0", JSON.stringify([user, { kid: "1", cert: "secret" }]));
    assert.equal(found.people.length, 1);
    assert.deepEqual(of(found, "entry"), [" · not recognized as a record of Auth0; its fields: kid, cert"]);
  });

  test("MG-11: a client that skips consent in Auth0 requires it here", async () => {
    const clients = [
      {
        client_id: "web",
        name: "Web",
        app_type: "spa",
        is_first_party: true,
        grant_types: ["authorization_code"],
      },
    ];
    const { apps, losses } = await readText("auth0", JSON.stringify(clients));
    assert.equal(apps[0]?.client_id, "web");
    assert.ok(!("first_party" in apps[0]));
    assert.ok(losses.some((loss) => loss.startsWith("client web · first_party · not imported")));
  });

  test("connections become identity providers, and database connections are reported", async () => {
    const connections = [
      { strategy: "google-oauth2", name: "google-oauth2", options: { client_id: "g", client_secret: "s" } },
      { strategy: "auth0", name: "Users", options: {} },
      { strategy: "samlp", name: "Corp", options: { client_id: "x" } },
    ];
    const found = await readText("auth0", JSON.stringify(connections));
    assert.deepEqual(found.providers, [
      {
        ...{ slug: "google-oauth2", label: "Google", preset: "google", client_id: "g", client_secret: "s" },
        active: false,
      },
    ]);
    assert.match(of(found, "provider Users").join(), /a database connection/);
    assert.match(of(found, "provider Corp").join(), /no preset for samlp/);
  });
});

/** Tenant-wide roles, and an organization in two pages of members. */
const auth0Roles = [
  { id: "org_1", name: "acme", display_name: "Acme", metadata: { plan: "gold" } },
  { id: "org_1", name: "acme", members: [{ user_id: "auth0|1", roles: [{ id: "rol_1", name: "Editor" }] }] },
  {
    ...{ id: "org_1", name: "acme" },
    members: [
      { user_id: "auth0|1", email: "ada@example.com" },
      { user_id: "auth0|2" },
      { user_id: "auth0|9" },
    ],
  },
  {
    id: "rol_1",
    name: "Editor",
    description: "Edits",
    permissions: ["read"],
    users: [{ user_id: "auth0|2" }],
  },
  { id: "rol_1", name: "Editor", users: [{ user_id: "auth0|3", email: "cyd@example.com" }] },
  { id: "rol_2", name: "Auditor", description: "Reads" },
];
const auth0People = [
  { user_id: "auth0|1", email: "ada@example.com" },
  { user_id: "auth0|2", email: "bob@example.com" },
  { _id: { $oid: "3" }, email: "cyd@example.com", passwordHash: "$2b$10$x" },
];
const ndjson = (...values: readonly object[]) => values.map((value) => JSON.stringify(value)).join("\n");

describe("back-channel logout in imports", () => {
  test("clients of Auth0 and ZITADEL keep their back-channel logout URL", async () => {
    const [url, other] = ["https://shop.example/bcl", "https://shop.example/more"];
    const client = {
      ...{ client_id: "web", app_type: "regular_web", callbacks: [], grant_types: ["authorization_code"] },
      oidc_logout: {
        backchannel_logout_urls: [url, other],
        backchannel_logout_initiators: { mode: "custom", selected_initiators: ["rp-logout"] },
      },
    };
    const auth0 = await readText("auth0", JSON.stringify([client]));
    assert.deepEqual(
      auth0.apps.map((app) => [app.backchannel_logout_uri, app.backchannel_logout_session_required]),
      [[url, true]],
    );
    assert.deepEqual(
      of(auth0, "client web").filter((loss) => loss.startsWith("oidc_logout")),
      [
        `oidc_logout.backchannel_logout_urls ${other} · an app has one URL`,
        "oidc_logout.backchannel_logout_initiators · not supported: the app is notified of every ended session",
      ],
    );
    const app = { clientId: "145", name: "Shop", redirectUris: [], backChannelLogoutUri: url };
    const zitadel = await readText(
      "zitadel",
      JSON.stringify({ orgs: [{ orgId: "1", oidcApps: [{ app }] }] }),
    );
    assert.deepEqual(
      zitadel.apps.map((each) => [each.backchannel_logout_uri, each.backchannel_logout_session_required]),
      [[url, false]],
    );
  });
});

describe("PKCE in imports", () => {
  test("A-14: a confidential client must use PKCE only if the other system required it", async () => {
    const keycloak = (clientId: string, method?: string, publicClient = false) => ({
      ...{ clientId, publicClient, enabled: true, protocol: "openid-connect", standardFlowEnabled: true },
      attributes: method === undefined ? {} : { "pkce.code.challenge.method": method },
    });
    const okta = (client_id: string, more: object) => ({
      ...{
        id: client_id,
        signOnMode: "OPENID_CONNECT",
        credentials: { oauthClient: { client_id, ...more } },
      },
      settings: { oauthClient: { grant_types: ["authorization_code"] } },
    });
    const worker = { clientId: "worker", enabled: true, serviceAccountsEnabled: true };
    const clients = [keycloak("a"), keycloak("b", "S256"), keycloak("c", "plain"), keycloak("d", "", true)];
    const auth0 = { client_id: "a", app_type: "regular_web", grant_types: ["authorization_code"] };
    const oidcApps = [{ appId: "a", authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC" }];
    const files: [from: string, file: object, found: (boolean | undefined)[]][] = [
      [
        "keycloak",
        { realm: "shop", clients: [...clients, worker] },
        [false, true, true, undefined, undefined],
      ],
      ["auth0", [auth0, { ...auth0, app_type: "spa" }], [false, undefined]],
      ["okta", [okta("a", {}), okta("b", { pkce_required: true })], [false, true]],
      ["zitadel", { orgs: [{ orgId: "1", oidcApps }] }, [false]],
    ];
    for (const [from, file, found] of files) {
      const { apps, losses } = await readText(from, JSON.stringify(file));
      assert.deepEqual(
        apps.map(({ require_pkce }) => require_pkce),
        found,
        from,
      );
      assert.equal(
        losses.filter((loss) => loss.includes("send PKCE with S256")).length,
        from === "keycloak" ? 1 : 0,
      );
      const [first, second, , , machine] = lossSums().ofClients(apps);
      assert.deepEqual(first?.changes, ["PKCE: optional (require_pkce is false)"]);
      if (second !== undefined) assert.deepEqual(second.changes, ["PKCE: required, with S256"]);
      if (machine !== undefined) assert.deepEqual(machine.changes, []);
    }
  });
});

describe("importing organizations and roles from Auth0", () => {
  test("members keep their organization's roles, and tenant roles only if the map names an organization", async () => {
    for (const file of [ndjson(...auth0Roles, ...auth0People), ndjson(...auth0People, ...auth0Roles)]) {
      const found = await readText("auth0", file);
      assert.deepEqual(found.organizations, [{ slug: "acme", name: "Acme" }]);
      assert.deepEqual(found.roles, [{ organization: "acme", name: "Editor", description: "Edits" }]);
      const acme = { organization: "acme", role: "member" };
      assert.deepEqual(personOf(found, "ada@example.com").memberships, [{ ...acme, role_ids: ["Editor"] }]);
      assert.deepEqual(personOf(found, "bob@example.com").memberships, [acme]);
      assert.equal(personOf(found, "cyd@example.com").memberships, undefined);
      const needs = "it belongs to an organization: set organization in the --map file or the form";
      assert.deepEqual(found.losses.toSorted(), [
        "organization acme · metadata · not supported",
        `role Auditor ·  · ${needs}`,
        "role Editor · permissions · not imported: define app roles of the API",
        `user auth0|2 · role Editor · ${needs}`,
        `user auth0|3 · role Editor · ${needs}`,
        "user auth0|9 · membership acme · the export has no such user in the organization",
      ]);
    }
  });

  test("if the map names an organization, every user becomes a member with the tenant's roles", async () => {
    const organization = "shop";
    const found = await readText("auth0", ndjson(...auth0Roles, ...auth0People), { organization });
    assert.deepEqual(found.organizations, [{ slug: "acme", name: "Acme" }]);
    assert.deepEqual(
      found.roles.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
      [
        { organization: "acme", name: "Editor", description: "Edits" },
        { organization: "shop", name: "Auditor", description: "Reads" },
        { organization: "shop", name: "Editor", description: "Edits" },
      ],
    );
    const shop = { organization, role: "member" };
    assert.deepEqual(personOf(found, "ada@example.com").memberships, [
      { organization: "acme", role: "member", role_ids: ["Editor"] },
      shop,
    ]);
    const editor = { ...shop, role_ids: ["Editor"] };
    assert.deepEqual(personOf(found, "bob@example.com").memberships, [
      { organization: "acme", role: "member" },
      editor,
    ]);
    assert.deepEqual(personOf(found, "cyd@example.com").memberships, [editor], "known by a hash alone");
    const own = await readText("auth0", ndjson(...auth0Roles, ...auth0People), { organization: "acme" });
    assert.deepEqual(own.organizations, [{ slug: "acme", name: "Acme" }], "it is one of the export's");
    assert.deepEqual(personOf(own, "bob@example.com").memberships, [
      { organization: "acme", role: "member", role_ids: ["Editor"] },
    ]);
  });

  test("metadata becomes an attribute if the map says so, and is otherwise reported as not imported", async () => {
    const user = {
      ...{ user_id: "auth0|1", email: "ada@example.com" },
      user_metadata: { colour: "green", "https://shop.example/size": 42 },
      app_metadata: { plan: ["gold"], vip: true, quota: { disk: 5 }, roles: ["admin"] },
    };
    const columns = {
      "app_metadata.plan": "plan",
      "app_metadata.vip": "vip",
      "app_metadata.quota": "quota",
      "user_metadata.https://shop.example/size": "size",
    };
    const found = await readText("auth0", JSON.stringify(user), { columns });
    assert.deepEqual(personOf(found, "ada@example.com").attributes, {
      ...{ size: "42", plan: ["gold"], vip: "true" },
    });
    assert.deepEqual(of(found, "user ada@example.com").toSorted(), [
      "app_metadata.quota · not text, a number, true or false, or a list of texts",
      "app_metadata.roles · not imported: name its attribute in columns of postern import --map",
      "user_metadata.colour · not imported: name its attribute in columns of postern import --map",
    ]);
  });
});

describe("importing from Clerk", () => {
  test("users with any supported hash sign in, and other hashes and further emails are reported", async () => {
    const found = await readFiles("clerk", [exportFile("clerk.csv")]);
    const passwords: [email: string, password: string][] = [
      ["ada@example.com", "clerk password 1"],
      ["bob@example.com", "clerk password 2"],
      ["cyd@example.com", "clerk password 3"],
      ["dee@example.com", "clerk password 4"],
      // The example of Firebase's own program.
      ["eve@example.com", "user1password"],
    ];
    for (const [email, password] of passwords)
      assert.ok(await signsIn(personOf(found, email), password), email);
    assert.equal(personOf(found, "bob@example.com").name, 'Bob O"Neill, Jr.');
    assert.equal(personOf(found, "bob@example.com").email_verified_at, undefined);
    assert.equal(personOf(found, "ada@example.com").email_verified_at, "2026-11-28T12:00:00.000Z");
    const [totp] = personOf(found, "ada@example.com").totp ?? [];
    assert.match(totp?.otpauth ?? "", /secret=JBSWY3DPEHPK3PXP&/);
    assert.deepEqual(of(found, "user ada@example.com"), [
      "email ada@work.example · only one email address per user is supported",
      "username · usernames are not supported: users sign in with their email address",
    ]);
    assert.equal(personOf(found, "fay@example.com").password, undefined);
    assert.match(of(found, "user fay@example.com").join(), /still at Cognito/);
  });

  test("a file with a single email column, and cells with empty objects, is read", async () => {
    const header =
      "id,email_addresses,totp_secret,backup_codes_enabled,backup_codes,unsafe_metadata,public_metadata";
    const rows = [
      '1,"a@example.com,b@example.com",,false,,{},{}',
      '2,c@example.com,,true,"x,y",{},"{""a"":1}"',
    ];
    const found = await readText("clerk", [header, ...rows].join("\n"));
    assert.deepEqual(
      found.people.map(({ email, email_verified_at }) => [email, email_verified_at]),
      [
        ["a@example.com", undefined],
        ["c@example.com", undefined],
      ],
    );
    assert.deepEqual(found.losses, [
      "user a@example.com · email b@example.com · only one email address per user is supported",
      "user c@example.com · backup_codes · recovery codes are not imported: users generate new ones",
      "user c@example.com · public_metadata · user attributes are not supported",
    ]);
  });

  test("users of Clerk's Backend API keep the primary email and linked accounts", async () => {
    const user = {
      id: "user_1",
      object: "user",
      primary_email_address_id: "idn_2",
      email_addresses: [
        { id: "idn_1", email_address: "old@example.com", verification: { status: "verified" } },
        { id: "idn_2", email_address: "ada@example.com", verification: { status: "unverified" } },
      ],
      external_accounts: [{ provider: "oauth_google", provider_user_id: "1157" }],
      created_at: 1_700_000_000_000,
      password_enabled: true,
    };
    const found = await readText("clerk", JSON.stringify([user]));
    assert.deepEqual(found.people, [
      {
        external_id: "user_1",
        email: "ada@example.com",
        active: true,
        created_at: "2023-11-14T22:13:20.000Z",
        linked_accounts: [{ provider: "google", provider_user_id: "1157" }],
      },
    ]);
    assert.match(of(found, "user ada@example.com").join(), /old@example.com · only one email address/);
  });
});

describe("importing from Firebase", () => {
  const files = [exportFile("firebase.json")];
  const firebase = {
    signer_key: "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
    ...{ salt_separator: "Bw==", rounds: 8, mem_cost: 14 },
  };

  test("users with Firebase hashes sign in if the map has the project's hash parameters", async () => {
    const found = await readFiles("firebase", files, { firebase });
    const ada = personOf(found, "ada@example.com");
    assert.ok(await signsIn(ada, "user1password"));
    assert.deepEqual(ada.linked_accounts, [
      { provider: "google", provider_user_id: "115700000000000000004" },
    ]);
    assert.equal(ada.created_at, "2020-09-13T12:26:40.000Z");
  });

  test("the map may name identity providers as in the file or as on this server", async () => {
    for (const name of ["google.com", "google"]) {
      const { people } = await readFiles("firebase", files, { firebase, providers: { [name]: "work" } });
      assert.equal(people[0]?.linked_accounts?.[0]?.provider, "work", name);
    }
  });

  test("missing hash parameters, emails and names are reported", async () => {
    const found = await readFiles("firebase", files);
    assert.equal(personOf(found, "ada@example.com").password, undefined);
    assert.match(of(found, "user ada@example.com").join(), /hash parameters are missing/);
    for (const id of ["fbUser0000000000000000000002", "fbUser0000000000000000000003"])
      assert.match(of(found, `user ${id}`).join(), /no email address/);
  });
});

describe("importing from Cognito", () => {
  test("users keep their sub, have no password, and keep linked accounts", async () => {
    const found = await readFiles("cognito", [exportFile("cognito.json")]);
    const ada = personOf(found, "ada@example.com");
    assert.equal(ada.id, "01b8dac5-b400-70d9-b771-c9532d1957a4");
    assert.deepEqual([ada.name, ada.email_verified_at], ["Ada Lovelace", "2024-01-02T03:04:05.678Z"]);
    assert.deepEqual(of(found, "user ada@example.com"), [
      "password · Cognito does not export password hashes: users need a new password",
      "Username · usernames are not supported: users sign in with their email address",
      "custom:tier · user attributes are not supported",
    ]);
    const bob = personOf(found, "bob@example.com");
    assert.deepEqual([bob.active, bob.email_verified_at], [false, undefined]);
    assert.deepEqual(bob.linked_accounts, [
      { provider: "google", provider_user_id: "115700000000000000005" },
    ]);
  });

  test("a CSV file for Cognito's own import is read in the same way", async () => {
    const csv =
      "cognito:username,email,email_verified,name,cognito:mfa_enabled\nada,a@example.com,TRUE,Ada,true\n";
    const found = await readText("cognito", csv);
    assert.deepEqual(found.people, [
      {
        external_id: "ada",
        email: "a@example.com",
        email_verified_at: "2026-11-28T12:00:00.000Z",
        name: "Ada",
      },
    ]);
    assert.match(of(found, "user a@example.com").join(), /cognito:mfa_enabled/);
  });
});

describe("importing from Supabase", () => {
  test("users keep password, sub, one-time codes and linked accounts", async () => {
    const found = await readFiles("supabase", [exportFile("supabase.ndjson")]);
    const ada = personOf(found, "ada@example.com");
    assert.ok(await signsIn(ada, "supabase password 1"));
    assert.equal(ada.id, "8f7d0e8a-1111-4222-8333-444455556666");
    assert.equal(ada.email_verified_at, "2024-05-01T10:00:00.123Z");
    assert.deepEqual(ada.linked_accounts, [{ provider: "github", provider_user_id: "583231" }]);
    assert.equal(ada.totp?.length, 1);
    assert.deepEqual(of(found, "user ada@example.com"), [
      "factor phone · this kind of factor is not supported: users enroll again",
      "raw_user_meta_data.plan · user attributes are not supported",
    ]);
    assert.equal(personOf(found, "bob@example.com").active, false);
    assert.match(of(found, "user cyd@example.com").join(), /deleted in the source/);
  });

  test("users who came to Supabase from Firebase sign in with their hashes", async () => {
    const [, , , , , eve] = readFileSync(exportFile("clerk.csv"), "utf8").split("\n");
    const [hash, salt, key, separator, r, n] = (eve?.split(",").at(-2) ?? "").split("$");
    const encrypted_password = `$fbscrypt$v=1,n=${n},r=${r},p=1,ss=${separator},sk=${key}$${salt}$${hash}`;
    const user = { id: "1", email: "eve@example.com", encrypted_password };
    const found = await readText("supabase", JSON.stringify(user));
    assert.ok(await signsIn(personOf(found, user.email), "user1password"));
  });
});

describe("importing from Okta", () => {
  test("users have no password and no verified email, and clients and identity providers are imported", async () => {
    const found = await readFiles("okta", [exportFile("okta.json")]);
    assert.deepEqual(personOf(found, "ada@example.com"), {
      ...{ external_id: "00u1", email: "ada@example.com", name: "Ada Lovelace", active: true },
      created_at: "2023-01-01T00:00:00.000Z",
      attributes: {
        ...{ given_name: "Ada", family_name: "Lovelace", preferred_username: "ada.lovelace" },
        ...{ phone_number: "+15550100", department: "Sales" },
      },
    });
    assert.equal(personOf(found, "bob@example.com").active, false);
    assert.deepEqual(
      of(found, "user ada@example.com").map((loss) => loss.split(" · ")[0]),
      ["email_verified", "password"],
    );
    assert.deepEqual(found.apps[0]?.secrets, ["okta-web-secret-of-decent-length-001"]);
    assert.match(of(found, "client 0oa1").join(), /device_code · this grant type/);
    assert.match(of(found, "client Payroll").join(), /SAML_2_0/);
    assert.equal(found.providers[0]?.slug, "google");
  });
});

describe("importing groups and app roles from Okta", () => {
  const group = (id: string, name: string, ...users: string[]) => ({
    ...{ id, type: "OKTA_GROUP", objectClass: ["okta:user_group"], created: "2023-01-01T00:00:00.000Z" },
    profile: { name, description: "All of them" },
    users: users.map((user) => ({ id: user })),
  });
  const app = (signOnMode: string) => ({
    ...{ id: "0oa1", label: "Shop", signOnMode, credentials: { oauthClient: { client_id: "0oa1" } } },
    settings: { oauthClient: { grant_types: ["authorization_code"] } },
    users: [{ id: "00u1", scope: "USER", profile: { role: "editor", roles: ["viewer"], shift: "late" } }],
  });
  const users = ["1", "2"].map((id) => ({
    id: `00u${id}`,
    profile: { email: `p${id}@example.com`, login: `p${id}@example.com`, costCenter: 7, groupsOf: { a: 1 } },
  }));
  const records = [
    group("00g1", "Staff", "00u1"),
    group("00g1", "Staff", "00u2", "00u9"),
    { ...group("00g2", "Everyone", "00u1", "00u2"), type: "BUILT_IN" },
    app("OPENID_CONNECT"),
    { ...app("OPENID_CONNECT"), users: [{ id: "00u2", profile: { role: "viewer" } }] },
  ];

  test("they are imported into the organization that the map names, and every user becomes a member", async () => {
    for (const file of [ndjson(...users, ...records), JSON.stringify([...records, ...users])]) {
      const found = await readText("okta", file, {
        organization: "shop",
        columns: { "profile.costCenter": "cost" },
      });
      assert.deepEqual(found.organizations, []);
      assert.deepEqual(found.groups, [{ organization: "shop", display_name: "Staff", external_id: "00g1" }]);
      assert.deepEqual(found.roles, [
        { organization: "shop", name: "Shop:editor" },
        { organization: "shop", name: "Shop:viewer" },
      ]);
      const shop = { organization: "shop", role: "member", groups: ["Staff"] };
      const [ada, bob] = found.people;
      assert.deepEqual(ada?.memberships, [{ ...shop, role_ids: ["Shop:editor", "Shop:viewer"] }]);
      assert.deepEqual(bob?.memberships, [{ ...shop, role_ids: ["Shop:viewer"] }]);
      assert.equal(found.apps.length, 1);
      assert.deepEqual(ada.attributes, { cost: "7" });
      assert.deepEqual(of(found, "group Staff"), [
        "profile.description · attributes of groups are not supported",
      ]);
      assert.deepEqual(of(found, "group Everyone"), [" · the group is not imported: built into Okta"]);
      assert.deepEqual(of(found, "user 00u1"), [
        "Shop.profile.shift · profiles of app users are not supported",
      ]);
      assert.match(of(found, "user 00u9").join(), /membership shop Staff · the export has no such user/);
      assert.match(of(found, "user p1@example.com").join(), /profile\.groupsOf · not text/);
    }
  });

  test("without an organization they are reported as not imported, and SAML apps have no roles", async () => {
    const found = await readText("okta", JSON.stringify([...users, ...records, app("SAML_2_0")]));
    assert.deepEqual([found.organizations, found.groups, found.roles], [[], [], []]);
    assert.equal(found.people[0]?.memberships, undefined);
    const needs = "it belongs to an organization: set organization in the --map file or the form";
    assert.ok(of(found, "group Staff").includes(` · ${needs}`));
    assert.deepEqual(
      of(found, "user 00u1").filter((loss) => loss.endsWith(needs)),
      ["group Staff", "role Shop:editor", "role Shop:viewer"].map((member) => `${member} · ${needs}`),
    );
  });
});

describe("importing from ZITADEL", () => {
  test("users become members of their organization, whose slug is made from its name", async () => {
    const found = await readFiles("zitadel", [exportFile("zitadel.json")]);
    assert.deepEqual(found.organizations, [
      { slug: "acme-grosse", name: "Acme Größe" },
      { slug: "second", name: "Second" },
    ]);
    const ada = personOf(found, "ada@example.com");
    assert.ok(await signsIn(ada, "zitadel password 1"));
    assert.deepEqual(ada.memberships, [{ organization: "acme-grosse", role: "member" }]);
    assert.deepEqual(personOf(found, "bob@example.com").memberships, [
      { organization: "second", role: "member" },
    ]);
    assert.deepEqual(
      ada.totp?.map(({ otpauth }) => new URL(otpauth).searchParams.get("secret")),
      ["JBSWY3DPEHPK3PXP"],
    );
    assert.deepEqual(ada.linked_accounts, [
      { provider: "work-login", provider_user_id: "ada-at-work" },
      { provider: "google", provider_user_id: "1157" },
    ]);
    assert.deepEqual(ada.attributes, {
      ...{ given_name: "Ada", family_name: "Lovelace", locale: "de", preferred_username: "ada" },
    });
    assert.deepEqual(of(found, "user ada@example.com"), ["user.phone · phone numbers are not supported"]);
    assert.deepEqual(
      found.providers.map(({ slug, issuer, client_secret }) => [slug, issuer, client_secret]),
      [["work-login", "https://login.work.example", "secret-of-the-work-login"]],
    );
    assert.deepEqual([found.providers[0]?.preset, found.providers[0]?.organization], ["oidc", "acme-grosse"]);
    assert.deepEqual(
      of(found, "client 145").map((loss) => loss.split(" · ")[0]),
      [...["client_id", "secret", "redirect_uris http://shop.example/cb"]],
    );
    assert.deepEqual(
      of(found, "organization Acme Größe").map((loss) => loss.split(" · ")[0]),
      ["state of users", "machineUsers", "domains", "jwtIdps", "userMetadata"],
    );
  });

  test("project roles become roles of the organization, and users keep them", async () => {
    const user = (userId: string, email: string) => ({ userId, user: { userName: email, email: { email } } });
    const shop = {
      orgId: "1",
      org: { name: "Acme" },
      humanUsers: [user("11", "ada@example.com"), user("12", "bob@example.com")],
      projects: [{ projectId: "7", project: { name: "Shop" } }],
      projectRoles: [
        { projectId: "7", roleKey: "editor", displayName: "Edits", group: "staff" },
        { projectId: "7", roleKey: "viewer" },
      ],
      userGrants: [
        { userId: "11", projectId: "7", roleKeys: ["editor"] },
        { userId: "11", projectId: "9", projectGrantId: "3", roleKeys: ["auditor", "auditor"] },
        { userId: "99", projectId: "7", roleKeys: ["viewer"] },
      ],
    };
    const found = await readText("zitadel", JSON.stringify({ orgs: [shop] }));
    assert.deepEqual(found.roles, [
      { organization: "acme", name: "Shop:editor", description: "Edits" },
      { organization: "acme", name: "Shop:viewer" },
      { organization: "acme", name: "9:auditor" },
    ]);
    const role_ids = ["Shop:editor", "9:auditor"];
    assert.deepEqual(personOf(found, "ada@example.com").memberships, [
      { organization: "acme", role: "member", role_ids },
    ]);
    assert.deepEqual(personOf(found, "bob@example.com").memberships, [
      { organization: "acme", role: "member" },
    ]);
    assert.deepEqual(of(found, "role Shop:editor"), ["group · groups of roles are not supported"]);
    assert.match(of(found, "user 99").join(), /membership acme Shop:viewer · the export has no such user/);
  });
});

describe("importing from CSV", () => {
  test("without a column for the email address, the known columns are named, but nothing from the file", async () => {
    const found = await readText("csv", "Mail;external_id\nada@example.com;7\n");
    assert.deepEqual(found.people, []);
    assert.match(
      of(found, "user 7").join(),
      /no column is named email: rename it, or map it .*; the other columns are external_id, id, email_verified, /,
    );
    assert.doesNotMatch(found.losses.join(), /Mail|ada/);
  });

  test("columns are mapped to fields, and all others become attributes", async () => {
    const columns = {
      Mail: "email",
      "Full name": "name",
      hash: "password_hash",
      Confirmed: "email_verified",
    };
    const found = await readFiles("csv", [exportFile("people.csv")], { columns });
    const ada = personOf(found, "ada@example.com");
    assert.ok(await signsIn(ada, "csv password 1"));
    assert.ok(await signsIn(personOf(found, "bob@example.com"), "csv password 2"));
    assert.equal(ada.email_verified_at, "2026-11-28T12:00:00.000Z");
    assert.deepEqual(
      found.people.map(({ attributes }) => attributes),
      [{ "Shoe size": "39" }, undefined],
    );
    assert.deepEqual(found.losses, []);
  });
});

describe("times in import files", () => {
  test("a date is the start of the day in UTC, and an impossible date is reported as not imported", async () => {
    const found = await readText(
      "csv",
      "id,email,created_at\n1,a@example.com,2021-02-03\n2,b@example.com,2021-13-03",
    );
    assert.deepEqual(
      found.people.map(({ created_at }) => created_at),
      ["2021-02-03T00:00:00.000Z", undefined],
    );
    assert.deepEqual(found.losses, ["user b@example.com · created_at · not a time"]);
  });
});

describe("importing from any system", () => {
  const hostile = [
    '{"users": [null, 1, "text", [], {"email": {}}, {"email": ["a@example.com"], "id": 5}]}',
    '[{"__proto__": {"email": "a@example.com"}, "constructor": "x", "email": "b@example.com", "id": {}}]',
    '{"Users": [{"Attributes": {"Name": 1}}, {"Attributes": [null, {"Name": "__proto__", "Value": {}}]}]}',
    '{"orgs": [null, {"humanUsers": [{"user": []}], "oidcApps": [5, {}], "org": "text"}]}',
    '{"clients": [null, {"clientId": "x", "redirectUris": [1], "attributes": []}], "roles": [], "groups": [5]}',
    `[{"id": "${"x".repeat(300)}", "email": "a@example.com", "user_id": "${"x".repeat(300)}"}]`,
    '[{"id": "org_1", "members": [null, {"roles": [5, {"name": {}}]}]}, {"id": "rol_1", "users": [7, {"user_id": []}]}]',
    '[{"objectClass": 1, "users": {}, "profile": []}, {"signOnMode": "OPENID_CONNECT", "users": [null, {"profile": 1}]}]',
    '[{"id": "1", "email": "a@exa mple.com", "name": "a\\u0000b", "created_at": "yesterday"}]',
  ];

  test("MG-8 a user becomes active only if the file clearly says so", async () => {
    const cells = ["true", " TRUE ", "", "false ", "inactive", "null", "2"];
    const rows = cells.map((cell, index) => `${index},p${index}@example.com,"${cell}"`);
    const { people, losses } = await readText("csv", ["id,email,active", ...rows].join("\n"));
    const states = people.map(({ active }) => active);
    assert.deepEqual(states, [true, true, undefined, false, false, false, false]);
    assert.equal(
      losses.filter((loss) => loss.includes("active · not true or false: taken as false")).length,
      3,
    );
    const user = (more: object) => ({ id: "1", email: "a@example.com", ...more });
    const others: [from: string, file: object][] = [
      ["keycloak", { realm: "shop", users: [user({ enabled: "off" })] }],
      ["auth0", { user_id: "1", email: "a@example.com", blocked: "since May" }],
      ["firebase", { users: [{ localId: "1", email: "a@example.com", disabled: "since May" }] }],
      ["supabase", user({ banned_until: "infinity" })],
      ["okta", { id: "1", status: "FROZEN", profile: { email: "a@example.com" } }],
    ];
    for (const [from, file] of others) {
      const found = await readText(from, JSON.stringify(file));
      assert.equal(found.people[0]?.active, false, from);
    }
  });

  test("MG-8 values of wrong types and unknown names are reported, and cause no exception", async () => {
    const { allSources } = await import("../../src/moving_in/all_sources.ts");
    for (const { name } of allSources)
      for (const text of hostile) {
        const { people } = await readText(name, text);
        for (const { email, external_id } of people)
          assert.ok(typeof email === "string" && external_id.length <= 255, `${name}: ${text}`);
      }
  });

  /** Returns the paths of a document, with a star for each index. */
  function placesIn(value: unknown, at = ""): string[] {
    if (typeof value !== "object" || value === null) return [at];
    const within = Object.entries(value).flatMap(([name, member]) =>
      placesIn(member, `${at}/${Array.isArray(value) ? "*" : name}`),
    );
    return [...(at === "" ? [] : [at]), ...within];
  }

  /** Returns the document with the value at every path that matches the pattern. */
  function replaced(document: unknown, place: string, value: unknown, at = ""): unknown {
    if (at === place) return value;
    if (typeof document !== "object" || document === null || !place.startsWith(`${at}/`)) return document;
    const entries = Object.entries(document).map(([name, member]) => {
      const below = `${at}/${Array.isArray(document) ? "*" : name}`;
      return [name, replaced(member, place, value, below)] as const;
    });
    return Array.isArray(document) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
  }

  test("H-1, MG-8 a value that cannot be converted to text is reported, anywhere in an export", async () => {
    const files = [
      ...["keycloak_26.json", "auth0_users.ndjson", "auth0_hashes.ndjson", "auth0_clients.json"],
      ...["cognito.json", "firebase.json", "okta.json", "supabase.ndjson", "zitadel.json"],
    ];
    for (const file of files) {
      const from = file.split(/[_.]/)[0] ?? "";
      const text = readFileSync(exportFile(file), "utf8");
      const documents: unknown[] = file.endsWith(".ndjson")
        ? text
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
        : [JSON.parse(text)];
      // In the short form, each place gets one of the values in turn.
      for (const [turn, place] of [...new Set(documents.flatMap((document) => placesIn(document)))].entries())
        for (const value of withoutConversions.filter(
          (_, at) => (at + turn) % inForm(withoutConversions.length, 1) === 0,
        )) {
          const odd = documents.map((document) => JSON.stringify(replaced(document, place, value)));
          const { people } = await readText(from, odd.join("\n"), { organization: "shop" });
          for (const { email } of people) assert.equal(typeof email, "string", `${file} ${place}`);
        }
    }
  });

  test("MG-8 the time grows in proportion to a user's memberships and a client's unsupported features", async () => {
    const many = 200_000;
    const began = performance.now();
    const members = `[${'{"username":"ada"},'.repeat(many)}{}]`;
    const realm = `{"realm":"shop","organizations":[{"name":"Acme","members":${members}}]}`;
    await readText("keycloak", realm);
    const sums = lossSums();
    for (let at = 0; at < many; at += 1)
      sums.add({ object: "client shop", member: `m${at}`, reason: "" }, "lost");
    // If each entry copied the list, this would take minutes.
    assert.ok(performance.now() - began < 15_000);
    assert.equal(sums.sums()[0]?.count, many);
    const [shop] = sums.ofClients([{ client_id: "shop", kind: "machine" }]);
    assert.deepEqual([shop?.changes.length, shop?.changes.at(-1)], [101, "others: see the file"]);
  });

  test("MG-8 no report of data that is not imported repeats a secret from the file", async () => {
    const all: [from: string, files: string[]][] = [
      ["keycloak", ["keycloak_26.json"]],
      ["auth0", ["auth0_users.ndjson", "auth0_hashes.ndjson", "auth0_clients.json"]],
      ["clerk", ["clerk.csv"]],
      ["firebase", ["firebase.json"]],
      ["supabase", ["supabase.ndjson"]],
      ["okta", ["okta.json"]],
      ["zitadel", ["zitadel.json"]],
      ["csv", ["people.csv"]],
    ];
    const secrets = /\$2b\$|secret-of|GOCSPX|JBSWY3DP|HdJ6zGsT|AbCdEfGh|testotp|lSrfV15c|185d0da2|==/;
    for (const [from, files] of all)
      for (const loss of (await readFiles(from, files.map(exportFile))).losses)
        assert.doesNotMatch(loss, secrets);
  });
});
