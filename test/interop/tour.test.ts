import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { browser } from "../support/browser.ts";
import { servedProcess } from "../support/process.ts";
import { axe, faultsOf, looksAtServers, watch } from "./page_faults.ts";
import { tourOfDev, tourOfServer, tourServer } from "./screens_tour.ts";

/** Bytes that a first visit to any page may cost, its style sheet and icon among them. */
const mostBytes = 60_000;

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
        const found = await faultsOf(page, looksAtServers);
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
