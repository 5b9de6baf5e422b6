/** The kinds of apps that people distinguish, and the members of a new app that follow from its kind. */
import type { OAuthApp } from "../definition/definition.ts";

export const appKinds = ["website", "browser", "native", "command_line", "api", "machine"] as const;
export type AppKind = (typeof appKinds)[number];

type Defaults = Pick<OAuthApp, "app_type" | "public" | "allowed_grants" | "allowed_scopes"> &
  Partial<Pick<OAuthApp, "redirect_uris" | "metadata" | "require_pkce">>;

/**
 * Seconds in which a refresh that is repeated by a second tab or after a lost answer is harmless
 * (docs/decisions/tokens.md).
 */
export const usualReuseWindow = 30;

/** Of an app that signs people in. */
const people = {
  allowed_grants: ["auth_code", "refresh"],
  allowed_scopes: ["openid", "profile", "email"],
  metadata: { refresh_reuse_window: usualReuseWindow },
  require_pkce: true,
};
/** Of a program that acts for itself: scopes about people mean nothing without a person. */
const itself = { public: false, allowed_grants: ["client_credentials"], allowed_scopes: ["api"] };

/**
 * The members that a new app of this kind has where the caller leaves them out; every other member has the
 * default of the specification. Each of these apps gets a token as it is (docs/decisions/clients.md).
 */
export const kindDefaults: Readonly<Record<AppKind, Defaults>> = {
  website: { app_type: "web", public: false, ...people },
  browser: { app_type: "spa", public: true, ...people },
  native: { app_type: "native", public: true, ...people },
  // RFC 8252 7.3: the port is chosen when the program listens.
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

/** Whether apps of this kind sign people in, so that people return to them. */
export const signsPeopleIn = (kind: AppKind): boolean =>
  kindDefaults[kind].allowed_grants.includes("auth_code");
