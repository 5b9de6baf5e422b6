import type { ResourceType } from "../../records/permissions.ts";
import type { Html, Printable } from "../html.ts";
import { type SideLink, type SideSection, sideFrame } from "../side_frame.ts";
import type { ConsoleWords } from "../words/en/console.ts";
import type { ManagementLocale } from "../words/page_locale.ts";

/** The sections of the side that list resource types, in their order. */
const sections = [
  "clients",
  "people",
  "machines",
  "activity",
  "server",
] as const satisfies readonly (keyof ConsoleWords["sections"])[];

export type SideSectionName = (typeof sections)[number];

/** The reader of the console. */
export type ConsoleUser = {
  name: string;
  is_platform_admin: boolean;
  /** The resource types of which they can see any record, in the order of the side, and their sections. */
  resourceTypes: ReadonlyMap<ResourceType, SideSectionName>;
};

/** The members that every page of the console takes. */
export type ConsoleLocale = ManagementLocale & { viewer: ConsoleUser };

export type ConsoleFrame = ConsoleLocale & {
  title: string;
  /** Which link of the side is this page's. */
  here: ResourceType | "dashboard" | "housekeeping" | "open_clients";
  crumbs?: readonly { label: string; href?: string | undefined }[] | undefined;
  actions?: Printable;
  lead?: Printable;
  done?: string | undefined;
  body: Html;
};

/** Where a resource type is listed. */
export function resourceTypeHref(resourceType: ResourceType): string {
  return `/console/${resourceType.replaceAll("_", "-")}`;
}

/** A page of the console. */
export function consoleFrame({ viewer, here, ...page }: ConsoleFrame): Html {
  const { console: words, resourceTypes, frame } = page.words;
  const link = (href: string, label: string, place: ConsoleFrame["here"]): SideLink => ({
    href,
    label,
    current: place === here,
  });
  const shown = sections.flatMap((section): SideSection[] => {
    const links = [...viewer.resourceTypes]
      .filter(([, listedIn]) => listedIn === section)
      .map(([resourceType]) =>
        link(resourceTypeHref(resourceType), resourceTypes[resourceType].many, resourceType),
      );
    if (section === "server" && viewer.is_platform_admin) {
      links.push(link("/console/open-clients", page.words.openClients.title, "open_clients"));
      links.push(link("/console/housekeeping", words.housekeeping, "housekeeping"));
    }
    return links.length === 0 ? [] : [{ label: words.sections[section], links }];
  });
  const overview = {
    label: words.sections.overview,
    links: [link("/console", words.dashboard, "dashboard")],
  };
  return sideFrame({
    ...page,
    width: "full",
    nav_label: words.title,
    sections: [overview, ...shown],
    top: [
      { href: "/account", label: frame.account },
      { href: "/console", label: frame.console, current: true },
      { href: "/logout", label: frame.signOut },
    ],
  });
}
