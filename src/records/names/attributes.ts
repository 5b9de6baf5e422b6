/** The tables whose records can have attributes, and who may write and read the attributes' values (OC-7). */

export const attributeTables = {
  users: "users",
  memberships: "memberships",
  organizations: "organizations",
  apps: "oauth_apps",
} as const;
export type AttributeRecord = keyof typeof attributeTables;
export const attributeRecords = Object.keys(attributeTables) as readonly AttributeRecord[];

export const attributeTypes = ["string", "number", "boolean", "date", "list"] as const;

/**
 * The parties that may set values: users in their own record, others who may change the record, or a provider
 * through its claims.
 */
export const attributeWriters = ["user", "admin", "provider"] as const;

/** The parties that may read values: users in their own record, and others who may read the record. */
export const attributeReaders = ["user", "admin"] as const;

export const longestAttributeName = 64;

export const longestClaimName = 128;

const nameShape = /^[a-z][a-z0-9_]*$/;

export const isAttributeName = (text: string): boolean =>
  nameShape.test(text) && text.length <= longestAttributeName;
