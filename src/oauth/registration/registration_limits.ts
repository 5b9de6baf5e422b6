/** How much a client that registers itself may send, and how often: each number once. */

/** For one registration. */
export const mostOf = {
  /** Bytes of the body. */
  body: 32_768,
  redirect_uris: 32,
  /** Characters of `scope`, and scopes in it. */
  scope: 4096,
  scopes: 100,
  contacts: 10,
  contact: 320,
  /** Characters of `software_id` and `software_version`. */
  software: 255,
} as const;

/** Registrations of one network and of all, in one process: so many at once, and one more each time. */
export const registrationRates = {
  source: { size: 20, every: 60_000 },
  site: { size: 60, every: 20_000 },
  all: { size: 300, every: 5_000 },
} as const;

/** Registered clients that exist together, in all processes together; unused ones expire automatically. */
export const mostRegistered = 20_000;

/** Seconds until the total limit of registrations is checked again. */
export const registrationPause = 60;
