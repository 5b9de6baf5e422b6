/**
 * The names of all locks, in the order in which a transaction acquires them. Servers of different versions
 * share these names during an upgrade.
 */

declare const named: unique symbol;

export interface LockName {
  readonly text: string;
  /** A transaction acquires a lock of a lower rank before one of a higher rank. */
  readonly rank: number;
  readonly [named]: true;
}

function kindOfLock<Of extends readonly string[]>(
  rank: number,
  textOf: (...of: Of) => string,
): (...of: Of) => LockName {
  return (...of) => ({ text: textOf(...of), rank }) as LockName;
}

/**
 * The lock for applying a manifest: two runs that write the same records in different orders would deadlock.
 */
export const manifestLock = kindOfLock(0, () => "manifest");

export const migrationsLock = kindOfLock(1, () => "postern_migrations");

/**
 * The lock of the only process that deletes expired rows: two processes would lock the same rows in different
 * orders.
 */
export const sweepLock = kindOfLock(2, () => "sweep");

export const signingKeysLock = kindOfLock(3, () => "signing_keys");

export const firstAdministratorLock = kindOfLock(4, () => "first administrator");

export const builtInAppLock = kindOfLock(5, () => "built-in app");

export const openClientsLock = kindOfLock(6, () => "owner of open clients");

/** The lock for storing that an assertion was used; `mark` is the hash of its issuer and `jti` in hex. */
export const assertionLock = kindOfLock(7, (mark: string) => `assertion ${mark}`);

/**
 * The lock for issuing tokens in a token family (all tokens of one authorization) and for revoking the
 * family.
 */
export const familyLock = kindOfLock(8, (family_id: string) => `family ${family_id}`);

/**
 * The lock that is exclusive for ending a user's session or consent, and shared for issuing tokens to that
 * user.
 */
export const userLock = kindOfLock(9, (user_id: string) => `user ${user_id}`);

export const recordLock = kindOfLock(10, (table: string, id: string) => `record ${table} ${id}`);

/** The lock for removing or deactivating a platform administrator. */
export const administratorsLock = kindOfLock(11, () => "administrators");

/** The lock for removing or demoting an owner of this organization. */
export const ownersLock = kindOfLock(12, (organization_id: string) => `owners ${organization_id}`);

/**
 * The lock for `metadata.resource`, in which an app names itself as an API: two apps must not claim the same
 * API.
 */
export const appResourcesLock = kindOfLock(13, () => "resources of apps");

export const appSecretsLock = kindOfLock(14, (app_id: string) => `secrets of ${app_id}`);

/** The lock that is exclusive for deleting an app, and shared for issuing tokens to that app. */
export const appLock = kindOfLock(15, (app_id: string) => `app ${app_id}`);

/** The lock for creating, withdrawing and accepting invitations of an organization. */
export const invitationsLock = kindOfLock(16, (organization_id: string) => `invitations ${organization_id}`);

export const feedLock = kindOfLock(17, () => "feed of events");
