/**
 * Adds an index that finds queued emails and queued revocations of provider tokens without scanning the
 * single-use values and counters in the same table. The index contains only these two kinds of rows, because
 * entries for the other kinds would cost a write with every sign-in.
 */
export const waitingWork = (): string => `
CREATE INDEX ephemera_waiting ON ephemera (kind, id) WHERE kind = 'mail' OR kind = 'upstream_revocation';
`;
