import type { ResourceType } from "../../records/definition/permissions.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html, type Printable } from "../../web/html/html.ts";
import type { SignedInPerson } from "../../web/person_menu.ts";
import { type SideLink, type SideSection, sideFrame } from "../../web/side_frame.ts";
import type { ManagementLocale } from "../../web/words/page_locale.ts";
import { type OrganizationSwitch, organizationSwitch } from "./organization_switch.view.ts";

const sections = ["clients", "people", "machines", "activity", "server"] as const;

const sectionOf: Readonly<Record<ResourceType, (typeof sections)[number]>> = {
  users: "people",
  organizations: "people",
  memberships: "people",
  groups: "people",
  group_members: "people",
  roles: "people",
  providers: "people",
  linked_accounts: "people",
  attributes: "people",
  sessions: "people",
  apps: "clients",
  resources: "clients",
  app_roles: "clients",
  app_secrets: "clients",
  consents: "clients",
  tokens: "clients",
  auth_codes: "clients",
  service_accounts: "machines",
  key_pairs: "machines",
  api_keys: "machines",
  audit_events: "activity",
  refusals: "activity",
  events: "activity",
  webhook_endpoints: "activity",
  deliveries: "activity",
  signing_keys: "server",
};

const sideResourceTypes = Object.keys(sectionOf) as readonly ResourceType[];

export type ConsoleUser = SignedInPerson & {
  is_platform_admin: boolean;
  version?: string | undefined;
  api_names: boolean;
  organizations?: OrganizationSwitch | undefined;
  resourceTypes: ReadonlySet<ResourceType>;
};

export type ConsoleLocale = ManagementLocale & { viewer: ConsoleUser };

type ConsoleFrame = ConsoleLocale & {
  title: string;
  here:
    | ResourceType
    | "search"
    | "organization"
    | "profile"
    | "dashboard"
    | "housekeeping"
    | "import"
    | "open_clients";
  crumbs?: readonly { label: string; href?: string | undefined }[] | undefined;
  actions?: Printable;
  lead?: Printable;
  done?: string | undefined;
  body: Html;
};

export const viewPath = "/console/view";

export const profileHref = (id: string): string => `${resourceTypeHref("organizations")}/${id}/profile`;

export function resourceTypeHref(resourceType: ResourceType): string {
  return `/console/${resourceType.replaceAll("_", "-")}`;
}

function apiNamesForm({ viewer, return_to, words }: ConsoleLocale): Html | undefined {
  if (return_to === undefined) return undefined;
  const { api_names } = viewer;
  const { showApiNames, hideApiNames } = words.console;
  return html`<form method="post" action="${viewPath}">${hiddenFields({ return_to })}<button class="toggle" type="submit" name="api_names" value="${api_names ? "off" : "on"}">${api_names ? hideApiNames : showApiNames}</button></form>`;
}

function sideEnd(page: ConsoleLocale): Html {
  const { words, viewer } = page;
  const { reference, openApi, version } = words.console;
  return html`<ul class="side-end"><li><a href="/api/docs">${reference}</a></li><li><a href="/api/openapi.json">${openApi}</a></li></ul>${apiNamesForm(page)}${viewer.version !== undefined && html`<p class="quiet">${version(viewer.version)}</p>`}`;
}

export const tokenPreviewPath = "/console/token-preview";

export const importPath = "/console/import";

export const searchPath = "/console/search";

function searchForm({ console: words }: ManagementLocale["words"]): Html {
  return html`<form class="find" method="get" action="${searchPath}"><label class="unseen" for="find">${words.searchAll}</label><input id="find" type="search" name="q" placeholder="${words.searchAll}" aria-keyshortcuts="/" required><button class="small button" type="submit">${words.search}</button></form>`;
}

/**
 * Returns the chosen organization, whose profile is the start page of an organization's administrator;
 * undefined for other viewers.
 */
export function ownOrganization(
  { is_platform_admin, organizations, resourceTypes }: ConsoleUser,
  chosen = organizations?.chosen,
) {
  // Roles that administer an organization may read its providers; the role `developer` may not.
  return is_platform_admin || !resourceTypes.has("providers") ? undefined : chosen;
}

export function consoleFrame({ viewer, here, ...page }: ConsoleFrame): Html {
  const { console: words, resourceTypes, frame } = page.words;
  const link = (href: string, label: string, place: ConsoleFrame["here"]): SideLink => ({
    href,
    label,
    current: place === here,
  });
  const shown = sections.flatMap((section): SideSection[] => {
    const links = sideResourceTypes
      .filter((resourceType) => sectionOf[resourceType] === section && viewer.resourceTypes.has(resourceType))
      .map((resourceType) =>
        link(resourceTypeHref(resourceType), resourceTypes[resourceType].many, resourceType),
      );
    if (section === "server" && viewer.is_platform_admin) {
      links.push(link("/console/open-clients", page.words.openClients.title, "open_clients"));
      links.push(link(importPath, page.words.imports.title, "import"));
      links.push(link("/console/housekeeping", words.housekeeping, "housekeeping"));
    }
    return links.length === 0 ? [] : [{ label: words.sections[section], links }];
  });
  const own = ownOrganization(viewer);
  const overview = {
    label: words.sections.overview,
    links: own
      ? [
          link(profileHref(own.id), page.words.organizationProfile.nav, "profile"),
          link("/console?period=day", words.dashboard, "dashboard"),
        ]
      : [link("/console", words.dashboard, "dashboard")],
  };
  return sideFrame({
    ...page,
    width: "full",
    nav_label: words.title,
    sections: [overview, ...shown],
    side_end: sideEnd({ ...page, viewer }),
    marks: viewer.api_names ? "api-names" : undefined,
    person: viewer,
    place: viewer.organizations && organizationSwitch(viewer.organizations, page),
    search: searchForm(page.words),
    faces: [
      { href: "/account", label: frame.account },
      { href: "/console", label: frame.console, current: true },
    ],
  });
}
