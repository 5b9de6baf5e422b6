import { html, type Printable } from "../../html/html.ts";
/** Around every page of the console. */
export const consoleWords = {
  title: "Console",
  dashboard: "Dashboard",
  housekeeping: "Housekeeping",
  search: "Search",
  searchAll: "Search all records",
  results: (query: string) => `Results for “${query}”`,
  noResults: "No results",
  searchLead: "Search by any part of a name, an e-mail or a client ID, or by a whole ID.",
  searchUnread: "The newest records of these lists do not have it. Search the whole list:",
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
    lead: "Lists, figures and new records are then those of this organization.",
    find: "Find an organization by name",
    narrow: "There are more. Search for the name.",
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
