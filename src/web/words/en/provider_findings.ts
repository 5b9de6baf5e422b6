import type { ProviderFindingSentences } from "../sentences.ts";

/** What a look at an external provider found. */
export const providerFindings: ProviderFindingSentences = {
  expected: (value) => `expected ${value}`,
  received: (value) => `received ${value}`,
  sentences: {
    address: ({ address }) => address,
    lacks: ({ members }) => `the record lacks ${members.join(", ")}`,
    proves_itself: "the client can prove itself",
    secret_not_opened: "the secret key of this server does not open the stored secret; give the secret again",
    published_by: ({ address }) => `published by ${address}`,
    stated_for: ({ address }) => `stated here for ${address}`,
    algorithms_not_accepted: ({ published, accepted }) =>
      `id_tokens are signed by ${published.join(", ")}; accepted are ${accepted.join(", ")}`,
    public_keys: ({ count }) => `${count} public keys`,
    s256_sent: "S256 is sent",
    s256_sent_and_taken: "S256 is sent, and the provider publishes that it takes it",
    s256_not_taken: "S256 is sent; the provider publishes that it does not take it",
    no_time: "the provider does not say what time it is",
    clocks_differ: ({ seconds, most }) => `the clocks differ by ${seconds} seconds; up to ${most} are taken`,
    no_nonce: ({ provider }) =>
      `${provider} returns no nonce: the code alone binds the id_token to this sign-in, by the client secret and a callback address of its own`,
    pkce_refused: ({ provider }) =>
      `${provider} refuses PKCE: state, client secret and a callback address of its own protect the code`,
    pkce_switched_off:
      "PKCE is switched off: state, client secret and a callback address of its own protect the code",
    timeout: "the provider did not answer in time",
    unreachable: "the provider cannot be reached",
    tls: "the provider has a certificate that cannot be verified",
    address_refused: "the provider has an address that this server does not connect to",
    busy: "the provider has too many requests of this server under way",
    too_large: "the provider answered with too many bytes",
    encoded: "the provider packed its answer though nobody asked it to",
    redirect: "the provider answered with a redirect",
    status: "the provider answered with an unexpected status",
    not_json: "the provider answered with something else than a JSON object",
    metadata_issuer: "the provider publishes a document of another issuer",
    metadata_member: "the provider publishes a document that lacks an address, or has a wrong one",
    keys: "the provider publishes no key set that can be read",
    not_configured: "the record lacks a setting",
    other_fault: ({ field }) => `the provider answered with a wrong ${field}`,
  },
};
