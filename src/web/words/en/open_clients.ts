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
  removed: plural({
    one: (figure) => `${figure} client was deleted.`,
    other: (figure) => `${figure} clients were deleted.`,
  }),
};

export type OpenClientsWords = typeof openClientsWords;
