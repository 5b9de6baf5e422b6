import type { Kind } from "../../records/definition/field.ts";

/**
 * Adds the language in which a user last signed in, for emails about the account that another user causes.
 */
export const languagesOfUsers = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE users ADD COLUMN language ${t.string};
`;
