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
 * `scopes` limit what the credential allows. A user without `scopes` has a browser session, which allows
 * everything that the user may do.
 */
export type Actor =
  | { readonly kind: "system"; readonly label: string }
  | {
      readonly kind: "user";
      readonly user: User;
      readonly scopes?: readonly string[];
      readonly session_id?: string;
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
  | { readonly kind: "client"; readonly app: OAuthApp; readonly scopes: readonly string[] };

/** Attempts are counted before the verification, so that parallel attempts cannot exceed the limit (L-10). */
interface PasswordGuess {
  /** Seconds until another attempt is allowed; undefined if this attempt is allowed. */
  readonly retry_after: number | undefined;
  forgive(): Promise<void>;
  /** Undoes the count if the password was not verified after all. */
  withdraw(): Promise<void>;
}

/** `token` is the secret in the invitation's link; the database stores only a signature of it. */
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
  /** The email address to notify; if absent, the user's current one. */
  readonly email?: string | undefined;
  /** The language of the email, for a user who was deleted and can no longer be looked up. */
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
  /** If absent, every check reads the permissions from the database. */
  readonly remembered?: RememberedPermissions;
  /** The server's base URL, which no API may use as its identifier. */
  readonly issuer?: string | undefined;
  readonly switches: Switches;
  readonly import_source?: string;
  readonly picture_hosts?: readonly string[] | undefined;
  readonly sealer?: Sealer;
  readonly origin?: Partial<Pick<AuditEvent, "client_ip" | "user_agent" | "request_id">>;
  /**
   * Counts an attempt to guess this user's password towards the rate limit of sign-in. Absent without an HTTP
   * request, for example on the command line.
   */
  readonly countGuess?: (user: User) => Promise<PasswordGuess>;
  readonly onAccountNotice?: (notice: AccountNotice) => void;
  /** Absent if the server cannot send email. */
  readonly onInvitation?: (made: MadeInvitation) => void;
  readonly warn?: (message: string) => void;
  readonly onMailRefused?: (kind: RefusedMail) => void;
  readonly log?: { info(fields: object, message: string): void };
}

export interface EffectivePermissions {
  /** Whether the actor has every permission in `allowed` for every record. */
  readonly platform: boolean;
  /** The user to whose own records `selfPermissions` apply; null if the actor is not a user. */
  readonly user_id: string | null;
  readonly organizations: ReadonlyMap<
    string,
    { readonly name: string; readonly role: string; readonly permissions: ReadonlySet<Permission> }
  >;
  readonly allowed: ReadonlySet<Permission>;
  /**
   * The definitions that decide which attributes the actor may read. Absent for platform administrators, who
   * may read all attributes.
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

/** Returns the permissions of this user, limited to `allowed`, the permissions in the credential's scopes. */
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
      // Only a platform administrator can give management scopes to an app without an organization. The
      // scopes therefore apply to the records of all owners (design 6.7).
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

/** Returns the actor's permissions, read from the database once per context that has `remembered`. */
export function permissionsOfActor(
  context: Pick<AdminContext, "actor" | "store" | "remembered">,
): Promise<EffectivePermissions> {
  const { actor, remembered } = context;
  if (remembered?.permissions !== undefined && remembered.actor === actor) return remembered.permissions;
  const permissions = withDefinitions(context);
  if (remembered !== undefined) Object.assign(remembered, { actor, permissions });
  return permissions;
}

/** Returns whether the credential includes every permission, as a browser session does. */
export function isUnlimited({ allowed }: Pick<EffectivePermissions, "allowed">): boolean {
  return allowed.size === everything.size;
}

/** Returns the columns that identify the actor in an audit event. */
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

/** Returns the sealer, which encrypts with the secret key. Throws an Error if the context has none. */
export function sealerOf(context: AdminContext): Sealer {
  if (context.sealer === undefined)
    throw new Error("this operation needs the secret key, and the context has none");
  return context.sealer;
}

/** Returns a name that is the same for all sessions, API keys and tokens of one actor. */
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
