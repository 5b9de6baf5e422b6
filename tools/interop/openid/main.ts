/**
 * `npm run interop:openid -- SUITE [PLAN…]`: runs certification plans of the OpenID Foundation's conformance
 * suite. The suite must already run at the URL `SUITE`, without a sign-in. Each module is a test, and the
 * conditions that warned or failed are printed with it.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { BrowserContext } from "playwright-core";
import { browser } from "../../../test/support/browser.ts";
import { type ConformanceSuite, conformanceSuite, type Module } from "./conformance_suite.ts";
import { visit } from "./person.ts";
import { configurationOf, path, plans } from "./plans.ts";
import { ada, type Postern, startPostern } from "./postern.ts";

/** Maximum milliseconds per module. */
const longestModule = 300_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: "boolean", short: "h" } },
});
const [address, ...named] = positionals;
const names = new Set(plans.map(({ name }) => name));
const unknown = named.filter((name) => !names.has(name));

if (values.help === true || address === undefined || unknown.length > 0) {
  const problem = unknown.length > 0 ? [`There is no plan ${unknown.join(", ")}.`] : [];
  const usage = ["npm run interop:openid -- https://localhost:8443 [PLAN…]", ...names];
  process.stderr.write(`${[...problem, usage.join("\n  ")].join("\n")}\n`);
  process.exitCode = values.help === true ? 0 : 2;
} else {
  const url = address.replace(/\/$/, "");
  const chromium = await browser();
  const newPerson = () => chromium.newContext({ ignoreHTTPSErrors: true });
  const suite = conformanceSuite(url, (await newPerson()).request);
  const postern = await startPostern(new URL(url), path);
  after(() => postern.stop());
  for (const plan of plans) {
    if (named.length > 0 && !named.includes(plan.name)) continue;
    const title = [plan.name, ...Object.values(plan.variant)].join(" ");
    test(`${title} (suite ${await suite.version()})`, async (context) => {
      const { id, modules } = await suite.createPlan(plan, configurationOf(plan, postern.issuer));
      const results: string[] = [];
      for (const module of modules)
        await context.test(module.testModule, async (inModule) => {
          const person = await newPerson();
          const { result, conditions } = await runModule(id, module, suite, postern, person);
          await person.close();
          results.push(result);
          for (const line of [result, ...conditions]) inModule.diagnostic(line);
          if (result === "SKIPPED") inModule.skip();
          assert.ok(["PASSED", "REVIEW", "WARNING", "SKIPPED"].includes(result), conditions.join("\n"));
        });
      const counts = [...Map.groupBy(results, (result) => result.toLowerCase())];
      context.diagnostic(counts.map(([result, { length }]) => `${length} ${result}`).join(", "));
    });
  }
}

/**
 * Runs a module of a plan: opens the addresses that it names, and uploads the screenshots that reviewers
 * require.
 */
async function runModule(
  plan: string,
  module: Module,
  suite: ConformanceSuite,
  postern: Postern,
  person: BrowserContext,
) {
  const { id } = await suite.start(plan, module);
  const page = await person.newPage();
  const until = Date.now() + longestModule;
  let visits = 0;
  let caused = false;
  let info = await suite.info(id);
  while (!["FINISHED", "INTERRUPTED"].includes(info.status) && Date.now() < until) {
    if (info.status === "WAITING") {
      const next = await suite.nextVisit(id);
      if (next !== undefined) {
        visits++;
        await visit(page, next, postern.issuer, ada, async (reached) => {
          // Reviewers want a screenshot of the login page only if a signed-in user has to sign in again.
          if (reached === "end" || visits > 1)
            await suite.show(id, await page.screenshot({ type: "jpeg", quality: 60 }));
        });
      }
    } else if (!caused && (await suite.log(id)).some((entry) => entry.expected_caep_event_types)) {
      // Causes the events that the module waits for: the end of a session, and a credential change.
      caused = true;
      const account = { url: `${postern.issuer}/account`, method: "GET" };
      await visit(page, account, postern.issuer, ada, async () => {});
      await postern.setPassword();
    }
    await pause(500);
    info = await suite.info(id);
  }
  const log = await suite.log(id);
  const conditions = log.filter(({ result = "" }) => ["FAILURE", "WARNING"].includes(result));
  return {
    result: info.status === "FINISHED" ? (info.result ?? "UNKNOWN") : info.status,
    conditions: conditions.map(({ src, result, msg }) => `${result} ${src}: ${msg}`),
  };
}
