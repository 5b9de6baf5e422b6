/**
 * Adds an index that finds queued emails and revocations without scanning the single-use values and counters
 * in the same table. It contains only these kinds, because entries for the others would cost a write with
 * every sign-in.
 */
export const waitingWork = (): string => `
CREATE INDEX ephemera_waiting ON ephemera (kind, id) WHERE kind = 'mail' OR kind = 'upstream_revocation';
`;
