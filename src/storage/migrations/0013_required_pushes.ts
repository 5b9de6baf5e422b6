import type { Kind } from "../../records/definition/field.ts";

export const requiredPushes = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN require_pushed_authorization_requests ${t.bool} NOT NULL DEFAULT FALSE;
`;
