/** The card and the page that look at an external provider. */
export const providerCheckWords = {
  title: "Redirect URI",
  lead: "Register this address at the provider, character by character.",
  unready: "Nobody can sign in through it yet: it has no client secret or private key.",
  check: "Check this provider",
  checkLead: "Fetches what the provider publishes: issuer, keys, algorithms, and its clock.",
  found: (name: string) => `What ${name} answers`,
  well: "No fault found: people should be able to sign in through it.",
  wrong: "People cannot sign in through it until you fix this.",
  tooOften: "It was checked a moment ago. Try again later.",
  again: "Check again",
  back: "Back to the provider",
  ok: "Good",
  fault: "Wrong",
  state: "State",
  what: "What was looked at",
  detail: "Finding",
  checks: {
    redirect_uri: "Redirect URI",
    settings: "Settings",
    metadata: "What it publishes",
    keys: "Keys and algorithms",
    pkce: "PKCE sent",
    protection: "Protection it lacks",
    clock: "Clock",
  },
};

export type ProviderCheckWords = typeof providerCheckWords;
