/**
 * Auth0: users of an export job, the password hashes that Auth0's support sends, and other records as its API
 * lists them.
 */
import { isObject } from "../../records/names/json_shapes.ts";
import { attributesOf, columnOf } from "../core/attributes.ts";
import { addClient, loseOrigins } from "../core/clients.ts";
import { grantedTo } from "../core/granted.ts";
import { type Members, membersOf } from "../core/members.ts";
import type { ImportMap, MovedMembership, Sink } from "../core/moved.ts";
import { addPerson, type FoundPerson, joinedName } from "../core/people.ts";
import { addProvider, linkedAccount } from "../core/providers.ts";
import type { Source } from "../core/source.ts";
import { endRoles, type Tenant, takeOrganization, takeRole } from "./auth0_roles.ts";

const presets = {
  "google-oauth2": "google",
  windowslive: "microsoft",
  waad: "microsoft",
  apple: "apple",
  github: "github",
  facebook: "facebook",
  linkedin: "linkedin",
  oidc: "oidc",
} as const;

export const auth0: Source = {
  name: "auth0",
  signs: ["user_id", "callbacks", "strategy", "_id"],
  arrays: [],
  columns: [],
  begin(sink, map) {
    const hashes: Hashes = new Map();
    const tenant: Tenant = { granted: grantedTo(sink), organizations: new Map(), roles: new Map() };
    const membershipsOf = (user: string | undefined) => tenant.granted.take(user);
    return {
      document(value) {
        const kind = kindOf(value);
        if (kind === "organization") takeOrganization(value, tenant, sink);
        else if (kind === "role") takeRole(value, tenant, map, sink);
        // Hashes are read first, even if their file comes later, because a user is imported together with the
        // hash.
        else if (kind === "hash") takeHash(value, hashes, map, sink);
      },
      element(value) {
        const kind = kindOf(value);
        if (kind === "client") takeClient(value, sink);
        else if (kind === "connection") takeConnection(value, map, sink);
        else if (kind === "user") takeUser(value, { hashes, membershipsOf }, map, sink);
        else if (kind === undefined) loseUnknown(value, sink);
      },
      end() {
        for (const [called, person] of hashes.values())
          addPerson({ ...person, memberships: membershipsOf(person.external_id) }, called, sink);
        endRoles(tenant, map);
      },
    };
  },
};

type Kind = "hash" | "client" | "connection" | "organization" | "role" | "user";

function kindOf(value: unknown): Kind | undefined {
  const has = (name: string) => isObject(value) && Object.hasOwn(value, name);
  if (has("passwordHash") && has("_id")) return "hash";
  if (has("callbacks") || has("grant_types") || has("app_type")) return "client";
  if (has("strategy")) return "connection";
  if (["email", "user_id", "Id"].some(has)) return "user";
  const id = isObject(value) && typeof value.id === "string" ? value.id : "";
  if (id.startsWith("rol_")) return "role";
  return has("display_name") || id.startsWith("org_") ? "organization" : undefined;
}

function loseUnknown(value: unknown, sink: Sink): void {
  const fields = isObject(value) ? Object.keys(value).slice(0, 5).join(", ") : typeof value;
  sink.lose({
    object: "entry",
    member: "",
    reason: `not recognized as a record of Auth0; its fields: ${fields}`,
  });
}

/** Each line of the hash file is kept until its user is read, because a user is imported only once. */
type Hashes = Map<string, readonly [called: string, person: FoundPerson]>;

function takeHash(value: unknown, hashes: Hashes, map: ImportMap, sink: Sink): void {
  let called = "user ?";
  const line = membersOf(value, () => called, sink.lose);
  const email = line.text("email");
  const oid = line.members("_id")?.text("$oid");
  called = `user ${email ?? oid ?? "?"}`;
  const external_id = oid && `auth0|${oid}`;
  hashes.set(external_id ?? called, [
    called,
    {
      ...{ external_id, email, hash: line.text("passwordHash") },
      email_verified_at: line.flag("email_verified") ? map.exported_at : undefined,
    },
  ]);
  line.pass("password_set_date", "tenant", "connection", "_tmp_is_unique", "version", "identifiers");
  line.pass("last_password_reset");
  line.lose("username", "usernames are not supported: users sign in with their email address");
  line.end();
}

interface People {
  readonly hashes: Hashes;
  readonly membershipsOf: (user: string | undefined) => MovedMembership[];
}

function takeUser(value: unknown, { hashes, membershipsOf }: People, map: ImportMap, sink: Sink): void {
  let called = "user ?";
  const user = membersOf(value, () => called, sink.lose);
  const email = user.text("email");
  const external_id = user.text("user_id") ?? user.text("Id");
  called = `user ${email ?? external_id ?? "?"}`;
  const lose = (member: string, reason: string) => sink.lose({ object: called, member, reason });
  const created_at = user.moment("created_at");
  const metadata = ["user_metadata", "app_metadata"].map((name) => [name, user.members(name)] as const);
  const named = ([group, members]: (typeof metadata)[number]) =>
    attributesOf(members, (name) => columnOf(map, `${group}.${name}`));
  const isAdded = addPerson(
    {
      external_id,
      email,
      email_verified_at: user.flag("email_verified") ? (created_at ?? map.exported_at) : undefined,
      name: user.text("name") ?? joinedName(user.text("given_name"), user.text("family_name")),
      avatar_url: user.text("picture"),
      active: user.flag("blocked", true) !== true,
      created_at,
      hash:
        user.text("password_hash") ?? user.text("passwordHash") ?? hashes.get(external_id ?? "")?.[1].hash,
      linked_accounts: user.list("identities").flatMap((each) => {
        const identity = membersOf(each, called, sink.lose, "identities");
        const kind = identity.text("provider") ?? "?";
        if (kind === "auth0") return [];
        // Enterprise connections have their own name; social ones are named after their strategy.
        const alias = identity.flag("isSocial") === false ? (identity.text("connection") ?? kind) : kind;
        return linkedAccount({ alias, kind, id: identity.text("user_id") }, map, lose);
      }),
      memberships: membershipsOf(external_id),
      attributes: Object.assign({}, ...metadata.map(named)),
    },
    called,
    sink,
  );
  if (!isAdded) return;
  hashes.delete(external_id ?? "");
  user.pass(
    "updated_at",
    "last_login",
    "last_ip",
    "logins_count",
    "last_password_reset",
    "given_name",
    "family_name",
  );
  user.pass("email_verified", "tenant", "_id");
  user.lose("multifactor", "Auth0 does not export second factors: users enroll again");
  user.lose("guardian_authenticators", "Auth0 does not export their secrets: users enroll again");
  for (const [, members] of metadata)
    members?.end("not imported: name its attribute in columns of postern import --map");
  user.lose(
    "custom_password_hash",
    "not imported: provide it as password_hash in a format of docs/moving-in.md",
  );
  user.end();
}

function takeClient(value: unknown, sink: Sink): void {
  let object = "client ?";
  const client = membersOf(value, () => object, sink.lose);
  const client_id = client.text("client_id");
  const name = client.text("name");
  object = `client ${client_id ?? name ?? "?"}`;
  const lose = (member: string, reason: string) => sink.lose({ object, member, reason });
  if (client_id === undefined) {
    lose("", "the client is not imported: it has no client_id (a0deploy leaves it out)");
    return;
  }
  if (client.flag("global")) {
    lose("", "the client is not imported: built into Auth0");
    return;
  }
  const type = client.text("app_type") ?? "regular_web";
  const method = client.text("token_endpoint_auth_method");
  const grants = client.texts("grant_types");
  const signs_in = grants.includes("authorization_code");
  const redirect_uris = client.texts("callbacks");
  const jwt = client.members("jwt_configuration");
  const logout = client.members("oidc_logout");
  const [backchannel_logout_uri, ...others] = logout?.texts("backchannel_logout_urls") ?? [];
  for (const url of others) lose(`oidc_logout.backchannel_logout_urls ${url}`, "an app has one URL");
  addClient(
    {
      ...{ client_id, name, description: client.text("description"), logo_url: client.text("logo_uri") },
      public: method === "none" || (method === undefined && ["spa", "native"].includes(type)),
      signs_in,
      native: type === "native",
      // Auth0 has no such setting.
      requires_pkce: false,
      redirect_uris,
      post_logout_redirect_uris: client.texts("allowed_logout_urls"),
      grants,
      scopes: signs_in ? ["openid", "profile", "email"] : [],
      secret: client.text("client_secret"),
      backchannel_logout_uri,
      // Logout tokens of Auth0 always name the session.
      backchannel_logout_session_required: true,
      skips_consent: client.flag("is_first_party"),
    },
    sink,
  );
  loseOrigins([...client.texts("web_origins"), ...client.texts("allowed_origins")], redirect_uris, lose);
  if (jwt?.text("alg") === "HS256")
    lose("jwt_configuration.alg", "id_tokens are signed with a key of the server, not with the secret");
  client.pass(
    "tenant",
    "owners",
    "sso",
    "sso_disabled",
    "oidc_conformant",
    "custom_login_page_on",
    "signing_keys",
  );
  client.pass("callback_url_template", "is_token_endpoint_ip_header_trusted", "cross_origin_authentication");
  client.pass("cross_origin_auth", "jwt_configuration", "refresh_token", "custom_login_page_preview");
  if (logout?.members("backchannel_logout_initiators")?.text("mode") === "custom")
    lose(
      "oidc_logout.backchannel_logout_initiators",
      "not supported: the app is notified of every ended session",
    );
  logout?.end();
  client.end();
}

function takeConnection(value: unknown, map: ImportMap, sink: Sink): void {
  let object = "provider ?";
  const connection = membersOf(value, () => object, sink.lose);
  const kind = connection.text("strategy") ?? "?";
  const name = connection.text("name") ?? kind;
  object = `provider ${name}`;
  if (kind === "auth0") {
    sink.lose({ object, member: "", reason: "a database connection: its users are imported" });
    return;
  }
  const options: Members = connection.members("options") ?? membersOf({}, object, sink.lose);
  const preset = Object.hasOwn(presets, kind) ? presets[kind as keyof typeof presets] : undefined;
  addProvider(
    {
      ...{ alias: name, kind, preset, label: connection.text("display_name") },
      client_id: options.text("client_id"),
      client_secret: options.text("client_secret"),
      issuer: options.text("issuer"),
    },
    map,
    sink,
  );
  connection.pass("id", "options", "is_domain_connection", "realms");
  connection.lose("enabled_clients", "not imported: every app offers all providers of the server");
  connection.end();
}
