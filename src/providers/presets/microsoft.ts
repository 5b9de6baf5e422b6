import { joined, standardClaims, textOf, truthOf } from "./claims.ts";
import type { Preset, UpstreamClaims } from "./preset.ts";
import type { ProviderSettings } from "./provider_settings.ts";

const own = "https://login.microsoftonline.com";

const consumers = "9188040d-6c67-4c5b-b112-36a304b66dad";

const templated = "{tenantid}";

/** Returns the tenant ID in an issuer; undefined if the issuer serves several tenants. */
function tenantOf(issuer: string): string | undefined {
  return /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/|$)/i.exec(issuer)?.[1]?.toLowerCase();
}

function isAllowed(claims: UpstreamClaims, { issuer = "", allowed_tenants }: ProviderSettings): boolean {
  const tid = textOf(claims.tid)?.toLowerCase();
  return tid !== undefined && (allowed_tenants.includes(tid) || tenantOf(issuer) === tid);
}

/**
 * `sub` differs between applications, so tenant and object ID are the subject. Anyone may enter any email
 * address in a tenant, so `email` counts only if the record names the tenant. Microsoft must also state that
 * the tenant owns the domain (`xms_edov`), unless `email_trust` is `domains`.
 */
export const microsoft: Preset = {
  name: "microsoft",
  label: "Microsoft",
  protocol: "oidc",
  issuer: `${own}/common/v2.0`,
  discoveredIssuer: (issuer) =>
    issuer
      .replace(/\/(common|organizations)(?=\/|$)/, `/${templated}`)
      .replace(/\/consumers(?=\/|$)/, `/${consumers}`),
  tokenIssuers: (issuer, { tid }) => {
    if (!issuer.includes(templated)) return [issuer];
    const tenant = textOf(tid);
    if (tenant === undefined || tenantOf(`/${tenant}`) === undefined) return [];
    return [issuer.replace(templated, () => tenant)];
  },
  needs: ["client_secret"],
  takes: ["issuer", "allowed_tenants"],
  tenants_are: "uuids",
  runsIssuer: (issuer) => issuer.startsWith(`${own}/`),
  scopes: ["openid", "email", "profile"],
  id_token_algorithms: ["RS256"],
  pkce: "always",
  nonce: "always",
  client_authentication: "client_secret_post",
  honours: { prompts: ["login", "select_account"], max_age: true },
  userinfo: false,
  read: (claims) => {
    const tid = textOf(claims.tid)?.toLowerCase();
    return {
      ...standardClaims(claims),
      subject: joined(tid, textOf(claims.oid)),
      tenant: tid,
    };
  },
  runsMailbox: (claims, settings) => truthOf(claims.xms_edov) === true && isAllowed(claims, settings),
  speaksForDomains: isAllowed,
  // If `email_verified` is present, an administrator of the tenant has added it.
  checksEmail: () => false,
};
