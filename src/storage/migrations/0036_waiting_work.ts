/** The index is partial, because entries for other kinds of rows would cost a write per sign-in. */
export const waitingWork = (): string => `
CREATE INDEX ephemera_waiting ON ephemera (kind, id) WHERE kind = 'mail' OR kind = 'upstream_revocation';
`;
