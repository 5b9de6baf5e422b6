import type { Page } from "playwright-core";

/**
 * What the browser finds wrong with the pages from now on: errors and warnings of its console, such as that a
 * policy was violated, and what scripts throw. `expected` are those that the test itself causes, such as the
 * status of a refusal. What the console merely remarks is none: of a page whose form is filled in before its
 * first field had the focus, it says that nothing was focused.
 */
export function complaintsOf(page: Page, expected?: RegExp): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    const isComplaint = ["error", "warning"].includes(message.type());
    if (isComplaint && !expected?.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return complaints;
}
