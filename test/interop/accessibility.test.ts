import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { contentSecurityPolicy, formAction } from "../../src/http/security_headers.ts";
import { readAssets } from "../../src/web/assets.ts";
import { brandStyle } from "../../src/web/html/brand_style.ts";
import { html } from "../../src/web/html/html.ts";
import { layout } from "../../src/web/layout.ts";
import { submitScript } from "../../src/web/pages/form_post_page.ts";
import { codeOf, type Language, languages } from "../../src/web/words/language.ts";
import { languagesWithArabic } from "../support/arabic_words.ts";
import { browser, withoutFrames } from "../support/browser.ts";
import { inForm } from "../support/form.ts";
import { everyPage } from "../web/every_page.ts";
import { anOpenConsent, hostileConsents } from "../web/open_consent_samples.ts";
import { aReader } from "../web/reader.ts";
import {
  axe,
  errorsOf,
  everyLook,
  type Look,
  looksAtRoom,
  looksAtWords,
  looksInTurn,
  watch,
} from "./page_errors.ts";

/**
 * Returns a script that can run again in the same window for the next page. Its declarations are in a block.
 * The URLs of the modules that it imports change each time, because a window runs a module of one URL only
 * once.
 */
function againInWindow(script: string): string {
  const block = `{${script.replace(/^export \{\};$/m, "")}\n}`;
  return block.replace(/import\("([^"]+)"\)/g, 'import("$1?" + performance.now())');
}

/**
 * The page that creates a passkey without a click would continue as soon as it has a result. With this
 * promise, which never resolves, it stays open.
 */
const staysAtUpgrade = "PublicKeyCredential.getClientCapabilities = () => new Promise(() => {})";

/** Elements that are hidden only until the passkey script runs. */
const unasked = "[data-passkey][hidden]:not([data-unasked])";

describe("axe on every page", () => {
  let server: Server;
  let origin: string;
  const branded: Record<string, string> = {
    branded: String(
      layout({
        ...aReader(),
        title: "Branded",
        brand: { name: "Globex", logo_url: "/assets/icon.svg", style_href: "/assets/brand/globex.css" },
        body: html`<h1>Branded</h1><section class="card"><p>A <a href="/">link</a> and a <span class="badge">badge</span></p><button class="button primary" type="button">Go</button></section>`,
      }),
    ),
  };

  const styles: Readonly<Record<string, string>> = {
    "/assets/brand/globex.css": brandStyle("#ffcc00"),
    "/assets/faulty.css": `@media (prefers-color-scheme: dark) and (min-width: 1000px) { .dim { color: #333 } }`,
  };
  /** The browser may cache each asset, so that it does not request it again for each page. */
  const kept = "max-age=3600";
  const pagesIn = (language: Language) => everyPage("Ada Lovelace", "/assets/icon.svg", aReader(language));
  before(async () => {
    const assets = new Map(
      readAssets().map(({ path, type, body }) => [
        path,
        { type, body: path.endsWith(".js") ? againInWindow(String(body)) : body },
      ]),
    );
    server = createServer((request, response) => {
      const [path = "/"] = decodeURIComponent(request.url ?? "/").split("?");
      const asset = assets.get(path);
      if (asset !== undefined)
        response.writeHead(200, { "content-type": asset.type, "cache-control": kept }).end(asset.body);
      else if (styles[path] !== undefined)
        response.writeHead(200, { "content-type": "text/css", "cache-control": kept }).end(styles[path]);
      else {
        // The tests write their pages into this document. Of the original document, only the policy remains.
        response
          .writeHead(path === "/" ? 200 : 404, {
            "content-type": "text/html; charset=utf-8",
            "content-security-policy": contentSecurityPolicy(formAction(undefined)),
          })
          .end("<!doctype html><title>-</title>");
      }
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close().closeAllConnections());

  /** In the short form, English and the language with the longest words. */
  const looked = inForm<readonly Language[]>(["en", "de"], languages);

  /** The number of pages that the browser has open at once: one is laid out while another is requested. */
  const atOnce = 2;

  /** Returns the errors of each of these pages, by name. */
  async function errorsIn(forms: Readonly<Record<string, string>>, looks?: readonly Look[]) {
    const context = await (await browser(undefined, withoutFrames)).newContext();
    const errors: Record<string, string[]> = {};
    const complaints: string[] = [];
    const waiting = Object.entries(forms);
    async function work(): Promise<void> {
      const page = await context.newPage();
      page.on("pageerror", ({ message }) => complaints.push(message));
      const watched = watch(page, [origin]);
      // The policy and axe remain when a page is written over another.
      await page.goto(`${origin}/`);
      await page.evaluate(axe);
      await page.evaluate(staysAtUpgrade);
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [name, form] = next;
        // The page that posts its form by a script is sent with a separate policy. Here the script is
        // removed, because it would leave the page.
        const still = form.replace(`<script>${submitScript}</script>`, "");
        await page.setContent(still.replace(/(?<=type="module" src="[^"]+)"/g, `?${waiting.length}"`));
        if (form.includes("data-passkey=") && (await page.locator(unasked).count()) > 0)
          complaints.push(`${name}: its script did not run`);
        const found = await errorsOf(page, looks ?? looksInTurn(waiting.length));
        if (found.length > 0) errors[name] = found;
      }
      complaints.push(...watched.complaints);
    }
    await Promise.all(Array.from({ length: atOnce }, work));
    await context.close();
    return { errors, complaints };
  }
  const none = { errors: {}, complaints: [] };

  test("finds no error in any form, in light and dark, at 320 and 1280 px", async () => {
    const pages = pagesIn("en");
    const { searchFound = "" } = pages;
    const open = (menu: string) =>
      searchFound.replace(`<details class="${menu}"`, `<details open class="${menu}"`);
    assert.deepEqual(
      await errorsIn({ ...pages, openPlace: open("menu place"), openPerson: open("menu") }),
      none,
    );
  });

  test("finds no error in another language with longer words", async () => {
    for (const language of looked.filter((each) => each !== "en")) {
      assert.deepEqual(await errorsIn(pagesIn(language), looksAtRoom), none, codeOf(language));
    }
  });

  test("finds no error in a right-to-left language", async () => {
    const [arabic = "en"] = (await languagesWithArabic()).slice(-1);
    assert.equal(codeOf(arabic), "ar");
    const { login, loginFailed, consent, selectAccount, profile, security } = pagesIn(arabic);
    const pages = { login, loginFailed, consent, selectAccount, profile, security };
    const shown = Object.entries(pages).flatMap(([name, page]) => (page === undefined ? [] : [[name, page]]));
    assert.ok(shown.length > 3);
    assert.deepEqual(await errorsIn(Object.fromEntries(shown), looksAtWords), none);
  });

  test("finds no error in an organization's colors", async () => {
    assert.deepEqual(await errorsIn(branded, everyLook), none);
  });

  test("PR-11: finds no error on the consent page of an open client, whatever the client claims", async () => {
    const forms = looked.flatMap((language) =>
      Object.entries(hostileConsents).map(([what, said]) => [
        `${what} in ${language}`,
        anOpenConsent(language, said),
      ]),
    );
    assert.deepEqual(await errorsIn(Object.fromEntries(forms), looksAtWords), none);
  });

  test("finds the errors of a faulty page", async () => {
    const faulty = layout({
      ...aReader(),
      title: "Faulty",
      brand: { name: "Faulty", style_href: "/assets/faulty.css" },
      body: html`<h1>Faulty</h1><p class="dim">Dim</p><p class="quiet"><img src="/assets/icon.svg" width="500" height="9"></p>
<input name="unnamed" style="color:red"><div class="secret" role="button" tabindex="0"><code>x</code></div>
<div class="pages"><a href="/a"><svg width="9" height="9" aria-label="a" role="img"></svg></a><a href="/b"><svg width="9" height="9" aria-label="b" role="img"></svg></a></div>`,
    });
    const { errors, complaints } = await errorsIn({ faulty: String(faulty) }, everyLook);
    const found = errors.faulty?.join("\n") ?? "";
    // `nested-interactive`: the pages' script adds a copy button inside the `div` that has the role of a
    // button.
    for (const each of [
      /image-alt/,
      /: label:/,
      /target-size/,
      /nested-interactive/,
      /320 px: needs \d+ px/,
      /inline: style/,
    ])
      assert.match(found, each);
    const dim = found.split("\n").filter((line) => line.includes('class="dim"'));
    assert.deepEqual(
      dim.map((line) => line.split(": ", 2)),
      [["dark, 1280 px", "color-contrast"]],
    );
    assert.match(complaints.join("\n"), /Content.Security.Policy/i);
  });
});
