import { plural } from "./plural.ts";

/** The page of the clients that nobody registered. */
export const openClientsWords = {
  title: "Open clients",
  lead: "Clients that nobody registered here: they came with their own document, or registered themselves. Unused ones are removed automatically.",
  count: plural({
    one: (figure) => `${figure} client`,
    other: (figure) => `${figure} clients`,
  }),
  choose: "Choose",
  client: "Client",
  origin: "Came from",
  came: "Came on",
  used: "Last token",
  never: "never",
  people: "People",
  unknown: "unknown",
  none: "No open clients",
  noneLead: "Clients come when the profile for the Model Context Protocol is on and an API is open to them.",
  older: "Older ones",
  remove: "Delete selected",
  removeUnused: "Delete all that were never used",
  nothingChosen: "Choose at least one client.",
  confirmTitle: "Delete these clients?",
  confirmLead: "Their tokens and consents end at once. A client that comes back starts from the beginning.",
  confirmUnused: "Every open client that never got a token and that nobody allowed anything is deleted.",
  confirm: "Delete",
  cancel: "Cancel",
  register: {
    title: "Register this client",
    lead: "It becomes an app of this server under a name of yours.",
    named: "Its consent page shows your name for it, without the warning about unknown clients.",
    kept: "It keeps its redirect URIs, its keys and what it may ask for; change them on its page.",
    unread: "Its document is no longer read, and it is not removed when unused.",
    tokens: "Tokens and consents stay as they are.",
    client: "Its address",
    claimed: "It calls itself",
    name: "Your name for it",
    submit: "Register",
    cancel: "Cancel",
  },
  removed: plural({
    one: (figure) => `${figure} client was deleted.`,
    other: (figure) => `${figure} clients were deleted.`,
  }),
};

export type OpenClientsWords = typeof openClientsWords;
