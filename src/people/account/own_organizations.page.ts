import { avatar } from "../../web/html/avatar.ts";
import { type Html, html } from "../../web/html/html.ts";
import { mark } from "../../web/layout.ts";
import { moment } from "../../web/moment.ts";
import type { ScopeDescription } from "../../web/scope_descriptions.ts";
import type { BelongingsWords } from "../../web/words/en/belongings.ts";
import { type AccountDone, type AccountLocale, accountFrame } from "../core/pages/account_frame.view.ts";
import { scopeList } from "./scope_list.view.ts";

export type ListedMembership = {
  id: string;
  name: string;
  logo_url: string | null;
  /** May differ from the roles that this server knows (spec 2.3). */
  role: string;
  since: Date;
  off: boolean;
  permissions: readonly ScopeDescription[];
};

type OwnOrganizationsPage = AccountLocale & {
  memberships: readonly ListedMembership[];
  done?: AccountDone | undefined;
};

/** Returns the display name of a role that this server knows; otherwise the role as stored. */
export function roleName(role: string, { roles }: BelongingsWords["organizations"]): string {
  return Object.hasOwn(roles, role) ? roles[role as keyof typeof roles] : role;
}

export function ownOrganizationsPage({ memberships, ...frame }: OwnOrganizationsPage): Html {
  const { organizations: words, since } = frame.words.belongings;
  const card = ({ id, name, logo_url, role, off, permissions, ...membership }: ListedMembership) =>
    html`<article class="card" aria-labelledby="membership-${id}">
<div class="person">${avatar({ name, logo_url, kind: "client" })}<div><h2 id="membership-${id}"><bdi>${name}</bdi></h2>
<p class="quiet"><span class="badge"><bdi>${roleName(role, words)}</bdi></span> ${since(moment(membership.since, "day", frame.language))}${off && html` <span class="badge badge-quiet">${words.off}</span>`}</p></div></div>
${
  permissions.length > 0
    ? html`<details><summary>${words.may}</summary>${scopeList(permissions, frame)}</details>`
    : html`<p class="quiet">${words.mayNothing}</p>`
}
<div class="actions"><a class="button danger" href="/account/organizations/${id}/leave" aria-label="${words.leaveOf(name)}">${words.leave}</a></div>
</article>`;
  return accountFrame({
    ...frame,
    here: "organizations",
    lead: words.lead,
    body:
      memberships.length > 0
        ? html`${memberships.map(card)}`
        : html`<div class="empty">${mark}<h2>${words.none}</h2><p class="lead">${words.noneLead}</p></div>`,
  });
}
