/** Around every page of the console. */
export const consoleWords = {
  title: "Console",
  dashboard: "Dashboard",
  housekeeping: "Housekeeping",
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
