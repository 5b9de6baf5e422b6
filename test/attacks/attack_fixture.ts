/** Two organizations with users of every role, their records, and every kind of credential. */
import { randomUUID } from "node:crypto";
import { accessTokenSignature } from "../../src/crypto/credentials.ts";
import { createOutbox } from "../../src/ops/mail.ts";
import type { Membership, OAuthToken, Organization, User } from "../../src/records/definition/definition.ts";
import { type ApiServer, anApiKeyText, apiServer, bearer } from "../http/api/server.ts";
import { password, signInAs, testBrowser } from "../support/app.ts";
import { issuer } from "../support/authorization_server.ts";
import { aMembership, anApp, anOrganization, aServiceAccount, aToken, aUser } from "../support/builders.ts";
import type { TestDatabase } from "../support/databases.ts";
import type { Caller } from "./permission_model.ts";

export type Headers = Readonly<Record<string, string>>;

export const organizationNames = ["acme", "rival"] as const;
/** This server does not know the last role. */
const roleNames = ["owner", "admin", "developer", "member", "auditor"] as const;

export interface AttackFixture {
  readonly it: ApiServer;
  readonly organizations: Readonly<Record<string, Organization>>;
  readonly people: Readonly<Record<string, User>>;
  readonly memberships: Readonly<Record<string, Membership>>;
  /** Each user's roles by organization. */
  readonly roles: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export async function attackFixture(database: TestDatabase): Promise<AttackFixture> {
  const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };
  const it = await apiServer(
    database,
    { mail: createOutbox({ ...silent, now: () => new Date() }) },
    { extra_features: ["events"] },
  );
  const { store } = it;
  const password_hash = await it.server.passwords.hash(password);
  const organizations: Record<string, Organization> = {};
  const people: Record<string, User> = {};
  const memberships: Record<string, Membership> = {};
  const roles: Record<string, Record<string, string>> = {};
  const person = async (name: string, of: Record<string, string>, overrides: Partial<User> = {}) => {
    const user = await aUser(store, { name, password_hash, ...overrides });
    people[name] = user;
    roles[name] = of;
    for (const [organization, role] of Object.entries(of)) {
      const organization_id = organizations[organization]?.id ?? "";
      memberships[`${name} in ${organization}`] = await aMembership(store, {
        user_id: user.id,
        organization_id,
        role,
      });
    }
  };
  for (const name of organizationNames) {
    organizations[name] = await anOrganization(store, { name });
    for (const role of roleNames) await person(`${name} ${role}`, { [name]: role });
    // A second owner, so the rule about the last owner never decides an attempt.
    await person(`${name} second owner`, { [name]: "owner" });
  }
  await person("agency", { acme: "developer", rival: "developer" });
  await person("chief", { acme: "admin", rival: "admin" });
  await person("outsider", {});
  await person("root", {}, { is_platform_admin: true });
  return { it, organizations, people, memberships, roles };
}

/** Stores an active access token, and returns a text that has the format of a JWT and leads to it. */
async function anAccessToken({ it }: AttackFixture, overrides: Partial<OAuthToken>): Promise<string> {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const token = `${part({ alg: "RS256" })}.${part({ jti: it.store.newId(it.clock.now()) })}.c2lnbmVk`;
  const access_token_signature = accessTokenSignature(token);
  if (access_token_signature === undefined) throw new Error("no access token");
  await aToken(it.store, { access_token_signature, audience: [issuer], ...overrides });
  return token;
}

export interface Attacker {
  readonly caller: Caller;
  readonly headers: Headers;
}

const everything = ["postern:manage"];

async function personsCaller(
  fixture: AttackFixture,
  user: string,
  scopes?: readonly string[],
): Promise<Omit<Caller, "name">> {
  const roles = fixture.roles[user] ?? {};
  return { platform: user === "root", user, roles, ...(scopes !== undefined && { scopes }) };
}

export async function byCookie(fixture: AttackFixture, user: string): Promise<Attacker> {
  const browser = testBrowser(fixture.it.app);
  await signInAs(browser, { email: fixture.people[user]?.email ?? "" });
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const caller = { name: `${user} by cookie`, ...(await personsCaller(fixture, user)) };
  return { caller, headers: { cookie, "sec-fetch-site": "same-origin" } };
}

export async function byKey(
  fixture: AttackFixture,
  user: string,
  scopes: readonly string[] = everything,
): Promise<Attacker> {
  const { key } = await anApiKeyText(fixture.it, {
    user_id: fixture.people[user]?.id ?? "",
    scopes: [...scopes],
  });
  const name = `${user} by a key of ${scopes.join(" ")}`;
  return { caller: { name, ...(await personsCaller(fixture, user, scopes)) }, headers: bearer(key) };
}

export async function byToken(
  fixture: AttackFixture,
  user: string,
  scopes: readonly string[] = everything,
): Promise<Attacker> {
  const user_id = fixture.people[user]?.id ?? "";
  const headers = bearer(await anAccessToken(fixture, { user_id, scopes: ["openid", ...scopes] }));
  return {
    caller: {
      name: `${user} by a token of ${scopes.join(" ")}`,
      ...(await personsCaller(fixture, user, scopes)),
    },
    headers,
  };
}

/**
 * Returns machines of an organization, which have the permissions of its admins, and a client without an
 * organization.
 */
export async function machines(fixture: AttackFixture): Promise<Attacker[]> {
  const { it, organizations, people } = fixture;
  const { store } = it;
  const found: Attacker[] = [];
  for (const name of organizationNames) {
    const organization_id = organizations[name]?.id ?? "";
    const owner_id = people[`${name} owner`]?.id ?? "";
    const caller = (kind: string, scopes: readonly string[]): Caller => ({
      name: `${kind} of ${name} of ${scopes.join(" ")}`,
      platform: false,
      roles: { [name]: "admin" },
      scopes,
    });
    for (const scopes of name === "acme"
      ? [everything, ["postern:apps:write", "postern:apps:read"]]
      : [everything]) {
      const { key } = await anApiKeyText(it, { organization_id, scopes });
      found.push({ caller: caller("key", scopes), headers: bearer(key) });
    }
    const account = await aServiceAccount(store, { organization_id, created_by: owner_id });
    const app = await anApp(store, { organization_id, owner_id });
    const machine = {
      user_id: null,
      refresh_token_signature: null,
      refresh_expires_at: null,
      scopes: everything,
    };
    const ofAccount = await anAccessToken(fixture, {
      ...machine,
      app_id: app.id,
      service_account_id: account.id,
    });
    found.push({ caller: caller("service account", everything), headers: bearer(ofAccount) });
    const ofClient = await anAccessToken(fixture, { ...machine, app_id: app.id });
    found.push({ caller: caller("client", everything), headers: bearer(ofClient) });
  }
  const bare = await anApp(store, { owner_id: people.root?.id ?? "" });
  for (const scopes of [everything, ["postern:apps:write", "postern:read"]]) {
    const machine = { user_id: null, refresh_token_signature: null, refresh_expires_at: null, scopes };
    found.push({
      caller: { name: `client of nobody of ${scopes.join(" ")}`, platform: true, roles: {}, scopes },
      headers: bearer(await anAccessToken(fixture, { ...machine, app_id: bare.id })),
    });
  }
  return found;
}

const narrow: readonly (readonly [string, readonly string[]])[] = [
  ["acme owner", ["postern:read"]],
  ["acme owner", ["postern:apps:read", "postern:apps:write", "postern:app_secrets:write"]],
  ["acme admin", ["postern:memberships:read", "postern:memberships:write"]],
  ["acme member", ["postern:users:write", "postern:api_keys:write", "postern:consents:write"]],
  ["acme developer", ["openid", "profile"]],
  ["root", ["postern:read"]],
  ["root", ["postern:users:write"]],
  ["root", ["postern:api_keys:write"]],
  ["root", ["postern:memberships:write", "postern:organizations:write"]],
  ["root", ["postern:apps:write", "postern:app_secrets:write"]],
  ["root", ["postern:webhook_endpoints:write"]],
  ["root", ["postern:consents:write", "postern:service_accounts:write", "postern:key_pairs:write"]],
];

/** Users who are left out, because their counterparts in the other organization make the same attempts. */
const spared = ["second", "rival developer", "rival auditor"];

/**
 * Returns all actors: each user with one of three credentials, chosen by `turn`; some users with restricted
 * credentials; and machines.
 */
export async function attackers(
  fixture: AttackFixture,
  { turn }: { readonly turn: number },
): Promise<Attacker[]> {
  const found: Attacker[] = [];
  const names = Object.keys(fixture.people).filter((name) => !spared.some((each) => name.includes(each)));
  const credentials = [byCookie, byKey, byToken] as const;
  for (const [index, name] of names.entries()) {
    const credential = credentials[(index + turn) % 3] ?? byCookie;
    found.push(await credential(fixture, name));
  }
  for (const [index, [name, scopes]] of narrow.entries())
    found.push(await ((index + turn) % 2 ? byKey : byToken)(fixture, name, scopes));
  return [...found, ...(await machines(fixture))];
}

/** Returns a short unique text. */
export const word = (): string => randomUUID().slice(24);
