import type { Kind } from "../../records/definition/field.ts";

/** Existing endpoints continue to receive events without records. */
export const webhookRecords = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE webhook_endpoints ADD COLUMN include ${t.json} NOT NULL DEFAULT '[]';
`;
