/**
 * The enhancements that a script adds to the pages, in a real browser under the server's
 * Content-Security-Policy.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ts } from "@ts-morph/common";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { searchPage } from "../../src/console/lists/search.page.ts";
import { contentSecurityPolicy, formAction } from "../../src/http/security_headers.ts";
import { loginPage } from "../../src/people/entry/login.page.ts";
import { readAssets } from "../../src/web/assets.ts";
import { html } from "../../src/web/html/html.ts";
import { layout } from "../../src/web/layout.ts";
import { moment } from "../../src/web/moment.ts";
import type { Language } from "../../src/web/words/language.ts";
import { browser } from "../support/browser.ts";
import { complaintsOf } from "../support/complaints.ts";
import { aReader, aViewer } from "../web/reader.ts";

const script = readAssets().find(({ path }) => path.endsWith("enhancements.js"));
const when = new Date("2030-07-01T22:30:00Z");

const pageOf = (language: Language) =>
  layout({
    ...aReader(language),
    title: "Comfort",
    width: "wide",
    body: html`<h1>Comfort</h1>
<div class="secret"><code>pcs_the_secret</code></div>
<pre data-copy><code>curl one
curl two</code></pre>
<pre id="plain">not to be copied</pre>
<p id="minute">${moment(when, "minute", language)}</p><p id="day">${moment(when, "day", language)}</p>
<form method="post" action="/sent"><input type="hidden" name="kept" value="1"><button class="button" type="submit" name="decision" value="allow">Send</button></form>
<form class="filters" action="/list"><div class="field"><label for="state">State</label><select id="state" name="state"><option value="">Any</option><option value="active">Active</option></select></div><button class="button" type="submit">Search</button></form>
<form class="filters" id="times" action="/list"><div class="field"><label for="from">From <span class="quiet">UTC</span></label><input id="from" name="created_from" type="datetime-local" value="2030-07-01T22:30"></div><button class="button" type="submit">Narrow</button></form>
<form class="filters" id="buttonless" action="/list"><div class="field"><label for="kind">Kind</label><select id="kind" name="kind"><option value="">Any</option><option value="web">Web</option></select></div></form>`,
  });

describe("the script of the pages", () => {
  let server: Server;
  let origin: string;
  /** The posted forms, and the requests for the list. */
  const posted: string[] = [];
  const listed: string[] = [];
  /** Sends the delayed responses to posts. */
  let answer = () => {};
  let wait: Promise<void> = Promise.resolve();

  before(async () => {
    server = createServer(async (request, response) => {
      const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
      const asset = readAssets().find(({ path }) => path === pathname);
      if (asset !== undefined) {
        response.writeHead(200, { "content-type": asset.type }).end(asset.body);
        return;
      }
      if (request.method === "POST") {
        let body = "";
        for await (const chunk of request.setEncoding("utf8")) body += chunk;
        posted.push(body);
        await wait;
      }
      if (pathname === "/list") listed.push(search);
      const language = pathname === "/es" ? "es" : "en";
      const page = pathname === "/login" ? login() : pathname === "/console" ? console() : pageOf(language);
      response
        .writeHead(200, {
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": contentSecurityPolicy(formAction(undefined)),
        })
        .end(String(page));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close().closeAllConnections());

  const login = () => loginPage({ ...aReader(), redirect: "/", csrf_token: "t", email: "ada@example.com" });

  const console = () =>
    searchPage({
      ...aReader(),
      viewer: aViewer("Acme", ["apps"]),
      query: "no such thing",
      groups: [],
      unread: [],
    });

  async function opened(
    path: string,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
    const context = await (await browser()).newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const complaints = complaintsOf(page);
    await page.goto(`${origin}${path}`);
    return { page, context, complaints };
  }

  test("opens the search with a slash, moves through the header's menus by arrow keys, and leaves by Escape", async () => {
    const { page, context, complaints } = await opened("/console");
    const at = () =>
      page.evaluate<string>(
        '(({ id, tagName, textContent }) => id || tagName + " " + textContent.trim())(document.activeElement)',
      );
    const pressed = async (key: string) => {
      await page.keyboard.press(key);
      return at();
    };
    const walk: string[] = [];
    for (let stop = await pressed("Tab"); walk.length < 7; stop = await pressed("Tab")) walk.push(stop);
    const place = "SUMMARY Organization Acme";
    assert.deepEqual(walk, [
      "A Skip to content",
      place,
      "A Account",
      "A Console",
      "find",
      "BUTTON Search",
      "SUMMARY ASigned in as Acme",
    ]);
    assert.equal(await pressed("/"), "find");
    await page.locator("summary", { hasText: "Organization" }).focus();
    await pressed("Enter");
    assert.equal(await pressed("ArrowDown"), "BUTTON All organizations");
    assert.equal(await pressed("ArrowDown"), "BUTTON Acme");
    assert.equal(await pressed("ArrowUp"), "BUTTON All organizations");
    assert.equal(await pressed("Escape"), place);
    const open = () => page.locator("details.menu[open]").count();
    assert.equal(await open(), 0);
    await page.locator("summary", { hasText: "Signed in as" }).click();
    assert.equal(await open(), 1);
    await page.locator("h1").click();
    assert.equal(await open(), 0);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test("is served without comments, and works like its source, as do the passkey script and the style sheet", async () => {
    const sourceOf = (path: string) =>
      readFileSync(
        fileURLToPath(new URL(`../../src/web/${path.split("/").at(-1)}`, import.meta.url)),
        "utf8",
      );
    const page = await (await browser()).newPage();
    try {
      for (const { path, body } of readAssets()) {
        const [source, served] = [sourceOf(path), body.toString()];
        assert.doesNotMatch(served, /\/\*|^\s*\/\/|^\s/m, path);
        const rules = (text: string) =>
          page.evaluate<string[]>(
            `(() => {
              const sheet = new CSSStyleSheet();
              sheet.replaceSync(${JSON.stringify(text)});
              return [...sheet.cssRules].map(({ cssText }) => cssText);
            })()`,
          );
        const statements = (text: string) => {
          const compilerOptions = { target: ts.ScriptTarget.ES2024, removeComments: true };
          return ts.transpileModule(text, { compilerOptions }).outputText;
        };
        if (path.endsWith(".css")) {
          assert.ok((await rules(served)).length > 100);
          assert.deepEqual(await rules(served), await rules(source), path);
        } else if (path.endsWith(".js")) assert.equal(statements(served), statements(source), path);
      }
    } finally {
      await page.close();
    }
  });

  test("is small, and like the other scripts passes the type checker", async () => {
    assert.ok((script?.body.length ?? Number.NaN) < 5300, String(script?.body.length));
    const tsc = join(dirname(fileURLToPath(import.meta.resolve("typescript/package.json"))), "bin", "tsc");
    const sources = ["enhancements.js", "passkeys.js", "picker.js", "brand_preview.js"].map((name) =>
      fileURLToPath(new URL(`../../src/web/${name}`, import.meta.url)),
    );
    const options = ["--noEmit", "--ignoreConfig", "--allowJs", "--checkJs", "--strict", "--types", ""];
    const libraries = ["--target", "es2024", "--lib", "es2024,dom,dom.iterable"];
    await promisify(execFile)(process.execPath, [tsc, ...options, ...libraries, ...sources]).catch(
      ({ stdout }: { stdout: string }) => assert.fail(stdout),
    );
  });

  test("copies a secret or a snippet by a button, confirms it, and changes no other text", async () => {
    const { page, context, complaints } = await opened("/", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const pasted = () => page.evaluate<string>("navigator.clipboard.readText()");
    const buttons = page.locator("main").getByRole("button", { name: /^Cop/ });
    assert.equal(await buttons.count(), 2);
    await buttons.first().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.equal(await page.locator("[role=status]").textContent(), "Copied");
    assert.equal(await pasted(), "pcs_the_secret");
    await page.locator("pre[data-copy] + button").click();
    await page.locator("pre[data-copy] + button").filter({ hasText: "Copied" }).waitFor();
    assert.equal(await pasted(), "curl one\ncurl two");
    await page
      .locator(".secret button")
      .filter({ hasText: /^Copy$/ })
      .waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test("selects the text if the browser does not allow copying", async () => {
    const { page, context } = await opened("/");
    await page.evaluate(
      `Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true })`,
    );
    await page.locator(".secret button").click();
    assert.equal(await page.evaluate("String(getSelection())"), "pcs_the_secret");
    assert.equal(await page.locator(".secret button").textContent(), "Copy");
    await context.close();
  });

  test("shows times in the reader's time zone and the page's language, and UTC on request", async () => {
    const tokyo = { timezoneId: "Asia/Tokyo", locale: "en-US" };
    const english = await opened("/", tokyo);
    const time = (id: string, { page }: { page: Page }) => page.locator(`#${id} time`);
    assert.match((await time("minute", english).textContent()) ?? "", /^Jul 2, 2030, 7:30\sAM$/);
    assert.equal(await time("minute", english).getAttribute("title"), "1 Jul 2030, 22:30 UTC");
    assert.equal(await time("minute", english).getAttribute("datetime"), when.toISOString());
    assert.equal(await time("day", english).textContent(), "July 2, 2030");
    const spanish = await opened("/es", tokyo);
    assert.match((await time("minute", spanish).textContent()) ?? "", /^2 jul 2030, 7:30$/);
    assert.deepEqual([...english.complaints, ...spanish.complaints], []);
    await english.context.close();
    await spanish.context.close();
  });

  test("shows times in filters in the reader's time zone, and sends them in UTC", async () => {
    const { page, context, complaints } = await opened("/", { timezoneId: "Asia/Tokyo" });
    assert.equal(await page.locator("#from").inputValue(), "2030-07-02T07:30");
    assert.equal(await page.locator("#times label .quiet").textContent(), "Asia/Tokyo");
    await page.getByRole("button", { name: "Narrow" }).click();
    await page.waitForURL("**/list?created_from=2030-07-01T22%3A30%3A00.000Z");
    assert.deepEqual(complaints, []);
    await context.close();
    const plain = await opened("/", { timezoneId: "Asia/Tokyo", javaScriptEnabled: false });
    assert.equal(await plain.page.locator("#times label .quiet").textContent(), "UTC");
    await plain.page.getByRole("button", { name: "Narrow" }).click();
    await plain.page.waitForURL("**/list?created_from=2030-07-01T22%3A30");
    await plain.context.close();
  });

  test("does not send a form twice while the response is pending, and allows it after returning to the page", async () => {
    const { page, context } = await opened("/");
    ({ promise: wait, resolve: answer } = Promise.withResolvers<void>());
    posted.length = 0;
    const clicked = page.evaluate(`(() => {
      const button = document.querySelector('form[action="/sent"] button');
      button.click();
      // A click in a later task is a separate click for the browser, like a second click by the user.
      return new Promise((resolve) => setTimeout(() => resolve([button.click(), button.click()].length)));
    })()`);
    assert.equal(await clicked, 2);
    answer();
    await page.waitForURL("**/sent");
    assert.deepEqual(posted, ["kept=1&decision=allow"], "once, with the button that was pressed");
    await page.goBack();
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForURL("**/sent");
    assert.equal(posted.length, 2);
    await context.close();
  });

  test("allows sending a form again after a response, such as a download, that keeps the page open", async () => {
    const { page, context } = await opened("/");
    posted.length = 0;
    await page.clock.install();
    await page.reload();
    await page.evaluate(
      `window.let = 0;
      addEventListener("submit", (event) => {
        if (!event.defaultPrevented) window.let += 1;
        event.preventDefault();
      });`,
    );
    const button = page.getByRole("button", { name: "Send" });
    await button.click();
    await button.click();
    assert.equal(await page.evaluate("window.let"), 1);
    await page.clock.runFor(8100);
    await button.click();
    assert.equal(await page.evaluate("window.let"), 2);
    await context.close();
  });

  test("shows a password on request without losing focus, and hides it again before it is sent", async () => {
    const { page, context, complaints } = await opened("/login");
    const field = page.locator("#password");
    // The page itself moves the focus to this field, a moment after it has loaded. The script must not move
    // it again.
    await page.locator("#password:focus").waitFor();
    await field.fill("correct horse");
    assert.equal(await field.getAttribute("type"), "password");
    await page.getByRole("button", { name: "Show password" }).click();
    assert.equal(await field.getAttribute("type"), "text");
    await page.getByRole("button", { name: "Hide password" }).click();
    assert.equal(await field.getAttribute("type"), "password");
    await page.getByRole("button", { name: "Show password" }).click();
    await field.focus();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate("document.activeElement.className"), "toggle");
    // This listener runs after those of the script, and its result is kept for the next page.
    await page.evaluate(
      "addEventListener('submit', () => sessionStorage.setItem('sent', document.querySelector('#password').type))",
    );
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForFunction("sessionStorage.getItem('sent') !== null");
    assert.equal(await page.evaluate("sessionStorage.getItem('sent')"), "password");
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test("applies a filter chosen by pointer at once, and one chosen by keyboard when the button is pressed", async () => {
    const { page, context } = await opened("/");
    listed.length = 0;
    const select = page.locator("#state");
    await select.focus();
    await page.keyboard.press("ArrowDown");
    await select.selectOption("active");
    await page.waitForTimeout(200);
    assert.deepEqual(listed, []);
    await page.getByRole("button", { name: "Search" }).click();
    await page.waitForURL("**/list?state=active");

    await page.goto(origin);
    listed.length = 0;
    await select.dispatchEvent("pointerdown");
    await select.selectOption("active");
    await page.waitForURL("**/list?state=active");
    assert.deepEqual(listed, ["?state=active"]);

    await page.goto(origin);
    listed.length = 0;
    await page.locator("#kind").dispatchEvent("pointerdown");
    await page.locator("#kind").selectOption("web");
    await page.waitForTimeout(200);
    assert.deepEqual(listed, [], "without a button for those without scripts there is nothing to shorten");
    await context.close();
  });

  test("adds nothing without JavaScript, and the page has the same content", async () => {
    const { page, context } = await opened("/", { javaScriptEnabled: false });
    assert.equal(await page.getByRole("button", { name: /Copy/ }).count(), 0);
    assert.equal(await page.locator("#minute").textContent(), "1 Jul 2030, 22:30 UTC");
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForURL("**/sent");
    await page.goto(`${origin}/login`);
    assert.equal(await page.getByRole("button", { name: /password/ }).count(), 0);
    await context.close();
  });
});
