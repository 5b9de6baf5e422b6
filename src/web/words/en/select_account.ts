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
};

export type SelectAccountWords = typeof selectAccountWords;
