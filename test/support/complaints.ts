import type { Page } from "playwright-core";

/** A message of Chromium if a form is filled in before its first field gets the focus. */
const filledInEarly = "Autofocus processing was blocked because a document already has a focused element.";

/**
 * Collects the browser's console messages from now on, such as policy violations, and errors of scripts.
 * `expected` matches those that the test itself causes, such as the status of a refusal.
 */
export function complaintsOf(page: Page, expected?: RegExp): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    const text = message.text();
    if (text !== filledInEarly && !expected?.test(text)) complaints.push(text);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return complaints;
}
