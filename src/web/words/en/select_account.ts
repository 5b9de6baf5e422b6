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
  },
};

export type SelectAccountWords = typeof selectAccountWords;
