/** Keycloak: a realm as `kc.sh export` writes it, with its users in the same file or in separate ones. */
import { isObject } from "../../records/names/json_shapes.ts";
import { membersOf } from "../core/members.ts";
import type { ImportMap, MovedMembership, Sink } from "../core/moved.ts";
import { addProvider } from "../core/providers.ts";
import { slugOf } from "../core/slug.ts";
import type { Source } from "../core/source.ts";
import { addKeycloakClient } from "./keycloak_clients.ts";
import { takeRoles } from "./keycloak_roles.ts";
import { addKeycloakUser, type Realm } from "./keycloak_users.ts";

const presets = {
  oidc: "oidc",
  "keycloak-oidc": "oidc",
  google: "google",
  microsoft: "microsoft",
  github: "github",
  gitlab: "gitlab",
  facebook: "facebook",
  "linkedin-openid-connect": "linkedin",
} as const;

export const keycloak: Source = {
  name: "keycloak",
  signs: ["realm", "keycloakVersion", "disableableCredentialTypes"],
  arrays: ["users", "federatedUsers", "clients"],
  begin(sink, map) {
    /** Keyed by username, because organizations refer to their members by username. */
    const memberships = new Map<string, MovedMembership[]>();
    const realm: { -readonly [Name in keyof Realm]: Realm[Name] } = {
      memberships,
      rp_id: map.rp_id,
      organization: map.organization,
      roles: undefined,
    };

    return {
      document(value) {
        const members = membersOf(value, `realm ${nameIn(value, "realm")}`, sink.lose);
        members.pass("id", "realm", "users", "federatedUsers", "clients", "keycloakVersion", "displayName");
        // A file with only users has no passkey policy.
        realm.rp_id = members.text("webAuthnPolicyRpId") ?? realm.rp_id;
        const owners: Owners = new Map();
        for (const each of members.list("organizations"))
          takeOrganization(each, { memberships, owners }, sink);
        for (const each of members.list("identityProviders")) takeProvider(each, owners, map, sink);
        const { organization } = map;
        const taken = takeRoles(
          { roles: members.raw("roles"), groups: members.list("groups") },
          organization,
          sink,
        );
        // A file with only users has neither roles nor groups.
        if (members.raw("roles") !== undefined || members.raw("groups") !== undefined) realm.roles = taken;
        members.pass("enabled");
        members.end("a realm setting: see the settings of Postern");
      },
      element(value, at) {
        if (at === "clients") addKeycloakClient(value, sink);
        else addKeycloakUser(value, realm, map, sink);
      },
    };
  },
};

function nameIn(value: unknown, member: string): string {
  const name = isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
  return typeof name === "string" ? name : "?";
}

/** The slugs of the organizations that use a provider, by its alias. */
type Owners = Map<string, string[]>;

function takeProvider(value: unknown, owners: Owners, map: ImportMap, sink: Sink): void {
  const object = `provider ${nameIn(value, "alias")}`;
  const provider = membersOf(value, object, sink.lose);
  const alias = provider.text("alias");
  const kind = provider.text("providerId");
  const config = provider.members("config") ?? membersOf({}, object, sink.lose);
  if (alias === undefined || kind === undefined) {
    sink.lose({ object, member: "", reason: "the provider is not imported: no alias or providerId" });
    return;
  }
  const preset = Object.hasOwn(presets, kind) ? presets[kind as keyof typeof presets] : undefined;
  const [organization, ...others] = owners.get(alias) ?? [];
  addProvider(
    {
      organization: others.length === 0 ? organization : undefined,
      ...{
        alias,
        kind,
        preset,
        label: provider.text("displayName"),
        active: provider.flag("enabled", false),
      },
      client_id: config.text("clientId"),
      client_secret: config.text("clientSecret"),
      issuer: config.text("issuer"),
    },
    map,
    sink,
  );
  provider.pass("internalId", "types", "organizationId");
  provider.lose("trustEmail", "not imported: set email_trust yourself");
  if (preset === undefined) return;
  config.pass("authorizationUrl", "tokenUrl", "userInfoUrl", "jwksUrl", "useJwksUrl", "validateSignature");
  config.lose("hostedDomain", "not imported: set allowed_tenants of the provider");
  config.end();
  provider.end();
}

function takeOrganization(
  value: unknown,
  { memberships, owners }: { readonly memberships: Map<string, MovedMembership[]>; readonly owners: Owners },
  sink: Sink,
): void {
  const object = `organization ${nameIn(value, "name")}`;
  const organization = membersOf(value, object, sink.lose);
  const name = organization.text("name");
  const slug = slugOf(organization.text("alias") ?? name ?? "", "organization");
  organization.pass("id", "redirectUrl");
  sink.organization({ slug, name: name ?? slug, active: organization.flag("enabled", false) ?? true });
  for (const each of organization.list("members")) {
    const username = membersOf(each, object, sink.lose, "members").text("username");
    if (username === undefined) continue;
    const own = memberships.get(username) ?? [];
    own.push({ organization: slug, role: "member" });
    memberships.set(username, own);
  }
  for (const each of organization.list("identityProviders")) {
    const alias = membersOf(each, object, sink.lose, "identityProviders").text("alias") ?? "";
    owners.set(alias, [...(owners.get(alias) ?? []), slug]);
  }
  organization.lose("domains", "domains of organizations are not supported");
  organization.end();
}
