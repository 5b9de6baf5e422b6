import { identifierOf, standardClaims } from "./claims.ts";
import { type Preset, statedMetadata } from "./preset.ts";

/**
 * The user's ID is specific to the application. Accounts created with a telephone number may have no email
 * address.
 */
export const facebook: Preset = {
  name: "facebook",
  label: "Facebook",
  protocol: "oauth2",
  metadata: (settings) =>
    statedMetadata(
      {
        authorization: "https://www.facebook.com/dialog/oauth",
        token: "https://graph.facebook.com/oauth/access_token",
        userinfo: "https://graph.facebook.com/me?fields=id,name,email",
      },
      settings,
      "https://www.facebook.com",
    ),
  needs: ["client_secret"],
  takes: ["issuer", "endpoints"],
  scopes: ["email", "public_profile"],
  id_token_algorithms: [],
  pkce: "always",
  nonce: "none",
  client_authentication: "client_secret_post",
  honours: { prompts: [], max_age: false },
  userinfo: true,
  read: (claims) => ({ ...standardClaims(claims), subject: identifierOf(claims.id), picture: undefined }),
  // Facebook does not state whether an email address was verified.
  checksEmail: () => false,
};
