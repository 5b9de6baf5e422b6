/**
 * Finds queued mails and revocations without scanning the used-once entries and counters in the same table.
 * Indexing those too would cost an entry with every sign-in, so the index contains only these kinds.
 */
export const waitingWork = (): string => `
CREATE INDEX ephemera_waiting ON ephemera (kind, id) WHERE kind = 'mail' OR kind = 'upstream_revocation';
`;
