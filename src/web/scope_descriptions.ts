// A Map, because a scope may be called `constructor`.
const descriptions: ReadonlyMap<string, string> = new Map([
  ["openid", "Know that it is you who signs in"],
  ["profile", "See your name and profile picture"],
  ["email", "See your e-mail address"],
  ["offline_access", "Keep this access while you are away"],
  ["postern:manage", "Manage everything that you may manage on this server"],
  ["postern:read", "See everything that you may see in the management of this server"],
]);

/** What the families of the management API are to a person (records/permissions.ts). */
const managed: ReadonlyMap<string, string> = new Map([
  ["users", "people"],
  ["organizations", "organizations"],
  ["memberships", "memberships of organizations"],
  ["linked_accounts", "accounts linked at other services"],
  ["api_keys", "API keys"],
  ["apps", "apps"],
  ["app_secrets", "secrets of apps"],
  ["tokens", "issued tokens"],
  ["consents", "what people allowed to apps"],
  ["sessions", "where people are signed in"],
  ["service_accounts", "service accounts"],
  ["key_pairs", "keys of service accounts"],
  ["signing_keys", "signing keys"],
  ["audit_events", "the record of what happened"],
]);

function ofManagement(scope: string): string | undefined {
  const [, family = "", access] = /^postern:([a-z_]+):(read|write)$/.exec(scope) ?? [];
  const what = managed.get(family);
  if (what === undefined) return undefined;
  return `${access === "read" ? "See" : "Change"} ${what}, as far as you may`;
}

/**
 * The scopes in human words, in the order given. Those of OpenID Connect Core 5.4 and 11 and those of the management
 * API have a description; any other has none, and a page shows its own name.
 */
export function scopeDescriptions(
  scopes: readonly string[],
): { name: string; description: string | undefined }[] {
  return scopes.map((name) => ({ name, description: descriptions.get(name) ?? ofManagement(name) }));
}
