import { html, type Printable } from "../../html/html.ts";
import { plural } from "./plural.ts";

export const loginWords = {
  title: "Sign in",
  lead: "with your e-mail address and password",
  leadTo: (client: Printable) => html`to continue to ${client}`,
  email: "E-mail",
  password: "Password",
  submit: "Sign in",
  /** Somebody who is signed in has to sign in once more. */
  again: {
    title: "Confirm that it is you",
    asked: (client: Printable) => html`Sign in again to continue to ${client}.`,
    tooOld: (client: Printable) =>
      html`It has been a while since you signed in. Sign in again to continue to ${client}.`,
    application: "the application",
    signedInAs: (name: Printable) => html`You are signed in as ${name}.`,
  },
  failures: {
    /** The same words for every cause (L-9). */
    refused: "Wrong e-mail or password.",
    throttled: "Too many attempts.",
    out_of_date: "This form was out of date. Please try again.",
  },
  why: "This keeps others from guessing passwords. Everything else goes on as before.",
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
