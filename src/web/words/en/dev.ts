export const devWords = {
  title: "Walk through the code flow",
  eyebrow: "Demo data, on this machine only",
  heading: "The authorization code flow, one step at a time",
  lead: "Every request between the application, your browser and this server, with its response, as sent over the wire.",
  demoData: "Demo data",
  signInAs: "Sign in as",
  clients: "Clients",
  kinds: { confidential: "confidential", public: "public", machine: "machine" },
  nothingSent: "Nothing has been sent yet. Start the flow, and its first request appears here.",
  actions: {
    reset: "Start again",
    start: (client: string) => `Start as “${client}”`,
    machine: (client: string) => `Get a token as “${client}”`,
  },
};

export type DevWords = typeof devWords;
