import { html, type Printable } from "../../html/html.ts";
export const consoleWords = {
  title: "Console",
  dashboard: "Dashboard",
  housekeeping: "Housekeeping",
  search: "Search",
  searchAll: "Search all records",
  results: (query: string) => `Results for “${query}”`,
  noResults: "No results",
  searchLead: "Search by any part of a name, an email or a client ID, or by a whole ID.",
  searchUnread:
    "Only the newest records of these lists were searched, and none matched. Search a whole list:",
  reference: "API reference",
  openApi: "OpenAPI document",
  version: (version: string) => `Version ${version}`,
  showApiNames: "Show API names",
  hideApiNames: "Hide API names",
  organization: {
    label: "Organization",
    all: "All organizations",
    more: "Find another organization",
    choose: "Choose an organization",
    lead: "Lists, figures and new records are then limited to this organization.",
    find: "Find an organization by name",
    narrow: "There are more. Search by name.",
    first: "You manage many organizations. Choose one to see its figures.",
    showAll: "Show all organizations",
    none: (records: string, organization: Printable) => html`No ${records.toLowerCase()} in ${organization}`,
    everywhere: "They belong to no organization, so all are listed.",
  },
  sections: {
    overview: "Overview",
    clients: "Applications",
    people: "People",
    machines: "Machines",
    activity: "Activity",
    server: "Server",
  },
};

export type ConsoleWords = typeof consoleWords;
