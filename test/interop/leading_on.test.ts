/**
 * Applications that wait for their callback in a separate window, or whose callback redirects to a program.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import { aPerson, password, type TestApp, testApp } from "../support/app.ts";
import { browser } from "../support/browser.ts";
import { anApp } from "../support/builders.ts";
import { complaintsOf } from "../support/complaints.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";
import { freePort } from "../support/free_port.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";
import { totpCode } from "../support/totp.ts";
import { until } from "../support/until.ts";

/** Starts an application whose callback redirects to its program. */
async function programs() {
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://application");
    if (pathname.startsWith("/program")) {
      response.writeHead(302, { location: `com.example.program://opened${search}` }).end();
      return;
    }
    response.writeHead(200, { "content-type": "text/html" }).end("<title>App</title><h1>Back</h1>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, close: () => server.close().closeAllConnections() };
}

let it: TestApp;
let url: string;
let application: Awaited<ReturnType<typeof programs>>;
let trusted: OAuthApp;
let asking: OAuthApp;

before(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  it = await testApp({ base_url: url, settings: { extra_sign_in: ["totp"] } });
  await it.app.listen({ host: "127.0.0.1", port });
  application = await programs();
  const input = {
    redirect_uris: [`${application.origin}/program`, `${application.origin}/window`],
    post_logout_redirect_uris: [`${application.origin}/program-signed-out`],
  };
  trusted = await anApp(it.store, { ...input, name: "Trusted", first_party: true });
  asking = await anApp(it.store, { ...input, name: "Asking" });
});
after(async () => {
  application.close();
  await it.app.close();
});

const authorizeUrl = (app: OAuthApp, input: Readonly<Record<string, string>> = {}) =>
  `${url}/oauth/authorize?${formOf(authorizeParameters(app, input))}`;

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

const click = (page: Page, name: string | RegExp) =>
  page.locator("main").getByRole("button", { name }).first().click();

describe("A-23: in Chromium, a callback that redirects further is followed", () => {
  /** By name, the ways in which a page of Postern redirects to the application's callback. */
  const ways: Readonly<Record<string, (page: Page) => Promise<void>>> = {
    async login(page) {
      const { email } = await aPerson(it);
      await page.goto(authorizeUrl(trusted));
      await signIn(page, email);
    },
    async "the second factor"(page) {
      const user = await aPerson(it);
      const { secret } = await anAuthenticatorApp(user, it.identity);
      await page.goto(authorizeUrl(trusted));
      await signIn(page, user.email);
      await page.locator("#code").fill(totpCode(secret, it.clock.now()));
      await click(page, "Continue");
    },
    async consent(page) {
      const { email } = await aPerson(it);
      await page.goto(authorizeUrl(asking));
      await signIn(page, email);
      await click(page, "Allow");
    },
    async "a refused consent"(page) {
      const { email } = await aPerson(it);
      await page.goto(authorizeUrl(asking));
      await signIn(page, email);
      await click(page, "Deny");
    },
    async "the choice of an account"(page) {
      const { email } = await aPerson(it);
      await page.goto(`${url}/login?redirect=/account`);
      await signIn(page, email);
      await page.goto(authorizeUrl(trusted, { prompt: "select_account" }));
      await click(page, new RegExp(email));
    },
    async "signing out"(page) {
      const { email } = await aPerson(it);
      await page.goto(`${url}/login?redirect=/account`);
      await signIn(page, email);
      const post_logout_redirect_uri = `${application.origin}/program-signed-out`;
      const requested = { client_id: trusted.client_id, post_logout_redirect_uri };
      await page.goto(`${url}/oauth/logout?${formOf(requested)}`);
      await click(page, "Sign out");
    },
  };

  for (const [name, lead] of Object.entries(ways)) {
    test(`A-23: a redirect from ${name} is followed`, async () => {
      const context = await (await browser()).newContext();
      const page = await context.newPage();
      const complaints = complaintsOf(page);
      const requested: string[] = [];
      page.on("request", (request) => requested.push(request.url()));
      await lead(page);
      await until(
        () => complaints.length > 0 || requested.some((each) => each.startsWith("com.example.program:")),
        `the program opened: ${requested.join(" ")}`,
      );
      assert.deepEqual(complaints, []);
      await context.close();
    });
  }
});

test("A-23: in Chromium, an application that opens the sign-in in a new window stays its opener", async () => {
  const user = await aPerson(it);
  const { secret } = await anAuthenticatorApp(user, it.identity);
  const context = await (await browser()).newContext();
  const opener = await context.newPage();
  await opener.goto(application.origin);
  const address = authorizeUrl(asking, { redirect_uri: `${application.origin}/window` });
  const opened = context.waitForEvent("page");
  await opener.evaluate(`window.opened = window.open("${address}", "sign-in", "popup"); undefined`);
  const page = await opened;
  const closed = () => opener.evaluate("window.opened.closed");
  await page.getByLabel("Email").waitFor();
  assert.equal(await closed(), false, "while the person types");
  await signIn(page, user.email);
  await page.locator("#code").fill(totpCode(secret, it.clock.now()));
  assert.equal(await closed(), false, "at the second factor");
  await click(page, "Continue");
  await click(page, "Allow");
  await page.waitForURL(`${application.origin}/window?**`);
  assert.equal(await page.evaluate("window.opener !== null"), true);
  assert.equal(await closed(), false, "at the callback");
  await context.close();
});

test("A-23: in Chromium, the account pages have no opener", async () => {
  const { email } = await aPerson(it);
  const context = await (await browser()).newContext();
  const opener = await context.newPage();
  await opener.goto(`${url}/login?redirect=/account`);
  await signIn(opener, email);
  await opener.waitForURL(`${url}/account`);
  await opener.goto(application.origin);
  const opened = context.waitForEvent("page");
  await opener.evaluate(`window.open("${url}/account"); undefined`);
  const page = await opened;
  await page.waitForURL(`${url}/account`);
  assert.equal(await page.evaluate("window.opener"), null);
  await context.close();
});
