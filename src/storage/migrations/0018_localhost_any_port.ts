import type { Kind } from "../../records/definition/field.ts";

export const localhostAnyPort = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN localhost_any_port ${t.bool} NOT NULL DEFAULT FALSE;
`;
