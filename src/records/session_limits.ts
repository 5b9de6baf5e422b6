/** Milliseconds after which a session that nobody used has ended (design 6.12). */
export const sessionIdleLimit = 12 * 3_600_000;
