export const webhookWords = {
  ping: "Send a test event",
  testEvent: "Test event",
  rotateSecret: "Replace the secret",
  activate: "Activate it again",
  stopped: (position: number) =>
    `The endpoint received every event up to position ${position}. Later events were kept.`,
  resumeKept: "Continue where it stopped",
  resumeNow: "Start with new events",
  replay: "Send events again",
  replayLead:
    "Name one event, a time (UTC) or a position; at most 1,000 events are sent. Receivers recognize them by webhook-id.",
  eventId: "Event",
  since: "From this time on",
  after: "After this position",
  ofType: "Type",
  sendAgain: "Send again",
  verify: "How to verify a request",
  verifyLead:
    "Verify the body as it was sent, before it is parsed. Store webhook-id to recognize repetitions.",
  kinds: { node: "JavaScript with Node", python: "Python", go: "Go" },
};

export type WebhookWords = typeof webhookWords;
