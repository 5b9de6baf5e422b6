import { OAuthError } from "../errors.ts";
import { isReservedScope, isScopeToken } from "../records/names.ts";

/** The scopes of a `scope` parameter, each once, in their order (RFC 6749 3.3). Throws `invalid_scope`. */
export function readScopes(scope: string | undefined): string[] {
  const scopes = (scope ?? "").split(" ").filter((name) => name !== "");
  if (scopes.length === 0) throw new OAuthError("invalid_scope", "the parameter scope is missing");
  const wrong = scopes.find((name) => !isScopeToken(name));
  if (wrong !== undefined)
    throw new OAuthError("invalid_scope", "a scope holds characters that no scope may hold");
  return [...new Set(scopes)];
}

/**
 * The requested scopes, every one of which must be allowed. Scopes of this server's own power are used by the client
 * itself and never granted in a token (design 6.7).
 */
export function narrowScopes(requested: readonly string[], allowed: readonly string[]): readonly string[] {
  const beyond = requested.find((name) => !allowed.includes(name) || isReservedScope(name));
  if (beyond !== undefined) {
    throw new OAuthError("invalid_scope", `the scope ${beyond.slice(0, 60)} is not allowed for this client`);
  }
  return requested;
}

export function coversScopes(held: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((name) => held.includes(name));
}
