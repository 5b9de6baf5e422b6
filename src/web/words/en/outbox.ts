export const outboxWords = {
  title: "Outbox",
  open: "Mails that would have been sent",
  eyebrow: "Demo data, on this machine only",
  lead: "What would have been sent by mail. In development nothing leaves this machine.",
  to: "To",
  empty: "No mail yet. Ask for a new password, and the link appears here.",
  askForOne: "Ask for a new password",
  backToWalk: "Back to the walk",
};

export type OutboxWords = typeof outboxWords;
