export const mostOf = {
  /** Maximum bytes of the body. */
  body: 32_768,
  redirect_uris: 32,
  /** Maximum characters of `scope`, and maximum scopes in it. */
  scope: 4096,
  scopes: 100,
  contacts: 10,
  contact: 320,
  /** Maximum characters of `software_id` and of `software_version`. */
  software: 255,
} as const;

/** Limits on registrations per network, per IPv6 site and overall, in one process. */
export const registrationRates = {
  source: { size: 20, every: 60_000 },
  site: { size: 60, every: 20_000 },
  all: { size: 300, every: 5_000 },
} as const;

/** Maximum registered clients, in all processes together; unused ones expire automatically. */
export const mostRegistered = 20_000;

/** Seconds after which a client beyond a limit may retry. */
export const registrationPause = 60;
