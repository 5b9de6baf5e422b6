import type { Kind } from "../../records/definition/field.ts";

/** Adds which records a webhook includes with an event. */
export const webhookRecords = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE webhook_endpoints ADD COLUMN include ${t.json} NOT NULL DEFAULT '[]';
`;
