import type { Kind } from "../../records/definition/field.ts";

/**
 * The language in which a user last signed in: mails about their account that others cause are written in
 * it.
 */
export const languagesOfUsers = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE users ADD COLUMN language ${t.string};
`;
