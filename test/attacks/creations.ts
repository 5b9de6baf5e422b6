/** Attempts to create records for different owners, and the results that docs/permissions.md defines. */
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
  permissionsOf,
  refusal,
} from "./permission_model.ts";

export interface Creation {
  readonly resourceType: string;
  readonly name: string;
  /** `$acme` and other placeholders represent ids; a member whose id is missing is omitted. */
  readonly body: Readonly<Record<string, unknown>>;
  expected(caller: Caller): Fate;
}

/** Returns the body with these ids. */
export function bodyOf({ body }: Creation, ids: Readonly<Record<string, string | undefined>>) {
  const filled = (value: unknown) => {
    const [whole, name = ""] = /\$(\w+)/.exec(typeof value === "string" ? value : "") ?? [];
    if (whole === undefined) return value;
    const id = ids[name];
    return id === undefined ? undefined : String(value).replace(whole, id);
  };
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, filled(value)]));
}

type Row = readonly [
  resourceType: string,
  name: string,
  body: Creation["body"],
  expected: Creation["expected"],
];

const acme: Place = { organizations: ["acme"] };

/**
 * Returns the expected result: for callers with the write permission at the place, success if `is` holds;
 * otherwise a refusal.
 */
function where(resourceType: string, place: Place, is: (caller: Caller) => boolean) {
  return (caller: Caller): Fate => {
    const write = `${resourceType}:write`;
    if (!holds(caller, write, place)) return refusal(caller, resourceType, write, place);
    return is(caller) ? "done" : "forbidden";
  };
}

/**
 * Records of such a type can be created only by platform administrators, and cannot belong to other actors.
 */
function ofPlatform(resourceType: string, is: (caller: Caller) => boolean = () => true) {
  return (caller: Caller): Fate =>
    caller.platform && lets(caller, `${resourceType}:write`) && is(caller) ? "done" : "forbidden";
}

const unlimitedPlatform = (caller: Caller) => caller.platform && isUnlimited(caller);

/** An endpoint sends only events that the caller who saves it may read. */
const readsFeed = (place: Place) => (caller: Caller) => holds(caller, "events:read", place);

/** Users invite, machines cannot, and platform administrators add members directly. */
const mayRequest = (role: string) => (caller: Caller) =>
  (caller.platform || caller.user !== undefined) && mayMakeRole(caller, "acme", role);

/** A platform administrator may give these scopes to any owner, whose own permissions limit their effect. */
const anybodys = ["postern:manage", "postern:read"];

/**
 * Returns whether the caller may give these scopes: every permission in them must belong to the owner, and
 * the caller must be allowed to grant it.
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

const machine = permissionsOf({ acme: "admin" }, "machine");

function ownPermissions(caller: Caller): ReadonlySet<string> {
  return caller.platform ? new Set(everyWord) : permissionsOf(caller.roles, "person");
}

const scopesTried = [
  [],
  ["postern:apps:write"],
  ["postern:users:write"],
  ["postern:signing_keys:write"],
  ["postern:manage"],
];

/** Returns the place of the caller's own records. */
const mine = ({ user }: Caller): Place => ({ organizations: [], user });
const ofSecond: Place = { organizations: [], user: "acme second owner" };

/**
 * Returns the expected result in Acme: success for callers with the write permission if the condition holds.
 */
const inAcme = (resourceType: string, is: (caller: Caller) => boolean = () => true) =>
  where(resourceType, acme, is);

const person = { name: "New", email: "$word@example.com" };
const link = { provider: "example", provider_user_id: "$word", access_token: "x" };
// A machine has to name a member of the organization as the owner.
const app = { name: "New", organization_id: "$acme", public: true, owner_id: "$owner_of_machines" };
const pair = { key_type: "ec", algorithm: "ES256" };
const ofServer = {
  slug: "at-$word",
  preset: "oidc",
  issuer: "https://$word.example",
  client_id: "postern",
};
const provider = { ...ofServer, organization_id: "$acme" };
const byDomain = { email_trust: "domains", email_domains: ["acme.example"] };
const wide = ["openid", "postern:users:write"];

const withScopes = scopesTried.flatMap((scopes): Row[] => {
  const inAcmeByMachine = (caller: Caller) =>
    mayGiveScopes(caller, scopes, machine, (words) => mayGiveIn(caller, "acme", words));
  const own = (caller: Caller) =>
    mayGiveScopes(caller, scopes, ownPermissions(caller), (words) =>
      mayGiveTo(caller, caller.user ?? "", words),
    );
  const ofOther = (caller: Caller) =>
    mayGiveScopes(caller, scopes, permissionsOf({ acme: "owner" }, "person"), (words) =>
      words.every((word) => caller.platform && lets(caller, word)),
    );
  const account = {
    name: "New",
    email: "$word@machines.example",
    organization_id: "$acme",
    allowed_scopes: scopes,
    created_by: "$owner_of_machines",
  };
  return [
    [
      "api_keys",
      `a key of one's own with ${scopes}`,
      { name: "New", user_id: "$self", scopes },
      (caller) => where("api_keys", mine(caller), own)(caller),
    ],
    [
      "api_keys",
      `a key of somebody else with ${scopes}`,
      { name: "New", user_id: "$second", scopes },
      where("api_keys", ofSecond, ofOther),
    ],
    [
      "api_keys",
      `a key of Acme with ${scopes}`,
      { name: "New", organization_id: "$acme", scopes },
      inAcme("api_keys", inAcmeByMachine),
    ],
    [
      "service_accounts",
      `a service account of Acme with ${scopes}`,
      account,
      inAcme("service_accounts", inAcmeByMachine),
    ],
  ];
});

const rows: readonly Row[] = [
  ["users", "a user", person, ofPlatform("users")],
  ["users", "an administrator", { ...person, is_platform_admin: true }, ofPlatform("users", isUnlimited)],
  ["organizations", "an organization", { name: "New", slug: "new-$word" }, ofPlatform("organizations")],
  ...["member", "admin", "owner"].map((role): Row => {
    const body = { email: "$stranger", organization_id: "$acme", role };
    return ["memberships", `a ${role} of Acme`, body, inAcme("memberships", mayRequest(role))];
  }),
  [
    "linked_accounts",
    "a linked account of one's own",
    { ...link, user_id: "$self" },
    (caller) => where("linked_accounts", mine(caller), unlimitedPlatform)(caller),
  ],
  [
    "linked_accounts",
    "a linked account of somebody else",
    { ...link, user_id: "$second" },
    where("linked_accounts", ofSecond, unlimitedPlatform),
  ],
  ...withScopes,
  ["apps", "an app of Acme", app, inAcme("apps")],
  [
    "apps",
    "an app of Acme that needs no consent",
    { ...app, first_party: true },
    inAcme("apps", unlimitedPlatform),
  ],
  [
    "apps",
    "an app of Acme that manages",
    { ...app, allowed_scopes: ["postern:apps:write"] },
    inAcme("apps", (caller) => caller.platform && lets(caller, "apps:write")),
  ],
  [
    "apps",
    "an app of no organization",
    { name: "New", public: true, owner_id: "$owner" },
    ofPlatform("apps"),
  ],
  ["app_secrets", "a secret of Acme's app", { app_id: "$new_app" }, inAcme("app_secrets")],
  [
    "app_secrets",
    "a secret of Acme's app that needs no consent",
    { app_id: "$new_portal" },
    inAcme("app_secrets", unlimitedPlatform),
  ],
  [
    "app_secrets",
    "a secret of Acme's app that manages for users",
    { app_id: "$new_manager" },
    inAcme("app_secrets", (caller) => caller.platform && lets(caller, "users:write")),
  ],
  [
    "app_secrets",
    "a secret of Acme's app that receives shared signals",
    { app_id: "$new_receiver" },
    inAcme("app_secrets", unlimitedPlatform),
  ],
  [
    "consents",
    "a consent of one's own",
    { user_id: "$self", app_id: "$new_app", scopes: ["openid"] },
    (caller) => where("consents", mine(caller), ({ platform }) => platform)(caller),
  ],
  [
    "consents",
    "a consent of somebody else to a management scope",
    { user_id: "$second", app_id: "$new_manager", scopes: wide },
    where("consents", ofSecond, (caller) => caller.platform && lets(caller, "users:write")),
  ],
  [
    "key_pairs",
    "a key pair of Acme's account",
    { ...pair, service_account_id: "$account" },
    inAcme("key_pairs"),
  ],
  [
    "key_pairs",
    "a key pair of Acme's account that manages apps",
    { ...pair, service_account_id: "$strong_account" },
    inAcme("key_pairs", (caller) => mayGiveIn(caller, "acme", ["apps:write"])),
  ],
  [
    "resources",
    "an API below Acme's own name",
    { identifier: "urn:postern:organization:$own_name", name: "API", organization_id: "$acme" },
    inAcme("resources"),
  ],
  [
    "resources",
    "an API of Acme at an address",
    { identifier: "https://$word.example", name: "API", organization_id: "$acme" },
    inAcme("resources", unlimitedPlatform),
  ],
  [
    "resources",
    "an API of the server",
    { identifier: "https://$word.example", name: "API" },
    ofPlatform("resources", unlimitedPlatform),
  ],
  ["roles", "a role of Acme", { name: "role $word", organization_id: "$acme" }, inAcme("roles")],
  ["roles", "a role of the server", { name: "role $word" }, ofPlatform("roles")],
  ["groups", "a group of Acme", { display_name: "group $word", organization_id: "$acme" }, inAcme("groups")],
  [
    "group_members",
    "a member of Acme's group",
    { group_id: "$group", user_id: "$new_member" },
    inAcme("group_members"),
  ],
  ["app_roles", "a role of Acme's API", { name: "role $word", resource_id: "$api" }, inAcme("app_roles")],
  [
    "attributes",
    "an attribute of Acme's members",
    { name: "w$word", record_type: "memberships", organization_id: "$acme" },
    inAcme("attributes"),
  ],
  ["attributes", "an attribute of users", { name: "w$word", record_type: "users" }, ofPlatform("attributes")],
  [
    "webhook_endpoints",
    "an endpoint of Acme",
    { url: "https://$word.example/in", organization_id: "$acme" },
    inAcme("webhook_endpoints", readsFeed(acme)),
  ],
  [
    "webhook_endpoints",
    "an endpoint of Acme on a private address",
    { url: "https://$word.example/in", organization_id: "$acme", internal: true },
    inAcme("webhook_endpoints", (caller) => unlimitedPlatform(caller) && readsFeed(acme)(caller)),
  ],
  [
    "webhook_endpoints",
    "an endpoint of the server",
    { url: "https://$word.example/in" },
    ofPlatform("webhook_endpoints", readsFeed({ organizations: [] })),
  ],
  ["providers", "a provider of Acme", provider, inAcme("providers")],
  [
    "providers",
    "a provider of Acme for its domains",
    { ...provider, ...byDomain },
    inAcme("providers", unlimitedPlatform),
  ],
  [
    "providers",
    "a provider of Acme for anybody",
    { ...provider, sign_up: "anyone" },
    inAcme("providers", unlimitedPlatform),
  ],
  ["providers", "a provider of the server", ofServer, ofPlatform("providers")],
  [
    "providers",
    "a provider of the server that links",
    { ...ofServer, link: "automatic" },
    ofPlatform("providers", unlimitedPlatform),
  ],
  ["signing_keys", "a signing key", {}, ofPlatform("signing_keys")],
];

export const creations: readonly Creation[] = rows.map(([resourceType, name, body, expected]) => ({
  resourceType,
  name,
  body,
  expected,
}));
