import type {
  APIKey,
  ApiResource,
  OAuthApp,
  OAuthAppSecret,
  Organization,
  User,
} from "../definition/definition.ts";
import { stateOfApp, stateOfCredential, stateOfSwitch } from "../names/liveness.ts";
import { clientProofs } from "../names/names.ts";

/** A registered client with every fact that decides whether it may be used. */
export interface ClientRecord {
  /** `unstored`: it has no row, because no signed-in user has requested it. */
  readonly app: OAuthApp & { readonly unstored?: true };
  readonly organization: Organization | undefined;
  /** The APIs that this app is, active or not. */
  readonly resources: readonly ApiResource[];
  /** Every secret, also revoked and expired ones. */
  readonly secrets: readonly OAuthAppSecret[];
}

/** Whether an app may act, and if not, why: its organization decides as well (spec 2.2, 2.6). */
export function stateOfClient({
  app,
  organization,
}: Pick<ClientRecord, "app" | "organization">): "active" | "inactive" | "revoked" | "organization_inactive" {
  const state = stateOfApp(app);
  if (state !== "active" || organization === undefined) return state;
  return stateOfSwitch(organization) === "active" ? "active" : "organization_inactive";
}

/** An app that may act. */
export function isUsable(client: Pick<ClientRecord, "app" | "organization">): boolean {
  return stateOfClient(client) === "active";
}

/** An API key with its owner, which is the organization where it names a user as well. */
export interface ApiKeyRecord {
  readonly key: APIKey;
  readonly user: User | undefined;
  readonly organization: Organization | undefined;
}

/** Whether an API key may be used: the owners that it names decide as well (spec 2.5). */
export function stateOfApiKey(
  { key, user, organization }: ApiKeyRecord,
  now: Date,
): ReturnType<typeof stateOfCredential> | "owner_inactive" {
  const state = stateOfCredential(key, now);
  if (state !== "active") return state;
  const owners = [user, organization].filter((each) => each !== undefined);
  return owners.every((owner) => stateOfSwitch(owner) === "active") ? "active" : "owner_inactive";
}

/**
 * Whether the app proves itself by a secret, as one does that names no method. Members that are absent have
 * their defaults.
 */
export function hasSecret({
  public: isPublic = false,
  token_endpoint_auth_method: method,
}: Partial<Pick<OAuthApp, "public" | "token_endpoint_auth_method">>): boolean {
  return !isPublic && clientProofs[method ?? "client_secret_basic"] === "secret";
}
