import type { Kind } from "../../records/definition/field.ts";

export const webhookRecords = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE webhook_endpoints ADD COLUMN include ${t.json} NOT NULL DEFAULT '[]';
`;
