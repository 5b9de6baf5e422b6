import type {
  OAuthToken,
  Organization,
  ServiceAccount,
  ServiceAccountKeyPair,
  User,
} from "../definition/definition.ts";
import { type EndableRecord, endOfGrant, stateSince } from "../names/liveness.ts";
import { isOffline, readRequestData, type TokenRequestData } from "../names/request_data.ts";
import type { ClientRecord } from "./client_record.ts";
import type { Member } from "./member.ts";

export interface Dependency {
  readonly noun:
    | "app"
    | "app_organization"
    | "user"
    | "grant"
    | "membership"
    | "membership_organization"
    | "service_account"
    | "service_account_organization"
    | "key_pair";
  readonly state: ReturnType<typeof stateSince> | "unknown";
}

export interface DependencyReads {
  findClientOfApp(app_id: string): Promise<ClientRecord | undefined>;
  findUser(id: string): Promise<User | undefined>;
  findMember(membership_id: string): Promise<Member | undefined>;
  findServiceAccount(id: string): Promise<KnownAccount | undefined>;
  find(
    table: "service_account_key_pairs",
    where: { readonly id: string },
  ): Promise<ServiceAccountKeyPair | undefined>;
}

export type KnownAccount = ServiceAccount & { readonly organization: Organization | undefined };

export type Dependent = Pick<OAuthToken, "app_id" | "user_id" | "created_at"> &
  Partial<
    Pick<OAuthToken, "service_account_id" | "request_data" | "family_id" | "session_id" | "membership_id">
  >;

/**
 * Returns the records that a code or token depends on and, as `dependencies`, the state of each (design
 * 6.18).
 */
export async function dependenciesOf(row: Dependent, store: DependencyReads) {
  const { app_id, user_id, service_account_id = null, membership_id = null } = row;
  const dependencies: Dependency[] = [];
  const add = (noun: Dependency["noun"], record: EndableRecord | undefined) => {
    const state = record === undefined ? "unknown" : stateSince(record, row.created_at);
    dependencies.push({ noun, state });
  };
  const client = await store.findClientOfApp(app_id);
  add("app", client?.app);
  if (client?.organization !== undefined) add("app_organization", client.organization);
  const user = user_id === null ? undefined : await store.findUser(user_id);
  if (user_id !== null) add("user", user);
  if (user !== undefined && isEndedGrant(user, row)) dependencies.push({ noun: "grant", state: "revoked" });
  const member = membership_id === null ? undefined : await store.findMember(membership_id);
  if (membership_id !== null) {
    dependencies.push({ noun: "membership", state: member === undefined ? "unknown" : "active" });
    if (member !== undefined) add("membership_organization", member.organization);
  }
  const account =
    service_account_id === null ? undefined : await store.findServiceAccount(service_account_id);
  if (service_account_id !== null) {
    add("service_account", account);
    if (account?.organization !== undefined) add("service_account_organization", account.organization);
    const { key_pair_id: id } = readRequestData<TokenRequestData>(row.request_data ?? null);
    if (id !== undefined) {
      const key = await store.find("service_account_key_pairs", { id });
      const state = key === undefined ? "unknown" : key.revoked ? "revoked" : "active";
      dependencies.push({ noun: "key_pair", state });
    }
  }
  return { client, user, member, service_account: account, dependencies };
}

/**
 * Returns whether the grant that a code or token comes from is among the user's `ended_grants`, and thus has
 * ended.
 */
export function isEndedGrant(
  user: Pick<User, "ended_grants">,
  row: Pick<OAuthToken, "app_id" | "created_at"> &
    Partial<Pick<OAuthToken, "family_id" | "session_id" | "request_data">>,
): boolean {
  if (user.ended_grants === null) return false;
  const { app_id, family_id, session_id, request_data = null, created_at } = row;
  const of = [app_id, family_id, isOffline(request_data) ? undefined : session_id];
  return of.some((id) => {
    const up_to = id && endOfGrant(user, id);
    return up_to && created_at <= up_to;
  });
}
