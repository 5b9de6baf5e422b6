/** Plays the user, who opens the URLs of a suite's module in a browser. */
import type { Page } from "playwright-core";
import { hiddenFields } from "../../../src/web/html/hidden_fields.ts";
import { html } from "../../../src/web/html/html.ts";

export interface Visit {
  readonly url: string;
  readonly method: string;
}

/** Milliseconds until a page counts as final. */
const patience = 3000;

/** Opens an address. For POST, its query is sent as a form. */
async function open(page: Page, { url, method }: Visit): Promise<void> {
  if (method !== "POST") {
    await page.goto(url);
    return;
  }
  const { origin, pathname, searchParams } = new URL(url);
  const fields = hiddenFields(Object.fromEntries(searchParams));
  await page.goto("about:blank");
  await page.setContent(
    String(html`<form method="post" action="${origin + pathname}">${fields}<button>Send</button></form>`),
  );
  await page.getByRole("button").click();
}

/**
 * Signs in and consents until the browser leaves `issuer`. Calls back at each login page, and at a page that
 * offers no way to continue, such as an error.
 */
export async function visit(
  page: Page,
  request: Visit,
  issuer: string,
  person: { readonly email: string; readonly password: string },
  tell: (page: "login" | "end") => Promise<void>,
): Promise<void> {
  await open(page, request);
  const next = page.locator("main").getByRole("button", { name: /^(?:Allow|Sign out)$/ });
  const password = page.getByLabel("Password", { exact: true });
  while (page.url().startsWith(issuer)) {
    const loaded = page.waitForEvent("load", { timeout: patience }).catch(() => undefined);
    if (await password.isVisible()) {
      await tell("login");
      if (await page.getByLabel("Email").isVisible()) await page.getByLabel("Email").fill(person.email);
      await password.fill(person.password);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
    } else if (await next.isVisible()) await next.click();
    if ((await loaded) === undefined && page.url().startsWith(issuer)) return tell("end");
  }
}
