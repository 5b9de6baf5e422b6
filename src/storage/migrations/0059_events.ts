import type { Kind } from "../../records/definition/field.ts";

/** One index contains only events without a position, so it is usually empty (docs/decisions/events.md). */
export const events = (t: Readonly<Record<Kind, string>>): string => `
CREATE TABLE events (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  position ${t.long},
  arrived ${t.long} NOT NULL,
  type ${t.string} NOT NULL,
  subject_kind ${t.string} NOT NULL,
  subject_id ${t.uuid} NOT NULL,
  organization_id ${t.uuid},
  actor_kind ${t.string} NOT NULL,
  data ${t.json} NOT NULL,
  created_at ${t.time} NOT NULL,
  CONSTRAINT events_position_key UNIQUE (position)
);
CREATE INDEX events_arrived ON events (arrived, id) WHERE position IS NULL;
CREATE INDEX events_subject_id ON events (subject_id, id);
CREATE INDEX events_organization_id ON events (organization_id, id);
CREATE INDEX events_of_organization ON events (organization_id, position);
`;
