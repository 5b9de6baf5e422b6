import type { Kind } from "../../records/definition/field.ts";

/** Stores whether an app must push its authorization requests. */
export const requiredPushes = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN require_pushed_authorization_requests ${t.bool} NOT NULL DEFAULT FALSE;
`;
