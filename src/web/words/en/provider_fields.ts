/** Words of the fields of external providers. */
import type { Provider } from "../../../records/definition/definition.ts";

type Of<Value extends string> = Readonly<Record<Value, string>>;

/** By the name of the field. */
export type ProviderValues = {
  /** Of those that are no provider's name. */
  readonly preset: Of<"oidc" | "oauth2">;
  readonly email_trust: Of<Provider["email_trust"]>;
  readonly sign_up: Of<Provider["sign_up"]>;
  readonly link: Of<Provider["link"]>;
  readonly links: Of<"delete">;
};

export const providerLabels = {
  allowed_tenants: "Allowed tenants",
  authorization_endpoint: "Authorization endpoint",
  client_secret: "Client secret or private key",
  email_domains: "E-mail domains",
  email_trust: "Trust in e-mail addresses",
  issuer: "Issuer",
  keep_tokens: "Keep its tokens",
  label: "Name on the button",
  link: "When the e-mail has an account here",
  links: "Linked accounts",
  preset: "Kind of provider",
  provider_id: "Provider record",
  sign_up: "Who may get an account",
  token_endpoint: "Token endpoint",
  trust_amr: "Trust in its second factor",
  userinfo_endpoint: "User information endpoint",
};

export const providerHelp = {
  allowed_tenants:
    "One per line: tenant IDs of Microsoft, domains of Google Workspace, workspace IDs of Slack. Leave empty to allow everybody.",
  client_secret:
    "From the provider. For Apple, the private key in PEM. It is stored encrypted and never shown. Leave empty to keep the current one.",
  email_domains: "One per line, such as example.com. For trust by domain, and for accounts by domain.",
  email_trust:
    "A wrong choice gives accounts away: an address that is trusted opens the account that has it.",
  issuer: "An https address, exactly as the provider publishes it.",
  keep_tokens: "Stored encrypted, to revoke them at the provider when a link is removed. Nobody reads them.",
  label: "People choose the provider by it.",
  link: "Automatically only where the provider runs the mailbox itself.",
  links: "Needed while there are any. These people sign in in another way afterwards.",
  provider_active: "While switched off, nobody can sign in with it. Linked accounts stay.",
  provider_client_id: "The client ID that the provider gave to this server.",
  provider_scopes: "Separated by spaces, commas or lines. Leave empty for those that signing in needs.",
  provider_slug:
    "Part of the redirect URI and of linked accounts. You can't change it while there are linked accounts.",
  trust_amr: "People who gave a second factor there are not asked for one here.",
};

export const providerValues: ProviderValues = {
  preset: { oidc: "Any OpenID provider", oauth2: "Any OAuth 2.0 provider" },
  email_trust: {
    never: "None",
    claim: "Where the provider says it is verified",
    domains: "All addresses of the e-mail domains",
  },
  sign_up: {
    never: "Nobody",
    invited: "People who were invited",
    domains: "People of the e-mail domains",
    anyone: "Anybody",
  },
  link: { ask: "Ask for a proof of the account", automatic: "Link automatically where it is safe" },
  links: { delete: "Delete them" },
};
