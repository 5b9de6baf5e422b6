import { html, type Printable } from "../../html/html.ts";
import { plural } from "./plural.ts";

export const loginWords = {
  title: "Sign in",
  lead: "with your email address and password",
  leadTo: (client: Printable) => html`to continue to ${client}`,
  email: "Email",
  password: "Password",
  submit: "Sign in",
  again: {
    title: "Confirm that it is you",
    asked: (client: Printable) => html`Sign in again to continue to ${client}.`,
    tooOld: (client: Printable) =>
      html`It has been a while since you signed in. Sign in again to continue to ${client}.`,
    application: "the application",
    signedInAs: (name: Printable) => html`You are signed in as ${name}.`,
  },
  keepSignedIn: {
    label: plural({
      one: (figure) => `Keep me signed in for ${figure} day`,
      other: (figure) => `Keep me signed in for ${figure} days`,
    }),
    help: "Only on your own device. Signing out ends it.",
  },
  failures: {
    /** The same message for every reason to reject an email address and password (L-9). */
    refused: "Wrong email or password.",
    throttled: "Too many attempts.",
    out_of_date: "This form was out of date. Please try again.",
  },
  why: "This limit prevents password guessing. Nothing else is affected.",
  againInSeconds: plural({
    one: (figure) => `You can try again in ${figure} second.`,
    other: (figure) => `You can try again in ${figure} seconds.`,
  }),
  againInMinutes: plural({
    one: (figure) => `You can try again in ${figure} minute.`,
    other: (figure) => `You can try again in ${figure} minutes.`,
  }),
};

export type LoginWords = typeof loginWords;
