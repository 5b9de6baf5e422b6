/**
 * Arbitrary manifests: any fields that a manager may set in each section, with references to records of the
 * same manifest.
 */
import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { isPlainText } from "../../src/records/names/plain_text.ts";
import { codePoint } from "../support/code_point.ts";

const pems = ["P-256", "P-384"].map((namedCurve) =>
  generateKeyPairSync("ec", { namedCurve }).publicKey.export({ type: "spki", format: "pem" }).toString(),
);

/** Any text that can be stored, at most this long. */
const text = (maxLength: number) =>
  fc
    .string({ unit: codePoint, maxLength })
    .map((value) => value.replaceAll("\0", "").slice(0, maxLength).toWellFormed());
const isBlank = (value: string) => /^\p{Z}*$/u.test(value);
const name = text(40).map((value) => (isBlank(value) || !isPlainText(value, "line") ? "no" : value));
const description = text(60).map((value) => (isPlainText(value, "lines") ? value : "none"));
const scope = fc.constantFrom("openid", "email", "offline_access", "orders:read", "a+b!", "token:introspect");
const url = fc.constantFrom("https://a.example/logo.png", "https://b.example/?x=1%20#y");
const moment = fc
  .date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true })
  .map((date) => date.toISOString());
const number = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((value) => (Object.is(value, -0) ? 0 : value));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, "yes", "1:30", "~", "0x1f"),
    number,
    text(20),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(text(8), tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const object = fc.dictionary(
  text(8).map((key) => (["resource", "resources"].includes(key) ? "x" : key)),
  json,
  { maxKeys: 3, noNullPrototype: true },
);

/** Returns objects of which each member may be missing. */
function partly<T extends Record<string, fc.Arbitrary<unknown>>>(members: T) {
  return fc.record(members, { requiredKeys: [], noNullPrototype: true });
}

const states = { active: fc.boolean() };

interface Numbered {
  readonly [member: string]: unknown;
}

/**
 * Returns `count` entries. `whole` adds the members that contain the number of the entry, such as its name.
 */
function numbered(
  count: { min: number; max: number },
  whole: (n: number) => Numbered,
  rest: fc.Arbitrary<object>,
): fc.Arbitrary<Numbered[]> {
  return fc
    .array(rest, { minLength: count.min, maxLength: count.max })
    .map((entries) => entries.map((entry, n) => ({ ...entry, ...whole(n) })));
}

/** Adds members to each entry, with values drawn from `of`. */
function drawing(entries: fc.Arbitrary<Numbered[]>, of: Record<string, fc.Arbitrary<unknown>>) {
  return entries.chain((list) =>
    fc.tuple(...list.map((entry) => fc.record(of).map((drawn) => ({ ...entry, ...drawn })))),
  );
}

/** A manifest of users, organizations, apps and service accounts. */
export const anyManifest: fc.Arbitrary<Record<string, unknown[]>> = fc
  .record({
    organizations: numbered(
      { min: 1, max: 3 },
      (n) => ({ slug: `org-${n}` }),
      partly({ ...states, settings: object, logo_url: url, plan: fc.constantFrom("free", "pro") }).chain(
        (rest) => name.map((input) => ({ ...rest, name: input })),
      ),
    ),
    users: numbered(
      { min: 1, max: 4 },
      (n) => ({ email: `${n % 2 === 0 ? "User" : "user"}${n}@example.com` }),
      partly({ ...states, avatar_url: url, is_platform_admin: fc.boolean() }).chain((rest) =>
        name.map((input) => ({ ...rest, name: input })),
      ),
    ),
  })
  .chain(({ organizations, users }) => {
    const user = fc.constantFrom(...users.map(({ email }) => email));
    const organization = fc.constantFrom(...organizations.map(({ slug }) => slug));
    const pairs = fc.uniqueArray(fc.record({ user, organization }), {
      selector: (pair) => JSON.stringify(pair),
      maxLength: 4,
    });
    return fc.record({
      organizations: fc.constant(organizations),
      users: fc.constant(users),
      memberships: pairs.chain((list) =>
        fc.tuple(
          ...list.map((pair) =>
            fc
              .record({
                role: fc.oneof(fc.constantFrom("owner", "member"), name),
                permissions: fc.oneof(fc.constant(null), fc.array(text(10), { maxLength: 2 })),
              })
              .map((rest) => ({ ...pair, ...rest })),
          ),
        ),
      ),
      linked_accounts: drawing(
        numbered({ min: 0, max: 2 }, (n) => ({ provider_user_id: `${n}` }), partly({ expires_at: moment })),
        { user, provider: name },
      ),
      api_keys: drawing(
        numbered(
          { min: 0, max: 3 },
          (n) => ({ id: `01890000-0000-7000-8000-00000000000${n}` }),
          partly({ scopes: fc.uniqueArray(scope), expires_at: moment, revoked: fc.boolean() }),
        ),
        { name: fc.constantFrom("deploy", "ci") },
      ).chain((keys) =>
        fc
          .array(fc.oneof(fc.record({ user }), fc.record({ organization })), {
            minLength: keys.length,
            maxLength: keys.length,
          })
          .map((owners) => keys.map((key, n) => ({ ...key, ...owners[n] }))),
      ),
      apps: drawing(
        numbered(
          { min: 0, max: 4 },
          (n) => ({ client_id: `app ${n} ~"'#` }),
          partly({
            ...states,
            description,
            logo_url: url,
            app_type: fc.constantFrom("web", "spa", "native", "service", "machine"),
            redirect_uris: fc.uniqueArray(
              fc.constantFrom("https://a.example/cb?x=1", "http://127.0.0.1:9000/cb"),
            ),
            allowed_scopes: fc.uniqueArray(scope),
            allowed_grants: fc.uniqueArray(fc.constantFrom("auth_code", "refresh", "client_credentials")),
            access_token_ttl: fc.integer({ min: 1, max: 31_536_000 }),
            refresh_token_ttl: fc.integer({ min: 1, max: 315_360_000 }),
            refresh_token_rotation: fc.boolean(),
            first_party: fc.boolean(),
            public: fc.boolean(),
            revoked_at: moment,
            metadata: object,
          }),
        ),
        { owner: user, organization: fc.oneof(fc.constant(null), organization), name },
      ),
      service_accounts: drawing(
        numbered(
          { min: 0, max: 2 },
          (n) => ({ email: `machine${n}@acme.example` }),
          partly({
            ...states,
            description,
            allowed_scopes: fc.uniqueArray(scope),
            key_pairs: fc.uniqueArray(
              fc.record({
                key_id: fc.constantFrom("one", "two", "1:30"),
                public_key_pem: fc.constantFrom(...pems),
                active: fc.boolean(),
                revoked: fc.boolean(),
              }),
              { selector: ({ key_id }) => key_id },
            ),
          }),
        ),
        { organization, created_by: user, name },
      ),
    });
  })
  .chain((manifest) => {
    const consented = fc.uniqueArray(
      fc.record({
        user: fc.constantFrom(...manifest.users.map(({ email }) => email)),
        app: fc.constantFrom(...manifest.apps.map(({ client_id }) => client_id), "none"),
        scopes: fc.uniqueArray(scope),
      }),
      { selector: ({ user, app }) => JSON.stringify([user, app]), maxLength: 3 },
    );
    return consented.map((consents) => ({
      ...manifest,
      consents: consents.filter(({ app }) => app !== "none"),
    }));
  });
