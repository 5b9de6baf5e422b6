import type { Kind } from "../../records/definition/field.ts";

/**
 * With `provider_id`, a new provider does not match the linked accounts of an earlier one with the same slug.
 */
export const providersOfLinks = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_accounts ADD COLUMN provider_id ${t.uuid};
CREATE INDEX oauth_accounts_provider_id ON oauth_accounts (provider_id, id);
ALTER TABLE providers ADD COLUMN switched_off_by_platform ${t.bool} NOT NULL DEFAULT FALSE;
`;
