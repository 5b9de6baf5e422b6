/**
 * `npm run screens`: takes the documentation's screenshots of a running server, into docs/screens/. If
 * the environment variable EVERY_PAGE is set, it takes every page into that folder instead: for a phone,
 * a desktop and a wide screen, each with the light and the dark color scheme. PAGE_LANGUAGE, such as zh,
 * ja or ar, then sets the language.
 */
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { securityServer, tourOfSecurity } from "../../test/interop/security_tour.ts";
import { arabicFolder } from "../../test/support/arabic_words.ts";
import { browser } from "../../test/support/browser.ts";
import { configurationOfMoreFonts } from "../../test/support/more_fonts.ts";
import { type ServedProcess, servedProcess } from "../../test/support/process.ts";
import { type See, tourOfDev, tourOfRecords, tourOfServer, tourServer } from "./screens_tour.ts";

const folder = join(import.meta.dirname, "..", "..", "docs", "screens");

interface Picture {
  readonly file: string;
  readonly scheme: "light" | "dark";
  readonly width: number;
  readonly height: number;
}

const wide = { width: 1120, height: 720 } as const;
const telephone = { width: 390, height: 780 } as const;

/** By the page's name in the tour. */
const pictures: Readonly<Record<string, readonly Picture[]>> = {
  sign_in: [{ file: "sign_in", scheme: "light", ...wide }],
  consent: [
    { file: "consent", scheme: "light", ...telephone },
    { file: "consent_dark", scheme: "dark", ...telephone },
  ],
  sign_in_branded: [{ file: "sign_in_branded", scheme: "light", ...telephone }],
  account_sessions: [{ file: "account_dark", scheme: "dark", ...wide }],
  dashboard: [
    { file: "dashboard", scheme: "light", ...wide, height: 1000 },
    { file: "dashboard_dark", scheme: "dark", ...telephone },
  ],
  console_app: [{ file: "console_app", scheme: "light", ...wide, height: 900 }],
  console_refusal: [{ file: "console_refusal", scheme: "light", ...wide }],
  sign_in_providers: [{ file: "sign_in_ways", scheme: "light", ...telephone }],
  second_factor: [{ file: "second_factor", scheme: "light", ...telephone }],
  recovery: [{ file: "recovery_dark", scheme: "dark", ...telephone }],
  security: [{ file: "security", scheme: "light", ...wide, height: 1080 }],
  dev_walked: [{ file: "dev", scheme: "light", ...wide, height: 900 }],
};

/**
 * Takes a screenshot as WebP, which is a third of the size of a PNG. Playwright itself does not support WebP.
 */
async function takePicture(page: Page, { file, scheme, width, height }: Picture): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
  await page.evaluate("scrollTo(0, 0)");
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  await session.detach();
  const path = join(folder, `${file}.webp`);
  writeFileSync(path, Buffer.from(data, "base64"));
  console.log(`docs/screens/${file}.webp, ${Math.ceil(statSync(path).size / 1024)} KiB`);
}

/** The folder for screenshots of every page, for visual review: `EVERY_PAGE=/tmp/pages npm run screens`. */
const everyPage = process.env.EVERY_PAGE;

const looks = (["light", "dark"] as const).flatMap((scheme) =>
  [375, 1280, 1920].map((width) => ({ scheme, width })),
);

async function takeAll(page: Page, name: string, into: string): Promise<void> {
  const size = page.viewportSize();
  for (const { scheme, width } of looks) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.screenshot({ path: join(into, `${name}_${scheme}_${width}.png`), fullPage: true });
  }
  if (size !== null) await page.setViewportSize(size);
}

/** The language of the pages in a visual review, in place of English. */
const language = process.env.PAGE_LANGUAGE;

/** Takes the requested screenshots of the current page. */
const seeing = (page: Page) => async (name: string) => {
  if (everyPage !== undefined) return takeAll(page, name, everyPage);
  for (const picture of pictures[name] ?? []) await takePicture(page, picture);
};

/** Runs a tour of a server's pages in a new browser. */
async function walked<S extends ServedProcess>(
  start: () => Promise<S>,
  walk: (page: Page, served: S, see: See) => Promise<void>,
): Promise<void> {
  mkdirSync(everyPage ?? folder, { recursive: true });
  const deviceScaleFactor = everyPage === undefined ? 1.5 : 1;
  const opened = await browser(everyPage === undefined ? undefined : configurationOfMoreFonts);
  const context = await opened.newContext({ deviceScaleFactor, ...(language && { locale: language }) });
  const page = await context.newPage();
  const served = await start();
  await walk(page, served, seeing(page));
  await served.stop();
  await context.close();
}

async function tourOfConsole(page: Page, served: ServedProcess, see: See): Promise<void> {
  await tourOfDev(page, served, see);
  if (everyPage !== undefined) await tourOfRecords(page, served, see);
}

describe("the pictures", () => {
  const environment = language === "ar" ? { POSTERN_WORDS_DIR: arabicFolder } : {};

  test("of a server", () => walked(() => tourServer(environment), tourOfServer));

  test("of `postern dev`", () => walked(() => servedProcess({ command: "dev", environment }), tourOfConsole));

  test("of every sign-in method", () => walked(securityServer, tourOfSecurity));
});
