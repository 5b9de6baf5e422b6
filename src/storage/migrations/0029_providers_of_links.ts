import type { Kind } from "../../records/definition/field.ts";

/** A later provider with the same slug does not match the accounts of an earlier one. */
export const providersOfLinks = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_accounts ADD COLUMN provider_id ${t.uuid};
CREATE INDEX oauth_accounts_provider_id ON oauth_accounts (provider_id, id);
ALTER TABLE providers ADD COLUMN switched_off_by_platform ${t.bool} NOT NULL DEFAULT FALSE;
`;
