/**
 * Finds queued mails and revocations without scanning the marks and counters in the same table. Indexing
 * those too would cost an entry with every sign-in, so the index holds only these kinds.
 */
export const waitingWork = (): string => `
CREATE INDEX ephemera_waiting ON ephemera (kind, id) WHERE kind = 'mail' OR kind = 'upstream_revocation';
`;
