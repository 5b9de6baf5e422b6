import { joined, standardClaims, textOf } from "./claims.ts";
import type { Preset } from "./preset.ts";

/** An account belongs to one workspace. The token endpoint returns errors with status 200 and `ok: false`. */
export const slack: Preset = {
  name: "slack",
  label: "Slack",
  protocol: "oidc",
  issuer: "https://slack.com",
  needs: ["client_secret"],
  takes: ["allowed_tenants"],
  scopes: ["openid", "email", "profile"],
  id_token_algorithms: ["RS256"],
  // Slack answers a code verifier sent with a client secret with the error `internal_error`.
  pkce: "refused",
  // If no nonce is sent, the id_token contains an empty one.
  nonce: "always",
  client_authentication: "client_secret_post",
  parameters: ({ allowed_tenants: [team, ...others] }) => ({
    ...(team !== undefined && others.length === 0 && { team }),
  }),
  honours: { prompts: [], max_age: false },
  userinfo: false,
  read: (claims) => {
    const team = textOf(claims["https://slack.com/team_id"]);
    return { ...standardClaims(claims), subject: joined(team, textOf(claims.sub)), tenant: team };
  },
  checksEmail: () => true,
};
