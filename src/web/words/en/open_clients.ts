import { plural } from "./plural.ts";

export const openClientsWords = {
  title: "Open clients",
  lead: "Clients that no administrator registered: they published a metadata document or registered themselves. Unused clients are removed automatically.",
  count: plural({
    one: (figure) => `${figure} client`,
    other: (figure) => `${figure} clients`,
  }),
  choose: "Choose",
  client: "Client",
  origin: "Origin",
  came: "First seen",
  used: "Last token",
  never: "never",
  people: "People",
  unknown: "unknown",
  none: "No open clients",
  noneLead:
    "Clients appear here when the profile for the Model Context Protocol is on and an API is open to them.",
  older: "Older clients",
  remove: "Delete selected",
  removeUnused: "Delete all that were never used",
  nothingChosen: "Choose at least one client.",
  confirmTitle: "Delete these clients?",
  confirmLead:
    "Their tokens and consents are revoked immediately. A client that returns starts from the beginning.",
  confirmUnused: "Deletes every open client that has never received a token or a consent.",
  confirm: "Delete",
  cancel: "Cancel",
  register: {
    title: "Register this client",
    lead: "It becomes an app of this server, under a name that you choose.",
    named: "Its consent page shows your name for it, without the warning about unknown clients.",
    kept: "It keeps its redirect URIs, its keys and its allowed scopes; change them on its page.",
    unread: "Its document is no longer read, and it is no longer removed when unused.",
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
