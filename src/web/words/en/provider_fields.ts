import type { Provider } from "../../../records/definition/definition.ts";

type Of<Value extends string> = Readonly<Record<Value, string>>;

export type ProviderValues = {
  /** Every other preset is shown with the name of its provider. */
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
  email_domains: "Email domains",
  email_trust: "Trust in email addresses",
  issuer: "Issuer",
  attribute_claims: "Claims of attributes",
  keep_tokens: "Store its tokens",
  label: "Name on the button",
  link: "If the email address has an account here",
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
    "One per line: tenant IDs of Microsoft, domains of Google Workspace, workspace IDs of Slack. Leave empty to allow all of them.",
  client_secret:
    "From the provider. For Apple, the private key in PEM. It is stored encrypted and never shown. Leave empty to keep the current one.",
  new_client_secret:
    "From the provider. For Apple, the private key in PEM. It is stored encrypted and never shown.",
  email_domains:
    "One per line, such as example.com. Used if trust in email addresses, or the right to get an account, depends on the domain.",
  email_trust:
    "A wrong choice exposes accounts: a provider that vouches for an address can sign in to the account with that address.",
  issuer: "An https address, exactly as the provider publishes it.",
  attribute_claims:
    'A JSON object of attributes and claims, such as { "department": "dept" }. Only providers write these attributes, and a missing claim removes the value.',
  keep_tokens:
    "The tokens are stored encrypted. They are used only to revoke them at the provider when a link is removed.",
  label: "Users choose the provider by this name.",
  link: "Accounts are linked automatically only if the provider runs the mailbox.",
  links: "Required while linked accounts exist. Their users must sign in another way afterwards.",
  provider_active: "While it is switched off, users cannot sign in with it. Linked accounts remain.",
  provider_client_id: "The client ID that the provider issued to this server.",
  provider_reserved:
    "Only platform administrators can choose more options, such as trust in email addresses and automatic links.",
  provider_scopes: "Separated by spaces, commas or lines. Leave empty for the scopes that a sign-in needs.",
  new_provider_slug:
    "Part of the redirect URI, which you register at the provider: this server's URL followed by /sign-in/, the slug and /callback. You can't change the slug while linked accounts exist.",
  provider_slug:
    "Part of the redirect URI and of linked accounts. You can't change it while linked accounts exist.",
  trust_amr: "Users who confirmed a second factor there are not asked for one here.",
};

export const providerValues: ProviderValues = {
  preset: { oidc: "Any OpenID provider", oauth2: "Any OAuth 2.0 provider" },
  email_trust: {
    never: "None",
    claim: "Where the provider says it is verified",
    domains: "All addresses in the email domains",
  },
  sign_up: {
    never: "No one",
    invited: "People who were invited",
    domains: "People with an address in the email domains",
    anyone: "Anyone",
  },
  link: { ask: "Ask for proof of ownership", automatic: "Link automatically where it is safe" },
  links: { delete: "Delete them" },
};
