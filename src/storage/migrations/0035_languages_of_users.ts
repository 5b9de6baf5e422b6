import type { Kind } from "../../records/definition/field.ts";

/** In which language a user last signed in: mails about their account that others cause are in it. */
export const languagesOfUsers = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE users ADD COLUMN language ${t.string};
`;
