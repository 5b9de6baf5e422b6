export const endedSessions = (): string => `
CREATE INDEX events_ended_session ON events ((data ->> 'session_id')) WHERE type = 'session.ended';
`;
