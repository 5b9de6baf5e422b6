import { isOfDomain } from "../../records/formats/sign_up.ts";
import { standardClaims, textOf, truthOf } from "./claims.ts";
import type { Preset } from "./preset.ts";

/** For Google, a tenant is the primary domain of a Workspace organization (claim `hd`). */
export const google: Preset = {
  name: "google",
  label: "Google",
  protocol: "oidc",
  issuer: "https://accounts.google.com",
  // According to Google's documentation, id_tokens for old clients have the issuer without the scheme.
  tokenIssuers: (issuer) => [issuer, issuer.replace(/^https:\/\//, "")],
  needs: ["client_secret"],
  takes: ["allowed_tenants"],
  tenants_are: "domains",
  scopes: ["openid", "email", "profile"],
  id_token_algorithms: ["RS256"],
  pkce: "always",
  nonce: "always",
  client_authentication: "client_secret_post",
  parameters: ({ allowed_tenants: [hd, ...others], keep_tokens }) => ({
    // Only a hint for Google's sign-in page; the claim `hd` is verified afterwards.
    ...(hd !== undefined && { hd: others.length === 0 ? hd : "*" }),
    ...(keep_tokens && { access_type: "offline", prompt: "consent" }),
  }),
  honours: { prompts: ["select_account"], max_age: false },
  userinfo: false,
  read: (claims) => ({ ...standardClaims(claims), tenant: textOf(claims.hd)?.toLowerCase() }),
  // A Google account may have any email address; Google is authoritative only for addresses of Gmail and of
  // the account's Workspace domain.
  runsMailbox: ({ email, email_verified, hd }) => {
    const domains = ["gmail.com", textOf(hd) ?? ""];
    return truthOf(email_verified) === true && isOfDomain(textOf(email) ?? "", domains);
  },
  checksEmail: () => true,
  revocation: "rfc7009",
};
