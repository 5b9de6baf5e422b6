import type { ProviderFindingSentences } from "../parts/sentences.ts";
import { fieldLabels } from "./field_labels.ts";
import { plural } from "./plural.ts";

const keys = plural({ one: (count) => `${count} public key`, other: (count) => `${count} public keys` });
const seconds = plural({ one: (count) => `${count} second`, other: (count) => `${count} seconds` });

export const providerFindings: ProviderFindingSentences = {
  expected: (value) => `expected ${value}`,
  received: (value) => `received ${value}`,
  sentences: {
    address: ({ address }) => address,
    lacks: ({ members }) => `the record has no ${members.join(", ")}`,
    proves_itself: "the client can authenticate",
    secret_not_opened:
      "the secret key of this server cannot decrypt the stored client secret; enter the secret again",
    published_by: ({ address }) => `published by ${address}`,
    stated_for: ({ address }) => `entered here for ${address}`,
    algorithms_not_accepted: ({ published, accepted }) =>
      `ID tokens are signed with ${published.join(", ")}; this server accepts ${accepted.join(", ")}`,
    public_keys: ({ count }) => keys(count),
    s256_sent: "S256 is sent",
    s256_sent_and_taken: "S256 is sent, and the provider says it supports it",
    s256_not_taken: "S256 is sent, but the provider says it does not support it",
    no_time: "the response of the provider has no Date header",
    clocks_differ: ({ seconds: count, most }) =>
      `the clocks differ by ${seconds(count)}; up to ${most} are accepted`,
    no_nonce: ({ provider }) =>
      `${provider} returns no nonce, so only the code ties the ID token to this sign-in; the client secret and a separate redirect URI protect the code`,
    pkce_refused: ({ provider }) =>
      `${provider} rejects PKCE: state, the client secret and a separate redirect URI protect the code`,
    pkce_switched_off: "PKCE is off: state, the client secret and a separate redirect URI protect the code",
    code_without_mail: "new users need an emailed code, but mail is off: set POSTERN_SMTP_URL or email_trust",
    timeout: "the provider did not respond in time",
    unreachable: "the provider cannot be reached",
    tls: "the certificate of the provider cannot be verified",
    address_refused: "this server does not connect to the URL of the provider",
    busy: "too many requests to the provider are in progress",
    too_large: "the response of the provider is too large",
    encoded: "the provider compressed its response, although the request did not allow it",
    redirect: "the provider returned a redirect",
    status: "the provider returned an unexpected status",
    not_json: "the response of the provider is not a JSON object",
    metadata_issuer: "the metadata of the provider names another issuer",
    metadata_member: "the metadata of the provider has a missing or invalid endpoint",
    keys: "the provider publishes no usable key set",
    not_configured: "a setting is missing",
    private_address: ({ host }) =>
      `${host} has no address, or one that is not public; a private one must be in POSTERN_OUTBOUND_ALLOW, and a platform administrator must switch on “${fieldLabels.internal}” here`,
    other_fault: ({ field }) => `the provider returned an invalid ${field}`,
  },
};
