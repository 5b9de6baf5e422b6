import type { Kind } from "../../records/definition/field.ts";
import type { Dialect } from "../database/dialect.ts";

/** No index contains counts, because they change every second. */
export const statisticsAndRefusals = (
  t: Readonly<Record<Kind, string>>,
  database: Dialect["name"],
): string => `
CREATE TABLE refusals (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  short_id ${t.string} NOT NULL CONSTRAINT refusals_short_id_key UNIQUE,
  endpoint ${t.string} NOT NULL,
  error ${t.string} NOT NULL,
  description ${t.text} NOT NULL,
  app_id ${t.uuid} REFERENCES oauth_apps (id) ON DELETE CASCADE,
  user_id ${t.uuid} REFERENCES users (id) ON DELETE CASCADE,
  evidence ${t.json} NOT NULL,
  request_id ${t.string},
  client_ip ${t.string},
  user_agent ${t.string},
  created_at ${t.time} NOT NULL,
  expires_at ${t.time} NOT NULL
);
CREATE INDEX refusals_app_id ON refusals (app_id, id) WHERE app_id IS NOT NULL;
CREATE INDEX refusals_user_id ON refusals (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX refusals_error ON refusals (error, id);

CREATE TABLE statistics (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  kind ${t.string} NOT NULL,
  subject ${t.uuid} NOT NULL,
  hour ${t.time} NOT NULL,
  count ${t.int} NOT NULL,
  CONSTRAINT statistics_subject__kind__hour_key UNIQUE (subject, kind, hour)
);
CREATE INDEX statistics_kind ON statistics (kind, hour, subject);
${database === "postgres" ? "ALTER TABLE statistics SET (fillfactor = 70);" : ""}

DROP INDEX oauth_auth_codes_user_id;
CREATE INDEX oauth_auth_codes_user_id ON oauth_auth_codes (user_id, id);
DROP INDEX oauth_auth_codes_app_id;
CREATE INDEX oauth_auth_codes_app_id ON oauth_auth_codes (app_id, id);
`;
