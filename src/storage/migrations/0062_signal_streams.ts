import type { Kind } from "../../records/definition/field.ts";

export const signalStreams = (t: Readonly<Record<Kind, string>>): string => `
CREATE TABLE signal_streams (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  app_id ${t.uuid} NOT NULL REFERENCES oauth_apps (id) ON DELETE CASCADE,
  status ${t.string} NOT NULL DEFAULT 'enabled',
  status_reason ${t.string},
  delivery_method ${t.string} NOT NULL,
  endpoint_url ${t.string},
  authorization_sealed ${t.text},
  description ${t.string},
  events_requested ${t.json} NOT NULL,
  subject_format ${t.string} NOT NULL DEFAULT 'iss_sub',
  removed_subjects ${t.json} NOT NULL,
  position ${t.long} NOT NULL,
  acknowledged ${t.json} NOT NULL,
  controls ${t.json} NOT NULL,
  verified_at ${t.time},
  last_active_at ${t.time} NOT NULL,
  created_at ${t.time} NOT NULL,
  updated_at ${t.time} NOT NULL,
  CONSTRAINT signal_streams_app_id_key UNIQUE (app_id)
);
`;
