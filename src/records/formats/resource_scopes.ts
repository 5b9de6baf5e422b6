import { type FieldError, fieldError, pointerStep, type Reason, reason } from "../../errors/field_errors.ts";
import type { ApiResource } from "../definition/definition.ts";
import { isObject } from "../names/json_shapes.ts";
import { isReservedScope, isScopeToken, openidScopes } from "../names/names.ts";
import { descriptionErrors } from "./metadata.ts";

const mostScopes = 200;

const longestScope = 255;

const openid: ReadonlySet<string> = new Set(openidScopes);

function resourceScopeReason(scope: string): Reason | undefined {
  if (!isScopeToken(scope)) return reason("not_scope");
  if (scope.length > longestScope) return reason("too_long", { characters: longestScope });
  return isReservedScope(scope) || openid.has(scope) ? reason("scope_of_server") : undefined;
}

/**
 * Returns the errors of `scopes`. The description of each is a string, an object of strings by language, or
 * null.
 */
export function resourceScopesErrors(scopes: Readonly<Record<string, unknown>>): FieldError[] {
  const entries = Object.entries(scopes);
  if (entries.length > mostScopes) {
    return [fieldError("/scopes", "list_too_long", { items: mostScopes, characters: longestScope })];
  }
  return entries.flatMap(([scope, description]): FieldError[] => {
    const path = `/scopes/${pointerStep(scope)}`;
    const why = resourceScopeReason(scope);
    if (why !== undefined) return [{ path, ...why }];
    return description === null ? [] : descriptionErrors(path, description);
  });
}

/** Returns why a scope cannot be a default scope of an API; undefined if it can. */
export function defaultScopeReason(scope: string, scopes: unknown): Reason | undefined {
  if (!isScopeToken(scope)) return reason("not_scope");
  return isObject(scopes) && Object.hasOwn(scopes, scope) ? undefined : reason("scope_not_of_api");
}

/** Returns whether OpenID Connect, this server or one of these APIs defines the scope. */
export function isDefinedScope(scope: string, apis: readonly Pick<ApiResource, "scopes">[]): boolean {
  return (
    openid.has(scope) || isReservedScope(scope) || apis.some(({ scopes }) => Object.hasOwn(scopes, scope))
  );
}

export function scopesOf({ scopes }: Pick<ApiResource, "scopes">): readonly string[] {
  return Object.keys(scopes).toSorted();
}
