/** The kinds of apps that users distinguish, and the fields that a new app of each kind gets. */
import type { OAuthApp } from "../definition/definition.ts";

export const appKinds = ["website", "browser", "native", "command_line", "api", "machine"] as const;
export type AppKind = (typeof appKinds)[number];

type Defaults = Pick<OAuthApp, "app_type" | "public" | "allowed_grants" | "allowed_scopes"> &
  Partial<Pick<OAuthApp, "redirect_uris" | "metadata" | "require_pkce">>;

/**
 * Seconds in which a refresh may be repeated, by a second tab or after a lost response
 * (docs/decisions/tokens.md).
 */
export const usualReuseWindow = 30;

const people = {
  allowed_grants: ["auth_code", "refresh"],
  allowed_scopes: ["openid", "profile", "email"],
  metadata: { refresh_reuse_window: usualReuseWindow },
  require_pkce: true,
};
/**
 * A program that acts for itself gets no scopes that concern users, because they mean nothing without a user.
 */
const itself = { public: false, allowed_grants: ["client_credentials"], allowed_scopes: ["api"] };

/**
 * The fields of a new app of this kind if the caller omits them; every other field has the specification's
 * default.
 */
export const kindDefaults: Readonly<Record<AppKind, Defaults>> = {
  website: { app_type: "web", public: false, ...people },
  browser: { app_type: "spa", public: true, ...people },
  native: { app_type: "native", public: true, ...people },
  // The redirect URI has no port, because the program gets one when it starts to listen (RFC 8252 7.3).
  command_line: {
    app_type: "native",
    public: true,
    ...people,
    redirect_uris: ["http://127.0.0.1/callback"],
  },
  api: { app_type: "service", ...itself },
  machine: { app_type: "machine", ...itself },
};

export function isAppKind(text: unknown): text is AppKind {
  return appKinds.some((kind) => kind === text);
}

/** Returns whether apps of this kind sign users in, and therefore have redirect URIs. */
export const signsPeopleIn = (kind: AppKind): boolean =>
  kindDefaults[kind].allowed_grants.includes("auth_code");
