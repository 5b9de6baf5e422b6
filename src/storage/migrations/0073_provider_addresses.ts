import type { Kind } from "../../records/definition/field.ts";

/**
 * Existing providers that belong to an organization and have a private IP address stop working until a
 * platform administrator sets `internal`.
 */
export const providerAddresses = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE providers ADD COLUMN internal ${t.bool} NOT NULL DEFAULT FALSE;
`;
