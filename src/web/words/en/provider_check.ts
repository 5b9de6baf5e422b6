export const providerCheckWords = {
  title: "Redirect URI",
  lead: "Register this address at the provider, character by character.",
  unready: "Users cannot sign in through it yet: it has no client secret or private key.",
  check: "Check this provider",
  checkLead: "Fetches what the provider publishes: issuer, keys, algorithms, and its clock.",
  found: (name: string) => `Results for ${name}`,
  well: "No problems found: users should be able to sign in through it.",
  wrong: "Users cannot sign in through it until you fix this.",
  tooOften: "It was checked a moment ago. Try again later.",
  again: "Check again",
  back: "Back to the provider",
  ok: "OK",
  fault: "Problem",
  state: "State",
  what: "Check",
  detail: "Finding",
  checks: {
    redirect_uri: "Redirect URI",
    settings: "Settings",
    metadata: "Published metadata",
    keys: "Keys and algorithms",
    pkce: "PKCE sent",
    protection: "Missing protection",
    clock: "Clock",
  },
};

export type ProviderCheckWords = typeof providerCheckWords;
