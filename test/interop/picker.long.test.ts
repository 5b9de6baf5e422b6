/**
 * Suggestions for a field that names a record, by keyboard and pointer, under the server's
 * Content-Security-Policy.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { control } from "../../src/console/fields/control.view.ts";
import { contentSecurityPolicy, formAction } from "../../src/http/security_headers.ts";
import { readAssets } from "../../src/web/assets.ts";
import { html } from "../../src/web/html/html.ts";
import { layout } from "../../src/web/layout.ts";
import { managementLocale } from "../../src/web/words/management_locale.ts";
import { browser } from "../support/browser.ts";
import { complaintsOf } from "../support/complaints.ts";
import { until } from "../support/until.ts";
import { aReader } from "../web/reader.ts";
import { axe } from "./page_errors.ts";

const people = ["Ada Lovelace", "Alan Turing", "Grace Hopper"].map((name) => ({
  name,
  value: `${name.split(" ")[0]?.toLowerCase()}@example.com`,
}));

function formOfPickers() {
  const locale = managementLocale(aReader());
  const suggestions = "/console/suggestions/users";
  const picker = control({ name: "owner_id", kind: "uuid", required: false, suggestions, value: "" }, locale);
  const list = control(
    {
      name: "app_ids",
      kind: "json",
      shape: "strings",
      required: false,
      suggestions,
      value: "alan@example.com",
    },
    locale,
  );
  const title = "Pickers";
  const body = html`<h1>${title}</h1><form class="card" method="post" action="/sent">${picker}${list}<button class="button" type="submit">Save</button></form>`;
  return String(layout({ ...locale, title, width: "wide", body }));
}

describe("a search field with suggestions, in a browser", () => {
  let server: Server;
  let origin: string;
  const requested: string[] = [];
  const posted: string[] = [];
  let isSignedOut = false;

  before(async () => {
    server = createServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
      const asset = readAssets().find(({ path }) => path === pathname);
      if (asset !== undefined) return response.writeHead(200, { "content-type": asset.type }).end(asset.body);
      if (pathname.startsWith("/console/suggestions/")) {
        const text = searchParams.get("q") ?? "";
        requested.push(text);
        if (isSignedOut) return response.writeHead(302, { location: "/login" }).end();
        const options = people.filter(({ name }) => name.toLowerCase().includes(text));
        return response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ options, said: `${options.length} suggestions` }));
      }
      let body = "";
      for await (const chunk of request.setEncoding("utf8")) body += chunk;
      if (request.method === "POST") posted.push(body);
      return response
        .writeHead(200, {
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": contentSecurityPolicy(formAction(undefined), undefined, true),
        })
        .end(formOfPickers());
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close().closeAllConnections());

  async function opened(javaScriptEnabled = true) {
    const context = await (await browser()).newContext({
      javaScriptEnabled,
      viewport: { width: 320, height: 640 },
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const complaints = complaintsOf(page);
    await page.goto(origin);
    if (javaScriptEnabled) await page.locator("[role=combobox]").last().waitFor();
    return { page, context, complaints };
  }
  const marked = (page: Page) =>
    page.evaluate<string>(
      `document.getElementById(document.activeElement.getAttribute("aria-activedescendant") ?? "")?.textContent ?? ""`,
    );

  test("opens on typing, is navigated by arrow keys, and selects a suggestion without sending the form", async () => {
    const { page, context, complaints } = await opened();
    const field = page.getByRole("combobox", { name: "Owner" });
    assert.equal(await field.getAttribute("aria-expanded"), "false");
    await field.pressSequentially("a");
    const options = page.getByRole("listbox", { name: "Owner" }).getByRole("option");
    await options.first().waitFor();
    assert.equal(await field.getAttribute("aria-expanded"), "true");
    assert.equal(await options.count(), 3);
    assert.equal(await marked(page), "");
    const status = page.locator("[role=status]").last();
    await until(async () => (await status.textContent()) === "3 suggestions", "the number is told");
    await page.keyboard.press("ArrowDown");
    assert.match(await marked(page), /^Ada Lovelace ada@example\.com$/);
    await page.keyboard.press("ArrowUp");
    assert.match(await marked(page), /^Grace/);
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.locator("[aria-selected=true]").count(), 1);

    await page.evaluate(axe);
    const { violations } = await page.evaluate<AxeResults>("axe.run()");
    assert.deepEqual(
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
      [],
    );
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320);

    await page.keyboard.press("Enter");
    assert.equal(await field.inputValue(), "ada@example.com");
    assert.equal(await options.count(), 0);
    assert.deepEqual(posted, []);
    await page.keyboard.press("Enter");
    await until(() => posted.length === 1, "the form is sent");
    assert.match(String(posted.pop()), /^owner_id=ada%40example\.com&/);
    await context.close();
    assert.deepEqual(complaints, []);
  });

  test("opens by an arrow key, closes by Escape and Tab, and a suggestion can be selected by the pointer", async () => {
    const { page, context } = await opened();
    const field = page.getByRole("combobox", { name: "Owner" });
    const options = page.getByRole("option");
    await field.press("ArrowDown");
    await options.first().waitFor();
    assert.match(await marked(page), /^Ada/);
    await page.keyboard.press("Escape");
    assert.equal(await options.first().isVisible(), false);
    assert.equal(await field.inputValue(), "");
    await field.press("ArrowUp");
    await until(async () => /^Grace/.test(await marked(page)), "the last is marked");
    await page.keyboard.press("Tab");
    assert.equal(await options.first().isVisible(), false);
    assert.equal(await field.inputValue(), "");
    await field.pressSequentially("tur");
    await options.first().click();
    assert.equal(await field.inputValue(), "alan@example.com");
    assert.equal(await field.evaluate((element) => element.matches(":focus")), true);
    await context.close();
  });

  test("adds each selected value to a list once, and shows nothing after the user was signed out", async () => {
    const { page, context } = await opened();
    const finder = page.getByRole("combobox", { name: "Find and add" });
    const list = page.locator("textarea");
    for (const name of ["grace", "alan"]) {
      await finder.pressSequentially(name);
      await page.getByRole("option").first().waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      assert.equal(await finder.inputValue(), "");
    }
    assert.equal(await list.inputValue(), "grace@example.com\nalan@example.com");
    await finder.press("Enter");
    assert.deepEqual(posted, []);
    isSignedOut = true;
    const before = requested.length;
    await finder.press("ArrowDown");
    await until(() => requested.length > before, "the server is asked");
    assert.equal(await page.getByRole("option").first().isVisible(), false);
    isSignedOut = false;
    await context.close();
  });

  test("is an ordinary text field without JavaScript", async () => {
    const { page, context } = await opened(false);
    assert.equal(await page.getByRole("combobox").count(), 0);
    await page.getByRole("textbox", { name: "Owner" }).fill("Ada Lovelace");
    await page.getByRole("button", { name: "Save" }).click();
    await until(() => posted.length === 1, "the form is sent");
    assert.match(String(posted.pop()), /^owner_id=Ada\+Lovelace&/);
    await context.close();
  });
});
