import { html, type Printable } from "../../html/html.ts";

export const openConsentWords = {
  unknown: "an unknown application",
  verified: "Verified address",
  unproven: "Registered itself, not verified",
  callsItself: (name: Printable) => html`It calls itself ${name}.`,
  saidByItself: "Stated by the application, not verified",
  hiddenName: {
    deceptive: "The name that it gives itself is hidden, because its spelling could deceive you.",
    resembles:
      "The name that it gives itself is hidden, because it resembles the name of another application.",
  },
  warning: {
    loopback:
      "The response is sent to a program on this device, and this server cannot check which one. Only continue if you started this.",
    private_scheme:
      "The response is sent to the program on this device that opens such addresses, and this server cannot check which one. Only continue if you started this.",
  },
  answersAt: (places: Printable) => html`Responses are sent to ${places}.`,
  newly: "New: it will be able to",
  already: "Allowed before",
  at: "At",
  identifier: "Identifier",
};

export type OpenConsentWords = typeof openConsentWords;
