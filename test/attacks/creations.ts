/** What is tried to be made, where, and what docs/permissions.md lets come of it. */
import {
  type Caller,
  carriedBy,
  everyWord,
  type Fate,
  holds,
  isUnlimited,
  lets,
  mayGiveIn,
  mayGiveTo,
  mayMakeRole,
  type Place,
  powersOf,
  refusal,
} from "./permission_model.ts";

export interface Creation {
  readonly resourceType: string;
  readonly name: string;
  /** Ids by name: of people, of organizations, of apps and accounts of Acme; `word` is new each time. */
  body(ids: Readonly<Record<string, string>>, caller: Caller): Readonly<Record<string, unknown>>;
  expected(caller: Caller): Fate;
}

const acme: Place = { organizations: ["acme"] };

/** Whether `is` for who holds the permission to write at the place, and else the refusal. */
function where(resourceType: string, place: Place, is: (caller: Caller) => boolean) {
  return (caller: Caller): Fate => {
    const write = `${resourceType}:write`;
    if (!holds(caller, write, place)) return refusal(caller, resourceType, write, place);
    return is(caller) ? "done" : "forbidden";
  };
}

/** Made by platform administrators alone, of no place that anybody else could hold. */
function ofPlatform(resourceType: string, is: (caller: Caller) => boolean = () => true) {
  return (caller: Caller): Fate =>
    caller.platform && lets(caller, `${resourceType}:write`) && is(caller) ? "done" : "forbidden";
}

const unlimitedPlatform = (caller: Caller) => caller.platform && isUnlimited(caller);

/** People ask others in; machines ask nobody; who runs the server adds directly. */
const mayAsk = (role: string) => (caller: Caller) =>
  (caller.platform || caller.user !== undefined) && mayMakeRole(caller, "acme", role);

/**
 * "A platform administrator may give `postern:manage` or `postern:read` to anybody, meaning as much of it as
 * the owner may."
 */
const anybodys = ["postern:manage", "postern:read"];

/**
 * Each management scope that is given must carry nothing that the owner does not hold or the maker may not
 * give.
 */
function mayGiveScopes(
  caller: Caller,
  scopes: readonly string[],
  owner: ReadonlySet<string>,
  give: (words: string[]) => boolean,
) {
  const carried = [...carriedBy(scopes)];
  const isWhole = carried.every((word) => owner.has(word));
  return (
    (isWhole || (caller.platform && scopes.every((scope) => anybodys.includes(scope)))) &&
    give(carried.filter((word) => owner.has(word)))
  );
}

const machine = powersOf({ acme: "admin" }, "machine");

function ownPowers(caller: Caller): ReadonlySet<string> {
  return caller.platform ? new Set(everyWord) : powersOf(caller.roles, "person");
}

const scopesTried = [
  [],
  ["postern:apps:write"],
  ["postern:users:write"],
  ["postern:signing_keys:write"],
  ["postern:manage"],
];

/** The place of what is the caller's own, where the caller is a person. */
const mine = ({ user }: Caller): Place => ({ organizations: [], user });

/** A provider of Acme, or of nobody, with more that it says of itself. */
function aProvider(
  name: string,
  more: Readonly<Record<string, unknown>>,
  expected: (caller: Caller) => Fate,
  isAcmes = true,
): Creation {
  return {
    resourceType: "providers",
    name,
    body: ({ acme, word }) => ({
      slug: `at-${word}`,
      preset: "oidc",
      issuer: `https://${word}.example`,
      client_id: "postern",
      ...(isAcmes && { organization_id: acme }),
      ...more,
    }),
    expected,
  };
}

const byDomain = { email_trust: "domains", email_domains: ["acme.example"] };

const providerCreations: readonly Creation[] = [
  aProvider(
    "a provider of Acme",
    {},
    where("providers", acme, () => true),
  ),
  aProvider("a provider of Acme for its domains", byDomain, where("providers", acme, unlimitedPlatform)),
  aProvider(
    "a provider of Acme for anybody",
    { sign_up: "anyone" },
    where("providers", acme, unlimitedPlatform),
  ),
  aProvider("a provider of the server", {}, ofPlatform("providers"), false),
  aProvider(
    "a provider of the server that links",
    { link: "automatic" },
    ofPlatform("providers", unlimitedPlatform),
    false,
  ),
];

export const creations: readonly Creation[] = [
  {
    resourceType: "users",
    name: "a user",
    body: ({ word }) => ({ name: "New", email: `${word}@example.com` }),
    expected: ofPlatform("users"),
  },
  {
    resourceType: "users",
    name: "an administrator",
    body: ({ word }) => ({ name: "New", email: `${word}@example.com`, is_platform_admin: true }),
    expected: ofPlatform("users", isUnlimited),
  },
  {
    resourceType: "organizations",
    name: "an organization",
    body: ({ word }) => ({ name: "New", slug: `new-${word}` }),
    expected: ofPlatform("organizations"),
  },
  ...["member", "admin", "owner"].map(
    (role): Creation => ({
      resourceType: "memberships",
      name: `a ${role} of Acme`,
      body: ({ stranger, acme: organization_id }) => ({ email: stranger, organization_id, role }),
      expected: where("memberships", acme, mayAsk(role)),
    }),
  ),
  {
    resourceType: "linked_accounts",
    name: "a linked account of one's own",
    body: ({ word, self }) => ({
      user_id: self,
      provider: "example",
      provider_user_id: word,
      access_token: "x",
    }),
    expected: (caller) => where("linked_accounts", mine(caller), unlimitedPlatform)(caller),
  },
  {
    resourceType: "linked_accounts",
    name: "a linked account of somebody else",
    body: ({ word, second }) => ({
      user_id: second,
      provider: "example",
      provider_user_id: word,
      access_token: "x",
    }),
    expected: where("linked_accounts", { organizations: [], user: "acme second owner" }, unlimitedPlatform),
  },
  ...scopesTried.flatMap((scopes): Creation[] => [
    {
      resourceType: "api_keys",
      name: `a key of one's own with ${scopes}`,
      body: ({ self }) => ({ name: "New", user_id: self, scopes }),
      expected: (caller) =>
        where("api_keys", mine(caller), () =>
          mayGiveScopes(caller, scopes, ownPowers(caller), (words) =>
            mayGiveTo(caller, caller.user ?? "", words),
          ),
        )(caller),
    },
    {
      resourceType: "api_keys",
      name: `a key of somebody else with ${scopes}`,
      body: ({ second }) => ({ name: "New", user_id: second, scopes }),
      expected: where("api_keys", { organizations: [], user: "acme second owner" }, (caller) =>
        mayGiveScopes(caller, scopes, powersOf({ acme: "owner" }, "person"), (words) =>
          words.every((word) => caller.platform && lets(caller, word)),
        ),
      ),
    },
    {
      resourceType: "api_keys",
      name: `a key of Acme with ${scopes}`,
      body: ({ acme: organization_id }) => ({ name: "New", organization_id, scopes }),
      expected: where("api_keys", acme, (caller) =>
        mayGiveScopes(caller, scopes, machine, (words) => mayGiveIn(caller, "acme", words)),
      ),
    },
    {
      resourceType: "service_accounts",
      name: `a service account of Acme with ${scopes}`,
      body: ({ acme: organization_id, word, second }, { user }) => ({
        name: "New",
        email: `${word}@machines.example`,
        organization_id,
        allowed_scopes: scopes,
        // A machine names somebody of the organization.
        ...(user === undefined && { created_by: second }),
      }),
      expected: where("service_accounts", acme, (caller) =>
        mayGiveScopes(caller, scopes, machine, (words) => mayGiveIn(caller, "acme", words)),
      ),
    },
  ]),
  {
    resourceType: "apps",
    name: "an app of Acme",
    body: ({ acme: organization_id, second }, { user }) => ({
      name: "New",
      organization_id,
      public: true,
      ...(user === undefined && { owner_id: second }),
    }),
    expected: where("apps", acme, () => true),
  },
  {
    resourceType: "apps",
    name: "an app of Acme that needs no consent",
    body: ({ acme: organization_id, second }, { user }) => ({
      name: "New",
      organization_id,
      public: true,
      first_party: true,
      ...(user === undefined && { owner_id: second }),
    }),
    expected: where("apps", acme, unlimitedPlatform),
  },
  {
    resourceType: "apps",
    name: "an app of Acme that manages",
    body: ({ acme: organization_id, second }, { user }) => ({
      name: "New",
      organization_id,
      public: true,
      allowed_scopes: ["postern:apps:write"],
      ...(user === undefined && { owner_id: second }),
    }),
    expected: where("apps", acme, (caller) => caller.platform && lets(caller, "apps:write")),
  },
  {
    resourceType: "apps",
    name: "an app of no organization",
    body: ({ second, self }, { user }) => ({
      name: "New",
      public: true,
      owner_id: user === undefined ? second : self,
    }),
    expected: ofPlatform("apps"),
  },
  {
    resourceType: "app_secrets",
    name: "a secret of Acme's app",
    body: ({ new_app }) => ({ app_id: new_app }),
    expected: where("app_secrets", acme, () => true),
  },
  {
    resourceType: "app_secrets",
    name: "a secret of Acme's app that needs no consent",
    body: ({ new_portal }) => ({ app_id: new_portal }),
    expected: where("app_secrets", acme, unlimitedPlatform),
  },
  {
    resourceType: "app_secrets",
    name: "a secret of Acme's app that manages for users",
    body: ({ new_manager }) => ({ app_id: new_manager }),
    expected: where("app_secrets", acme, (caller) => caller.platform && lets(caller, "users:write")),
  },
  {
    resourceType: "consents",
    name: "a consent of one's own",
    body: ({ self, new_app }) => ({ user_id: self, app_id: new_app, scopes: ["openid"] }),
    expected: (caller) => where("consents", mine(caller), ({ platform }) => platform)(caller),
  },
  {
    resourceType: "consents",
    name: "a consent of somebody else to a management scope",
    body: ({ second, new_manager }) => ({
      user_id: second,
      app_id: new_manager,
      scopes: ["openid", "postern:users:write"],
    }),
    expected: where(
      "consents",
      { organizations: [], user: "acme second owner" },
      (caller) => caller.platform && lets(caller, "users:write"),
    ),
  },
  {
    resourceType: "key_pairs",
    name: "a key pair of Acme's account",
    body: ({ account }) => ({ service_account_id: account, key_type: "ec", algorithm: "ES256" }),
    expected: where("key_pairs", acme, () => true),
  },
  {
    resourceType: "key_pairs",
    name: "a key pair of Acme's account that manages apps",
    body: ({ strong_account }) => ({
      service_account_id: strong_account,
      key_type: "ec",
      algorithm: "ES256",
    }),
    expected: where("key_pairs", acme, (caller) => mayGiveIn(caller, "acme", ["apps:write"])),
  },
  {
    resourceType: "resources",
    name: "an API below Acme's own name",
    body: ({ acme, word }) => ({
      identifier: `urn:postern:organization:${acme}:${word}`,
      name: "API",
      organization_id: acme,
    }),
    expected: where("resources", acme, () => true),
  },
  {
    resourceType: "resources",
    name: "an API of Acme at an address",
    body: ({ acme, word }) => ({ identifier: `https://${word}.example`, name: "API", organization_id: acme }),
    expected: where("resources", acme, unlimitedPlatform),
  },
  {
    resourceType: "resources",
    name: "an API of the server",
    body: ({ word }) => ({ identifier: `https://${word}.example`, name: "API" }),
    expected: ofPlatform("resources", unlimitedPlatform),
  },
  ...providerCreations,
  {
    resourceType: "signing_keys",
    name: "a signing key",
    body: () => ({}),
    expected: ofPlatform("signing_keys"),
  },
];
