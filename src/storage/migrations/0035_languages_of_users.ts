import type { Kind } from "../../records/definition/field.ts";

/**
 * Adds the language in which a user last signed in. It is the language of mails about the account that
 * other users trigger.
 */
export const languagesOfUsers = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE users ADD COLUMN language ${t.string};
`;
