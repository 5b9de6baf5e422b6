import type { Kind } from "../../records/definition/field.ts";

/**
 * Adds whether a provider may have a private IP address. Existing providers of organizations with such an
 * address stop working until a platform administrator sets `internal`.
 */
export const providerAddresses = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE providers ADD COLUMN internal ${t.bool} NOT NULL DEFAULT FALSE;
`;
