import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { fieldError } from "../../src/errors/field_errors.ts";
import { fieldsOf, type OAuthApp, type TableName } from "../../src/records/definition/definition.ts";
import { checkChange, checkNew, isUuid, isValueOf } from "../../src/records/formats/check.ts";
import { resourceError } from "../../src/records/formats/metadata.ts";
import { anyRow, tableNames } from "../storage/any_row.ts";
import { column, words } from "../support/lists.ts";

const created_at = new Date("2030-01-01T00:00:00.000Z");
const uuid = "0196f0aa-0000-7000-8000-000000000001";
const provided = { id: uuid, created_at, updated_at: created_at, owner_id: uuid };
const app = { client_id: "web", name: "Web" };

const newApp = (input: Record<string, unknown>) => checkNew("oauth_apps", { ...app, ...input }, provided);
const paths = ({ errors }: { errors: readonly { path: string }[] }) =>
  errors.map(({ path }) => path).toSorted();

describe("checking a new record", () => {
  test("H-30: no organization or provider has a UUID as its slug, and no role as its name, unless it had it before", () => {
    const named: [table: TableName, member: string][] = [
      ["organizations", "slug"],
      ["providers", "slug"],
      ["roles", "name"],
      ["memberships", "role"],
    ];
    for (const [table, member] of named)
      for (const name of member === "slug" ? [uuid] : [uuid, uuid.toUpperCase()]) {
        const errorsOf = (before: object) => checkChange(table, before as never, { [member]: name }).errors;
        assert.deepEqual(errorsOf({}), [fieldError(`/${member}`, "uuid_as_name")], table);
        assert.deepEqual(errorsOf({ [member]: name }), []);
      }
  });

  test("spec 2.6: an omitted field gets the specification's default", () => {
    const { errors, record } = newApp({});
    assert.deepEqual(errors, []);
    assert.deepEqual(record, {
      ...provided,
      ...app,
      description: null,
      logo_url: null,
      app_type: "web",
      organization_id: null,
      organization_mode: "none",
      claims: null,
      attributes: null,
      email_as_username: false,
      claims_dialect: "none",
      who_may_sign_in: "any",
      sign_in_roles: [],
      sign_in_groups: [],
      redirect_uris: [],
      allowed_scopes: [],
      allowed_grants: ["auth_code", "refresh"],
      allowed_response_types: ["code"],
      access_token_ttl: 900,
      refresh_token_ttl: 604_800,
      refresh_token_rotation: true,
      first_party: false,
      public: false,
      active: true,
      revoked_at: null,
      metadata: null,
      tokens_not_before: null,
      switched_off_by_platform: false,
      post_logout_redirect_uris: [],
      default_scopes: null,
      token_endpoint_auth_method: null,
      jwks: null,
      jwks_uri: null,
      id_token_signed_response_alg: null,
      claims_in_id_token: true,
      session_expiry_in_id_token: false,
      require_pkce: false,
      backchannel_logout_uri: null,
      backchannel_logout_session_required: false,
      backchannel_logout_internal: false,
      client_assertion_audience: "issuer",
      require_pushed_authorization_requests: false,
      resources: [],
      dpop_bound_access_tokens: false,
      dpop_bound_refresh_tokens: false,
      localhost_any_port: false,
      require_acr: null,
      profile: null,
      token_endpoint_auth_signing_alg: null,
      provenance: "registered",
      registration: null,
      last_used_at: null,
      client_ip: null,
      document_hash: null,
      gone_at: null,
    });
  });

  test("an unknown field is refused by its name", () => {
    const result = newApp({ colour: "red", __proto__: { first_party: true }, constructor: 1 });
    assert.deepEqual(paths(result), ["/colour", "/constructor"]);
  });

  test("L-14: a field named __proto__ in JSON is refused like any unknown field, and changes no prototype", () => {
    const input = JSON.parse('{"client_id":"web","name":"Web","__proto__":{"first_party":true}}');
    const { errors, record } = checkNew("oauth_apps", input, provided);
    assert.deepEqual(column(errors, "path"), ["/__proto__"]);
    assert.equal(record.first_party, false);
    const inherited = checkNew("oauth_apps", Object.create({ client_id: "web", name: "Web" }), provided);
    assert.deepEqual(paths(inherited), ["/client_id", "/name"]);
  });

  test("A-9: a URL that this server requests must be printable ASCII without user information", () => {
    for (const url of [
      "https://a.example/in\r\n",
      "https://a.exa\tmple/in",
      " https://a.example/in",
      "https://a.example/\u202ein",
      "https://\u0430.example/in",
    ]) {
      const errors = [
        checkNew("webhook_endpoints", { url }, {}).errors,
        checkNew("webhook_endpoints", { url, internal: true }, {}).errors,
        newApp({ jwks_uri: url }).errors,
        newApp({ backchannel_logout_uri: url }).errors,
        checkNew("providers", { issuer: url, token_endpoint: url }, {}).errors.filter(
          ({ path }) => path === "/issuer",
        ),
      ].map((found) =>
        found.map(({ path, code }) => `${path} ${code}`).filter((each) => /ur[il] |issuer/.test(each)),
      );
      assert.deepEqual(
        errors,
        ["/url", "/url", "/jwks_uri", "/backchannel_logout_uri", "/issuer"].map((path) => [
          `${path} not_printable_ascii`,
        ]),
        JSON.stringify(url),
      );
    }
    const url = "http://:word@a.example/";
    const { errors } = checkNew("webhook_endpoints", { url, internal: true }, {});
    assert.ok(errors.some(({ path, code }) => path === "/url" && code === "not_endpoint_url"));
  });

  test("times set by the server, sensitive fields and internal fields cannot be given", () => {
    const result = newApp({
      updated_at: "2030-01-01T00:00:00Z",
      created_at: "2030-01-01T00:00:00Z",
      tokens_not_before: null,
    });
    assert.deepEqual(paths(result), ["/created_at", "/tokens_not_before", "/updated_at"]);
    const user = { email: "ada@example.com", name: "Ada" };
    const set = { id: uuid, created_at, updated_at: created_at, email_key: "ada@example.com" };
    assert.deepEqual(paths(checkNew("users", { ...user, password_hash: "$argon2id$v=19$m=8$x$y" }, set)), [
      "/password_hash",
    ]);
    const made = checkNew("users", user, { ...set, password_hash: "$argon2id$" });
    assert.deepEqual([made.errors, made.record.password_hash], [[], "$argon2id$"]);
    assert.deepEqual(paths(checkNew("users", { ...user, email_key: "eve@example.com" }, set)), [
      "/email_key",
    ]);
  });

  test("design 1.4: all errors of a record are reported together, each with its path", () => {
    const { errors } = checkNew(
      "oauth_apps",
      {
        client_id: "tab\there",
        name: " ",
        description: "x".repeat(1001),
        logo_url: "javascript:alert(1)",
        app_type: "toaster",
        organization_id: "acme",
        redirect_uris: ["https://ok.example/cb", "http://app.example/cb"],
        allowed_scopes: ["openid", "two words"],
        allowed_grants: ["auth_code", "password"],
        allowed_response_types: ["token"],
        access_token_ttl: 0,
        refresh_token_ttl: 1.5,
        public: "yes",
        revoked_at: "yesterday",
        metadata: { refresh_reuse_window: 61, resources: ["relative"] },
        colour: "red",
      },
      { id: uuid, created_at, updated_at: created_at },
    );
    assert.deepEqual(
      paths({ errors }),
      words(`
      /access_token_ttl /allowed_grants/1 /allowed_response_types/0 /allowed_scopes/1 /app_type
      /client_id /colour /description /logo_url /metadata/refresh_reuse_window /metadata/resources/0
      /name /organization_id /owner_id /public /redirect_uris/1 /refresh_token_ttl /revoked_at
    `),
    );
    const codes = Object.fromEntries(errors.map(({ path, code }) => [path, code]));
    assert.deepEqual(codes, {
      "/access_token_ttl": "too_small",
      "/allowed_grants/1": "not_one_of",
      "/allowed_response_types/0": "not_response_type",
      "/allowed_scopes/1": "not_scope",
      "/app_type": "not_one_of",
      "/client_id": "not_client_id",
      "/colour": "unknown_field",
      "/description": "too_long",
      "/logo_url": "not_http_url",
      "/metadata/refresh_reuse_window": "out_of_range",
      "/metadata/resources/0": "not_resource",
      "/name": "empty",
      "/organization_id": "not_uuid",
      "/owner_id": "required",
      "/public": "not_boolean",
      "/redirect_uris/1": "not_https",
      "/refresh_token_ttl": "not_integer",
      "/revoked_at": "not_time",
    });
    assert.deepEqual(errors.find(({ path }) => path === "/description")?.params, { characters: 1000 });
  });

  test("spec 8: maximum lengths are enforced to the character", () => {
    assert.deepEqual(newApp({ name: "x".repeat(255), description: "x".repeat(1000) }).errors, []);
    assert.deepEqual(paths(newApp({ name: "x".repeat(256), description: "x".repeat(1001) })), [
      "/description",
      "/name",
    ]);
    const key = { name: "CI", key_prefix: "x".repeat(13) };
    const set = { id: uuid, created_at, key_hash: Buffer.alloc(32) };
    assert.deepEqual(paths(checkNew("api_keys", key, set)), ["/key_prefix"]);
    assert.deepEqual(checkNew("api_keys", { ...key, key_prefix: "x".repeat(12) }, set).errors, []);
  });

  test("spec 2.6: a name of invisible characters counts as empty", () => {
    for (const name of ["", " \t\n", "\u{200B}", "\u{2060}\u{FEFF} \u{202E}", "\u{3000}\u{AD}"])
      assert.deepEqual(newApp({ name }).errors, [fieldError("/name", "empty")]);
    for (const name of ["0", "名", "👩\u{200D}🚀", "."]) assert.deepEqual(newApp({ name }).errors, []);
  });

  test("L-13: NUL and unpaired surrogates are refused in any text, also deep in JSON", () => {
    for (const bad of ["a\0b", "a\ud800b"]) {
      assert.deepEqual(paths(newApp({ name: bad })), ["/name"]);
      assert.deepEqual(paths(newApp({ metadata: { a: [{ b: bad }] } })), ["/metadata"]);
      assert.deepEqual(paths(newApp({ metadata: { a: { [bad]: 1 } } })), ["/metadata"]);
      assert.ok(paths(newApp({ allowed_scopes: [bad] })).includes("/allowed_scopes"));
    }
  });

  test("H-1: extremely deep JSON is refused without being traversed", () => {
    const nested = (levels: number) => {
      let value: unknown = 1;
      for (let level = 0; level < levels; level++) value = { a: value };
      return value;
    };
    assert.deepEqual(newApp({ metadata: nested(32) }).errors, []);
    assert.deepEqual(paths(newApp({ metadata: nested(33) })), ["/metadata"]);
    assert.deepEqual(paths(newApp({ metadata: nested(200_000) })), ["/metadata"]);
  });

  test("null is accepted only for optional fields", () => {
    assert.deepEqual(newApp({ description: null, metadata: null, organization_id: null }).errors, []);
    assert.deepEqual(paths(newApp({ name: null, first_party: null })), ["/first_party", "/name"]);
  });

  test("design 6.4: grants are stored under the specification's names, and lists without duplicates", () => {
    const { errors, record } = newApp({
      allowed_grants: ["authorization_code", "auth_code", "refresh_token", "client_credentials"],
      allowed_scopes: ["openid", "openid"],
      redirect_uris: ["https://app.example/cb", "https://app.example/cb"],
    });
    assert.deepEqual(errors, []);
    assert.deepEqual(record.allowed_grants, ["auth_code", "refresh", "client_credentials"]);
    assert.deepEqual(record.allowed_scopes, ["openid"]);
    assert.deepEqual(record.redirect_uris, ["https://app.example/cb"]);
  });

  test("times must be ISO 8601 with an offset, and UUIDs may be in either case", () => {
    const taken = newApp({ revoked_at: "2030-01-01T02:00:00+02:00", organization_id: uuid.toUpperCase() });
    assert.deepEqual(taken.record.revoked_at, created_at);
    assert.equal(taken.record.organization_id, uuid);
    for (const revoked_at of ["2030-01-01", "2030-01-01T00:00:00", "2030-13-01T00:00:00Z", 0, "now", {}])
      assert.deepEqual(paths(newApp({ revoked_at })), ["/revoked_at"], String(revoked_at));
    for (const organization_id of ["", "acme", `${uuid}0`, 7, `{${uuid}}`])
      assert.deepEqual(paths(newApp({ organization_id })), ["/organization_id"], String(organization_id));
    assert.ok(isUuid(uuid) && !isUuid(`${uuid}\n`));
  });

  test("design 6.13: metadata keys that this server reads must be valid, and all others may have any value", () => {
    const right = {
      resource: "https://api.example",
      resources: ["https://api.example", "urn:example:orders"],
      post_logout_redirect_uris: ["https://app.example/bye", "com.example.app:/bye"],
      refresh_reuse_window: 60,
      anything: { else: [1, null, true] },
    };
    assert.deepEqual(newApp({ metadata: right }).errors, []);
    for (const [metadata, path] of [
      [{ resource: 7 }, "/metadata/resource"],
      [{ resource: "https://api.example/#x" }, "/metadata/resource/0"],
      [{ resources: ["https://api.example", "orders"] }, "/metadata/resources/1"],
      [{ post_logout_redirect_uris: "https://app.example" }, "/metadata/post_logout_redirect_uris"],
      [{ post_logout_redirect_uris: ["javascript:1"] }, "/metadata/post_logout_redirect_uris/0"],
      [{ refresh_reuse_window: -1 }, "/metadata/refresh_reuse_window"],
      [{ refresh_reuse_window: "60" }, "/metadata/refresh_reuse_window"],
      [{ default_scopes: "orders:read" }, "/metadata/default_scopes"],
      [{ default_scopes: ["orders:read", "or ders"] }, "/metadata/default_scopes/1"],
      [["a list"], "/metadata"],
    ] as const)
      assert.deepEqual(paths(newApp({ metadata })), [path], JSON.stringify(metadata));
    assert.equal(resourceError("https://api.example/v1?x=1"), undefined);
    for (const uri of ["", "/v1", "https://api.example#", "https://api.example/ v1"])
      assert.ok(resourceError(uri) !== undefined, uri);
  });

  test("S-5: settings.audience of an organization is an absolute URI without a fragment", () => {
    const organization = (settings: unknown) =>
      paths(
        checkNew(
          "organizations",
          { name: "Acme", slug: "acme", settings },
          { id: uuid, created_at, updated_at: created_at },
        ),
      );
    for (const audience of ["https://api.acme.example", "urn:acme:api"])
      assert.deepEqual(organization({ audience }), []);
    for (const audience of ["", "api", "https://api.acme.example/#x", null, ["https://api.acme.example"]])
      assert.deepEqual(organization({ audience }), ["/settings/audience"], JSON.stringify(audience));
  });

  test("spec 2.12: the algorithm of a service account's key must match the key's type", () => {
    const set = { id: uuid, created_at, service_account_id: uuid };
    const key = { key_id: "k", public_key_pem: "PEM" };
    const check = (key_type: string, algorithm: string) =>
      paths(checkNew("service_account_key_pairs", { ...key, key_type, algorithm }, set));
    for (const size of ["256", "384", "512"]) {
      assert.deepEqual(check("rsa", `RS${size}`), []);
      assert.deepEqual(check("ec", `ES${size}`), []);
      assert.deepEqual(check("ec", `RS${size}`), ["/algorithm"]);
      assert.deepEqual(check("rsa", `ES${size}`), ["/algorithm"]);
    }
  });

  test("email addresses, slugs and picture URLs must have a valid format", () => {
    const set = { id: uuid, created_at, updated_at: created_at, email_key: "x" };
    const user = { email: "ada@example.com", name: "Ada" };
    assert.deepEqual(paths(checkNew("users", { ...user, email: "ada" }, set)), ["/email"]);
    assert.deepEqual(paths(checkNew("users", { ...user, avatar_url: "data:image/png,x" }, set)), [
      "/avatar_url",
    ]);
    const organization = { id: uuid, created_at, updated_at: created_at };
    for (const slug of ["Acme", "-acme", "acme-", "a cme", "a/b", "ä", ""])
      assert.deepEqual(
        [...new Set(paths(checkNew("organizations", { name: "Acme", slug }, organization)))],
        ["/slug"],
        slug,
      );
    for (const slug of ["a", "acme", "acme-2"])
      assert.deepEqual(checkNew("organizations", { name: "Acme", slug }, organization).errors, []);
  });

  test("H-1: no input makes the check throw, and an accepted record has every field", () => {
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.anything({ withDate: true, withNullPrototype: true, maxDepth: 3 }),
    );
    for (const table of tableNames) {
      const names = Object.keys(fieldsOf(table));
      const input = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), anything, {
        maxKeys: 12,
      });
      fc.assert(
        fc.property(input, (values) => {
          const { errors, record } = checkNew(table, values);
          if (errors.length === 0) assert.deepEqual(Object.keys(record).toSorted(), names.toSorted());
        }),
        { numRuns: 30 },
      );
    }
  });
});

describe("checking a change", () => {
  const current = newApp({ redirect_uris: ["https://app.example/cb"] }).record as OAuthApp;
  const change = (input: Record<string, unknown>, of: OAuthApp = current) =>
    checkChange("oauth_apps", of, input);

  test("only the given fields are changed", () => {
    const { errors, record } = change({
      name: "Renamed",
      allowed_grants: ["refresh_token"],
      description: undefined,
    });
    assert.deepEqual(errors, []);
    assert.deepEqual(record, { name: "Renamed", allowed_grants: ["refresh"] });
  });

  test("spec 2: an immutable field cannot change, but may be given with its current value", () => {
    assert.deepEqual(
      paths(change({ id: uuid.replace("1", "2"), client_id: "other", created_at: "2031-01-01T00:00:00Z" })),
      ["/client_id", "/created_at", "/id"],
    );
    assert.deepEqual(
      change({ id: uuid.toUpperCase(), client_id: "web", created_at: "2030-01-01T00:00:00Z" }).errors,
      [],
    );
  });

  test("spec 2: immutable, automatic, sensitive and internal fields cannot be changed in any table", () => {
    for (const table of tableNames as TableName[]) {
      const referred = ["users", "organizations", "oauth_apps", "service_accounts", "memberships", "groups"];
      const references = Object.fromEntries([...referred, "resources"].map((each) => [each, uuid]));
      const [row, ...others] = fc.sample(anyRow(table, references), 20);
      for (const [name, field] of Object.entries(fieldsOf(table))) {
        if (!(field.immutable || field.auto_update || field.sensitive || field.internal)) continue;
        const was = JSON.stringify(row?.[name]);
        const other = others.map((each) => each[name]).find((each) => JSON.stringify(each) !== was);
        // If all rows refer to the same record, another id is made up.
        const value = other === undefined && field.references !== undefined ? randomUUID() : other;
        const { errors } = checkChange(table, row as never, { [name]: value });
        assert.ok(
          errors.some(({ path }) => path === `/${name}`),
          `${table}.${name}`,
        );
      }
    }
  });

  test("RFC 7396: null removes an optional value and is refused for required fields", () => {
    assert.deepEqual(change({ description: null }).record, { description: null });
    assert.deepEqual(paths(change({ name: null, redirect_uris: null })), ["/name", "/redirect_uris"]);
  });

  test("A-9: changing an app's type validates its redirect URIs again; changing its name does not", () => {
    const native = { ...current, app_type: "native" as const, redirect_uris: ["com.example.app:/cb"] };
    assert.deepEqual(paths(change({ app_type: "web" }, native)), ["/redirect_uris/0"]);
    assert.deepEqual(
      change({ app_type: "web", redirect_uris: ["https://app.example/cb"] }, native).errors,
      [],
    );
    const old = { ...current, redirect_uris: ["http://registered-long-ago.example/cb"] };
    assert.deepEqual(change({ name: "Renamed" }, old).errors, []);
  });

  test("unknown fields and all errors are reported as for a new record", () => {
    assert.deepEqual(
      paths(change({ colour: "red", name: "", redirect_uris: ["x"], updated_at: created_at })),
      ["/colour", "/name", "/redirect_uris/0", "/updated_at"],
    );
  });
});

test("the standalone check of one field applies the field's definition", () => {
  const { name } = fieldsOf("passkeys");
  const longest = "n".repeat(name?.max_length ?? 0);
  const names = ["My phone", longest, `${longest}n`, "", "two\nlines"];
  assert.deepEqual(
    names.map((each) => isValueOf("passkeys", "name", each)),
    [true, true, false, false, false],
  );
  const slugs = ["acme-2", "-acme", "Acme", "", "a".repeat(65)];
  assert.deepEqual(
    slugs.map((each) => isValueOf("providers", "slug", each)),
    [true, false, false, false, false],
  );
});
