import type { OAuthApp } from "./definition.ts";

/** Whether the app proves itself by a secret. Members that are absent have their defaults. */
export function hasSecret(app: Partial<Pick<OAuthApp, "public" | "token_endpoint_auth_method">>): boolean {
  return app.public !== true && app.token_endpoint_auth_method !== "private_key_jwt";
}
