import { html, type Printable } from "../../html.ts";
import { inSentence } from "../in_sentence.ts";
import { plural } from "./plural.ts";

const counted = (one: string, other: string) =>
  plural({ one: (figure) => `${figure} ${one}`, other: (figure) => `${figure} ${other}` });

/** The console over the records: their lists, their pages, their forms. */
export const recordWords = {
  done: {
    created: "It was created.",
    changed: "The changes were saved.",
    unchanged: "Nothing was different, so nothing was changed.",
    deleted: "It was deleted.",
    revoked: "It was revoked.",
    switched_off: "It was switched off.",
    switched_on: "It was switched on again.",
    none_selected: "Nothing was selected.",
    too_many_selected: "Too many records were selected: at most 200 at once.",
  },
  state: {
    active: "Active",
    inactive: "Inactive",
    revoked: "Revoked",
    expired: "Expired",
    ended: "Ended",
    used: "Used",
  },
  heldOff: "A platform administrator switched it off. Only one can switch it on again.",
  fromDocument:
    "The client_id is the address of a document. The app is registered here, so the document is not read: what changes there has to be changed here.",
  cameByItself:
    "Nobody registered this client here. Its name, logo and addresses are what it says of itself.",
  formerMember: {
    follows: (field: string) =>
      `metadata names ${field}, which is a member of its own now: it goes on being read. Take it out of metadata once every program gives the member.`,
    apart: (field: string) =>
      `metadata says something else of ${field} than the member does. The member counts.`,
  },
  stateLabel: "State",
  yes: "Yes",
  no: "No",
  any: "Any",
  notChosen: "Not chosen",
  unit: "Unit",
  units: { s: "seconds", min: "minutes", h: "hours", d: "days" },
  search: "Search",
  filters: "More filters",
  clear: "Take the filters away",
  pages: "Pages",
  firstPage: "First page",
  nextPage: "Next page",
  create: (one: string) => `New ${inSentence(one)}`,
  empty: (many: string) => `No ${inSentence(many)} yet`,
  emptyCreate: "Create the first, and it appears here.",
  emptyWait: "As soon as there are some, they appear here.",
  narrowed: "Nothing matches",
  narrowedLead: "Take a filter away, or search for the beginning of a word.",
  facts: "Facts",
  parts: (name: string) => `Parts of ${name}`,
  showAll: "Show all",
  all: (many: string) => `Show all: ${inSentence(many)}`,
  danger: "Danger zone",
  dangerLead: "Before anything ends, a page says what ends with it.",
  noneRelated: "Nothing here yet",
  asJson: "Show as JSON",
  asText: "Show the text",
  edit: "Edit",
  revoke: "Revoke",
  delete: "Delete",
  save: "Save",
  saveNew: "Create",
  cancel: "Cancel",
  editing: (name: string) => `Edit ${name}`,
  required: "required",
  faultsLead: "Nothing was saved. Please look at this:",
  changedTitle: "Somebody else changed this record in the meantime.",
  changedLead: "The form holds what you typed. If you save it, that replaces what they wrote.",
  groups: {
    about: "About",
    sign_in: "Sign-in",
    tokens: "Tokens",
    access: "Access",
    client_authentication: "Client authentication",
    id_tokens: "ID tokens",
    advanced: "Advanced",
  },
  consequence: {
    title: {
      delete: (name: string) => `Delete ${name}?`,
      revoke: (name: string) => `Revoke ${name}?`,
      switch_off: (name: string) => `Switch ${name} off?`,
      change: (name: string) => `Change ${name}?`,
    },
    lead: {
      delete: "This cannot be undone.",
      revoke: "This cannot be undone.",
      switch_off: "It can be switched on again, but what ends now stays ended.",
      change: "What ends now stays ended.",
    },
    effects: "What else ends",
    nothing: "Nothing else ends with it.",
    confirm: (text: Printable) => html`Type ${text} to confirm`,
    confirmWrong: "That is something else. Type it exactly as it stands here.",
    keep: "Keep it",
    act: { delete: "Delete", revoke: "Revoke", switch_off: "Switch off", change: "Change" },
  },
  signedOut: counted("person is signed out of it", "people are signed out of it"),
  made: {
    title: (one: string) => `${one}: created`,
    caution: "It is shown this once, and nobody can show it again. Keep it now where it is needed.",
    goOn: (name: string) => `Go on to ${name}`,
  },
};

export type RecordWords = typeof recordWords;

/** The message of a page after an action there. */
export type Done = keyof RecordWords["done"];
