import { addressOf, identifierOf, standardClaims, textOf } from "./claims.ts";
import { type Preset, statedMetadata } from "./preset.ts";

interface Email {
  readonly email?: unknown;
  readonly primary?: unknown;
  readonly verified?: unknown;
}

/**
 * GitHub returns token endpoint errors with status 200. Only its list of email addresses states which ones
 * were verified.
 */
export const github: Preset = {
  name: "github",
  label: "GitHub",
  protocol: "oauth2",
  metadata: (settings) => {
    const stated = statedMetadata(
      {
        authorization: "https://github.com/login/oauth/authorize",
        token: "https://github.com/login/oauth/access_token",
        userinfo: "https://api.github.com/user",
      },
      settings,
    );
    // The default issuer is derived from the authorization endpoint. It therefore fits GitHub Enterprise too,
    // which uses the same path on the operator's own host.
    return (
      stated && {
        ...stated,
        issuer: stated.issuer ?? stated.authorization_endpoint.replace(/\/authorize$/, ""),
      }
    );
  },
  needs: ["client_secret"],
  takes: ["issuer", "endpoints"],
  scopes: ["read:user", "user:email"],
  id_token_algorithms: [],
  pkce: "always",
  nonce: "none",
  client_authentication: "client_secret_post",
  honours: { prompts: ["select_account"], max_age: false },
  userinfo: true,
  further_claims: ({ userinfo_endpoint }) => ({ emails: `${userinfo_endpoint}/emails` }),
  read: (claims) => {
    const emails: readonly Email[] = Array.isArray(claims.emails) ? claims.emails : [];
    const primary = emails.find((entry) => entry?.primary === true);
    return {
      ...standardClaims(claims),
      // The numeric ID, because a login name may be reassigned to another user.
      subject: identifierOf(claims.id),
      email: addressOf(primary?.email),
      email_verified: primary?.verified === true,
      name: textOf(claims.name) ?? textOf(claims.login),
      picture: textOf(claims.avatar_url),
    };
  },
  checksEmail: () => true,
  revocation: "github",
};
