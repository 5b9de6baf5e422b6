import { identifierOf, standardClaims, textOf, truthOf } from "./claims.ts";
import { type Preset, statedMetadata } from "./preset.ts";

/** OAuth 2.0, because Discord's id_token does not state whether the email address was verified. */
export const discord: Preset = {
  name: "discord",
  label: "Discord",
  protocol: "oauth2",
  metadata: (settings) =>
    statedMetadata(
      {
        authorization: "https://discord.com/oauth2/authorize",
        token: "https://discord.com/api/oauth2/token",
        userinfo: "https://discord.com/api/users/@me",
        revocation: "https://discord.com/api/oauth2/token/revoke",
      },
      settings,
      "https://discord.com",
    ),
  needs: ["client_secret"],
  takes: ["issuer", "endpoints"],
  scopes: ["identify", "email"],
  id_token_algorithms: [],
  pkce: "always",
  nonce: "none",
  client_authentication: "client_secret_basic",
  honours: { prompts: [], max_age: false },
  userinfo: true,
  read: (claims) => ({
    ...standardClaims(claims),
    subject: identifierOf(claims.id),
    email_verified: truthOf(claims.verified),
    name: textOf(claims.global_name) ?? textOf(claims.username),
    picture: undefined,
  }),
  checksEmail: () => true,
  revocation: "rfc7009",
};
