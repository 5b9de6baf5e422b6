/**
 * What waits to be sent or revoked is found without meeting the marks and counters beside it. An entry for
 * each of those would be written with every sign-in, so that the index holds these kinds alone.
 */
export const waitingWork = (): string => `
CREATE INDEX ephemera_waiting ON ephemera (kind, id) WHERE kind = 'mail' OR kind = 'upstream_revocation';
`;
