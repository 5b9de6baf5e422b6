import type { Kind } from "../../records/definition/field.ts";

/**
 * Adds the language in which a user last signed in. If another user causes an email about the account, the
 * email is in this language.
 */
export const languagesOfUsers = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE users ADD COLUMN language ${t.string};
`;
