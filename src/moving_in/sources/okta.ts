/** Okta: users, apps and identity providers as its API lists them. Its exports contain no hashes. */
import { isObject } from "../../records/names/json_shapes.ts";
import { addClient } from "../core/clients.ts";
import { membersOf } from "../core/members.ts";
import type { ImportMap, Sink } from "../core/moved.ts";
import { addPerson, joinedName } from "../core/people.ts";
import { addProvider } from "../core/providers.ts";
import type { Source } from "../core/source.ts";

const presets = {
  GOOGLE: "google",
  MICROSOFT: "microsoft",
  APPLE: "apple",
  GITHUB: "github",
  GITLAB: "gitlab",
  FACEBOOK: "facebook",
  LINKEDIN: "linkedin",
  OIDC: "oidc",
} as const;

const active: ReadonlySet<string> = new Set([
  ...["STAGED", "PROVISIONED", "ACTIVE", "RECOVERY", "LOCKED_OUT", "PASSWORD_EXPIRED"],
]);

export const okta: Source = {
  name: "okta",
  arrays: [],
  begin: (sink, map) => ({
    element(value) {
      const has = (name: string) => isObject(value) && Object.hasOwn(value, name);
      if (has("signOnMode")) takeApp(value, sink);
      else if (has("protocol")) takeProvider(value, map, sink);
      else takeUser(value, sink);
    },
  }),
};

function takeUser(value: unknown, sink: Sink): void {
  let called = "user ?";
  const user = membersOf(value, () => called, sink.lose);
  const profile = user.members("profile") ?? membersOf({}, () => called, sink.lose);
  const login = profile.text("login");
  const email = profile.text("email") ?? login;
  called = `user ${email ?? user.text("id") ?? "?"}`;
  const lose = (member: string, reason: string) => sink.lose({ object: called, member, reason });
  const isAdded = addPerson(
    {
      external_id: user.text("id"),
      email,
      name: profile.text("displayName") ?? joinedName(profile.text("firstName"), profile.text("lastName")),
      active: active.has(user.text("status") ?? "ACTIVE"),
      created_at: user.moment("created"),
      attributes: {
        ...{ given_name: profile.text("firstName"), family_name: profile.text("lastName") },
        ...{ locale: profile.text("locale")?.replace("_", "-"), zoneinfo: profile.text("timezone") },
        preferred_username: login === email ? undefined : login,
      },
    },
    called,
    sink,
  );
  if (!isAdded) return;
  lose("email_verified", "Okta does not export it: users verify their address when needed");
  lose("password", "Okta does not export password hashes: users need a new password");
  user.pass(
    "activated",
    "statusChanged",
    "lastLogin",
    "lastUpdated",
    "passwordChanged",
    "type",
    "_links",
    "_embedded",
  );
  user.pass("credentials", "transitioningToStatus", "realmId");
  profile.pass("firstName", "lastName");
  profile.lose("secondEmail", "only one email address per user is supported");
  profile.lose("mobilePhone", "phone numbers are not supported");
  profile.end("user attributes are not supported");
  user.end();
}

function takeApp(value: unknown, sink: Sink): void {
  let object = "client ?";
  const app = membersOf(value, () => object, sink.lose);
  const label = app.text("label");
  const oauth = app.members("credentials")?.members("oauthClient");
  const settings = app.members("settings")?.members("oauthClient");
  const client_id = oauth?.text("client_id");
  object = `client ${client_id ?? label ?? "?"}`;
  const lose = (member: string, reason: string) => sink.lose({ object, member, reason });
  const mode = app.text("signOnMode") ?? "?";
  if (mode !== "OPENID_CONNECT") {
    lose("", `the client is not imported: its protocol is ${mode}`);
    return;
  }
  if (client_id === undefined || settings === undefined) {
    lose("", "the client is not imported: it has no client_id");
    return;
  }
  const method = oauth?.text("token_endpoint_auth_method") ?? "client_secret_basic";
  const grants = settings.texts("grant_types");
  const signs_in = grants.includes("authorization_code");
  addClient(
    {
      client_id,
      name: label,
      logo_url: settings.text("logo_uri"),
      public: method === "none",
      signs_in,
      native: settings.text("application_type") === "native",
      redirect_uris: settings.texts("redirect_uris"),
      post_logout_redirect_uris: settings.texts("post_logout_redirect_uris"),
      grants,
      scopes: signs_in ? ["openid", "profile", "email"] : [],
      secret: oauth?.text("client_secret"),
      jwks_uri: method === "private_key_jwt" ? settings.text("jwks_uri") : undefined,
      active: (app.text("status") ?? "ACTIVE") === "ACTIVE",
      skips_consent: settings.text("consent_method") === "TRUSTED",
    },
    sink,
  );
  app.pass(
    "id",
    "orn",
    "name",
    "lastUpdated",
    "created",
    "accessibility",
    "visibility",
    "features",
    "_links",
  );
  app.pass("profile", "_embedded", "universalLogout");
  settings.pass("response_types", "client_uri", "issuer_mode", "consent_method", "idp_initiated_login");
  settings.pass("refresh_token", "dpop_bound_access_tokens", "wildcard_redirect");
  oauth?.pass("autoKeyRotation", "pkce_required", "client_id");
  oauth?.end();
  settings.end();
  app.end();
}

function takeProvider(value: unknown, map: ImportMap, sink: Sink): void {
  const found = membersOf(value, "provider", sink.lose);
  const protocol = found.members("protocol");
  const client = protocol?.members("credentials")?.members("client");
  const kind = found.text("type") ?? "?";
  addProvider(
    {
      alias: found.text("name") ?? kind,
      kind,
      preset: Object.hasOwn(presets, kind) ? presets[kind as keyof typeof presets] : undefined,
      client_id: client?.text("client_id"),
      client_secret: client?.text("client_secret"),
      issuer: protocol?.members("issuer")?.text("url"),
      active: (found.text("status") ?? "ACTIVE") === "ACTIVE",
    },
    map,
    sink,
  );
  found.pass("id", "created", "lastUpdated", "issuerMode", "_links", "policy", "properties");
  found.end();
}
