/** Rows of every table with their owners, written out by hand: two organizations and two users. */
import type { TableName } from "../../src/records/definition/definition.ts";
import type { Owner } from "../../src/records/definition/ownership.ts";
import type { Store } from "../../src/storage/store.ts";
import {
  aCode,
  aConsent,
  accessOnly,
  aDelivery,
  aGroup,
  aGroupMember,
  aKeyPair,
  aMembership,
  anApiKey,
  anApp,
  anAppRole,
  anAttribute,
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
} from "../support/builders.ts";
import { insertAny } from "./any_row.ts";

export interface Belonging {
  readonly name: string;
  readonly id: string;
  readonly owner: Owner;
}

export type Belongings = Record<TableName, readonly Belonging[]>;

/** Ada is in Acme and in Umbrella, Bob in Acme, and Cleo in neither. */
export async function belongings(store: Store): Promise<Belongings> {
  const [acme, umbrella] = [await anOrganization(store), await anOrganization(store)];
  const [ada, bob, cleo] = [await aUser(store), await aUser(store), await aUser(store)];
  const of = (organizations: readonly { id: string }[], user: { id: string } | null): Owner => ({
    organization_ids: organizations.map(({ id }) => id),
    user_id: user?.id ?? null,
  });
  const row = (name: string, { id }: { readonly id: string }, owner: Owner): Belonging => ({
    name,
    id,
    owner,
  });
  const member = (user_id: string, organization_id: string) =>
    aMembership(store, { user_id, organization_id });
  const adaInAcme = await member(ada.id, acme.id);
  const memberships = [
    row("Ada in Acme", adaInAcme, of([acme], ada)),
    row("Ada in Umbrella", await member(ada.id, umbrella.id), of([umbrella], ada)),
    row("Bob in Acme", await member(bob.id, acme.id), of([acme], bob)),
  ];
  const apps = {
    acme: await anApp(store, { owner_id: ada.id, organization_id: acme.id }),
    umbrella: await anApp(store, { owner_id: ada.id, organization_id: umbrella.id }),
    personal: await anApp(store, { owner_id: cleo.id }),
  };
  const account = await aServiceAccount(store, { organization_id: umbrella.id, created_by: ada.id });
  const machine = { user_id: null, ...accessOnly };
  const key = signingKeyOf();
  await store.insert("signing_keys", key);
  const adas = await aSession(store, { user_id: ada.id });
  const acmesApi = await aResource(store, { organization_id: acme.id });
  const acmesGroup = await aGroup(store, { organization_id: acme.id });
  return {
    users: [
      row("Ada", ada, of([acme, umbrella], ada)),
      row("Bob", bob, of([acme], bob)),
      row("Cleo", cleo, of([], cleo)),
    ],
    organizations: [row("Acme", acme, of([acme], null)), row("Umbrella", umbrella, of([umbrella], null))],
    memberships,
    oauth_accounts: [row("Bob's", await anOAuthAccount(store, { user_id: bob.id }), of([], bob))],
    api_keys: [
      row("Cleo's", await anApiKey(store, { user_id: cleo.id }), of([], cleo)),
      row("Acme's", await anApiKey(store, { organization_id: acme.id }), of([acme], null)),
    ],
    oauth_apps: [
      row("Acme's", apps.acme, of([acme], null)),
      row("Umbrella's", apps.umbrella, of([umbrella], null)),
      row("Cleo's own", apps.personal, of([], cleo)),
    ],
    oauth_app_secrets: [
      row("of Acme's app", await aSecret(store, { app_id: apps.acme.id }), of([acme], null)),
      row("of Cleo's app", await aSecret(store, { app_id: apps.personal.id }), of([], cleo)),
    ],
    oauth_tokens: [
      row("Bob at Acme's", await aToken(store, { app_id: apps.acme.id, user_id: bob.id }), of([acme], bob)),
      row("Bob at Cleo's", await aToken(store, { app_id: apps.personal.id, user_id: bob.id }), of([], bob)),
      row("Cleo's app", await aToken(store, { app_id: apps.personal.id, ...machine }), of([], cleo)),
      row("Acme's app", await aToken(store, { app_id: apps.acme.id, ...machine }), of([acme], null)),
      row(
        "Umbrella's account at Acme's app",
        await aToken(store, { app_id: apps.acme.id, ...machine, service_account_id: account.id }),
        of([acme, umbrella], null),
      ),
    ],
    oauth_auth_codes: [
      row("Bob", await aCode(store, { app_id: apps.acme.id, user_id: bob.id }), of([acme], bob)),
    ],
    oauth_consents: [
      row("Bob", await aConsent(store, { app_id: apps.acme.id, user_id: bob.id }), of([acme], bob)),
      row("Ada", await aConsent(store, { app_id: apps.personal.id, user_id: ada.id }), of([], ada)),
    ],
    service_accounts: [row("Umbrella's", account, of([umbrella], null))],
    service_account_key_pairs: [
      row("its", await aKeyPair(store, { service_account_id: account.id }), of([umbrella], null)),
    ],
    sessions: [
      row("Ada's", adas, of([], ada)),
      row("Cleo's", await aSession(store, { user_id: cleo.id }), of([], cleo)),
    ],
    resources: [
      row("Acme's", acmesApi, of([acme], null)),
      row("the server's", await aResource(store), of([], null)),
    ],
    signing_keys: [row("the server's", key, of([], null))],
    audit_events: [
      row(
        "Bob in Acme",
        await anEvent(store, { actor_kind: "user", actor_id: bob.id, organization_id: acme.id }),
        of([acme], bob),
      ),
      row("Cleo", await anEvent(store, { actor_kind: "user", actor_id: cleo.id }), of([], cleo)),
      row("the operator", await anEvent(store, { organization_id: umbrella.id }), of([umbrella], null)),
    ],
    refusals: [
      row(
        "Bob at Acme's",
        await aRefusal(store, { app_id: apps.acme.id, user_id: bob.id }),
        of([acme], null),
      ),
      row("at Cleo's own", await aRefusal(store, { app_id: apps.personal.id }), of([], cleo)),
      row("of an unknown client", await aRefusal(store, { user_id: ada.id }), of([], null)),
    ],
    invitations: [row("to Acme", await anInvitation(store, { organization_id: acme.id }), of([acme], null))],
    statistics: [row("a count", await insertAny(store, "statistics", {}), of([], null))],
    ephemera: [row("a mark", await insertAny(store, "ephemera", {}), of([], null))],
    client_documents: [
      row(
        "a snapshot",
        await insertAny(store, "client_documents", { oauth_apps: apps.acme.id }),
        of([], null),
      ),
    ],
    signal_streams: [
      row(
        "of Acme's app",
        await insertAny(store, "signal_streams", { oauth_apps: apps.acme.id }),
        of([], null),
      ),
    ],
    session_apps: [
      row(
        "Ada at Acme's",
        await insertAny(store, "session_apps", {
          sessions: adas.id,
          oauth_apps: apps.acme.id,
        }),
        of([], null),
      ),
    ],
    webhook_endpoints: [
      row(
        "Acme's",
        await insertAny(store, "webhook_endpoints", { organizations: acme.id }, { organization_id: acme.id }),
        of([acme], null),
      ),
      row(
        "the server's",
        await insertAny(store, "webhook_endpoints", {}, { organization_id: null }),
        of([], null),
      ),
    ],
    events: [
      row("Acme's", await insertAny(store, "events", {}, { organization_id: acme.id }), of([acme], null)),
      row("the server's", await insertAny(store, "events", {}, { organization_id: null }), of([], null)),
    ],
    attribute_definitions: [
      row(
        "Acme's",
        await anAttribute(store, { record_type: "memberships", organization_id: acme.id }),
        of([acme], null),
      ),
      row("the server's", await anAttribute(store), of([], null)),
    ],
    deliveries: [
      row("to Acme's", await aDelivery(store, { organization_id: acme.id }), of([acme], null)),
      row("to the server's", await aDelivery(store), of([], null)),
    ],
    passkeys: [row("Bob's", await insertAny(store, "passkeys", { users: bob.id }), of([], bob))],
    totp_authenticators: [
      row("Ada's", await insertAny(store, "totp_authenticators", { users: ada.id }), of([], ada)),
    ],
    foreign_passwords: [
      row("Bob's", await insertAny(store, "foreign_passwords", { users: bob.id }), of([], bob)),
    ],
    imported_people: [
      row("Cleo's", await insertAny(store, "imported_people", { users: cleo.id }), of([], cleo)),
    ],
    recovery_codes: [row("Ada's", await insertAny(store, "recovery_codes", { users: ada.id }), of([], ada))],
    devices: [row("Cleo's", await insertAny(store, "devices", { users: cleo.id }), of([], cleo))],
    recoveries: [row("Bob's", await insertAny(store, "recoveries", { users: bob.id }), of([], bob))],
    roles: [
      row("Acme's", await aRole(store, { organization_id: acme.id }), of([acme], null)),
      row("the server's", await aRole(store), of([], null)),
    ],
    groups: [row("Acme's", acmesGroup, of([acme], null))],
    group_members: [row("Ada in Acme's", await aGroupMember(store, adaInAcme, acmesGroup), of([acme], ada))],
    app_roles: [
      row("of Acme's API", await anAppRole(store, { resource_id: acmesApi.id }), of([acme], null)),
      row("of the server's API", await anAppRole(store), of([], null)),
    ],
    providers: [row("Acme's", await aProvider(store, { organization_id: acme.id }), of([acme], null))],
    retired_providers: [row("a slug", await insertAny(store, "retired_providers", {}), of([], null))],
    manifest_records: [row("a note", await insertAny(store, "manifest_records", {}), of([], null))],
    manifest_names: [row("a name", await insertAny(store, "manifest_names", {}), of([], null))],
  };
}
