import type { Kind } from "../../records/definition/field.ts";

export const languagesOfUsers = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE users ADD COLUMN language ${t.string};
`;
