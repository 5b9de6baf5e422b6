import type { Kind } from "../../records/definition/field.ts";

/** A provider's logout token names the `upstream_session`. */
export const upstreamSessions = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE sessions ADD COLUMN upstream_session ${t.signature};
CREATE INDEX sessions_upstream_session ON sessions (upstream_session) WHERE upstream_session IS NOT NULL;
`;
