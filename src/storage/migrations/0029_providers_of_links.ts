import type { Kind } from "../../records/definition/field.ts";

/** Lets a linked account reference its provider record, so a later record of the same name does not match. */
export const providersOfLinks = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_accounts ADD COLUMN provider_id ${t.uuid};
CREATE INDEX oauth_accounts_provider_id ON oauth_accounts (provider_id, id);
ALTER TABLE providers ADD COLUMN switched_off_by_platform ${t.bool} NOT NULL DEFAULT FALSE;
`;
