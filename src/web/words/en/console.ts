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
  reference: "API reference",
  openApi: "OpenAPI document",
  version: (version: string) => `Version ${version}`,
  showApiNames: "Show API names",
  hideApiNames: "Hide API names",
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
