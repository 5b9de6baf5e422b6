import { type Html, html } from "../html.ts";
import type { SideLink } from "../side_frame.ts";
import type { Words } from "../words/words.ts";

/** The pages of one app in the console. */
export type AppTab = "overview" | "use" | "try" | "checks";

const paths: Readonly<Record<AppTab, string>> = {
  overview: "",
  use: "/use",
  try: "/try",
  checks: "/checks",
};

/** The links between the pages of the app of this id; `here` is the one they stand on. */
export function appTabs(id: string, words: Words, here: AppTab): SideLink[] {
  const labels = words.use.tabs;
  return (Object.keys(paths) as AppTab[]).map((tab) => ({
    href: `/console/apps/${id}${paths[tab]}`,
    label: labels[tab],
    current: tab === here,
  }));
}

/** The same as a row of tabs. */
export function appTabBar(id: string, words: Words, here: AppTab): Html {
  const link = ({ href, label, current }: SideLink) =>
    html`<li><a href="${href}"${current && html` aria-current="page"`}>${label}</a></li>`;
  return html`<nav class="tabs" aria-label="${words.use.tabsLabel}"><ul>${appTabs(id, words, here).map(link)}</ul></nav>`;
}
