import { html, type Printable } from "../../html/html.ts";

export const selectAccountWords = {
  title: "Choose an account",
  lead: "Which account do you want to continue with?",
  another: "Use another account",
  meanwhile: {
    lead: (present: Printable) => html`You signed in as ${present} in another window.`,
    goOn: (present: Printable) => html`Continue as ${present}`,
    signInAs: (other: Printable) => html`Sign in as ${other}`,
  },
  organization: {
    title: "Choose an organization",
    lead: (app: Printable) => html`Which organization do you want to continue with in ${app}?`,
    last: "Last used",
    find: "Search organizations",
    search: "Search",
    none: "No organization of yours matches.",
    more: "Showing the first 20. Search to find others.",
    cancel: "Cancel",
  },
  membersOnly: {
    title: "You cannot use this application",
    of: (app: Printable, organization: Printable) => html`${app} is for members of ${organization}.`,
    ofAny: (app: Printable) => html`${app} is for members of an organization on this server.`,
    hint: "If you have an invitation, open the link in its email. Otherwise, ask an administrator of the organization to add you.",
    byRole: {
      of: (app: Printable, organization: Printable) =>
        html`${app} is for members of ${organization} with a certain role or group.`,
      ofAny: (app: Printable) => html`${app} is for members of an organization with a certain role or group.`,
      hint: "Ask an administrator of the organization to give you access.",
    },
    back: "Return to the application",
  },
};

export type SelectAccountWords = typeof selectAccountWords;
