/** Adds an index that finds the event about the end of a session by the session's ID. */
export const endedSessions = (): string => `
CREATE INDEX events_ended_session ON events ((data ->> 'session_id')) WHERE type = 'session.ended';
`;
