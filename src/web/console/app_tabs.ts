import type { Html } from "../html.ts";
import type { SideLink } from "../side_frame.ts";
import { tabBar } from "../tab_bar.ts";
import type { Words } from "../words/words.ts";
import { resourceTypeHref } from "./console_frame.ts";

/** The pages of one app in the console. */
export type AppTab = "overview" | "use" | "try" | "checks";

const paths: Readonly<Record<AppTab, string>> = {
  overview: "",
  use: "/use",
  try: "/try",
  checks: "/checks",
};

/** The links between the pages of the app of this id; `here` is the present one. */
export function appTabs(id: string, words: Words, here: AppTab): SideLink[] {
  const labels = words.use.tabs;
  return (Object.keys(paths) as AppTab[]).map((tab) => ({
    href: `${resourceTypeHref("apps")}/${id}${paths[tab]}`,
    label: labels[tab],
    current: tab === here,
  }));
}

/** The same as a row of tabs. */
export function appTabBar(id: string, words: Words, here: AppTab): Html {
  return tabBar(words.use.tabsLabel, appTabs(id, words, here));
}

/** The way down to a part of an app. */
export function appCrumbs(
  app: { readonly id: string; readonly name: string },
  words: Words,
  here: Exclude<AppTab, "overview">,
): { label: string; href?: string }[] {
  const apps = resourceTypeHref("apps");
  return [
    { label: words.resourceTypes.apps.many, href: apps },
    { label: app.name, href: `${apps}/${app.id}` },
    { label: words.use.tabs[here] },
  ];
}
