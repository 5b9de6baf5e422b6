import { html, type Printable } from "../../html.ts";

/** The consent page of an application that nobody registered. */
export const openConsentWords = {
  unknown: "an unknown application",
  verified: "Verified address",
  unproven: "Registered itself, not verified",
  callsItself: (name: Printable) => html`It calls itself ${name}.`,
  hiddenName: {
    deceptive: "The name that it gives itself is not shown: it is written so that it could deceive.",
    resembles:
      "The name that it gives itself is not shown: it could be mistaken for that of another application.",
  },
  warning: {
    loopback:
      "The answer goes to a program on this device, and which one cannot be checked. Allow it only if you have just started it yourself.",
    private_scheme:
      "The answer goes to the program on this device that opens such addresses, and which one cannot be checked. Allow it only if you have just started it yourself.",
  },
  answersAt: (places: Printable) => html`Its answers go to ${places}.`,
  newly: "New: it will be able to",
  already: "Allowed before",
  at: "At",
  identifier: "Identifier",
};

export type OpenConsentWords = typeof openConsentWords;
