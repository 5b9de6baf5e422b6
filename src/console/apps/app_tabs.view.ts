import type { Html } from "../../web/html/html.ts";
import { type SideLink, tabBar } from "../../web/side_frame.ts";
import type { Words } from "../../web/words/words.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";

type AppTab = "overview" | "use" | "try" | "checks";

export type AppHead = {
  readonly id: string;
  readonly name: string;
  /** The number of risks with the level `danger` or `caution`. */
  readonly to_mend: number;
};

const paths: Readonly<Record<AppTab, string>> = {
  overview: "",
  use: "/use",
  try: "/try",
  checks: "/checks",
};

/** Returns the links to the pages of an app. */
export function appTabs({ id, to_mend }: AppHead, words: Words, here: AppTab): SideLink[] {
  const { tabs, toMend } = words.use;
  return (Object.keys(paths) as AppTab[]).map((tab) => ({
    href: `${resourceTypeHref("apps")}/${id}${paths[tab]}`,
    label: tabs[tab],
    current: tab === here,
    ...(tab === "checks" && to_mend > 0 && { mark: toMend(to_mend) }),
  }));
}

export function appTabBar(app: AppHead, words: Words, here: AppTab): Html {
  return tabBar(words.use.tabsLabel, appTabs(app, words, here));
}

export function appTitle(app: AppHead, words: Words, here: Exclude<AppTab, "overview">) {
  const apps = resourceTypeHref("apps");
  const crumbs: { label: string; href?: string }[] = [
    { label: words.resourceTypes.apps.many, href: apps },
    { label: app.name, href: `${apps}/${app.id}` },
    { label: words.use.tabs[here] },
  ];
  return { title: app.name, here: "apps" as const, crumbs };
}
