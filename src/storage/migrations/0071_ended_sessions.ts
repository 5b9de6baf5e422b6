/**
 * Lets the event of a session's end be found quickly by its session, even if many sessions of the user ended
 * before.
 */
export const endedSessions = (): string => `
CREATE INDEX events_ended_session ON events ((data ->> 'session_id')) WHERE type = 'session.ended';
`;
