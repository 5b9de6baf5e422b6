/** The limits of webhooks (docs/webhooks.md). */

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Maximum waiting deliveries for one endpoint; further events wait in the feed (FO-5). */
export const mostWaitingOfEndpoint = 1000;
/**
 * Maximum waiting deliveries that have not been tried yet. Retried ones do not count, so the failing
 * deliveries of one subject hold back no others.
 */
export const mostUntriedOfEndpoint = 100;

export const mostEndpoints = 20;

/** How long a replaced secret still signs, in milliseconds. */
export const formerSecretTime: number = 24 * hour;

/** Milliseconds between a failed attempt and the next: eight attempts in three days. */
export const webhookPauses: readonly number[] = [
  10 * second,
  5 * minute,
  30 * minute,
  3 * hour,
  8 * hour,
  24 * hour,
  36 * hour,
];

export const webhookParts = ["record"] as const;

/** Maximum bytes of a body. A record that would make the body larger is omitted (EV-5). */
export const mostBytesOfWebhook = 20_000;

export const disabledReasons = ["gone", "failing"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export interface WebhookSecrets {
  readonly current: string;
  readonly former?: { readonly secret: string; readonly until: number };
}
