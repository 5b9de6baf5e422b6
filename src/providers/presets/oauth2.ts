import { addressOf, identifierOf, memberOf, textOf, truthOf } from "./claims.ts";
import { type Preset, statedMetadata } from "./preset.ts";

export const oauth2: Preset = {
  name: "oauth2",
  label: "OAuth 2.0",
  protocol: "oauth2",
  metadata: (settings) => statedMetadata(undefined, settings),
  needs: ["endpoints", "client_secret", "claim_names"],
  takes: ["issuer", "pkce", "revocation_endpoint"],
  usual_claim_names: { subject: "id", email: "email", name: "name" },
  scopes: [],
  id_token_algorithms: [],
  pkce: "switchable",
  nonce: "none",
  client_authentication: "client_secret_basic",
  honours: { prompts: [], max_age: false },
  userinfo: true,
  read: (claims, { claim_names: names }) => ({
    subject: identifierOf(memberOf(claims, names?.subject)),
    email: addressOf(memberOf(claims, names?.email)),
    email_verified: truthOf(memberOf(claims, names?.email_verified)),
    name: textOf(memberOf(claims, names?.name)),
    picture: textOf(memberOf(claims, names?.picture)),
    tenant: undefined,
  }),
  speaksForDomains: () => true,
  checksEmail: ({ email_trust }) => email_trust === "claim",
  revocation: "rfc7009",
};
