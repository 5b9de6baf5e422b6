/**
 * Okta: users, groups, apps and identity providers as Okta's API lists them. Exports of Okta contain no
 * hashes.
 */
import { isObject } from "../../records/names/json_shapes.ts";
import { attributesOf, columnOf } from "../core/attributes.ts";
import { addClient } from "../core/clients.ts";
import { type Granted, grantedTo } from "../core/granted.ts";
import { type Members, membersOf } from "../core/members.ts";
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
  signs: ["statusChanged", "passwordChanged", "signOnMode", "objectClass"],
  arrays: [],
  columns: [],
  begin(sink, map) {
    const granted = grantedTo(sink);
    const groups = new Set<string>();
    const apps = new Set<unknown>();
    const { organization } = map;
    const has = (value: unknown, name: string) => isObject(value) && Object.hasOwn(value, name);
    return {
      document(value) {
        if (has(value, "objectClass")) takeGroup(value, groups, { granted, organization }, sink);
        else if (has(value, "signOnMode")) takeAppRoles(value, { granted, organization }, sink);
      },
      element(value) {
        if (has(value, "signOnMode")) {
          // The file has several lines for an app: one for each page of its users.
          const id = (isObject(value) && value.id) || value;
          if (!apps.has(id)) takeApp(value, sink);
          apps.add(id);
        } else if (has(value, "protocol")) takeProvider(value, map, sink);
        else if (!has(value, "objectClass")) takeUser(value, granted, map, sink);
      },
      end: () => granted.end(),
    };
  },
};

interface Granting {
  readonly granted: Granted;
  readonly organization: string | undefined;
}

/** Reads a group as Okta's API lists it, with the response about the group's users added as `users`. */
function takeGroup(
  value: unknown,
  groups: Set<string>,
  { granted, organization }: Granting,
  sink: Sink,
): void {
  let object = "group ?";
  const found = membersOf(value, () => object, sink.lose);
  const id = found.text("id");
  const profile = found.members("profile");
  const name = profile?.text("name") ?? id ?? "?";
  object = `group ${name}`;
  const isBuiltIn = found.text("type") === "BUILT_IN";
  for (const each of found.list("users")) {
    const user = membersOf(each, object, sink.lose, "users").text("id");
    if (user === undefined) sink.lose({ object, member: "users", reason: "a user without an ID" });
    else if (!isBuiltIn) granted.give(user, organization, { groups: [name] });
  }
  // The file has several lines for a group: one for each page of its users.
  if (groups.has(id ?? name)) return;
  groups.add(id ?? name);
  if (isBuiltIn) {
    sink.lose({ object, member: "", reason: "the group is not imported: built into Okta" });
    return;
  }
  granted.group(organization, name, id);
  found.pass("created", "lastUpdated", "lastMembershipUpdated", "objectClass", "type", "_links", "_embedded");
  profile?.end("attributes of groups are not supported");
  found.end();
}

function takeAppRoles(value: unknown, { granted, organization }: Granting, sink: Sink): void {
  const app = membersOf(value, "client", sink.lose);
  if (app.text("signOnMode") !== "OPENID_CONNECT") return;
  const label = app.text("label") ?? app.text("id") ?? "?";
  for (const each of app.list("users")) {
    let object = "user ?";
    const assigned = membersOf(each, () => object, sink.lose, label);
    const user = assigned.text("id");
    object = `user ${user ?? "?"}`;
    const profile = assigned.members("profile");
    const names = [profile?.value("role") ?? [], profile?.value("roles") ?? []].flat();
    if (user !== undefined && names.length > 0)
      granted.give(user, organization, { role_ids: names.map((name) => `${label}:${name}`) });
    profile?.end("profiles of app users are not supported");
  }
}

const ourNames: Readonly<Record<string, string>> = {
  ...{ timezone: "zoneinfo", mobilePhone: "phone_number" },
};

function profileAttributes(profile: Members, map: ImportMap) {
  profile.lose("secondEmail", "only one email address per user is supported");
  return attributesOf(profile, (name) => {
    const ours = Object.hasOwn(ourNames, name) ? ourNames[name] : undefined;
    return columnOf(map, `profile.${name}`) ?? ours ?? name;
  });
}

function takeUser(value: unknown, granted: Granted, map: ImportMap, sink: Sink): void {
  let called = "user ?";
  const user = membersOf(value, () => called, sink.lose);
  const profile = user.members("profile") ?? membersOf({}, () => called, sink.lose);
  const login = profile.text("login");
  const email = profile.text("email") ?? login;
  called = `user ${email ?? user.text("id") ?? "?"}`;
  const lose = (member: string, reason: string) => sink.lose({ object: called, member, reason });
  const external_id = user.text("id");
  const locale = profile.text("locale")?.replace("_", "-");
  const displayName = profile.text("displayName");
  const isAdded = addPerson(
    {
      external_id,
      email,
      name: displayName ?? joinedName(profile.text("firstName"), profile.text("lastName")),
      active: active.has(user.text("status") ?? "ACTIVE"),
      created_at: user.moment("created"),
      memberships: granted.take(external_id),
      attributes: {
        ...{ given_name: profile.text("firstName"), family_name: profile.text("lastName"), locale },
        preferred_username: login === email ? undefined : login,
        ...profileAttributes(profile, map),
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
      requires_pkce: oauth?.flag("pkce_required", true) === true,
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
  app.pass("profile", "_embedded", "universalLogout", "users");
  settings.pass("response_types", "client_uri", "issuer_mode", "consent_method", "idp_initiated_login");
  settings.pass("refresh_token", "dpop_bound_access_tokens", "wildcard_redirect");
  oauth?.pass("autoKeyRotation", "client_id");
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
