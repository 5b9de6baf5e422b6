import type { Kind } from "../../records/definition/field.ts";

/** Password reset links that were created up to `reset_links_not_before` are invalid. */
export const givenByAdministrators = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN switched_off_by_platform ${t.bool} NOT NULL DEFAULT FALSE;
ALTER TABLE service_accounts ADD COLUMN switched_off_by_platform ${t.bool} NOT NULL DEFAULT FALSE;
ALTER TABLE users ADD COLUMN reset_links_not_before ${t.time};
`;
