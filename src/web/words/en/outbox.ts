export const outboxWords = {
  title: "Outbox",
  open: "Emails that would have been sent",
  eyebrow: "Demo data, on this machine only",
  lead: "Emails that would have been sent. In development nothing leaves this machine.",
  to: "To",
  empty: "No emails yet. Request a new password, and the link appears here.",
  askForOne: "Request a new password",
  backToWalk: "Back to the walkthrough",
};

export type OutboxWords = typeof outboxWords;
