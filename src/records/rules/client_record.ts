import type {
  APIKey,
  ApiResource,
  OAuthApp,
  OAuthAppSecret,
  Organization,
  User,
} from "../definition/definition.ts";
import { stateOfApp, stateOfCredential, stateOfSwitch } from "../names/liveness.ts";
import { clientProofs, isImpersonal } from "../names/names.ts";

export interface ClientRecord {
  /**
   * `unstored`: the client has no row, because no signed-in user has opened an authorization request of the
   * client yet.
   */
  readonly app: OAuthApp & { readonly unstored?: true };
  readonly organization: Organization | undefined;
  readonly resources: readonly ApiResource[];
  readonly secrets: readonly OAuthAppSecret[];
}

/** Returns the state of an app or, if the app is active, of its organization (spec 2.2, 2.6). */
export function stateOfClient({
  app,
  organization,
}: Pick<ClientRecord, "app" | "organization">): "active" | "inactive" | "revoked" | "organization_inactive" {
  const state = stateOfApp(app);
  if (state !== "active" || organization === undefined) return state;
  return stateOfSwitch(organization) === "active" ? "active" : "organization_inactive";
}

export function isUsable(client: Pick<ClientRecord, "app" | "organization">): boolean {
  return stateOfClient(client) === "active";
}

/**
 * An API key with the user and the organization that it names. If it names both, the organization owns it.
 */
export interface ApiKeyRecord {
  readonly key: APIKey;
  readonly user: User | undefined;
  readonly organization: Organization | undefined;
}

/** Returns the state of an API key or, if the key is active, of the owners that it names (spec 2.5). */
export function stateOfApiKey(
  { key, user, organization }: ApiKeyRecord,
  now: Date,
): ReturnType<typeof stateOfCredential> | "owner_inactive" {
  const state = stateOfCredential(key, now);
  if (state !== "active") return state;
  const owners = [user, organization].filter((each) => each !== undefined);
  return owners.every((owner) => stateOfSwitch(owner) === "active") ? "active" : "owner_inactive";
}

/** Returns whether the app authenticates with a secret. */
export function hasSecret({
  public: isPublic = false,
  token_endpoint_auth_method: method,
}: Partial<Pick<OAuthApp, "public" | "token_endpoint_auth_method">>): boolean {
  return !isPublic && clientProofs[method ?? "client_secret_basic"] === "secret";
}

/** Returns whether this is an open client: it published a client document or registered itself. */
export function isOpenClient({ provenance }: Pick<OAuthApp, "provenance">): boolean {
  return provenance !== "registered";
}

/** Returns the name of the owner to show to users; undefined if the app belongs to this server. */
export function ownerName(
  owner: Pick<Organization, "name"> | Pick<User, "name" | "email"> | undefined,
): string | undefined {
  return owner !== undefined && "email" in owner && isImpersonal(owner.email) ? undefined : owner?.name;
}
