import type { Kind } from "../../records/definition/field.ts";

/**
 * Adds the language in which a user last signed in. Emails about the account that other users trigger are in
 * this language.
 */
export const languagesOfUsers = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE users ADD COLUMN language ${t.string};
`;
