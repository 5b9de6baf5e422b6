/** Programs in a real Chromium: their website, and the person who signs in at the pages of Postern. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { browser } from "../../../test/support/browser.ts";
import { person } from "./scenario.ts";

/** Milliseconds until an element or an address that does not come counts as missing. */
const longestWait = 60_000;

/** Serves a website until the test ends; its origin. */
export async function website(context: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  // A name, as sites have one: cookies and policies know ports from sites.
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

/** A browser of one person, without cookies. */
export async function visitor(context: TestContext): Promise<BrowserContext> {
  const visiting = await (await browser()).newContext();
  visiting.setDefaultTimeout(longestWait);
  context.after(() => visiting.close());
  return visiting;
}

/** Fills in the login page, and allows the scopes on the consent page. */
export async function signInAndAllow(page: Page): Promise<void> {
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Allow" }).click();
}

/** Waits for the login page where the account page would be: this browser is signed out. */
export async function waitForSignedOut(visiting: BrowserContext, issuer: string): Promise<void> {
  const page = await visiting.newPage();
  await page.goto(`${issuer}/account`);
  await page.getByLabel("Password").waitFor();
  await page.close();
}
