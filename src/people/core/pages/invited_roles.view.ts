import { type Html, html } from "../../../web/html/html.ts";
import type { InvitationWords } from "../../../web/words/en/invitation.ts";

/** Returns the display name of a role that this server knows; otherwise the role as stored. */
export const invitedRoleName = (role: string, words: InvitationWords): string =>
  Object.hasOwn(words.roles, role) ? words.roles[role as keyof InvitationWords["roles"]].name : role;

/** Returns the built-in role, then the names of additional roles. */
export const invitedRoleNames = (role: string, further: readonly string[], words: InvitationWords): Html =>
  html`${invitedRoleName(role, words)}${further.map((name) => html`, <bdi>${name}</bdi>`)}`;
