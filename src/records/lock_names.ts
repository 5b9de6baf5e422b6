/**
 * What is locked while tokens are issued and ended; whoever writes either takes these locks, in this order.
 */

/** The lock that issuing into a family and revoking it share. */
export const familyLock = (family_id: string) => `family ${family_id}`;

/** The lock that ending a user's session or consent holds alone, and issuing to that user holds together. */
export const userLock = (user_id: string) => `user ${user_id}`;

/** The lock that deleting an app holds alone, and issuing to that app holds together. */
export const appLock = (app_id: string) => `app ${app_id}`;

/** The lock under which the secrets of an app become more. */
export const appSecretsLock = (app_id: string) => `secrets of ${app_id}`;

/** The lock under which the invitations of an organization are made, withdrawn and accepted. */
export const invitationsLock = (organization_id: string) => `invitations ${organization_id}`;
