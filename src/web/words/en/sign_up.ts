import { plural } from "./plural.ts";

export const signUpWords = {
  link: "Create an account",
  title: "Create an account",
  lead: "Enter your e-mail address, and we send you a link to continue.",
  domains: (domains: string) => `Addresses of these domains can register: ${domains}.`,
  invited: "People who were invited can register.",
  submit: "Send the link",
  askedTitle: "Check your e-mail",
  askedLead: plural({
    one: (figure) =>
      `If this address can register, we sent it a mail. Follow its link within ${figure} minute, or type its code here.`,
    other: (figure) =>
      `If this address can register, we sent it a mail. Follow its link within ${figure} minutes, or type its code here.`,
  }),
  askedHint: "No mail after a few minutes? Check your spam folder, and check the address.",
  code: "Code from the mail",
  useCode: "Continue",
  wrongCode: "This is not the code from the mail.",
  endedCode: "This code has expired or was already used. Follow the link in the mail, or ask for a new mail.",
  askAgain: "Ask for a new mail",
  finishTitle: "Create your account",
  finishLead: "Choose a name and a password, and your account is ready.",
  make: "Create the account",
  existsTitle: "You have an account already",
  existsLead: "There is an account with this address. Sign in with it.",
  deadTitle: "This link has expired or was already used",
  deadLead: "Ask for a new mail to create your account.",
  readyTitle: "Your account is ready",
  readyLead:
    "You are signed in here. If you began in another browser or in an application, go back there and sign in.",
  toAccount: "To your account",
  mailSubject: (server: string) => `Create your account at ${server}`,
  mailAsked: (server: string) =>
    `Somebody wants to create an account with this address at ${server}. Use this link to continue:`,
  mailButton: "Create the account",
  mailCode: (code: string) => `In the browser where you began, you can type this code instead: ${code}`,
  mailOnce: plural({
    one: (figure) => `Link and code work for ${figure} minute.`,
    other: (figure) => `Link and code work for ${figure} minutes.`,
  }),
  mailIgnore: "If that was not you, ignore this mail and never share the code: no account is created.",
  mailExists: (server: string) =>
    `Somebody wants to create an account with this address at ${server}. You have one already. Sign in to it here:`,
  mailForgot: "If you no longer know the password, choose a new one here:",
  mailInactive: (server: string) =>
    `Somebody wants to create an account with this address at ${server}. You have one already, and it is switched off. An administrator of the server can switch it on again.`,
};

export type SignUpWords = typeof signUpWords;
