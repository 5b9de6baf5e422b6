export const mostOf = {
  /** Bytes. */
  body: 32_768,
  redirect_uris: 32,
  /** In characters. */
  scope: 4096,
  /** The number of scopes in `scope`. */
  scopes: 100,
  contacts: 10,
  contact: 320,
  /** Characters. */
  software: 255,
} as const;

/** Limits on registrations per network, per IPv6 site and overall, in one process. */
export const registrationRates = {
  source: { size: 20, every: 60_000 },
  site: { size: 60, every: 20_000 },
  all: { size: 300, every: 5_000 },
} as const;

/**
 * Maximum number of self-registered clients, in all processes together. Unused registrations expire
 * automatically.
 */
export const mostRegistered = 20_000;

/** Seconds after which a refused client may try again. */
export const registrationPause = 60;
