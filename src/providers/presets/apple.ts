import { standardClaims } from "./claims.ts";
import type { Preset } from "./preset.ts";

/**
 * The subject is the same for all applications of a team. Apple sends the user's name in an unsigned form
 * field, so it proves nothing and is only displayed.
 */
export const apple: Preset = {
  name: "apple",
  label: "Apple",
  protocol: "oidc",
  issuer: "https://appleid.apple.com",
  // For a day in June 2025, Apple's discovery document named a different issuer than its tokens.
  metadata: ({ issuer = "https://appleid.apple.com" }) => ({
    issuer,
    authorization_endpoint: `${issuer}/auth/authorize`,
    token_endpoint: `${issuer}/auth/token`,
    jwks_uri: `${issuer}/auth/keys`,
    revocation_endpoint: `${issuer}/auth/revoke`,
    iss_parameter: false,
  }),
  needs: ["private_key", "key_id", "team_id"],
  takes: [],
  scopes: ["openid", "email", "name"],
  id_token_algorithms: ["RS256"],
  // Undocumented, but Apple enforces the code challenge if one was sent.
  pkce: "always",
  nonce: "always",
  // Apple rejects any other response mode if a scope is requested.
  response_mode: "form_post",
  client_authentication: "signed_secret",
  honours: { prompts: [], max_age: false },
  userinfo: false,
  // Addresses of Apple's private email relay count as verified too, because Apple assigns each to one user.
  read: standardClaims,
  checksEmail: () => true,
  revocation: "rfc7009",
};
