import type { Kind } from "../../records/definition/field.ts";

/** In existing sessions, `idle_ends_at` is null: they end twelve hours after their last use. */
export const sessionLimits = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE sessions ADD COLUMN idle_ends_at ${t.time};
ALTER TABLE oauth_apps ADD COLUMN session_expiry_in_id_token ${t.bool} NOT NULL DEFAULT false;
`;
