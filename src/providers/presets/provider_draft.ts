import type { Provider } from "../../records/definition/definition.ts";

export type ProviderDraft = Pick<
  Provider,
  | "slug"
  | "preset"
  | "issuer"
  | "authorization_endpoint"
  | "token_endpoint"
  | "userinfo_endpoint"
  | "settings"
  | "email_trust"
  | "email_domains"
  | "sign_up"
  | "allowed_tenants"
  | "trust_amr"
>;

/** Returns a new provider with defaults for omitted values. */
export function wholeDraft<R extends Partial<ProviderDraft> & Pick<Provider, "preset">>(
  record: R,
): ProviderDraft & R {
  return {
    slug: "",
    issuer: null,
    authorization_endpoint: null,
    token_endpoint: null,
    userinfo_endpoint: null,
    settings: {},
    email_trust: "never",
    email_domains: [],
    sign_up: "never",
    allowed_tenants: [],
    trust_amr: false,
    ...record,
  };
}
