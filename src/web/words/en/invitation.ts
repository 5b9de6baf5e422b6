import { html, type Printable } from "../../html/html.ts";
import { plural } from "./plural.ts";

export const invitationWords = {
  roles: {
    owner: {
      name: "Owner",
      help: "has all rights of an administrator, appoints owners and can delete the organization",
    },
    admin: { name: "Administrator", help: "manages the organization, its members, apps and keys" },
    developer: { name: "Developer", help: "manages apps, their secrets and service accounts" },
    member: { name: "Member", help: "sees the organization, its members and its apps" },
  },
  joinTitle: (organization: string) => `Join ${organization}`,
  joinHeading: (organization: Printable) => html`Join ${organization}?`,
  inviter: "Invited by",
  invited: "Invitation for",
  joinAs: "Role",
  join: "Join",
  signInLead: "There is an account with this address. Sign in with it to join.",
  signIn: "Sign in",
  makeLead: "There is no account with this address yet. Create one to join.",
  takenLead:
    "Another account has a look-alike address, so no account can be created for this one. Ask the person who invited you to use another of your addresses.",
  email: "Email",
  name: "Name",
  password: "Password",
  make: "Create account and join",
  someoneElse: (user: Printable) =>
    html`You are signed in as ${user}, and the invitation is for another address.`,
  another: "Use another account",
  signsOut: "Creating the account signs you out of your current account in this browser.",
  deadTitle: "This invitation is no longer valid",
  deadLead: "It has expired, or was used or withdrawn. Ask the person who invited you for a new one.",
  home: "Go to your account",
  joinedTitle: "You have joined",
  joinedHeading: (organization: Printable) => html`Welcome to ${organization}`,
  joinedLead: (roles: Printable) => html`Your role: ${roles}.`,
  wasMember: "You are already a member. Your role stays the same.",
  toConsole: "Go to the console",
  mailSubject: (organization: string) => `Invitation to ${organization}`,
  mailInvites: (inviter: string, organization: string, server: string) =>
    `${inviter} invites you to join ${organization} at ${server}.`,
  mailRole: (role: string) => `Your role there: ${role}.`,
  mailButton: "See the invitation",
  mailOnce: plural({
    one: (figure) => `The link works once, for ${figure} day, and only for this address.`,
    other: (figure) => `The link works once, for ${figure} days, and only for this address.`,
  }),
  mailIgnore: "If you did not expect this invitation, ignore this email.",
};

export type InvitationWords = typeof invitationWords;
