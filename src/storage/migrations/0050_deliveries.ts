import type { Kind } from "../../records/definition/field.ts";

/** docs/decisions/events.md describes the queue. */
export const deliveries = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN backchannel_logout_uri ${t.string};
ALTER TABLE oauth_apps ADD COLUMN backchannel_logout_session_required ${t.bool} NOT NULL DEFAULT FALSE;
ALTER TABLE oauth_apps ADD COLUMN backchannel_logout_internal ${t.bool} NOT NULL DEFAULT FALSE;
CREATE TABLE session_apps (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  session_id ${t.uuid} NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  app_id ${t.uuid} NOT NULL REFERENCES oauth_apps (id) ON DELETE CASCADE,
  first_at ${t.time} NOT NULL,
  CONSTRAINT session_apps_session_id__app_id_key UNIQUE (session_id, app_id)
);
CREATE INDEX session_apps_app_id ON session_apps (app_id);
CREATE TABLE deliveries (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  kind ${t.string} NOT NULL,
  target_id ${t.uuid} NOT NULL,
  organization_id ${t.uuid},
  subject_key ${t.string} NOT NULL,
  event_id ${t.string},
  state ${t.string} NOT NULL DEFAULT 'waiting',
  due_at ${t.time} NOT NULL,
  attempt ${t.int} NOT NULL DEFAULT 0,
  last_status ${t.int},
  last_fault ${t.string},
  expires_at ${t.time} NOT NULL,
  created_at ${t.time} NOT NULL,
  claimed_until ${t.time},
  claimed_by ${t.uuid}
);
CREATE INDEX deliveries_due ON deliveries (due_at, target_id, subject_key, id) WHERE state = 'waiting';
CREATE INDEX deliveries_in_turn ON deliveries (target_id, subject_key, id) WHERE state = 'waiting';
CREATE INDEX deliveries_target_id ON deliveries (target_id, id);
CREATE INDEX deliveries_organization_id ON deliveries (organization_id, id);
`;
