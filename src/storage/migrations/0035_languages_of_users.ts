import type { Kind } from "../../records/definition/field.ts";

/**
 * Adds the language in which a user last signed in. Mails that others cause about the user's account are
 * written in it.
 */
export const languagesOfUsers = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE users ADD COLUMN language ${t.string};
`;
