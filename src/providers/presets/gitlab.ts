import { standardClaims } from "./claims.ts";
import type { Preset } from "./preset.ts";

const own = "https://gitlab.com";

/** Two self-hosted instances may have equal subjects, so each has its own slug. */
export const gitlab: Preset = {
  name: "gitlab",
  label: "GitLab",
  protocol: "oidc",
  issuer: own,
  needs: ["client_secret"],
  takes: ["issuer"],
  scopes: ["openid", "email", "profile"],
  id_token_algorithms: ["RS256"],
  pkce: "always",
  nonce: "always",
  client_authentication: "client_secret_basic",
  honours: { prompts: [], max_age: false },
  // Some claims are available only from the userinfo endpoint.
  userinfo: true,
  read: standardClaims,
  // The operator of a self-hosted instance can mark any email address as confirmed.
  checksEmail: ({ issuer = own, email_trust }) => issuer === own || email_trust === "claim",
  speaksForDomains: (_claims, { issuer = own }) => issuer !== own,
  revocation: "rfc7009",
};
