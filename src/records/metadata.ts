/** What this server itself reads in an app's `metadata` (spec 2.6 leaves it open; interfaces: `postern apply`). */
import type { OAuthApp } from "./definition.ts";

export function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function listOf(app: Pick<OAuthApp, "metadata">, name: string): readonly string[] {
  const value: unknown = app.metadata?.[name];
  if (typeof value === "string") return [value];
  return isStringList(value) ? value : [];
}

/** `resources`: the resources that a client may ask for tokens for (RFC 8707). */
export const allowedResources = (app: Pick<OAuthApp, "metadata">) => listOf(app, "resources");

/** `resource`: the resource that this app is; tokens for it are its to introspect (design 6.7). */
export const ownResources = (app: Pick<OAuthApp, "metadata">) => listOf(app, "resource");

/** `post_logout_redirect_uris`: where RP-initiated logout may return to. */
export const postLogoutRedirectUris = (app: Pick<OAuthApp, "metadata">) =>
  listOf(app, "post_logout_redirect_uris");

/** `refresh_reuse_window`, seconds: overrides the server's setting (design 6.9); undefined when it is not given. */
export function refreshReuseWindow(app: Pick<OAuthApp, "metadata">): number | undefined {
  const value: unknown = app.metadata?.refresh_reuse_window;
  return typeof value === "number" ? value : undefined;
}
