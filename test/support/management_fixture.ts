/**
 * The fixture of permission tests: two organizations with users of every role, one record of each resource
 * type in the first of them, and all kinds of actors.
 */
import { randomUUID } from "node:crypto";
import type { Actor } from "../../src/admin/access/actor.ts";
import type {
  AuditEvent,
  Membership,
  OAuthAccount,
  OAuthApp,
  Organization,
  ServiceAccount,
  User,
} from "../../src/records/definition/definition.ts";
import type { Store } from "../../src/storage/store.ts";
import { anApp, anOrganization, aServiceAccount, aUser, start } from "./builders.ts";

export async function aMembership(
  store: Store,
  input: Pick<Membership, "user_id" | "organization_id"> & Partial<Membership>,
): Promise<Membership> {
  const row: Membership = {
    id: store.newId(start),
    role: "member",
    permissions: null,
    role_ids: [],
    app_role_ids: [],
    attributes: null,
    created_at: start,
    updated_at: start,
    ...input,
  };
  await store.insert("memberships", row);
  return row;
}

/** Creates a linked account whose token can no longer be decrypted. */
export async function aLinkedAccount(store: Store, user_id: string): Promise<OAuthAccount> {
  const row: OAuthAccount = {
    id: store.newId(start),
    user_id,
    provider: "example",
    provider_user_id: randomUUID(),
    access_token: "sealed",
    refresh_token: null,
    expires_at: null,
    created_at: start,
    updated_at: start,
    email: null,
    provider_id: null,
    last_used_at: null,
  };
  await store.insert("oauth_accounts", row);
  return row;
}

export async function anEvent(
  store: Store,
  input: Pick<AuditEvent, "actor_id" | "organization_id">,
): Promise<AuditEvent> {
  const row: AuditEvent = {
    id: store.newId(start),
    type: "app.updated",
    outcome: "success",
    actor_kind: "user",
    target_table: null,
    target_id: null,
    client_ip: null,
    user_agent: null,
    request_id: null,
    details: null,
    created_at: start,
    ...input,
  };
  await store.insert("audit_events", row);
  return row;
}

/** All actors that send requests about Acme. */
export const requesters = [
  "platform_administrator",
  "owner",
  "admin",
  "developer",
  "member",
  "member_with_permission",
  "outsider",
  "subject",
  "organization_key",
  "narrow_user_key",
  "service_account",
  "client",
  "client_of_nobody",
  "narrow_token",
] as const;
export type Requester = (typeof requesters)[number];

export interface ManagementFixture {
  readonly store: Store;
  readonly acme: Organization;
  readonly other: Organization;
  /**
   * By role in Acme; `guest` is a role unknown to this server, and the `outsider` owns the other
   * organization.
   */
  readonly people: Readonly<
    Record<"owner" | "admin" | "developer" | "member" | "guest" | "outsider" | "root", User>
  >;
  readonly memberships: Readonly<Record<"owner" | "admin" | "developer" | "member" | "guest", Membership>>;
  readonly account: ServiceAccount;
  readonly app: OAuthApp;
  readonly actors: Readonly<Record<Requester, Actor>>;
}

/** The only permission that the member has in addition to their role. */
export const extraPermission = "service_accounts:read";

export async function managementFixture(store: Store): Promise<ManagementFixture> {
  const acme = await anOrganization(store);
  const other = await anOrganization(store, { name: "Other" });
  const person = async (
    role: string,
    organization_id: string,
    permissions: readonly string[] | null = null,
  ) => {
    const user = await aUser(store, { name: role });
    return {
      user,
      membership: await aMembership(store, { user_id: user.id, organization_id, role, permissions }),
    };
  };
  const owner = await person("owner", acme.id);
  const admin = await person("admin", acme.id);
  const developer = await person("developer", acme.id);
  const member = await person("member", acme.id);
  const guest = await person("guest", acme.id);
  const outsider = await person("owner", other.id);
  const extra = await person("member", acme.id, [extraPermission]);
  const root = await aUser(store, { name: "root", is_platform_admin: true });
  const everything = ["postern:manage"];
  const account = await aServiceAccount(store, { organization_id: acme.id, created_by: owner.user.id });
  const app = await anApp(store, { organization_id: acme.id, owner_id: owner.user.id });
  const bare = await anApp(store, { owner_id: root.id });
  const organization = acme;
  return {
    store,
    acme,
    other,
    people: {
      owner: owner.user,
      admin: admin.user,
      developer: developer.user,
      member: member.user,
      guest: guest.user,
      outsider: outsider.user,
      root,
    },
    memberships: {
      owner: owner.membership,
      admin: admin.membership,
      developer: developer.membership,
      member: member.membership,
      guest: guest.membership,
    },
    account,
    app,
    actors: {
      platform_administrator: { kind: "user", user: root },
      owner: { kind: "user", user: owner.user },
      admin: { kind: "user", user: admin.user },
      developer: { kind: "user", user: developer.user },
      member: { kind: "user", user: member.user },
      member_with_permission: { kind: "user", user: extra.user },
      outsider: { kind: "user", user: outsider.user },
      subject: { kind: "user", user: guest.user },
      organization_key: { kind: "organization", organization, api_key_id: randomUUID(), scopes: everything },
      narrow_user_key: {
        kind: "user",
        user: admin.user,
        api_key_id: randomUUID(),
        scopes: ["postern:apps:read", "postern:apps:write"],
      },
      service_account: { kind: "service_account", account, scopes: everything },
      client: { kind: "client", app, scopes: everything },
      client_of_nobody: { kind: "client", app: bare, scopes: everything },
      narrow_token: { kind: "user", user: owner.user, scopes: ["openid", "postern:read"] },
    },
  };
}
