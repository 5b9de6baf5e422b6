import type { Kind } from "../../records/definition/field.ts";

/** Adds the profile that applies to an app, and the algorithm of its client assertions (RFC 7591 2). */
export const profilesOfApps = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN profile ${t.string};
ALTER TABLE oauth_apps ADD COLUMN token_endpoint_auth_signing_alg ${t.string};
`;
