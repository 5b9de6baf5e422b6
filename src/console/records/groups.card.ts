import { type Html, html } from "../../web/html/html.ts";
import type { Words } from "../../web/words/words.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";

type GroupsCard = {
  groups: readonly { id: string; display_name: string }[];
  roles: readonly string[];
};

/** Renders a member's groups and the roles they give; undefined if there are no groups. */
export function groupsCard({ groups, roles }: GroupsCard, words: Words): Html | undefined {
  if (groups.length === 0) return undefined;
  const { organizationProfile: said, resourceTypes } = words;
  const names = roles.map((name, index) => html`${index > 0 && ", "}<bdi>${name}</bdi>`);
  return html`<section class="card" aria-labelledby="groups"><h2 id="groups">${resourceTypes.groups.many}</h2>
<ul class="values">${groups.map(({ id, display_name }) => html`<li><a href="${resourceTypeHref("groups")}/${id}"><bdi>${display_name}</bdi></a></li>`)}</ul>
${roles.length > 0 && html`<p>${said.throughGroups(names)}</p>`}</section>`;
}
