import type { OAuthApp } from "./definition.ts";
import { clientProofs } from "./names.ts";

/**
 * Whether the app proves itself by a secret, as one does that names no method. Members that are absent have
 * their defaults.
 */
export function hasSecret({
  public: isPublic = false,
  token_endpoint_auth_method: method,
}: Partial<Pick<OAuthApp, "public" | "token_endpoint_auth_method">>): boolean {
  return !isPublic && clientProofs[method ?? "client_secret_basic"] === "secret";
}
