import type { Family } from "../../records/permissions.ts";
import type { Html, Printable } from "../html.ts";
import { type SideLink, type SideSection, sideFrame } from "../side_frame.ts";
import type { ConsoleWords } from "../words/console.ts";
import type { Reader } from "../words/reader.ts";

/** Whoever looks at the console. */
export type Viewer = {
  name: string;
  is_platform_admin: boolean;
  /** The families whose records they can see anywhere. */
  families: readonly Family[];
};

/** What every page of the console takes. */
export type ConsoleReader = Reader & { viewer: Viewer };

export type ConsoleFrame = ConsoleReader & {
  title: string;
  /** Which link of the side is this page's. */
  here: Family | "dashboard" | "housekeeping";
  crumbs?: readonly { label: string; href?: string | undefined }[] | undefined;
  actions?: Printable;
  lead?: Printable;
  done?: string | undefined;
  body: Html;
};

const sections: readonly { label: keyof ConsoleWords["sections"]; families: readonly Family[] }[] = [
  { label: "clients", families: ["apps", "app_secrets", "consents", "tokens", "auth_codes"] },
  { label: "people", families: ["users", "organizations", "memberships", "linked_accounts", "sessions"] },
  { label: "machines", families: ["service_accounts", "key_pairs", "api_keys"] },
  { label: "activity", families: ["audit_events", "refusals"] },
  { label: "server", families: ["signing_keys"] },
];

/** Where a family of records is listed. */
export function familyHref(family: Family): string {
  return `/console/${family.replaceAll("_", "-")}`;
}

/** A page of the console. */
export function consoleFrame({ viewer, here, ...page }: ConsoleFrame): Html {
  const { console: words, families, frame } = page.words;
  const link = (href: string, label: string, place: ConsoleFrame["here"]): SideLink => ({
    href,
    label,
    current: place === here,
  });
  const shown = sections.flatMap(({ label, families: listed }): SideSection[] => {
    const links = listed
      .filter((family) => viewer.families.includes(family))
      .map((family) => link(familyHref(family), families[family].many, family));
    if (label === "server" && viewer.is_platform_admin) {
      links.push(link("/console/housekeeping", words.housekeeping, "housekeeping"));
    }
    return links.length === 0 ? [] : [{ label: words.sections[label], links }];
  });
  const overview = {
    label: words.sections.overview,
    links: [link("/console", words.dashboard, "dashboard")],
  };
  return sideFrame({
    ...page,
    nav_label: words.title,
    sections: [overview, ...shown],
    top: [
      { href: "/account", label: frame.account },
      { href: "/console", label: frame.console, current: true },
      { href: "/logout", label: frame.signOut },
    ],
  });
}
