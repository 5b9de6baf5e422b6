/** Names of the Shared Signals Framework 1.0, and of the CAEP 1.0 and RISC 1.0 events that are sent. */

export const streamStates = ["enabled", "paused", "disabled"] as const;
export type StreamState = (typeof streamStates)[number];

export const streamMethods = ["push", "poll"] as const;
export type StreamMethod = (typeof streamMethods)[number];

/** The names of the delivery methods in requests and responses (RFC 8935, RFC 8936). */
export const deliveryUrns: Readonly<Record<StreamMethod, string>> = {
  push: "urn:ietf:rfc:8935",
  poll: "urn:ietf:rfc:8936",
};

export const subjectFormats = ["iss_sub", "email"] as const;

const caep = (name: string) => `https://schemas.openid.net/secevent/caep/event-type/${name}`;
const risc = (name: string) => `https://schemas.openid.net/secevent/risc/event-type/${name}`;
const ssf = (name: string) => `https://schemas.openid.net/secevent/ssf/event-type/${name}`;

export const signalTypes = {
  session_revoked: caep("session-revoked"),
  credential_change: caep("credential-change"),
  token_claims_change: caep("token-claims-change"),
  account_disabled: risc("account-disabled"),
  account_enabled: risc("account-enabled"),
  account_purged: risc("account-purged"),
  identifier_changed: risc("identifier-changed"),
} as const;
export type SignalName = keyof typeof signalTypes;

/** Events about a stream itself, which its receiver always gets. */
export const controlTypes = { verification: ssf("verification"), updated: ssf("stream-updated") } as const;

/** An event about a stream, stored with the stream until the receiver acknowledges it. */
export type Control = {
  readonly jti: string;
  readonly type: string;
  readonly event: Readonly<Record<string, string>>;
};

/** Minimum seconds between two verifications. */
export const leastVerification = 5;

/** Seconds without a request from the receiver after which a stream is paused. */
export const inactivityTimeout: number = 30 * 86_400;
