/** ZITADEL: the JSON of its export, with users and applications by organization. */
import { isObject } from "../../records/names/json_shapes.ts";
import { addClient } from "../core/clients.ts";
import { type Granted, grantedTo } from "../core/granted.ts";
import { membersOf } from "../core/members.ts";
import type { ImportMap, Sink } from "../core/moved.ts";
import { addPerson, fromBase32, joinedName } from "../core/people.ts";
import { addProvider, linkedAccount } from "../core/providers.ts";
import { slugOf } from "../core/slug.ts";
import type { Source } from "../core/source.ts";

const wireGrants: Readonly<Record<string, string>> = {
  OIDC_GRANT_TYPE_AUTHORIZATION_CODE: "authorization_code",
  OIDC_GRANT_TYPE_REFRESH_TOKEN: "refresh_token",
  OIDC_GRANT_TYPE_IMPLICIT: "implicit",
};

export const zitadel: Source = {
  name: "zitadel",
  signs: ["orgs"],
  arrays: ["orgs/*/humanUsers"],
  begin(sink, map) {
    const organizations = new Map<string, string>();
    const read: Read = { granted: grantedTo(sink), links: new Map() };
    return {
      document(value) {
        const whole = membersOf(value, "export", sink.lose);
        for (const [index, each] of whole.list("orgs").entries())
          organizations.set(`orgs/${index}/humanUsers`, takeOrganization(each, read, map, sink));
        whole.end();
      },
      element: (value, at) => takeUser(value, organizations.get(at), read, map, sink),
      end: () => read.granted.end(),
    };
  },
};

interface Read {
  readonly granted: Granted;
  readonly links: Map<string, { readonly alias: string; readonly id: string | undefined }[]>;
}

function takeOrganization(value: unknown, { granted, links }: Read, map: ImportMap, sink: Sink): string {
  let object = "organization ?";
  const found = membersOf(value, () => object, sink.lose);
  const id = found.text("orgId") ?? "";
  const name = found.members("org")?.text("name") ?? id;
  object = `organization ${name}`;
  const slug = slugOf(name, `organization-${slugOf(id, "imported")}`);
  sink.organization({ slug, name });
  for (const each of found.list("oidcApps")) takeApp(each, sink);
  for (const each of found.list("oidcIdps")) takeProvider(each, slug, map, sink);
  for (const each of found.list("userLinks")) {
    const link = membersOf(each, object, sink.lose, "userLinks");
    const alias = link.text("idpName") ?? link.text("idpId") ?? "?";
    const user = link.text("userId") ?? "";
    const own = links.get(user) ?? [];
    own.push({ alias, id: link.text("providedUserId") });
    links.set(user, own);
  }
  sink.lose({ object, member: "state of users", reason: "not in the export: deactivated users are active" });
  found.pass("humanUsers");
  found.lose("machineUsers", "not imported: create service accounts with new keys");
  found.lose(
    "apiApps",
    "not imported: a client that only receives tokens is an API (postern resource create)",
  );
  takeRoles(
    { projects: found.list("projects"), roles: found.list("projectRoles"), grants: found.list("userGrants") },
    slug,
    granted,
    sink,
  );
  found.lose(
    "projectGrants",
    "not imported: the roles that users have through them become roles of their organization",
  );
  found.lose("orgMembers", "not imported: appoint administrators yourself");
  found.end();
  return slug;
}

/** For a project of another organization, the file has only the ID, so role names contain that ID. */
function takeRoles(
  given: Readonly<Record<"projects" | "roles" | "grants", readonly unknown[]>>,
  organization: string,
  granted: Granted,
  sink: Sink,
): void {
  const projects = new Map<string, string>();
  for (const each of given.projects) {
    const found = membersOf(each, "project", sink.lose);
    const id = found.text("projectId") ?? "?";
    projects.set(id, found.members("project")?.text("name") ?? id);
  }
  const called = (project: string | undefined, key: string) =>
    `${projects.get(project ?? "") ?? project ?? "?"}:${key}`;
  for (const each of given.roles) {
    let object = "role ?";
    const found = membersOf(each, () => object, sink.lose);
    const name = called(found.text("projectId"), found.text("roleKey") ?? "?");
    object = `role ${name}`;
    granted.role(organization, name, found.text("displayName"));
    found.lose("group", "groups of roles are not supported");
    found.end();
  }
  for (const each of given.grants) {
    const found = membersOf(each, "user grant", sink.lose);
    const user = found.text("userId") ?? "?";
    const project = found.text("projectId");
    const names = found.texts("roleKeys").map((key) => called(project, key));
    granted.give(user, organization, { role_ids: names });
    found.pass("projectGrantId");
    found.end();
  }
}

function takeUser(
  value: unknown,
  organization: string | undefined,
  { granted, links }: Read,
  map: ImportMap,
  sink: Sink,
): void {
  let called = "user ?";
  const found = membersOf(value, () => called, sink.lose);
  const user = found.members("user") ?? membersOf({}, () => called, sink.lose);
  const address = user.members("email");
  const email = address?.text("email");
  const external_id = found.text("userId");
  called = `user ${email ?? external_id ?? "?"}`;
  const lose = (member: string, reason: string) => sink.lose({ object: called, member, reason });
  if (organization !== undefined && external_id !== undefined) granted.give(external_id, organization);
  const profile = user.members("profile");
  const userName = user.text("userName");
  const code = user.text("otpCode");
  const secret = code === undefined ? undefined : fromBase32(code);
  if (code !== undefined && secret === undefined) lose("otpCode", "not base32: users enroll again");
  const isAdded = addPerson(
    {
      external_id,
      email,
      email_verified_at: address?.flag("isEmailVerified") ? map.exported_at : undefined,
      name: profile?.text("displayName") ?? joinedName(profile?.text("firstName"), profile?.text("lastName")),
      hash: user.members("hashedPassword")?.text("value"),
      totp: secret === undefined ? [] : [{ secret, name: "" }],
      linked_accounts: (links.get(external_id ?? "") ?? []).flatMap((link) => linkedAccount(link, map, lose)),
      attributes: {
        ...{ given_name: profile?.text("firstName"), family_name: profile?.text("lastName") },
        ...{ nickname: profile?.text("nickName"), locale: profile?.text("preferredLanguage") },
        preferred_username: userName === email ? undefined : userName,
      },
      memberships: organization === undefined ? [] : granted.take(external_id, organization),
    },
    called,
    sink,
  );
  if (!isAdded) return;
  if (profile?.text("gender") !== "GENDER_UNSPECIFIED") profile?.lose("gender", "not supported");
  profile?.end("user attributes are not supported");
  user.lose("password", "not imported: a plaintext password");
  user.lose("phone", "phone numbers are not supported");
  user.lose("passwordChangeRequired", "required actions are not supported");
  user.end();
  found.end();
}

function takeProvider(value: unknown, organization: string, map: ImportMap, sink: Sink): void {
  let object = "provider ?";
  const found = membersOf(value, () => object, sink.lose);
  const idp = found.members("idp") ?? membersOf({}, object, sink.lose);
  const alias = idp.text("name") ?? found.text("idpId") ?? "?";
  object = `provider ${alias}`;
  addProvider(
    {
      ...{ alias, organization, kind: "oidc", preset: "oidc" },
      client_id: idp.text("clientId"),
      client_secret: idp.text("clientSecret"),
      issuer: idp.text("issuer"),
    },
    map,
    sink,
  );
  found.pass("idpId");
  idp.pass("stylingType", "displayNameMapping", "usernameMapping");
  idp.lose("scopes", "not imported: set the scopes of the provider");
  idp.lose("autoRegister", "not imported: set who may register yourself");
  idp.end();
  found.end();
}

function takeApp(value: unknown, sink: Sink): void {
  let object = "client ?";
  const found = membersOf(value, () => object, sink.lose);
  const app = found.members("app") ?? (isObject(value) ? found : undefined);
  const appId = found.text("appId");
  // Exports of versions before 3 omit the client_id that applications use.
  const client_id = app?.text("clientId") ?? appId;
  object = `client ${client_id ?? app?.text("name") ?? "?"}`;
  const lose = (member: string, reason: string) => sink.lose({ object, member, reason });
  if (app === undefined || client_id === undefined) {
    lose("", "the client is not imported: it has no identifier");
    return;
  }
  if (client_id === appId) lose("client_id", "not in the export: the app gets its appId as client_id");
  const type = app.text("appType") ?? "OIDC_APP_TYPE_WEB";
  const method = app.text("authMethodType") ?? "";
  const grants = app
    .texts("grantTypes")
    .map((grant) => (Object.hasOwn(wireGrants, grant) ? wireGrants[grant] : undefined) ?? grant);
  addClient(
    {
      client_id,
      name: app.text("name"),
      public: method === "OIDC_AUTH_METHOD_TYPE_NONE",
      signs_in: true,
      native: type === "OIDC_APP_TYPE_NATIVE",
      // ZITADEL requires PKCE only from public clients.
      requires_pkce: false,
      redirect_uris: app.texts("redirectUris"),
      post_logout_redirect_uris: app.texts("postLogoutRedirectUris"),
      grants: grants.length > 0 ? grants : ["authorization_code"],
      scopes: ["openid", "profile", "email"],
      backchannel_logout_uri: app.text("backChannelLogoutUri"),
    },
    sink,
  );
  app.pass(
    "projectId",
    "responseTypes",
    "accessTokenType",
    "version",
    "clockSkew",
    "appType",
    "authMethodType",
  );
  app.pass("idTokenUserinfoAssertion", "loginVersion", "clientId");
  app.end();
  if (app !== found) found.end();
}
