import { html, type Printable } from "../../html/html.ts";
import { plural } from "./plural.ts";

export const consentWords = {
  title: (client: string) => `Allow ${client}?`,
  heading: (client: Printable) => html`Allow ${client} to use your account?`,
  unverified:
    "This application runs on your own device, so its identity cannot be checked. Only continue if you started this.",
  able: "It will be able to",
  allowedBefore: "Allowed before",
  ownWords: "Described by the application",
  undescribed: "No description was given",
  organization: "Organization",
  details: "Details about you",
  as: "Signed in as",
  registeredBy: "Registered by",
  beforeNow: "Last used",
  neverUsed: "Never with this account",
  goesTo: "Then returns you to",
  moreScopes: plural({ one: (figure) => `${figure} more`, other: (figure) => `${figure} more` }),
  website: "Website",
  policy: "Privacy policy",
  terms: "Terms of service",
  deny: "Deny",
  allow: "Allow",
};

export type ConsentWords = typeof consentWords;
