/** Milliseconds after which an unused session has ended (design 6.12). */
export const sessionIdleLimit = 12 * 3_600_000;
