import { standardClaims } from "./claims.ts";
import type { Preset } from "./preset.ts";

export const linkedin: Preset = {
  name: "linkedin",
  label: "LinkedIn",
  protocol: "oidc",
  issuer: "https://www.linkedin.com/oauth",
  needs: ["client_secret"],
  takes: [],
  scopes: ["openid", "email", "profile"],
  id_token_algorithms: ["RS256"],
  // LinkedIn's token endpoint returns `invalid_client` if a code challenge was sent.
  pkce: "refused",
  nonce: "ignored",
  client_authentication: "client_secret_post",
  honours: { prompts: [], max_age: false },
  userinfo: false,
  read: standardClaims,
  checksEmail: () => true,
};
