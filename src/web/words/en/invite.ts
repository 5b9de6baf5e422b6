import { html, type Printable } from "../../html/html.ts";
import { plural } from "./plural.ts";

export const inviteWords = {
  title: "Invitations",
  one: "Invitation",
  lead: plural({
    one: (figure) => `Each person you invite gets a personal link. It works once, for ${figure} day.`,
    other: (figure) => `Each person you invite gets a personal link. It works once, for ${figure} days.`,
  }),
  email: "Email",
  emailHelp: "Only the person with this address can accept.",
  role: "Role",
  submit: "Invite",
  errors: {
    email: "Enter an email address, such as name@example.com.",
    member: "The person with this address is already a member.",
    role: "Choose a role.",
    role_above: "You can't grant this role.",
    invited_above: "This address already has an invitation to a role that you can't grant.",
    look_alike: "There is an open invitation for a look-alike address. Withdraw it first.",
    too_many_open: "Too many invitations are open. Withdraw some first.",
    throttled: "Too many invitations, or too many emails to this address. Try again later.",
    inactive: "The organization is switched off, so it accepts no new members.",
  },
  made: (email: Printable) => html`${email} is invited`,
  mailed: "We sent an email with the link.",
  notMailed: "This server does not send email, so send this link yourself.",
  shownOnce: "Copy this link now. You won't see it again. Give it only to the person you invited.",
  open: "Open invitations",
  none: "No open invitations",
  by: "Invited by",
  until: "Works until",
  action: "Action",
  withdraw: "Withdraw",
  withdrawOf: (email: string) => `Withdraw the invitation of ${email}`,
  withdrawn: "Invitation withdrawn. Its link no longer works.",
};

export type InviteWords = typeof inviteWords;
