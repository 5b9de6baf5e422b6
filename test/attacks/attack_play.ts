/**
 * What a play of attacks begins with: two organizations, what may do much in them, and who holds which key.
 */
import { createOutbox, type Outbox } from "../../src/ops/mail.ts";
import { type ApiServer, anApiKeyText, apiServer } from "../http/api/server.ts";
import { aConsent, aMembership, anApp, anOrganization, aServiceAccount, aUser } from "../support/builders.ts";
import { removeEverything, type TestDatabase } from "../support/databases.ts";
import { aHolder, type Holder, type Power } from "./power_oracle.ts";

export interface PowerWorld {
  readonly it: ApiServer;
  readonly outbox: Outbox;
}

export async function powerWorld(database: TestDatabase): Promise<PowerWorld> {
  const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };
  const outbox = createOutbox({ ...silent, now: () => new Date() });
  return { it: await apiServer(database, { mail: outbox }), outbox };
}

/** Somebody who acts, and the keys they have, the newest last. */
export interface Agent {
  readonly holder: Holder;
  readonly texts: { readonly id: string; readonly text: string }[];
}

/** One play: whoever acts, and the ids of everything that can be acted on, which grow. */
export interface Play extends PowerWorld {
  readonly agents: Agent[];
  readonly people: string[];
  readonly organizations: string[];
  readonly apps: string[];
  readonly accounts: string[];
  readonly keys: string[];
  readonly memberships: string[];
  /** Open invitations: for whom, by which link, and what the key could do that sent it. */
  readonly invitations: {
    readonly user_id: string;
    readonly token: string;
    readonly by: ReadonlySet<Power>;
  }[];
}

const roleNames = ["owner", "admin", "developer", "member"] as const;

/**
 * Two organizations with people of each role, apps and accounts that may do much, and thieves with a narrow
 * key each.
 */
export async function beginPlay(
  world: PowerWorld,
  thieves: readonly { readonly of: number; readonly scopes: readonly string[] }[],
): Promise<Play> {
  const { it } = world;
  const { store } = it;
  await removeEverything(store);
  const organizations = [(await anOrganization(store)).id, (await anOrganization(store)).id];
  const [acme = "", rival = ""] = organizations;
  const play: Play = {
    ...world,
    agents: [],
    people: [],
    organizations,
    apps: [],
    accounts: [],
    keys: [],
    memberships: [],
    invitations: [],
  };
  const aKey = async (of: { user_id?: string; organization_id?: string }, scopes: readonly string[]) => {
    const { key, row } = await anApiKeyText(it, { ...of, scopes: [...scopes] });
    play.keys.push(row.id);
    return { id: row.id, text: key };
  };
  const person = async (
    name: string,
    roles: readonly (readonly [string, string])[],
    is_platform_admin = false,
  ) => {
    const { id } = await aUser(store, { name, is_platform_admin });
    play.people.push(id);
    for (const [organization_id, role] of roles)
      play.memberships.push((await aMembership(store, { user_id: id, organization_id, role })).id);
    const holder = aHolder(name);
    holder.people.add(id);
    const key = await aKey({ user_id: id }, ["postern:manage"]);
    holder.keys.add(key.id);
    play.agents.push({ holder, texts: [key] });
    return id;
  };
  const root = await person("root", [], true);
  for (const role of roleNames) await person(role, [[acme, role]]);
  await person("rival owner", [[rival, "owner"]]);
  await person("chief", [
    [acme, "admin"],
    [rival, "admin"],
  ]);
  const owner_id = play.people[1] ?? root;
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
  // The developer wrote it, and nobody has allowed it anything yet.
  play.agents.find(({ holder }) => holder.name === "developer")?.holder.redirects.add(waiting.id);
  for (const app of [
    waiting,
    managing,
    await anApp(store, { ...ofAcme, first_party: true }),
    await anApp(store, { ...ofAcme, ...machine }),
    await anApp(store, { ...ofAcme, ...machine, active: false }),
    await anApp(store, { owner_id: root, ...machine }),
    await anApp(store, { owner_id, organization_id: rival }),
  ])
    play.apps.push(app.id);
  for (const given of [
    { allowed_scopes: ["postern:apps:write"] },
    { allowed_scopes: ["postern:manage"], active: false },
  ])
    play.accounts.push(
      (await aServiceAccount(store, { organization_id: acme, created_by: owner_id, ...given })).id,
    );
  for (const [index, { of, scopes }] of thieves.entries()) {
    const principals = [
      ...play.people.map((user_id) => ({ user_id })),
      { organization_id: acme },
      { organization_id: rival },
    ];
    const principal = principals[of % principals.length] ?? { organization_id: acme };
    const holder = aHolder(`thief ${index}`);
    const key = await aKey(principal, scopes);
    holder.keys.add(key.id);
    play.agents.push({ holder, texts: [key] });
  }
  return play;
}
