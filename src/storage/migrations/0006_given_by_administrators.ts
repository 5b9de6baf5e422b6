import type { Kind } from "../../records/definition/field.ts";

/**
 * Adds whether a platform administrator deactivated an app or a service account. Also adds the time before
 * which links to reset a password are invalid.
 */
export const givenByAdministrators = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN switched_off_by_platform ${t.bool} NOT NULL DEFAULT FALSE;
ALTER TABLE service_accounts ADD COLUMN switched_off_by_platform ${t.bool} NOT NULL DEFAULT FALSE;
ALTER TABLE users ADD COLUMN reset_links_not_before ${t.time};
`;
