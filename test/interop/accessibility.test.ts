import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Page, Response } from "playwright-core";
import { contentSecurityPolicy, formAction } from "../../src/http/security_headers.ts";
import { readAssets } from "../../src/web/assets.ts";
import { brandStyle } from "../../src/web/brand_style.ts";
import { html } from "../../src/web/html.ts";
import { layout } from "../../src/web/layout.ts";
import { type Language, languages } from "../../src/web/words/language.ts";
import { browser } from "../support/browser.ts";
import { servedProcess } from "../support/process.ts";
import { everyPage } from "../web/every_page.ts";
import { aReader } from "../web/reader.ts";
import { tourOfDev, tourOfServer, tourServer } from "./screens_tour.ts";

/** Bytes that a first visit to any page may cost, its style sheet and icon among them. */
const mostBytes = 60_000;

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** This browser has no window, so that it does not ask for the icon that others show beside the title. */
const iconLength = readAssets().find(({ path }) => path.endsWith("icon.svg"))?.body.length ?? Number.NaN;

type Scheme = "light" | "dark";
const widths = [320, 1280] as const;

/** How a page is looked at, and by which rules: those named, or all of them. */
interface Look {
  readonly colorScheme: Scheme;
  readonly width: (typeof widths)[number];
  readonly rules: "all" | readonly string[];
}

/** What a dark scheme changes is colours: no other rule of axe looks at them. */
const ofColour = ["color-contrast", "link-in-text-block"];
/** What more room changes, where the page is known to be right without it. */
const ofRoom = ["target-size", "scrollable-region-focusable"];

/** In the order that changes least from one look to the next. */
const everyLook: readonly Look[] = [
  ...widths.map((width): Look => ({ colorScheme: "light", width, rules: "all" })),
  ...widths.toReversed().map((width): Look => ({ colorScheme: "dark", width, rules: ofColour })),
];

/** Those of a page of which another one differs in its words alone: the colours were seen there. */
const looksAtWords: readonly Look[] = [
  { colorScheme: "light", width: 320, rules: "all" },
  { colorScheme: "light", width: 1280, rules: ofRoom },
];

/** The size of targets (WCAG 2.2, 2.5.8) is the one rule of level AA that is off unless it is asked for. */
function axeOptions({ rules }: Look): string {
  return JSON.stringify({
    resultTypes: ["violations"],
    ...(rules === "all" ? { rules: { "target-size": { enabled: true } } } : { runOnly: rules }),
  });
}

/** What is wrong with the page that the browser shows, one line for each fault. The page must hold axe. */
async function faultsOf(page: Page, looks: readonly Look[] = everyLook): Promise<string[]> {
  const faults = new Set<string>();
  for (const look of looks) {
    const { colorScheme, width } = look;
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 800 });
    const { violations } = await page.evaluate<AxeResults>(`axe.run(${axeOptions(look)})`);
    for (const { id, nodes } of violations) {
      for (const { html: tag, failureSummary } of nodes) {
        faults.add(`${colorScheme}, ${width} px: ${id}: ${tag.slice(0, 160)}: ${failureSummary}`);
      }
    }
    const needed = await page.evaluate<number>("document.documentElement.scrollWidth");
    if (needed > width) faults.add(`${colorScheme}, ${width} px: needs ${needed} px`);
  }
  const inline = await page.evaluate<string[]>(
    `[...document.querySelectorAll("*")].flatMap((element) => [
      ...(element.matches("script:not([src]), style") ? [element.outerHTML.slice(0, 80)] : []),
      ...[...element.attributes].map(({ name }) => name).filter((name) => /^(?:on|style$)/.test(name)),
    ])`,
  );
  for (const each of inline) faults.add(`inline: ${each}`);
  return [...faults];
}

/** What the browser fetches and what it complains of, from one page to the next. */
function watch(page: Page, origins: readonly string[]) {
  let wanted: Response[] = [];
  /** Bytes on the wire by address. What a page has in common with an earlier one is not fetched again. */
  const sizes = new Map<string, number>();
  const complaints: string[] = [];
  page.on("response", (response) => {
    if (response.status() >= 300 && response.status() < 400) return;
    if (response.request().isNavigationRequest()) wanted = [];
    wanted.push(response);
  });
  page.on("request", (request) => {
    if (!origins.includes(new URL(request.url()).origin)) complaints.push(`a request to ${request.url()}`);
  });
  page.on("console", (message) => {
    if (/Content.Security.Policy/i.test(message.text())) complaints.push(message.text());
  });
  return {
    complaints,
    /** Those of a first visit to the page that the browser shows. */
    async bytes(): Promise<number> {
      let total = iconLength;
      for (const response of wanted) {
        const { responseBodySize, responseHeadersSize } = await response.request().sizes();
        const url = response.url();
        sizes.set(url, Math.max(sizes.get(url) ?? 0, responseBodySize + responseHeadersSize));
        total += sizes.get(url) ?? 0;
      }
      return total;
    },
  };
}

describe("every page", () => {
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
  const pagesIn = (language: Language) => everyPage("Ada Lovelace", "/assets/icon.svg", aReader(language));
  before(async () => {
    // A block, so that the script may say its names again for each page that is written into the same window.
    const assets = new Map(
      readAssets().map(({ path, type, body }) => [
        path,
        { type, body: path.endsWith(".js") ? `{${body}\n}` : body },
      ]),
    );
    server = createServer((request, response) => {
      const path = decodeURIComponent(request.url ?? "/");
      const asset = assets.get(path);
      if (asset !== undefined) response.writeHead(200, { "content-type": asset.type }).end(asset.body);
      else if (styles[path] !== undefined)
        response.writeHead(200, { "content-type": "text/css" }).end(styles[path]);
      else {
        // Where pages are written over each other: all that is left of this one is its policy.
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

  /** Pages that the browser has open at once: while one is laid out, another one is asked. */
  const atOnce = 2;

  /** The faults of each of these, by its name. */
  async function faultsIn(forms: Readonly<Record<string, string>>, looks?: readonly Look[]) {
    const context = await (await browser()).newContext();
    const faults: Record<string, string[]> = {};
    const complaints: string[] = [];
    const waiting = Object.entries(forms);
    async function work(): Promise<void> {
      const page = await context.newPage();
      page.on("pageerror", ({ message }) => complaints.push(message));
      const watched = watch(page, [origin]);
      // The policy and axe stay where one page is written over another.
      await page.goto(`${origin}/`);
      await page.evaluate(axe);
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [name, form] = next;
        await page.setContent(form);
        const found = await faultsOf(page, looks);
        if (found.length > 0) faults[name] = found;
      }
      complaints.push(...watched.complaints);
    }
    await Promise.all(Array.from({ length: atOnce }, work));
    await context.close();
    return { faults, complaints };
  }
  const none = { faults: {}, complaints: [] };

  test("in every form it takes has no fault that axe finds, in light and dark, at 320 and 1280 px", async () => {
    assert.deepEqual(await faultsIn(pagesIn("en")), none);
  });

  test("has none in another language either, whose words are longer", async () => {
    for (const language of languages.filter((each) => each !== "en")) {
      assert.deepEqual(await faultsIn(pagesIn(language), looksAtWords), none, language);
    }
  });

  test("has none in the colours of an organization either", async () => {
    assert.deepEqual(await faultsIn(branded), none);
  });

  test("the search for faults finds the faults of a page that has some", async () => {
    const faulty = layout({
      ...aReader(),
      title: "Faulty",
      brand: { name: "Faulty", style_href: "/assets/faulty.css" },
      body: html`<h1>Faulty</h1><p class="dim">Dim</p><p class="quiet"><img src="/assets/icon.svg" width="500" height="9"></p>
<input name="unnamed" style="color:red"><div class="secret" role="button" tabindex="0"><code>x</code></div>
<div class="pages"><a href="/a"><svg width="9" height="9" aria-label="a" role="img"></svg></a><a href="/b"><svg width="9" height="9" aria-label="b" role="img"></svg></a></div>`,
    });
    const { faults, complaints } = await faultsIn({ faulty: String(faulty) });
    const found = faults.faulty?.join("\n") ?? "";
    // The button to copy within another one is the script's.
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

describe("a running server", () => {
  for (const [what, start, walk] of [
    ["of an operator", tourServer, tourOfServer],
    ["of `postern dev`", () => servedProcess({ command: "dev" }), tourOfDev],
  ] as const) {
    test(`${what} shows no page that axe finds a fault with, that weighs more than 60 kB or that asks elsewhere`, async () => {
      const served = await start();
      const context = await (await browser()).newContext();
      const page = await context.newPage();
      const { complaints, bytes } = watch(page, [served.url]);
      const faults: Record<string, string[]> = {};
      await walk(page, served, async (name) => {
        await page.evaluate(axe);
        const found = await faultsOf(page);
        const weight = await bytes();
        if (!(weight > 3000 && weight < mostBytes)) found.push(`weighs ${weight} bytes`);
        if (found.length > 0) faults[name] = found;
      });
      assert.deepEqual(faults, {});
      assert.deepEqual(complaints, []);
      await context.close();
      await served.stop();
    });
  }
});
