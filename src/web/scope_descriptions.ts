// A Map, because a scope may be called `constructor`.
const descriptions: ReadonlyMap<string, string> = new Map([
  ["openid", "Know that it is you who signs in"],
  ["profile", "See your name and profile picture"],
  ["email", "See your e-mail address"],
  ["offline_access", "Keep this access while you are away"],
]);

/**
 * The scopes in human words, in the order given. Those of OpenID Connect Core 5.4 and 11 have a description; any
 * other has none, and a page shows its own name.
 */
export function scopeDescriptions(
  scopes: readonly string[],
): { name: string; description: string | undefined }[] {
  return scopes.map((name) => ({ name, description: descriptions.get(name) }));
}
