/** The lists of the console in a browser, filled with long realistic values. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { readAssets } from "../../src/web/assets.ts";
import { browser } from "../support/browser.ts";
import { longFixture } from "../support/long_fixture.ts";

const widths = [320, 375, 768, 1280, 1920] as const;

/** Returns the errors in the tables of the page, one line each. Evaluated in the page. */
const errorsOfTables = `(() => {
  const faults = new Set();
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) faults.add("the page needs " + scrollWidth + " px");
  const has = (element, overflow) => overflow.test(getComputedStyle(element).overflowX);
  for (const each of document.querySelectorAll(".workspace *"))
    if (each.scrollWidth > each.clientWidth && has(each, /auto|scroll/))
      faults.add("scrolls sideways: " + each.outerHTML.slice(0, 120));
  for (const cell of document.querySelectorAll(".table :is(td, th)")) {
    if (cell.offsetWidth === 0 || getComputedStyle(cell).clipPath !== "none") continue;
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      // Chinese has no spaces, so its lines may break between any two characters.
      for (const { 0: word, index } of text.textContent.matchAll(/[^\\s\\p{Script=Han}]+/gu)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) faults.add("breaks " + word);
      }
    }
    for (const each of [cell, ...cell.querySelectorAll(":not(.unseen)")]) {
      const isCut = each.scrollWidth > each.clientWidth + 1 && has(each, /hidden/);
      if (isCut && !each.closest("[title]") && !each.querySelector("[title]"))
        faults.add("cuts what no title tells: " + each.outerHTML.slice(0, 160));
    }
    const time = cell.querySelector("time");
    if (time && time.getClientRects().length > 1) faults.add("a moment on two lines: " + time.textContent);
    if (time && cell.scrollWidth > cell.clientWidth + 1) faults.add("a moment is cut: " + time.textContent);
  }
  return [...faults];
})()`;

/** Returns the number of records in a list, and their total height in pixels. */
const heightOfRows = `(() => {
  const rows = [...document.querySelectorAll(".listed tbody tr")];
  return [rows.length, rows.reduce((sum, row) => sum + row.offsetHeight, 0)];
})()`;

async function show(page: Page, body: string): Promise<void> {
  await page.setContent(body);
  await page.addStyleTag({
    content: String(readAssets().find(({ path }) => path.endsWith(".css"))?.body),
  });
}

describe("the lists of the console", () => {
  test("break no word, mark truncated text and never scroll sideways, from 320 to 1920 px wide", async () => {
    const { lists } = await longFixture();
    const page = await (await browser()).newPage();
    const errors: Record<string, string[]> = {};
    for (const [name, body] of Object.entries(lists)) {
      await show(page, body);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        if (width === 375) {
          const [rows = 0, height = 0] = await page.evaluate<number[]>(heightOfRows);
          if (height > rows * 68) errors[`${name} at 375 px`] = [`${rows} records are ${height} px high`];
        }
        const found = await page.evaluate<string[]>(errorsOfTables);
        if (found.length > 0) errors[`${name} at ${width} px`] = found;
      }
    }
    assert.deepEqual(errors, {});
    await page.close();
  });

  test("truncate right-to-left text at its own end", async () => {
    const { lists } = await longFixture();
    const page = await (await browser()).newPage();
    await page.setViewportSize({ width: 1280, height: 800 });
    const name = "אלכסנדר בן־אברהם מרגולין הכהן מירושלים הבירה";
    await show(page, lists.apps?.replaceAll(/>Wolfeschlegel[^<]*</g, `>${name}<`) ?? assert.fail());
    const seen = await page.evaluate<[boolean, boolean][]>(`[...document.querySelectorAll(".listed th bdi")]
      .filter(({ textContent }) => textContent === "${name}")
      .map((each) => {
        const range = document.createRange();
        range.setStart(each.firstChild, 0);
        range.setEnd(each.firstChild, 1);
        const [first, cell] = [range, each.closest("th")].map((box) => box.getBoundingClientRect());
        return [first.left >= cell.left && first.right <= cell.right, each.scrollWidth > each.clientWidth];
      })`);
    assert.ok(seen.length > 0);
    for (const each of seen) assert.deepEqual(each, [true, true], "it is cut, and its first letter is there");
    await page.close();
  });

  test("keep two-word labels from taking space from truncated addresses", async () => {
    const { lists } = await longFixture();
    const page = await (await browser()).newPage();
    await page.setViewportSize({ width: 1280, height: 800 });
    await show(page, lists.users ?? assert.fail());
    const [email = 0, administrator = 0] = await page.evaluate<number[]>(`["Email", "Platform administrator"]
      .map((label) => [...document.querySelectorAll(".listed thead th")]
        .find(({ textContent }) => textContent === label).offsetWidth)`);
    assert.ok(email > administrator, `${email} px and ${administrator} px`);
    await page.close();
  });
});
