import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { createListener } from "../../src/http/serving/listener.ts";
import type { OAuthApp, User } from "../../src/records/definition/definition.ts";
import { aPerson, password, type TestApp, testApp } from "../support/app.ts";
import { browser } from "../support/browser.ts";
import { anApp } from "../support/builders.ts";
import { complaintsOf } from "../support/complaints.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";

describe("in a real browser, without JavaScript", () => {
  let it: TestApp;
  let user: User;
  let client: OAuthApp;
  let application: Server;
  let base_url: string;
  let page: Page;
  let complaints: readonly string[];

  before(async () => {
    const listener = createListener({ host: "127.0.0.1", port: 0 });
    base_url = `http://localhost:${await listener.port()}`;
    it = await testApp({ base_url, http_server: listener.server });
    await listener.answerWith(it.app);
    // Like many applications, this one redirects from its callback to another of its hosts.
    application = createServer((request, response) => {
      const { port: own } = application.address() as AddressInfo;
      if (request.url?.startsWith("/cb")) {
        response.writeHead(302, { location: `http://localhost:${own}/welcome${request.url.slice(3)}` }).end();
      } else response.end("welcome to the application");
    }).listen(0, "127.0.0.1");
    await once(application, "listening");
    const { port: own } = application.address() as AddressInfo;
    user = await aPerson(it, { email: "ada@example.com" });
    client = await anApp(it.store, { redirect_uris: [`http://127.0.0.1:${own}/cb`] });
    const context = await (await browser()).newContext({ javaScriptEnabled: false });
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    // The failed sign-in is a 401 response, which Chromium logs.
    complaints = complaintsOf(page, /401/);
  });
  after(async () => {
    await page.context().close();
    application.closeAllConnections();
    application.close();
    await it.app.close();
  });

  const address = (input = {}) => `${base_url}/oauth/authorize?${formOf(authorizeParameters(client, input))}`;

  async function enter(secret: string) {
    await page.fill("#email", user.email);
    await page.fill("#password", secret);
    await page.click("button[type=submit]");
  }

  test("A-15, A-23: the content security policies allow sign-in, consent and the redirect to the application", async () => {
    await page.goto(address({ state: "kept" }));
    assert.match(page.url(), /\/login\?redirect=/);
    await enter("a wrong one");
    assert.match(await page.innerText("body"), /Wrong email or password/);
    await enter(password);
    assert.match(await page.innerText("h1"), /Allow/);
    await page.click("button[value=allow]");
    await page.waitForURL(/\/welcome\?/);
    const { searchParams } = new URL(page.url());
    assert.ok(searchParams.has("code"));
    assert.equal(searchParams.get("state"), "kept");
    assert.deepEqual(complaints, []);
  });

  test("A-23: the content security policies allow a sign-in that redirects directly to the application", async () => {
    await it.store.update("oauth_apps", { id: client.id }, { first_party: true });
    await page.goto(address({ prompt: "login" }));
    await enter(password);
    await page.waitForURL(/\/welcome\?/);
    await it.store.update("oauth_apps", { id: client.id }, { first_party: false });
    assert.deepEqual(complaints, []);
  });

  test("A-29: a user can switch to another account on the consent page", async () => {
    await page.goto(address({ prompt: "consent" }));
    await page.click("text=Use another account");
    assert.match(await page.innerText("h1"), /Choose an account/);
    await page.click("button[value=another]");
    assert.match(await page.innerText("h1"), /Sign in/);
    await page.goBack();
    await page.click("button[value=continue]");
    await page.click("button[value=deny]");
    await page.waitForURL(/\/welcome\?/);
    assert.equal(new URL(page.url()).searchParams.get("error"), "access_denied");
    assert.deepEqual(complaints, []);
  });

  test("a language chosen in the footer during a sign-in stays selected", async () => {
    await page.goto(address({ prompt: "consent", ui_locales: "es" }));
    assert.match(await page.innerText("h1"), /¿Permitir que .* use tu cuenta\?/);
    await page.click("footer button[value=zh]");
    assert.equal(await page.getAttribute("html", "lang"), "zh-Hans");
    assert.match(await page.innerText("h1"), /允许/);
    await page.goto(`${base_url}/`);
    assert.match(await page.innerText("h1"), /个人资料/);
    await page.click("footer button[value=en]");
    assert.match(await page.innerText("h1"), /Profile/);
    assert.deepEqual(complaints, []);
  });

  test("O-3: sign-out asks for confirmation, and then ends the session", async () => {
    await page.goto(`${base_url}/oauth/logout`);
    await page.click("button[type=submit]");
    assert.match(await page.innerText("h1"), /signed out/);
    await page.goto(`${base_url}/`);
    assert.match(page.url(), /\/login$/);
    assert.deepEqual(complaints, []);
  });
});
