/** The words of the definition of an attribute (OC-7). */

/** The records that have attributes, and their tables. */
export const attributeTables = {
  users: "users",
  memberships: "memberships",
  organizations: "organizations",
  apps: "oauth_apps",
} as const;
export type AttributeRecord = keyof typeof attributeTables;
export const attributeRecords = Object.keys(attributeTables) as readonly AttributeRecord[];

export const attributeTypes = ["string", "number", "boolean", "date", "list"] as const;

/** Who writes values: users in their own record, and administrators. */
export const attributeWriters = ["user", "admin"] as const;

/** Who reads values: users in their own record, and others who may read the record. */
export const attributeReaders = ["user", "admin"] as const;

/** Characters of the name of an attribute. */
export const longestAttributeName = 64;

/** Characters of the name of a claim. */
export const longestClaimName = 128;

const nameShape = /^[a-z][a-z0-9_]*$/;

export const isAttributeName = (text: string): boolean =>
  nameShape.test(text) && text.length <= longestAttributeName;
