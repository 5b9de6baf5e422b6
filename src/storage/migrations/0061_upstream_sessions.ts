import type { Kind } from "../../records/definition/field.ts";

/**
 * Lets sessions be found by the session at the provider, which the provider's logout tokens name. The index
 * is partial, because most sessions do not depend on such a session.
 */
export const upstreamSessions = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE sessions ADD COLUMN upstream_session ${t.signature};
CREATE INDEX sessions_upstream_session ON sessions (upstream_session) WHERE upstream_session IS NOT NULL;
`;
