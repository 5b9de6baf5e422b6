/**
 * Random users, organizations and rows of every table, and the owner of each row. The owners are written by
 * hand from docs/permissions.md, as an oracle that does not use the definitions in `src/records/`.
 */
import fc from "fast-check";
import type { Row, TableName } from "../../src/records/definition/definition.ts";
import type { Store } from "../../src/storage/store.ts";
import { insertAny } from "../storage/any_row.ts";
import {
  aCode,
  aConsent,
  accessOnly,
  aDelivery,
  aFeedEvent,
  aGroup,
  aGroupMember,
  aKeyPair,
  aMembership,
  anApiKey,
  anApp,
  anAppRole,
  anAttribute,
  anEndpoint,
  anEvent,
  anInvitation,
  anOAuthAccount,
  anOrganization,
  aProvider,
  aRefusal,
  aResource,
  aRole,
  aSecret,
  aServiceAccount,
  aSession,
  aToken,
  aUser,
  signingKeyOf,
  start,
} from "../support/builders.ts";

const pick = fc.nat(2);
const perhaps = fc.option(pick, { freq: 2 });
const some = <T>(each: fc.Arbitrary<T>) => fc.array(each, { minLength: 1, maxLength: 3 });
const pairs = <T extends object>(each: fc.Arbitrary<T>, of: (one: T) => string) =>
  fc.uniqueArray(each, { minLength: 1, maxLength: 4, selector: of });

/** Three users, three organizations and three apps. The numbers say to which of them a row refers. */
export const anyGraph = fc.record({
  memberships: pairs(
    fc.record({
      user: pick,
      organization: pick,
      role: fc.constantFrom("owner", "admin", "developer", "member", "accountant"),
      permissions: fc.constantFrom(null, null, ["users:write"], ["sessions:write", "consents:write"]),
    }),
    ({ user, organization }) => `${user} ${organization}`,
  ),
  apps: fc.tuple(...[0, 1, 2].map(() => fc.record({ owner: pick, organization: perhaps }))),
  accounts: fc.tuple(...[0, 1, 2].map(() => fc.record({ maker: pick, organization: pick }))),
  tokens: some(fc.record({ app: pick, user: perhaps, account: perhaps })),
  codes: some(fc.record({ app: pick, user: pick })),
  consents: pairs(fc.record({ app: pick, user: pick }), ({ app, user }) => `${app} ${user}`),
  secrets: some(pick),
  key_pairs: some(pick),
  api_keys: some(fc.record({ user: perhaps, organization: perhaps })),
  linked_accounts: some(pick),
  sessions: some(pick),
  ways_in: some(pick),
  events: some(
    fc.record({
      kind: fc.constantFrom("user", "client", "api_key"),
      user: pick,
      organization: perhaps,
    } as const),
  ),
  refusals: some(fc.record({ app: perhaps, user: perhaps })),
  resources: some(perhaps),
  providers: some(perhaps),
  invitations: pairs(fc.record({ organization: pick, by: pick }), ({ organization }) => `${organization}`),
});
export type Graph = typeof anyGraph extends fc.Arbitrary<infer G> ? G : never;

export interface Whose {
  readonly user: string | null;
  readonly organizations: readonly string[];
  /** Organizations that may read the row but never write it. */
  readonly readers?: readonly string[];
  /**
   * The owner whose permission is needed to add the row; if omitted, only a platform administrator adds it.
   */
  readonly added_to?: { readonly user: string } | { readonly organization: string };
}

export interface OwnedRow {
  readonly table: TableName;
  readonly row: { readonly id: string };
  readonly whose: Whose;
}

export interface OwnedFixture {
  readonly users: readonly Row<"users">[];
  readonly organizations: readonly Row<"organizations">[];
  readonly memberships: readonly Row<"memberships">[];
  readonly rows: readonly OwnedRow[];
}

const noOwner: Whose = { user: null, organizations: [] };

export async function ownedFixture(store: Store, graph: Graph): Promise<OwnedFixture> {
  const users = [await aUser(store), await aUser(store), await aUser(store)] as const;
  const organizations = [
    await anOrganization(store),
    await anOrganization(store),
    await anOrganization(store),
  ] as const;
  const one = <T>(all: readonly T[], index: number): T => {
    const found = all[index];
    if (found === undefined) throw new Error(`there is no row ${index}`);
    return found;
  };
  const userAt = (index: number) => one(users, index).id;
  const organizationAt = (index: number) => one(organizations, index).id;
  const perhapsAt = (all: (index: number) => string, index: number | null) =>
    index === null ? null : all(index);

  const rows: OwnedRow[] = [];
  const say = <R extends { readonly id: string }>(table: TableName, row: R, whose: Whose): R => {
    rows.push({ table, row, whose });
    return row;
  };

  const memberships: Row<"memberships">[] = [];
  for (const { user, organization, role, permissions } of graph.memberships) {
    const [user_id, organization_id] = [userAt(user), organizationAt(organization)];
    const row = await aMembership(store, { user_id, organization_id, role, permissions });
    memberships.push(row);
    say("memberships", row, {
      user: user_id,
      organizations: [organization_id],
      added_to: { organization: organization_id },
    });
  }
  for (const user of users) {
    const theirs = memberships.filter(({ user_id }) => user_id === user.id);
    const readers = theirs.map(({ organization_id }) => organization_id);
    say("users", user, { user: user.id, organizations: [], readers });
  }
  for (const organization of organizations)
    say("organizations", organization, { user: null, organizations: [organization.id] });

  /** The owner of an app's records: its organization, or else the app's owner. */
  const apps: { readonly id: string; readonly whose: Whose }[] = [];
  for (const { owner, organization } of graph.apps) {
    const owner_id = userAt(owner);
    const organization_id = perhapsAt(organizationAt, organization);
    const { id } = await anApp(store, { owner_id, organization_id });
    const whose: Whose =
      organization_id === null
        ? { user: owner_id, organizations: [] }
        : { user: null, organizations: [organization_id] };
    const row = { id, owner_id, organization_id };
    say("oauth_apps", row, {
      ...whose,
      ...(organization_id !== null && { added_to: { organization: organization_id } }),
    });
    apps.push({ id, whose });
  }
  const accounts: { readonly id: string; readonly organization_id: string }[] = [];
  for (const { maker, organization } of graph.accounts) {
    const organization_id = organizationAt(organization);
    const row = await aServiceAccount(store, { created_by: userAt(maker), organization_id });
    accounts.push(row);
    const whose = { user: null, organizations: [organization_id] };
    say("service_accounts", row, { ...whose, added_to: { organization: organization_id } });
  }

  for (const { app, user, account } of graph.tokens) {
    const [its, machine] = [one(apps, app), account === null ? undefined : one(accounts, account)];
    const user_id = perhapsAt(userAt, user);
    const row = await aToken(store, {
      app_id: its.id,
      user_id,
      service_account_id: machine?.id ?? null,
      // Lists find a machine's token by the id of its family, which was created with it.
      ...(user_id === null && { ...accessOnly, family_id: store.newId(start) }),
    });
    say("oauth_tokens", row, {
      user: user_id ?? its.whose.user,
      organizations: [...its.whose.organizations, ...(machine ? [machine.organization_id] : [])],
    });
  }
  for (const { app, user } of graph.codes) {
    const { id: app_id, whose } = one(apps, app);
    const row = await aCode(store, { app_id, user_id: userAt(user) });
    say("oauth_auth_codes", row, { ...whose, user: userAt(user) });
  }
  for (const { app, user } of graph.consents) {
    const { id: app_id, whose } = one(apps, app);
    const row = await aConsent(store, { app_id, user_id: userAt(user) });
    say("oauth_consents", row, { ...whose, user: userAt(user), added_to: { user: userAt(user) } });
  }
  for (const app of graph.secrets) {
    const { id: app_id, whose } = one(apps, app);
    const [organization] = whose.organizations;
    const added_to = organization === undefined ? { user: whose.user ?? "" } : { organization };
    say("oauth_app_secrets", await aSecret(store, { app_id }), { ...whose, added_to });
  }
  for (const account of graph.key_pairs) {
    const { id: service_account_id, organization_id } = one(accounts, account);
    const row = await aKeyPair(store, { service_account_id });
    const added_to = { organization: organization_id };
    say("service_account_key_pairs", row, { user: null, organizations: [organization_id], added_to });
  }
  for (const { user, organization } of graph.api_keys) {
    const user_id = organization === null ? userAt(user ?? 0) : perhapsAt(userAt, user);
    const organization_id = perhapsAt(organizationAt, organization);
    say("api_keys", await anApiKey(store, { user_id, organization_id }), {
      user: user_id,
      organizations: organization_id === null ? [] : [organization_id],
      added_to: organization_id === null ? { user: user_id ?? "" } : { organization: organization_id },
    });
  }
  for (const user of graph.linked_accounts) {
    const whose = { user: userAt(user), organizations: [], added_to: { user: userAt(user) } };
    say("oauth_accounts", await anOAuthAccount(store, { user_id: userAt(user) }), whose);
  }
  for (const user of graph.sessions) {
    const whose = { user: userAt(user), organizations: [] };
    say("sessions", await aSession(store, { user_id: userAt(user) }), whose);
  }
  for (const user of graph.ways_in) {
    const whose = { user: userAt(user), organizations: [], added_to: { user: userAt(user) } };
    for (const table of [
      "passkeys",
      "totp_authenticators",
      "imported_people",
      "recovery_codes",
      "devices",
    ] as const)
      say(table, await insertAny(store, table, { users: userAt(user) }), whose);
    // A user has at most one of these rows.
    for (const table of ["recoveries", "foreign_passwords"] as const)
      if ((await store.count(table, { user_id: userAt(user) })) === 0)
        say(table, await insertAny(store, table, { users: userAt(user) }), whose);
  }
  for (const { kind, user, organization } of graph.events) {
    const organization_id = perhapsAt(organizationAt, organization);
    const event = await anEvent(store, { actor_kind: kind, actor_id: userAt(user), organization_id });
    say("audit_events", event, {
      user: kind === "user" ? userAt(user) : null,
      organizations: organization_id === null ? [] : [organization_id],
    });
  }
  for (const { app, user } of graph.refusals) {
    const its = app === null ? undefined : one(apps, app);
    const row = await aRefusal(store, { app_id: its?.id ?? null, user_id: perhapsAt(userAt, user) });
    say("refusals", row, its?.whose ?? noOwner);
  }
  for (const { organization, by } of graph.invitations) {
    const organization_id = organizationAt(organization);
    const row = await anInvitation(store, { organization_id, invited_by: userAt(by) });
    say("invitations", row, { user: null, organizations: [organization_id] });
  }
  for (const organization of graph.resources) {
    const organization_id = perhapsAt(organizationAt, organization);
    say("resources", await aResource(store, { organization_id }), {
      user: null,
      organizations: organization_id === null ? [] : [organization_id],
      ...(organization_id !== null && { added_to: { organization: organization_id } }),
    });
  }
  for (const organization of graph.providers) {
    const organization_id = perhapsAt(organizationAt, organization);
    say("providers", await aProvider(store, { organization_id }), {
      user: null,
      organizations: organization_id === null ? [] : [organization_id],
      ...(organization_id !== null && { added_to: { organization: organization_id } }),
    });
  }
  const key = signingKeyOf();
  await store.insert("signing_keys", key);
  say("signing_keys", key, noOwner);
  for (const table of [
    "statistics",
    "ephemera",
    "manifest_records",
    "manifest_names",
    "retired_providers",
  ] as const)
    say(table, await insertAny(store, table, {}), noOwner);
  const snapshotOf = (await anApp(store)).id;
  say("client_documents", await insertAny(store, "client_documents", { oauth_apps: snapshotOf }), noOwner);
  const session = await aSession(store, { user_id: (await aUser(store)).id });
  const met = { sessions: session.id, oauth_apps: snapshotOf };
  say("signal_streams", await insertAny(store, "signal_streams", { oauth_apps: snapshotOf }), noOwner);
  say("session_apps", await insertAny(store, "session_apps", met), noOwner);
  say("deliveries", await aDelivery(store), noOwner);
  say("webhook_endpoints", await anEndpoint(store), noOwner);
  say("attribute_definitions", await anAttribute(store), noOwner);
  const membership = one(memberships, 0);
  const { user_id, organization_id } = membership;
  const added_to = { organization: organization_id };
  const ofIt = { user: null, organizations: [organization_id], added_to };
  say("roles", await aRole(store, { organization_id }), ofIt);
  const group = say("groups", await aGroup(store, { organization_id }), ofIt);
  say("group_members", await aGroupMember(store, membership, group), { ...ofIt, user: user_id });
  const api = say("resources", await aResource(store, { organization_id }), ofIt);
  say("app_roles", await anAppRole(store, { resource_id: api.id }), ofIt);
  say("webhook_endpoints", await anEndpoint(store, { organization_id }), ofIt);
  const event = await aFeedEvent(store, { organization_id });
  say("events", event, { user: null, organizations: [organization_id] });
  return { users, organizations, memberships, rows };
}
