import { addressOf, identifierOf, textOf, truthOf } from "./claims.ts";
import { type Preset, statedMetadata, type UpstreamClaims } from "./preset.ts";

/** Returns the member at a path such as `data.user.id`. */
function memberOf(claims: UpstreamClaims, name: string | undefined): unknown {
  if (name === undefined) return undefined;
  return name.split(".").reduce<unknown>((value, member) => {
    const isObject = typeof value === "object" && value !== null;
    return isObject && Object.hasOwn(value, member) ? (value as UpstreamClaims)[member] : undefined;
  }, claims);
}

/** Any OAuth 2.0 provider: its userinfo endpoint identifies the user, in members that the record names. */
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
