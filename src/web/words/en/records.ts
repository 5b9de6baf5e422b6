import { html, type Printable } from "../../html/html.ts";
import { inSentence } from "../parts/in_sentence.ts";
import { plural } from "./plural.ts";

const counted = (one: string, other: string) =>
  plural({ one: (figure) => `${figure} ${one}`, other: (figure) => `${figure} ${other}` });

export const recordWords = {
  done: {
    created: (one: string) => `${one} created.`,
    changed: "Changes saved.",
    unchanged: "There were no changes to save.",
    deleted: (one: string) => `${one} deleted.`,
    revoked: (one: string) => `${one} revoked.`,
    switched_off: (one: string) => `${one} switched off.`,
    switched_on: (one: string) => `${one} switched on.`,
    signed_out: "Signed out everywhere.",
    access_revoked: "All access revoked.",
    reset_link_sent: "The email with a link for a new password is queued.",
    notice_due: "The delivery will be sent now.",
    none_selected: "Nothing was selected.",
    too_many_selected: "Too many records were selected: at most 200 at once.",
  },
  state: {
    active: "Active",
    failing: "Failing",
    inactive: "Inactive",
    revoked: "Revoked",
    expired: "Expired",
    ended: "Ended",
    used: "Used",
  },
  heldOff: "A platform administrator switched it off. Only a platform administrator can switch it on again.",
  fromDocument:
    "The client_id is the address of a metadata document. The app is registered here, so the document is not read. Enter its changes here as well.",
  cameByItself: "No administrator registered this client. It chose its name, logo and addresses itself.",
  hiddenPicture: (field: string, host: string) =>
    `${field}: pages do not show this picture, because its host, ${host}, is not in POSTERN_PICTURE_HOSTS.`,
  formerMember: {
    follows: (field: string) =>
      `metadata contains ${field}, which is now a field of its own. The value in metadata is still used. Remove it from metadata once all your programs send the field.`,
    apart: (field: string) =>
      `The value of ${field} in metadata differs from the field of the record. The field is used.`,
  },
  stateLabel: "State",
  yes: "Yes",
  no: "No",
  any: "Any",
  notChosen: "Not chosen",
  choosePermissions: "Choose permissions",
  unit: "Unit",
  units: { s: "seconds", min: "minutes", h: "hours", d: "days" },
  preview: "How sign-in looks",
  choosePicture: "Choose a picture",
  unreadablePicture: "This file is not a picture that the browser can read.",
  showSecret: "Show secret",
  hideSecret: "Hide secret",
  suggestions: {
    add: "Find and add",
    none: "No match",
    count: counted("suggestion", "suggestions"),
    further: plural({
      one: (figure) => `${figure} suggestion, and more: keep typing`,
      other: (figure) => `${figure} suggestions, and more: keep typing`,
    }),
  },
  search: "Search",
  filters: "More filters",
  clear: "Clear filters",
  pages: "Pages",
  firstPage: "First page",
  nextPage: "Next page",
  create: (one: string) => `New ${inSentence(one)}`,
  empty: (many: string) => `No ${inSentence(many)} yet`,
  emptyCreate: "Create the first one, and it appears here.",
  emptyWait: "They appear here as soon as any exist.",
  emptyOff: (features: string) =>
    `They need POSTERN_EXTRA_FEATURES=${features}, which is off on this server.`,
  onlyOwn: "Only your own are listed.",
  narrowed: "No results",
  narrowedLead: "Remove a filter, or search for another part of the name.",
  facts: "Facts",
  folded: plural({
    one: (figure) => `Show ${figure} more field`,
    other: (figure) => `Show ${figure} more fields`,
  }),
  parts: (name: string) => `Parts of ${name}`,
  showAll: "Show all",
  all: (many: string) => `Show all: ${inSentence(many)}`,
  danger: "Danger zone",
  dangerLead: "You'll see what is affected before you confirm.",
  noneRelated: "Nothing here yet",
  asJson: "Show as JSON",
  asText: "Show the text",
  edit: "Edit",
  switchOn: "Switch on",
  revoke: "Revoke",
  delete: "Delete",
  save: "Save",
  saveNew: "Create",
  cancel: "Cancel",
  editing: (name: string) => `Edit ${name}`,
  /**
   * The label of one entry of a list; `place` is its number, counted from 1. In a form, a list has one entry
   * per line, or entries separated by spaces.
   */
  entry: (place: string) => `Entry ${place}`,
  required: "required",
  faultsLead: "Nothing was saved. Fix these fields:",
  changedTitle: "This record was changed in the meantime.",
  changedLead: "The form shows your input. Saving it overwrites the other changes.",
  groups: {
    about: "About",
    sign_in: "Sign-in",
    organizations: "Organizations",
    sign_out: "Sign-out",
    tokens: "Tokens",
    access: "Access",
    client_authentication: "Client authentication",
    id_tokens: "ID tokens",
    registration: "Registration",
    brand: "Branding",
    attributes: "Attributes",
    advanced: "Advanced",
  },
  consequence: {
    title: {
      delete: (name: string) => `Delete ${name}?`,
      revoke: (name: string) => `Revoke ${name}?`,
      switch_off: (name: string) => `Switch ${name} off?`,
      change: (name: string) => `Change ${name}?`,
      sign_out: (name: string) => `Sign ${name} out everywhere?`,
      revoke_everything: (name: string) => `Revoke all access of ${name}?`,
    },
    lead: {
      delete: "This cannot be undone.",
      revoke: "This cannot be undone.",
      switch_off: "You can switch it on again. Access that is revoked now cannot be restored.",
      change: "Access that is revoked now cannot be restored.",
      sign_out: "Every browser requires a new sign-in. Apps with offline access keep their access.",
      revoke_everything:
        "Every browser and app requires a new sign-in. Account, password and second factors stay.",
    },
    effects: "Also affected",
    nothing: "Nothing else is affected.",
    keyDropped: "Resource servers no longer accept tokens that it signed.",
    signedTokens: "APIs that only check signatures accept access tokens until they expire.",
    confirm: (text: Printable) => html`Type ${text} to confirm`,
    confirmWrong: "This does not match. Type it exactly as shown.",
    keep: "Cancel",
    act: {
      delete: "Delete",
      revoke: "Revoke",
      switch_off: "Switch off",
      change: "Change",
      sign_out: "Sign out everywhere",
      revoke_everything: "Revoke everything",
    },
  },
  signedOut: counted("person is signed out of it", "people are signed out of it"),
  made: {
    title: (one: string) => `${one} created`,
    caution: "Copy it now. You won't see it again.",
    goOn: (name: string) => `Continue to ${name}`,
  },
};

export type RecordWords = typeof recordWords;

export type Done = keyof RecordWords["done"];
