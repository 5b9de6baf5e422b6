import type { Kind } from "../../records/definition/field.ts";

export const profilesOfApps = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN profile ${t.string};
ALTER TABLE oauth_apps ADD COLUMN token_endpoint_auth_signing_alg ${t.string};
`;
