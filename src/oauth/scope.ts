import { OAuthError } from "../errors.ts";
import type { OAuthApp } from "../records/definition.ts";
import { defaultScopes } from "../records/metadata.ts";
import { isReservedScope, isScopeToken } from "../records/names.ts";
import { managementScopes } from "../records/permissions.ts";
import { evidence, fact } from "./evidence.ts";

/** The scopes of a `scope` parameter, each once, in their order (RFC 6749 3.3). Throws `invalid_scope`. */
export function readScopes(scope: string | undefined): string[] {
  const scopes = (scope ?? "").split(" ").filter((name) => name !== "");
  if (scopes.length === 0) {
    throw new OAuthError("invalid_scope", "the parameter scope is missing", {
      evidence: evidence("missing", "scope"),
    });
  }
  const wrong = scopes.find((name) => !isScopeToken(name));
  if (wrong !== undefined)
    throw new OAuthError("invalid_scope", "a scope holds characters that no scope may hold", {
      evidence: fact("malformed", "scope", "characters"),
    });
  return [...new Set(scopes)];
}

/**
 * The requested scopes, every one of which must be allowed. Of the scopes of this server's own power a token
 * carries those of the management API alone; the others are used by the client itself (design 6.7).
 */
export function narrowScopes(requested: readonly string[], allowed: readonly string[]): readonly string[] {
  const beyond = requested.find((name) => !allowed.includes(name) || !isGrantable(name));
  if (beyond !== undefined) {
    throw new OAuthError("invalid_scope", `the scope ${beyond.slice(0, 60)} is not allowed for this client`, {
      evidence: () => evidence("scope", "scope", requested, allowed.filter(isGrantable)),
    });
  }
  return requested;
}

export function isGrantable(scope: string): boolean {
  return !isReservedScope(scope) || managementScopes.includes(scope);
}

/** Whether the scope is about a user, so that no token without one can carry it. */
export function isAboutUser(scope: string): boolean {
  return scope === "openid" || scope === "offline_access";
}

/**
 * What a machine is granted that asks for no scope (RFC 6749 3.3): the app's `metadata.default_scopes`, else
 * everything it is allowed but power over this server, which is asked for by name. Throws `invalid_scope`
 * where nothing is left.
 */
export function unaskedScopes(
  app: Pick<OAuthApp, "metadata">,
  allowed: readonly string[],
): readonly string[] {
  const named = defaultScopes(app);
  const granted = (named ?? allowed).filter(
    (name) =>
      allowed.includes(name) && !isAboutUser(name) && (named ? isGrantable(name) : !isReservedScope(name)),
  );
  if (granted.length > 0) return [...new Set(granted)];
  throw new OAuthError(
    "invalid_scope",
    "the parameter scope is missing, and there is no scope to grant without it",
    { evidence: evidence("missing", "scope") },
  );
}

/** The refusal of a scope that only a person can grant, where none is. */
export function userScopeError(scopes: readonly string[]): OAuthError {
  return new OAuthError("invalid_scope", "openid and offline_access are about a user, and here is none", {
    evidence: evidence("scope_of_user", "scope", scopes.filter(isAboutUser)),
  });
}

export function coversScopes(held: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((name) => held.includes(name));
}
