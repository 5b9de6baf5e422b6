/**
 * Helpers for programs that run in Chromium. They serve the program's website, and play the user who signs in
 * on Postern's pages.
 */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { browser } from "../../../test/support/browser.ts";
import { person } from "./scenario.ts";

/** Milliseconds to wait for an element or an address. */
const longestWait = 60_000;

/** Serves a website until the test ends, and returns its origin. */
export async function website(context: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  // A host name, as websites have: cookies and policies treat IP addresses differently.
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

/** A new browser context without cookies. */
export async function visitor(context: TestContext): Promise<BrowserContext> {
  const visiting = await (await browser()).newContext();
  visiting.setDefaultTimeout(longestWait);
  context.after(() => visiting.close());
  return visiting;
}

/** Completes the login page, and consents to the scopes. */
export async function signInAndAllow(page: Page): Promise<void> {
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Allow" }).click();
}

/** Opens the account page. Waits until the browser shows the login page instead, so it is signed out. */
export async function waitForSignedOut(visiting: BrowserContext, issuer: string): Promise<void> {
  const page = await visiting.newPage();
  await page.goto(`${issuer}/account`);
  await page.getByLabel("Password").waitFor();
  await page.close();
}
