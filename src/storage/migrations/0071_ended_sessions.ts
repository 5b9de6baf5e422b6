/**
 * Adds an index that finds the event of a session's end by the session's id, even if many other sessions of
 * the user have ended.
 */
export const endedSessions = (): string => `
CREATE INDEX events_ended_session ON events ((data ->> 'session_id')) WHERE type = 'session.ended';
`;
