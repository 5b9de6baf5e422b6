import type { Kind } from "../../records/definition/field.ts";

export const organizationContext = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN organization_mode ${t.string} NOT NULL DEFAULT 'none';
CREATE INDEX oauth_apps_organization_mode ON oauth_apps (id) WHERE organization_mode <> 'none';
ALTER TABLE oauth_tokens ADD COLUMN membership_id ${t.uuid};
ALTER TABLE oauth_auth_codes ADD COLUMN membership_id ${t.uuid};
`;

export const claimSurfaces = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN claims ${t.json};
ALTER TABLE resources ADD COLUMN claims ${t.json};
`;

export const signInAudiences = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN who_may_sign_in ${t.string} NOT NULL DEFAULT 'any';
`;
