import { standardClaims } from "./claims.ts";
import type { Preset } from "./preset.ts";

export const oidc: Preset = {
  name: "oidc",
  label: "OpenID Connect",
  protocol: "oidc",
  needs: ["issuer"],
  takes: ["client_secret"],
  scopes: ["openid", "email", "profile"],
  id_token_algorithms: [
    "RS256",
    "PS256",
    "ES256",
    "EdDSA",
    "Ed25519",
    "RS384",
    "RS512",
    "PS384",
    "PS512",
    "ES384",
    "ES512",
  ],
  pkce: "always",
  nonce: "always",
  client_authentication: "client_secret_basic",
  honours: { prompts: ["login", "select_account"], max_age: true },
  userinfo: true,
  read: standardClaims,
  speaksForDomains: () => true,
  checksEmail: ({ email_trust }) => email_trust === "claim",
  revocation: "rfc7009",
};
