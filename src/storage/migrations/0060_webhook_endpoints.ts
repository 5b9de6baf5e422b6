import type { Kind } from "../../records/definition/field.ts";

/** docs/decisions/events.md describes webhook endpoints. */
export const webhookEndpoints = (t: Readonly<Record<Kind, string>>): string => `
CREATE TABLE webhook_endpoints (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  organization_id ${t.uuid} REFERENCES organizations (id) ON DELETE CASCADE,
  url ${t.string} NOT NULL,
  description ${t.string},
  types ${t.json} NOT NULL,
  secrets_sealed ${t.text} NOT NULL,
  internal ${t.bool} NOT NULL DEFAULT FALSE,
  active ${t.bool} NOT NULL DEFAULT TRUE,
  position ${t.long} NOT NULL DEFAULT 0,
  failing_since ${t.time},
  disabled_reason ${t.string},
  created_at ${t.time} NOT NULL,
  updated_at ${t.time} NOT NULL,
  behind ${t.bool} NOT NULL DEFAULT FALSE
);
CREATE INDEX webhook_endpoints_organization_id ON webhook_endpoints (organization_id, id);
CREATE INDEX webhook_endpoints_by_created_at ON webhook_endpoints (created_at, id);
CREATE INDEX webhook_endpoints_behind ON webhook_endpoints (id) WHERE behind;
`;
