import { html, type Printable } from "../../html/html.ts";
export const organizationProfileWords = {
  nav: "Your organization",
  lead: "Members, roles, sign-in and activity of your organization.",
  members: "Members",
  member: "Member",
  secondFactor: "Second factor",
  factors: { passkey: "Passkey", security_key: "Security key", totp: "Authenticator app" },
  noFactor: "None",
  all: {
    members: "All members",
    invitations: "All invitations",
    roles: "All roles",
    providers: "All providers",
    events: "All activity",
  },
  none: {
    roles: "No custom roles yet. Members have the built-in ones.",
    providers: "No sign-in provider of your own yet.",
    events: "Nothing has happened yet.",
  },
  add: { roles: "Add a role", providers: "Add a provider" },
  throughGroups: (names: Printable) => html`Through groups: ${names}`,
  holders: "Members with the role",
  assign: "Assign roles",
  assignTo: (email: string) => `Assign roles to ${email}`,
  editOf: (name: string) => `Edit ${name}`,
  deleteOf: (name: string) => `Delete ${name}`,
  settings: "Branding and sign-in rules",
  settingsLead:
    "The settings also cover the color and logo of sign-in pages, who may register, and how long sessions last.",
  edit: "Edit",
  open: "Open",
  event: "Event",
  when: "When",
};

export type OrganizationProfileWords = typeof organizationProfileWords;
