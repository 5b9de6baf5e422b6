import { plural } from "./plural.ts";

/** The page of the clients that nobody registered. */
export const openClientsWords = {
  title: "Open clients",
  lead: "Clients that nobody registered here: they came with a document of their own, or registered themselves. Those that nobody uses leave by themselves.",
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
  none: "No client came by itself",
  noneLead: "Clients come when the profile for the Model Context Protocol is on and an API is open to them.",
  older: "Older ones",
  remove: "Delete the chosen ones",
  removeUnused: "Delete all that were never used",
  nothingChosen: "Choose at least one client.",
  confirmTitle: "Delete these clients?",
  confirmLead:
    "Their tokens end at once, and what people allowed them is forgotten. A client that comes again starts anew.",
  confirmUnused: "Every open client that never got a token and that nobody allowed anything is deleted.",
  confirm: "Delete",
  cancel: "Leave them",
  register: {
    title: "Register this client",
    lead: "It becomes an app of this server under a name of yours.",
    named: "Its consent page shows your name for it, and no longer that nobody knows it.",
    kept: "It keeps its redirect URIs, its keys and what it may ask for; change them on its page.",
    unread: "Its document is not read any more, and it does not leave by itself when nobody uses it.",
    tokens: "Tokens and consents stay as they are.",
    client: "Its address",
    claimed: "It calls itself",
    name: "Your name for it",
    submit: "Register",
    cancel: "Leave it open",
  },
  removed: plural({
    one: (figure) => `${figure} client was deleted.`,
    other: (figure) => `${figure} clients were deleted.`,
  }),
};

export type OpenClientsWords = typeof openClientsWords;
