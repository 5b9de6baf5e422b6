/**
 * The names of all locks, in the order in which one transaction takes them. Two transactions that took two
 * locks in different orders would wait for each other. Servers of different versions share these texts while
 * one replaces the other.
 */

declare const named: unique symbol;

/** The name of a lock; only this file makes one. */
export interface LockName {
  readonly text: string;
  /** A transaction takes a lock of a lower rank before one of a higher rank. */
  readonly rank: number;
  readonly [named]: true;
}

function kindOfLock<Of extends readonly string[]>(
  rank: number,
  textOf: (...of: Of) => string,
): (...of: Of) => LockName {
  return (...of) => ({ text: textOf(...of), rank }) as LockName;
}

/** The lock under which the tables are brought to this version. */
export const migrationsLock = kindOfLock(1, () => "postern_migrations");

/** The lock of the one process that sweeps: two would wait for each other's rows in another order. */
export const sweepLock = kindOfLock(2, () => "sweep");

/** The lock under which signing keys come and go. */
export const signingKeysLock = kindOfLock(3, () => "signing_keys");

/** The lock under which the first administrator is made. */
export const firstAdministratorLock = kindOfLock(4, () => "first administrator");

/** The lock under which the app of this server itself is made. */
export const builtInAppLock = kindOfLock(5, () => "built-in app");

/** The lock under which the owner of open clients is made. */
export const openClientsLock = kindOfLock(6, () => "owner of open clients");

/** The lock under which an assertion is marked as used; `mark` is the hash of its issuer and `jti` in hex. */
export const assertionLock = kindOfLock(7, (mark: string) => `assertion ${mark}`);

/** The lock that issuing into a family and revoking it share. */
export const familyLock = kindOfLock(8, (family_id: string) => `family ${family_id}`);

/** The lock that ending a user's session or consent holds alone, and issuing to that user holds together. */
export const userLock = kindOfLock(9, (user_id: string) => `user ${user_id}`);

/** The lock under which one record is changed or removed. */
export const recordLock = kindOfLock(10, (table: string, id: string) => `record ${table} ${id}`);

/** The lock under which an active platform administrator ceases to be one. */
export const administratorsLock = kindOfLock(11, () => "administrators");

/** The lock under which an owner of this organization ceases to be one. */
export const ownersLock = kindOfLock(12, (organization_id: string) => `owners ${organization_id}`);

/** The lock under which apps become resources: each resource is one app's. */
export const appResourcesLock = kindOfLock(13, () => "resources of apps");

/** The lock under which the secrets of an app become more. */
export const appSecretsLock = kindOfLock(14, (app_id: string) => `secrets of ${app_id}`);

/** The lock that deleting an app holds alone, and issuing to that app holds together. */
export const appLock = kindOfLock(15, (app_id: string) => `app ${app_id}`);

/** The lock under which the invitations of an organization are made, withdrawn and accepted. */
export const invitationsLock = kindOfLock(16, (organization_id: string) => `invitations ${organization_id}`);

/** The lock under which events get their positions. */
export const feedLock = kindOfLock(17, () => "feed of events");
