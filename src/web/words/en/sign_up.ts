import { plural } from "./plural.ts";

export const signUpWords = {
  link: "Create an account",
  title: "Create an account",
  lead: "Enter your email address, and we'll send you a link to continue.",
  domains: (domains: string) => `Addresses of these domains can register: ${domains}.`,
  invited: "People who were invited can register.",
  submit: "Send the link",
  askedTitle: "Check your email",
  askedLead: plural({
    one: (figure) =>
      `If this address can register, we sent it an email. Follow its link within ${figure} minute, or type its code here.`,
    other: (figure) =>
      `If this address can register, we sent it an email. Follow its link within ${figure} minutes, or type its code here.`,
  }),
  askedHint: "No email after a few minutes? Check your spam folder, and check the address.",
  code: "Code from the email",
  useCode: "Continue",
  wrongCode: "This is not the code from the email.",
  endedCode:
    "This code has expired or was already used. Follow the link in the email, or request a new email.",
  askAgain: "Request a new email",
  finishTitle: "Create your account",
  finishLead: "Choose a name and a password, and your account is ready.",
  make: "Create the account",
  existsTitle: "You already have an account",
  existsLead: "There is an account with this address. Sign in with it.",
  deadTitle: "This link has expired or was already used",
  deadLead: "Request a new email to create your account.",
  readyTitle: "Your account is ready",
  readyLead:
    "You are signed in here. If you began in another browser or in an application, return there and sign in.",
  toAccount: "Go to your account",
  mailSubject: (server: string) => `Create your account at ${server}`,
  mailAsked: (server: string) => `Use this link to create an account with this address at ${server}:`,
  mailButton: "Create the account",
  mailCode: (code: string) => `In the browser where you began, you can type this code instead: ${code}`,
  mailOnce: plural({
    one: (figure) => `The link and the code work for ${figure} minute.`,
    other: (figure) => `The link and the code work for ${figure} minutes.`,
  }),
  mailIgnore: "If this was not you, ignore this email and never share the code: no account is created.",
  mailExists: (server: string) =>
    `An account with this address was requested at ${server}. You already have one. Sign in to it here:`,
  mailForgot: "If you forgot your password, choose a new one here:",
  mailInactive: (server: string) =>
    `An account with this address was requested at ${server}. You already have one, and it is switched off. An administrator of the server can switch it on again.`,
};

export type SignUpWords = typeof signUpWords;
