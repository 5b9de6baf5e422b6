import type { PasswordHasher } from "../../crypto/passwords.ts";
import type { Sealer } from "../../crypto/sealing.ts";
import type {
  AttributeDefinition,
  AuditEvent,
  Invitation,
  OAuthApp,
  Organization,
  ServiceAccount,
  User,
} from "../../records/definition/definition.ts";
import {
  type Permission,
  permissions,
  permissionsOf,
  permissionsOfMembership,
  rolePermissions,
} from "../../records/definition/permissions.ts";
import { isActive, stateOfApp } from "../../records/names/liveness.ts";
import type { NoticeKind } from "../../records/names/notices.ts";
import type { Switches } from "../../records/names/profiles.ts";
import type { Member } from "../../records/rules/member.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import type {
  Audit,
  Clients,
  Codes,
  Consents,
  Deliveries,
  Housekeeping,
  Keys,
  Providers,
  Reports,
  Rows,
  Sessions,
  Tokens,
} from "../../storage/ports.ts";

/**
 * The authenticated actor. `scopes` are those of the credential. A user without `scopes` has a browser
 * session, which allows everything that the user may do.
 */
export type Actor =
  | { readonly kind: "system"; readonly label: string }
  | {
      readonly kind: "user";
      readonly user: User;
      readonly scopes?: readonly string[];
      readonly session_id?: string;
      /** The user's membership in the organization that the token was issued for. */
      readonly member?: Member | undefined;
      readonly api_key_id?: string;
    }
  | {
      readonly kind: "organization";
      readonly organization: Organization;
      readonly api_key_id: string;
      readonly scopes: readonly string[];
    }
  | {
      readonly kind: "service_account";
      readonly account: ServiceAccount;
      readonly scopes: readonly string[];
    }
  /** A client that acts on its own behalf, with an access token of the client credentials grant. */
  | { readonly kind: "client"; readonly app: OAuthApp; readonly scopes: readonly string[] };

/** The guess is counted before the password is verified (L-10). */
interface PasswordGuess {
  /** Seconds until the next guess may be verified; undefined if this one may be verified now. */
  readonly retry_after: number | undefined;
  forgive(): Promise<void>;
  /** Takes back the count of a guess that was never verified. */
  withdraw(): Promise<void>;
}

/**
 * A newly created invitation and the secret of its link. The database stores only a signature of the secret.
 */
export interface MadeInvitation {
  readonly invitation: Invitation;
  readonly organization: Organization;
  readonly inviter: User;
  readonly token: string;
  readonly further_roles: readonly string[];
}

export interface AccountNotice {
  readonly kind: NoticeKind;
  readonly user_id: string;
  /** The email address to notify, if it differs from the user's current one. */
  readonly email?: string | undefined;
  /** The language of the user's last sign-in; set only if the user was deleted. */
  readonly language?: string | null;
  readonly name?: string | undefined;
}

type RefusedMail = "invitation" | "password_reset";

export type ManagementStore = Rows &
  Clients &
  Codes &
  Tokens &
  Sessions &
  Consents &
  Providers &
  Keys &
  Audit &
  Deliveries &
  Reports &
  Housekeeping;

interface RememberedPermissions {
  actor?: Actor;
  permissions?: Promise<EffectivePermissions>;
}

export interface AdminContext {
  readonly store: ManagementStore;
  readonly passwords: PasswordHasher;
  readonly now: () => Date;
  readonly actor: Actor;
  /** Caches the actor's permissions; without it, each check reads them from the database. */
  readonly remembered?: RememberedPermissions;
  /** The server's base URL, which no API may use as its identifier; not checked if undefined. */
  readonly issuer?: string | undefined;
  readonly switches: Switches;
  readonly import_source?: string;
  readonly picture_hosts?: readonly string[] | undefined;
  readonly sealer?: Sealer;
  readonly origin?: Partial<Pick<AuditEvent, "client_ip" | "user_agent" | "request_id">>;
  /**
   * Counts a guess at this user's password toward the limit of sign-in; absent for callers without an HTTP
   * request, such as the command line.
   */
  readonly countGuess?: (user: User) => Promise<PasswordGuess>;
  readonly onAccountNotice?: (notice: AccountNotice) => void;
  /** Sends the email of an invitation; absent if no email can be sent. */
  readonly onInvitation?: (made: MadeInvitation) => void;
  /** Receives warnings about input that is accepted nevertheless. */
  readonly warn?: (message: string) => void;
  /** Called if an email is not sent because a rate limit was reached. */
  readonly onMailRefused?: (kind: RefusedMail) => void;
  readonly log?: { info(fields: object, message: string): void };
}

export interface EffectivePermissions {
  /** Whether the actor has all permissions on all records, limited by `allowed`. */
  readonly platform: boolean;
  /** The user whose records count as the actor's own, so that `selfPermissions` apply to them. */
  readonly user_id: string | null;
  readonly organizations: ReadonlyMap<
    string,
    { readonly name: string; readonly role: string; readonly permissions: ReadonlySet<Permission> }
  >;
  readonly allowed: ReadonlySet<Permission>;
  /**
   * The definitions that determine which attributes the actor sees; absent for platform administrators, who
   * see all.
   */
  readonly definitions?: readonly AttributeDefinition[];
}

const everything: ReadonlySet<Permission> = new Set(permissions);
const nothing: EffectivePermissions = {
  platform: false,
  user_id: null,
  organizations: new Map(),
  allowed: new Set(),
};

/**
 * Returns the permissions that this user has through a credential whose scopes allow `allowed`. A deactivated
 * user has none, and a deactivated organization gives none.
 */
export async function permissionsOfUser(
  store: Pick<Verbs, "find" | "list">,
  user: User,
  allowed: ReadonlySet<Permission> = everything,
): Promise<EffectivePermissions> {
  if (!isActive(user)) return nothing;
  const memberships = await store.list("memberships", { user_id: user.id });
  const organizations = await Promise.all(
    memberships.map(({ organization_id }) => store.find("organizations", { id: organization_id })),
  );
  return {
    platform: user.is_platform_admin,
    user_id: user.id,
    organizations: new Map(
      memberships.flatMap((membership, index) => {
        const organization = organizations[index];
        if (!isActive(organization)) return [];
        const { role } = membership;
        const held = { name: organization.name, role, permissions: permissionsOfMembership(membership) };
        return [[membership.organization_id, held] as const];
      }),
    ),
    allowed,
  };
}

function withinOrganization(
  organization: Pick<Organization, "id" | "name" | "active"> | undefined,
  scopes: readonly string[],
): EffectivePermissions {
  if (!isActive(organization)) return nothing;
  return {
    platform: false,
    user_id: null,
    organizations: new Map([
      [
        organization.id,
        { name: organization.name, role: "admin", permissions: new Set(rolePermissions.admin) },
      ],
    ]),
    allowed: permissionsOf(scopes),
  };
}

async function computed({
  actor,
  store,
}: Pick<AdminContext, "actor" | "store">): Promise<EffectivePermissions> {
  switch (actor.kind) {
    case "system":
      return { platform: true, user_id: null, organizations: new Map(), allowed: everything };
    case "user":
      return permissionsOfUser(store, actor.user, actor.scopes && permissionsOf(actor.scopes));
    case "organization":
      return withinOrganization(actor.organization, actor.scopes);
    case "service_account": {
      const { active, organization_id } = actor.account;
      return active
        ? withinOrganization(await store.find("organizations", { id: organization_id }), actor.scopes)
        : nothing;
    }
    case "client": {
      const { organization_id } = actor.app;
      if (stateOfApp(actor.app) !== "active") return nothing;
      // Only a platform administrator can give management scopes to an app without an organization, so the
      // app may use them on every record (design 6.7).
      if (organization_id === null)
        return { ...nothing, platform: true, allowed: permissionsOf(actor.scopes) };
      return withinOrganization(await store.find("organizations", { id: organization_id }), actor.scopes);
    }
    default:
      return actor satisfies never;
  }
}

async function withDefinitions(
  context: Pick<AdminContext, "actor" | "store">,
): Promise<EffectivePermissions> {
  const held = await computed(context);
  if (held.platform) return held;
  return { ...held, definitions: await context.store.attributeDefinitions(...held.organizations.keys()) };
}

/** Returns the actor's permissions. If the context caches them, they are read from the database only once. */
export function permissionsOfActor(
  context: Pick<AdminContext, "actor" | "store" | "remembered">,
): Promise<EffectivePermissions> {
  const { actor, remembered } = context;
  if (remembered?.permissions !== undefined && remembered.actor === actor) return remembered.permissions;
  const permissions = withDefinitions(context);
  if (remembered !== undefined) Object.assign(remembered, { actor, permissions });
  return permissions;
}

/** Returns whether the credential allows every permission, as a browser session does. */
export function isUnlimited({ allowed }: Pick<EffectivePermissions, "allowed">): boolean {
  return allowed.size === everything.size;
}

/** Returns the actor as an audit event names it; a user's API key counts as the user. */
export function actorColumns(actor: Actor): Pick<AuditEvent, "actor_kind" | "actor_id"> {
  switch (actor.kind) {
    case "system":
      return { actor_kind: "system", actor_id: actor.label };
    case "user":
      return { actor_kind: "user", actor_id: actor.user.id };
    case "organization":
      return { actor_kind: "api_key", actor_id: actor.api_key_id };
    case "service_account":
      return { actor_kind: "service_account", actor_id: actor.account.id };
    case "client":
      return { actor_kind: "client", actor_id: actor.app.client_id };
    default:
      return actor satisfies never;
  }
}

/** Returns the sealer of the context. Throws an Error if the caller did not supply one. */
export function sealerOf(context: AdminContext): Sealer {
  if (context.sealer === undefined)
    throw new Error("this operation needs the secret key, and the context has none");
  return context.sealer;
}

/**
 * Returns the actor's identity regardless of the credential: the same for every session, key and token of
 * one caller.
 */
export function nameOfActor(actor: Actor): string {
  switch (actor.kind) {
    case "system":
      return `system ${actor.label}`;
    case "user":
      return `user ${actor.user.id}`;
    case "organization":
      return `organization ${actor.organization.id}`;
    case "service_account":
      return `service_account ${actor.account.id}`;
    case "client":
      return `client ${actor.app.id}`;
    default:
      return actor satisfies never;
  }
}
