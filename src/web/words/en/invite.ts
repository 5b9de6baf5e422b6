import { html, type Printable } from "../../html.ts";
import { plural } from "./plural.ts";

/** The page that invites people into an organization. */
export const inviteWords = {
  title: "Invitations",
  lead: plural({
    one: (figure) => `Each person you invite gets a link of their own. It works once, for ${figure} day.`,
    other: (figure) => `Each person you invite gets a link of their own. It works once, for ${figure} days.`,
  }),
  email: "E-mail",
  emailHelp: "Only the person with this address can accept.",
  role: "Role",
  submit: "Invite",
  errors: {
    email: "Write an e-mail address, such as name@example.com.",
    member: "The person with this address is a member already.",
    role: "Choose a role.",
    role_above: "This role is not yours to give.",
    invited_above: "This address was invited to a role that is not yours to give.",
    too_many_open: "Too many invitations are open. Withdraw some first.",
    throttled: "Too many invitations were made, or mails sent to this address. Try again later.",
    inactive: "The organization is switched off, so nobody can join it.",
  },
  made: (email: Printable) => html`${email} is invited`,
  mailed: "A mail with the link is on its way.",
  notMailed: "This server sends no mail, so hand this link over yourself.",
  shownOnce: "It is shown this once. Give it to nobody but the person you invited.",
  open: "Open invitations",
  none: "No invitation is open",
  by: "Invited by",
  until: "Works until",
  action: "Action",
  withdraw: "Withdraw",
  withdrawOf: (email: string) => `Withdraw the invitation of ${email}`,
  withdrawn: "The invitation is withdrawn. Its link works no more.",
};

export type InviteWords = typeof inviteWords;
