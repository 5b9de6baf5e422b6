import { html, type Printable } from "../../html/html.ts";

export const formPostWords = {
  title: "Returning to the application",
  lead: (place: Printable) => html`You are being returned to ${place}. If nothing happens, choose Continue.`,
  goOn: "Continue",
};

export type FormPostWords = typeof formPostWords;
