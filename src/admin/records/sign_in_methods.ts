import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import type { ColumnOf, Row, TableName, User } from "../../records/definition/definition.ts";
import { publicView } from "../../records/definition/view.ts";
import { type Acr, highestAcr } from "../../records/names/sign_in_methods.ts";
import { isRecoveryWaiting } from "../../records/rules/waiting_recovery.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { notFound } from "../access/errors.ts";

/**
 * Omits the credential ids of passkeys, with which an attacker could test whether a device belongs to the
 * user (PK-9).
 */
export const exposedColumns = {
  passkeys: [
    "id",
    "name",
    "rp_id",
    "aaguid",
    "signs_in",
    "uv_initialized",
    "backup_eligible",
    "backed_up",
    "created_at",
    "last_used_at",
  ],
  totp_authenticators: ["id", "name", "created_at", "last_used_at"],
  oauth_accounts: ["id", "provider", "provider_id", "email", "created_at", "last_used_at"],
} as const satisfies { readonly [T in TableName]?: readonly ColumnOf<T>[] };

export type ExposedTable = keyof typeof exposedColumns;
export type Exposed<T extends ExposedTable> = {
  readonly [C in (typeof exposedColumns)[T][number]]: C extends keyof Row<T>
    ? Row<T>[C] extends Date | null
      ? string | Extract<Row<T>[C], null>
      : Row<T>[C]
    : never;
};

/** Times are ISO 8601 in UTC. */
export interface SignInMethods {
  readonly user_id: string;
  readonly password: boolean;
  readonly passkeys: readonly Exposed<"passkeys">[];
  readonly authenticator_apps: readonly Exposed<"totp_authenticators">[];
  readonly recovery_codes: number;
  readonly linked_accounts: readonly Exposed<"oauth_accounts">[];
  readonly recovery: RecoveryView | null;
  /** Null if the user has no sign-in method. */
  readonly highest_acr: Acr | null;
}

export interface RecoveryView {
  /** What the user lost: all second factors, or only passkeys (MF-15). */
  readonly lost: "second_factors" | "passkeys";
  readonly started_at: string;
  /**
   * From `due_at` until `expires_at`, the user may set up new second factors. Lost passkeys are removed at
   * `due_at`.
   */
  readonly due_at: string;
  readonly expires_at: string;
}

/** The maximum number of methods of each kind; the oldest are returned. */
const most = 100;

/**
 * Returns a user's sign-in methods. Only the user and platform administrators may read them, because they
 * show how to attack the account. Throws 403 `forbidden`, 404 `not_found`.
 */
export async function readSignInMethods(
  context: Pick<AdminContext, "actor" | "store" | "switches" | "now">,
  id: string,
): Promise<SignInMethods> {
  const { store } = context;
  const { platform, user_id } = await permissionsOfActor(context);
  if (!platform && user_id !== id) throw new Problem("forbidden", detail("platform_only"));
  const user = await store.find("users", { id });
  if (user === undefined) throw notFound("users", id);
  const oldest = { order_by: "id", limit: most } as const;
  const [recovery, passkeys, apps, links, enrolled] = await Promise.all([
    store.find("recoveries", { user_id: id }),
    store.list("passkeys", { user_id: id }, oldest),
    store.list("totp_authenticators", { user_id: id }, oldest),
    store.list("oauth_accounts", { user_id: id }, oldest),
    store.enrolledMethods(user),
  ]);
  return {
    user_id: id,
    password: enrolled.password,
    passkeys: passkeys.map((row) => exposed("passkeys", row)),
    authenticator_apps: apps.map((row) => exposed("totp_authenticators", row)),
    recovery_codes: enrolled.recovery_codes,
    linked_accounts: links.map((row) => exposed("oauth_accounts", row)),
    recovery: recovery === undefined ? null : recoveryView(recovery, user, context),
    highest_acr: highestAcr(enrolled) ?? null,
  };
}

function recoveryView(
  recovery: Row<"recoveries">,
  user: User,
  { switches, now }: Pick<AdminContext, "switches" | "now">,
): RecoveryView | null {
  const isOn = (switches.recovery_delay_hours ?? 0) > 0;
  if (!isOn || !isRecoveryWaiting(recovery, user, now())) return null;
  const { passkeys_only, created_at, due_at, expires_at } = recovery;
  return {
    lost: passkeys_only ? "passkeys" : "second_factors",
    started_at: created_at.toISOString(),
    due_at: due_at.toISOString(),
    expires_at: expires_at.toISOString(),
  };
}

function exposed<T extends ExposedTable>(table: T, row: Row<T>): Exposed<T> {
  const view = publicView(table, row);
  return Object.fromEntries(exposedColumns[table].map((name) => [name, view[name]])) as Exposed<T>;
}
