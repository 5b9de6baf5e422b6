import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page, Response } from "playwright-core";
import { type See, tourOfDev, tourOfServer, tourServer } from "../../tools/interop/screens_tour.ts";
import { browser } from "../support/browser.ts";
import { inForm } from "../support/form.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { errorsWithoutScripts } from "../web/without_scripts.ts";
import { axe, errorsOf, looksAtServers, watch } from "./page_errors.ts";
import { securityServer, tourOfSecurity } from "./security_tour.ts";

/** The maximum size in bytes of a first visit to any page, including its style sheet and icon. */
const mostBytes = 60_000;

/** Starts a server, and runs a tour of its pages. */
async function toured<S extends ServedProcess>(
  start: () => Promise<S>,
  walk: (page: Page, served: S, see: See) => Promise<void>,
) {
  const served = await start();
  return { served, walk: (page: Page, see: See) => walk(page, served, see) };
}

/**
 * Pages of the tour that the short form does not check, because the tests of `every_page.ts` check samples of
 * them.
 */
const leftOut = inForm(
  [
    ...["register", "register_finish", "security_none", "app_mailbox", "passkey_new", "second_factor_code"],
    ...["linked_accounts", "account_data", "account_email", "account_deletion"],
    ...["recovery_asked", "recovery_waiting"],
  ],
  [],
);

describe("a running server", () => {
  for (const [what, start] of [
    ["of an operator", () => toured(tourServer, tourOfServer)],
    ["of `postern dev`", () => toured(() => servedProcess({ command: "dev" }), tourOfDev)],
    ["with every way to sign in", () => toured(securityServer, tourOfSecurity)],
  ] as const) {
    test(`${what}: every page passes axe, stays under 60 kB, loads nothing from other sites and needs no script`, async () => {
      const { served, walk } = await start();
      const context = await (await browser()).newContext();
      const page = await context.newPage();
      const { complaints, bytes } = watch(page, [served.url]);
      const errors: Record<string, string[]> = {};
      let sent: Response | undefined;
      page.on("response", (response) => {
        const isDocument = response.request().isNavigationRequest() && response.status() !== 303;
        if (isDocument && response.status() !== 302) sent = response;
      });
      await walk(page, async (name) => {
        if (leftOut.includes(name)) return;
        if (looksAtServers.some(({ rules }) => rules.length > 0)) await page.evaluate(axe);
        const found = await errorsOf(page, looksAtServers);
        // The page as received, before any script runs.
        found.push(...errorsWithoutScripts((await sent?.text()) ?? ""));
        const weight = await bytes();
        if (!(weight > 3000 && weight < mostBytes)) found.push(`weighs ${weight} bytes`);
        if (found.length > 0) errors[name] = found;
      });
      assert.deepEqual(errors, {});
      assert.deepEqual(complaints, []);
      await context.close();
      await served.stop();
    });
  }
});
