import type { Kind } from "../../records/definition/field.ts";
import type { Dialect } from "../database/dialect.ts";

/** The tokens of a grant that a user has ended are invalid before all rows are marked. */
export const endedGrants = (t: Readonly<Record<Kind, string>>, database: Dialect["name"]): string => `
ALTER TABLE users ADD COLUMN ended_grants ${t.json};
${
  database === "sqlite"
    ? `DROP INDEX oauth_tokens_session_id;
CREATE INDEX oauth_tokens_session_id ON oauth_tokens (session_id, id) WHERE session_id IS NOT NULL;`
    : ""
}
`;
