import type { Kind } from "../../records/definition/field.ts";

export const rememberedSessions = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE sessions ADD COLUMN remembered ${t.bool} NOT NULL DEFAULT FALSE;
`;
