/** The start of an attack scenario: two organizations, powerful callers in them, and the holders of keys. */
import { createOutbox, type Outbox } from "../../src/ops/mail.ts";
import { type ApiServer, anApiKeyText, apiServer } from "../http/api/server.ts";
import {
  aConsent,
  aGroup,
  aGroupMember,
  aMembership,
  anApp,
  anAppRole,
  anOrganization,
  aResource,
  aRole,
  aServiceAccount,
  aUser,
} from "../support/builders.ts";
import { removeEverything, type TestDatabase } from "../support/databases.ts";
import { aHolder, type Holder, type Permission } from "./permission_oracle.ts";

export interface ScenarioFixture {
  readonly it: ApiServer;
  readonly outbox: Outbox;
}

export async function scenarioFixture(database: TestDatabase): Promise<ScenarioFixture> {
  const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };
  const outbox = createOutbox({ ...silent, now: () => new Date() });
  return { it: await apiServer(database, { mail: outbox }), outbox };
}

/** An actor with the texts of their keys, the newest last. */
export interface Actor {
  readonly holder: Holder;
  readonly texts: { readonly id: string; readonly text: string }[];
}

/** One scenario: its actors, and the growing lists of the ids of all targets. */
export interface Scenario extends ScenarioFixture {
  readonly actors: Actor[];
  readonly people: string[];
  readonly organizations: string[];
  readonly apps: string[];
  readonly accounts: string[];
  readonly keys: string[];
  readonly memberships: string[];
  readonly roles: string[];
  readonly groups: string[];
  readonly apis: string[];
  readonly app_roles: string[];
  /** Open invitations: the invited person, the link, and the permissions of the key that sent it. */
  readonly invitations: {
    readonly user_id: string;
    readonly token: string;
    readonly by: ReadonlySet<Permission>;
  }[];
}

const roleNames = ["owner", "admin", "developer", "member"] as const;

/**
 * Creates two organizations with users of each role, and apps and service accounts with many permissions.
 * Each entry of `narrowKeys` gives an actor a restricted key.
 */
export async function beginScenario(
  fixture: ScenarioFixture,
  narrowKeys: readonly { readonly of: number; readonly scopes: readonly string[] }[],
): Promise<Scenario> {
  const { it } = fixture;
  const { store } = it;
  await removeEverything(store);
  const organizations = [(await anOrganization(store)).id, (await anOrganization(store)).id];
  const [acme = "", rival = ""] = organizations;
  const scenario: Scenario = {
    ...fixture,
    actors: [],
    people: [],
    organizations,
    apps: [],
    accounts: [],
    keys: [],
    memberships: [],
    ...{ roles: [], groups: [], apis: [], app_roles: [] },
    invitations: [],
  };
  const aKey = async (of: { user_id?: string; organization_id?: string }, scopes: readonly string[]) => {
    const { key, row } = await anApiKeyText(it, { ...of, scopes: [...scopes] });
    scenario.keys.push(row.id);
    return { id: row.id, text: key };
  };
  const person = async (
    name: string,
    roles: readonly (readonly [string, string])[],
    is_platform_admin = false,
  ) => {
    const { id } = await aUser(store, { name, is_platform_admin });
    scenario.people.push(id);
    for (const [organization_id, role] of roles)
      scenario.memberships.push((await aMembership(store, { user_id: id, organization_id, role })).id);
    const holder = aHolder(name);
    holder.people.add(id);
    const key = await aKey({ user_id: id }, ["postern:manage"]);
    holder.keys.add(key.id);
    scenario.actors.push({ holder, texts: [key] });
    return id;
  };
  const root = await person("root", [], true);
  for (const role of roleNames) await person(role, [[acme, role]]);
  await person("rival owner", [[rival, "owner"]]);
  await person("chief", [
    [acme, "admin"],
    [rival, "admin"],
  ]);
  const owner_id = scenario.people[1] ?? root;
  const ofAcme = { organization_id: acme, owner_id };
  const managing = await anApp(store, {
    ...ofAcme,
    allowed_scopes: ["openid", "postern:apps:write", "postern:users:read"],
    allowed_grants: ["auth_code", "client_credentials"],
  });
  await aConsent(store, { user_id: root, app_id: managing.id, scopes: managing.allowed_scopes });
  const machine = {
    allowed_scopes: ["postern:memberships:write", "postern:api_keys:write"],
    allowed_grants: ["client_credentials"],
  };
  const all = ["users", "apps", "api_keys", "memberships"].map(
    (resourceType) => `postern:${resourceType}:write`,
  );
  const waiting = await anApp(store, { ...ofAcme, allowed_scopes: ["openid", ...all] });
  // The developer created it, and no user has consented to it yet.
  scenario.actors.find(({ holder }) => holder.name === "developer")?.holder.redirects.add(waiting.id);
  for (const app of [
    waiting,
    managing,
    await anApp(store, { ...ofAcme, first_party: true }),
    await anApp(store, { ...ofAcme, ...machine }),
    await anApp(store, { ...ofAcme, ...machine, active: false }),
    await anApp(store, { owner_id: root, ...machine }),
    await anApp(store, { owner_id, organization_id: rival }),
  ])
    scenario.apps.push(app.id);
  for (const input of [
    { allowed_scopes: ["postern:apps:write"] },
    { allowed_scopes: ["postern:manage"], active: false },
  ])
    scenario.accounts.push(
      (await aServiceAccount(store, { organization_id: acme, created_by: owner_id, ...input })).id,
    );
  for (const organization_id of [acme, rival, null]) {
    const permissions = ["users:write", "postern:manage"];
    scenario.roles.push((await aRole(store, { organization_id, permissions })).id);
    const scopes = { "orders:read": "orders", "postern:manage": "everything" };
    const api = await aResource(store, { organization_id, scopes });
    scenario.apis.push(api.id);
    const app_role = { resource_id: api.id, scopes: ["postern:manage"] };
    scenario.app_roles.push((await anAppRole(store, app_role)).id);
    if (organization_id !== null) scenario.groups.push((await aGroup(store, { organization_id })).id);
  }
  // The member has these roles directly, and the developer has them through a group.
  const [role_ids, app_role_ids] = [scenario.roles.slice(0, 1), scenario.app_roles.slice(0, 1)];
  const [, , developer = "", member = ""] = scenario.memberships;
  await store.transaction((tx) => tx.update("memberships", { id: member }, { role_ids, app_role_ids }));
  const group = await aGroup(store, { organization_id: acme, role_ids, app_role_ids });
  const grouped = await store.find("memberships", { id: developer });
  if (grouped !== undefined) await aGroupMember(store, grouped, group);
  scenario.groups.push(group.id);
  for (const [index, { of, scopes }] of narrowKeys.entries()) {
    const principals = [
      ...scenario.people.map((user_id) => ({ user_id })),
      { organization_id: acme },
      { organization_id: rival },
    ];
    const principal = principals[of % principals.length] ?? { organization_id: acme };
    const holder = aHolder(`narrow key ${index}`);
    const key = await aKey(principal, scopes);
    holder.keys.add(key.id);
    scenario.actors.push({ holder, texts: [key] });
  }
  return scenario;
}
