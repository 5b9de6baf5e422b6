import { isObject, isStrings, textOfJson } from "../../records/names/json_shapes.ts";
import { type Members, membersOf } from "../core/members.ts";
import type { ImportMap, MovedMembership, MovedPasskey, Sink } from "../core/moved.ts";
import { addPerson, fromBase32, joinedName, type Totp } from "../core/people.ts";
import { linkedAccount } from "../core/providers.ts";
import type { RealmRoles } from "./keycloak_roles.ts";

export interface Realm {
  readonly memberships: ReadonlyMap<string, readonly MovedMembership[]>;
  readonly rp_id: string | undefined;
  readonly organization: string | undefined;
  readonly roles: RealmRoles | undefined;
}

interface Credentials {
  hash: string | undefined;
  readonly totp: Totp[];
  readonly passkeys: MovedPasskey[];
}

export function addKeycloakUser(value: unknown, realm: Realm, map: ImportMap, sink: Sink): void {
  let called = "user ?";
  const user = membersOf(value, () => called, sink.lose);
  const username = user.text("username");
  const email = user.text("email");
  called = `user ${email ?? username ?? user.text("id") ?? "?"}`;
  // The client itself is imported, so the user of its service account is skipped.
  if (user.text("serviceAccountClientId") !== undefined) return;
  const lose = (member: string, reason: string) => sink.lose({ object: called, member, reason });
  const created_at = user.moment("createdTimestamp");
  const credentials: Credentials = { hash: undefined, totp: [], passkeys: [] };
  for (const each of user.list("credentials")) takeCredential(each, called, realm, credentials, sink);
  const linked_accounts = user.list("federatedIdentities").flatMap((each) => {
    const account = membersOf(each, called, sink.lose, "federatedIdentities");
    const alias = account.text("identityProvider") ?? "?";
    return linkedAccount({ alias, id: account.text("userId") }, map, lose);
  });
  const isAdded = addPerson(
    {
      external_id: user.text("id") ?? username,
      email,
      email_verified_at: user.flag("emailVerified") ? (created_at ?? map.exported_at) : undefined,
      name: joinedName(user.text("firstName"), user.text("lastName")),
      active: user.flag("enabled", false),
      created_at,
      ...credentials,
      linked_accounts,
      memberships: membershipsOf(user, username, realm),
      attributes: attributesOf(user, username === email ? undefined : username),
    },
    called,
    sink,
  );
  if (!isAdded) return;
  user.pass("id", "totp", "disableableCredentialTypes", "notBefore", "access", "origin", "self");
  loseRoles(user, realm, lose);
  user.lose("requiredActions", "required actions are not supported");
  user.lose("clientConsents", "not imported: apps ask for consent again");
  user.lose("federationLink", "directories are not supported: the user needs a new password");
  user.end();
}

const ourNames: Readonly<Record<string, string>> = { phoneNumber: "phone_number", locale: "locale" };

/**
 * A username other than the email address becomes the attribute `preferred_username`, so that applications
 * still receive it.
 */
function attributesOf(user: Members, preferred_username: string | undefined) {
  const raw = user.raw("attributes");
  const own = Object.entries(isObject(raw) ? raw : {}).flatMap(([name, value]) => {
    const texts = isStrings(value) ? value : [];
    const [only, ...more] = texts;
    const called = Object.hasOwn(ourNames, name) ? ourNames[name] : name;
    return only === undefined ? [] : [[called, more.length === 0 ? only : texts]];
  });
  return {
    ...Object.fromEntries(own),
    ...{ given_name: user.text("firstName"), family_name: user.text("lastName"), preferred_username },
  };
}

function membershipsOf(
  user: Members,
  username: string | undefined,
  { memberships, organization, roles }: Realm,
): readonly MovedMembership[] {
  const own = memberships.get(username ?? "") ?? [];
  if (organization === undefined || roles === undefined) return own;
  const role_ids = roles.rolesOf(user.texts("realmRoles"), user.raw("clientRoles"));
  const groups = user.texts("groups").filter((path) => roles.groups.has(path));
  const given = { ...(role_ids.length > 0 && { role_ids }), ...(groups.length > 0 && { groups }) };
  const others = own.filter((each) => each.organization !== organization);
  return [...others, { organization, role: "member", ...given }];
}

function loseRoles(
  user: Members,
  { organization, roles }: Realm,
  lose: (member: string, reason: string) => void,
): void {
  const needs = "they belong to an organization: set organization for this import";
  const isKept = organization !== undefined && roles !== undefined;
  const groups = user.texts("groups");
  for (const path of isKept ? groups.filter((each) => !roles.groups.has(each)) : [])
    lose("groups", `the export has no group ${path}`);
  if (!isKept && groups.length > 0) lose("groups", needs);
  const realmRoles = user.texts("realmRoles").filter((role) => !role.startsWith("default-roles-"));
  if (!isKept && realmRoles.length > 0) lose("realmRoles", needs);
  if (isKept) user.pass("clientRoles");
  else user.lose("clientRoles", needs);
}

function takeCredential(value: unknown, called: string, realm: Realm, taken: Credentials, sink: Sink): void {
  const credential = membersOf(value, called, sink.lose, "credentials");
  const type = credential.text("type") ?? "?";
  const lose = (reason: string) => sink.lose({ object: called, member: `credential ${type}`, reason });
  const data = credential.members("credentialData");
  const secret = credential.members("secretData");
  const name = credential.text("userLabel") ?? "";
  if (type === "password") {
    const hash =
      hashIn(credential.raw("secretData"), credential.raw("credentialData")) ?? oldHashOf(credential);
    if (hash === undefined) lose("no password hash");
    else if (taken.hash !== undefined) lose("a second password: only the first is imported");
    else taken.hash = hash;
  } else if (type === "otp") {
    const totp = data && secret && totpOf(data, secret, name);
    if (totp === undefined) lose("only TOTP with SHA1, 6 digits and 30 seconds is supported");
    else taken.totp.push(totp);
  } else if (type === "webauthn") {
    const { rp_id } = realm;
    const passkey = data && rp_id !== undefined ? passkeyOf(data, rp_id, name) : undefined;
    if (rp_id === undefined) lose("the export does not contain its host: set rp_id in postern import --map");
    else if (passkey === undefined) lose("no credential id or public key");
    else taken.passkeys.push(passkey);
  } else lose(notCarried[type] ?? "this credential type is not supported");
}

const notCarried: Readonly<Partial<Record<string, string>>> = {
  // A passkey returns the user handle of its registration (WebAuthn 5.1.3). Keycloak's passkeys for sign-in
  // without a password return Keycloak's handles, which this server does not know.
  "webauthn-passwordless": "it is bound to the user handle of Keycloak: users register a new passkey",
  "recovery-authn-codes": "recovery codes are not imported: users generate new ones",
};

/** Keycloak stores `secretData` and `credentialData` as strings that contain JSON. */
function hashIn(secretData: unknown, credentialData: unknown): string | undefined {
  if (secretData === undefined || credentialData === undefined) return undefined;
  return JSON.stringify({
    type: "password",
    secretData: textOfJson(secretData),
    credentialData: textOfJson(credentialData),
  });
}

function oldHashOf(credential: Members): string | undefined {
  const value = credential.text("hashedSaltedValue");
  const salt = credential.text("salt");
  if (value === undefined || salt === undefined) return undefined;
  const hashIterations = credential.number("hashIterations");
  const algorithm = credential.text("algorithm") ?? "pbkdf2";
  return hashIn({ value, salt }, { hashIterations, algorithm });
}

function totpOf(data: Members, secretData: Members, name: string): Totp | undefined {
  const text = secretData.text("value");
  const isOurs =
    data.text("subType") === "totp" &&
    data.text("algorithm") === "HmacSHA1" &&
    data.number("digits") === 6 &&
    data.number("period") === 30;
  if (text === undefined || !isOurs) return undefined;
  const secret = data.text("secretEncoding") === "BASE32" ? fromBase32(text) : Buffer.from(text);
  return secret && { secret, name };
}

function passkeyOf(data: Members, rp_id: string, name: string): MovedPasskey | undefined {
  const credential_id = data.text("credentialId");
  const public_key = data.text("credentialPublicKey");
  if (credential_id === undefined || public_key === undefined) return undefined;
  const transports = data.raw("transports");
  return {
    credential_id: base64url(credential_id),
    public_key: base64url(public_key),
    counter: data.number("counter") ?? 0,
    rp_id,
    name,
    transports: Array.isArray(transports) ? transports.filter((each) => typeof each === "string") : [],
    aaguid: data.text("aaguid") ?? null,
    discoverable: false,
  };
}

const base64url = (text: string): string => Buffer.from(text, "base64").toString("base64url");
