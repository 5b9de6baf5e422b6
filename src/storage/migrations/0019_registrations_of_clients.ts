import type { Kind } from "../../records/definition/field.ts";

export const registrationsOfClients = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN registration ${t.json};
ALTER TABLE oauth_apps ADD COLUMN client_ip ${t.string};
ALTER TABLE oauth_apps ADD COLUMN last_used_at ${t.time};
CREATE INDEX oauth_apps_open ON oauth_apps (id) WHERE provenance <> 'registered';
`;
