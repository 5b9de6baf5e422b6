/** Properties that all pages of account and console share, tested on the routes of the application. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { type TableName, tables } from "../../src/records/definition/definition.ts";
import { cookieOf, testBrowser } from "../support/app.ts";
import { type ConsoleFixture, consoleFixture } from "../support/console.ts";
import { routesOf } from "../support/routes.ts";

const groups = ["/account", "/console"] as const;
const isOfGroup = (path: string) => groups.some((group) => path === group || path.startsWith(`${group}/`));

/** Pages for holders of a mailed link, with or without a session. */
const byLink = /^\/account\/(?:not-me|undo)/;

/** This route only stores the chosen layout of lists in a cookie. */
const keepsAChoice = "/console/view";

/** This route accepts each authorization response once. */
const takenOnce = /\/try\/callback$/;

describe("every page of the account and of the console", () => {
  let it: ConsoleFixture;
  /** Paths by method, with an existing record for each parameter. */
  const addresses: Record<"GET" | "POST", string[]> = { GET: [], POST: [] };

  before(async () => {
    it = await consoleFixture();
    const idOf = new Map(
      Object.entries(it.ids).map(([type, id]) => [`/console/${resourceOf(type as never).path}`, id]),
    );
    for (const { method, path } of routesOf(it.app)) {
      if ((method !== "GET" && method !== "POST") || !isOfGroup(path) || path.includes("*")) continue;
      const list = [...idOf.keys()].find((each) => path.startsWith(`${each}/:`));
      const id = (list !== undefined && idOf.get(list)) || it.orders.id;
      addresses[method].push(path.replace(/:\w+/g, id));
    }
  });

  const counts = async () => {
    const found: Partial<Record<TableName, number>> = {};
    for (const table of Object.keys(tables) as TableName[])
      if (!["refusals", "statistics", "audit_events", "ephemera"].includes(table))
        found[table] = await it.store.count(table);
    return found;
  };

  test("these tests know more than 80 pages and 80 forms", () => {
    assert.ok(addresses.GET.length > 80, String(addresses.GET.length));
    assert.ok(addresses.POST.length > 80, String(addresses.POST.length));
  });

  test("L-3: without a session each page leads to the sign-in page, and from there back to itself", async () => {
    const visitor = testBrowser(it.app);
    const wrong: string[] = [];
    for (const address of addresses.GET.filter((each) => !byLink.test(each))) {
      const url = `${address}?q=a%26b`;
      const { statusCode, headers } = await visitor.get(url);
      const expected = `/login?redirect=${encodeURIComponent(`https://id.example${url}`)}`;
      if (statusCode !== 302 || headers.location !== expected)
        wrong.push(`${address}: ${statusCode} ${headers.location}`);
    }
    assert.deepEqual(wrong, []);
  });

  test("L-5: a form without its token, with another session's token or from another site changes nothing", async () => {
    const browser = it.browsers["platform administrator"];
    const before = await counts();
    const wrong: string[] = [];
    for (const address of addresses.POST.filter((each) => !byLink.test(each) && each !== keepsAChoice)) {
      for (const [form, headers] of [
        [{ name: "x" }, {}],
        [{ csrf_token: "forged" }, {}],
        [{ name: "x" }, { "sec-fetch-site": "cross-site" }],
      ] as const) {
        const { statusCode } = await browser.post(address, form, headers);
        if (statusCode !== 403) wrong.push(`${address}: ${statusCode}`);
      }
      const { statusCode } = await testBrowser(it.app).post(address, { csrf_token: "forged" });
      if (![302, 303, 401, 403].includes(statusCode))
        wrong.push(`${address} without a session: ${statusCode}`);
    }
    assert.deepEqual([...new Set(wrong)], []);
    assert.deepEqual(await counts(), before);
  });

  test("H-19: HEAD is answered like GET without a body, and each page states its language and is never cached", async () => {
    const browser = it.browsers["platform administrator"];
    const wrong: string[] = [];
    for (const address of addresses.GET.filter((each) => !takenOnce.test(each))) {
      const cookie = cookieOf(browser);
      const page = await browser.get(address, { "accept-language": "es" });
      const head = await it.app.inject({
        method: "HEAD",
        url: address,
        headers: { accept: "text/html", "accept-language": "es", cookie },
      });
      if (head.statusCode !== page.statusCode || head.body !== "")
        wrong.push(`HEAD ${address}: ${head.statusCode} for ${page.statusCode}`);
      if (page.statusCode >= 500) wrong.push(`${address}: ${page.statusCode}`);
      if (!/no-store/.test(String(page.headers["cache-control"])))
        wrong.push(`${address}: cache-control ${page.headers["cache-control"]}`);
      const isPage = page.statusCode === 200 && /text\/html/.test(String(page.headers["content-type"]));
      if (isPage && (page.headers["content-language"] !== "es" || !/<html lang="es"/.test(page.body)))
        wrong.push(`${address}: in ${page.headers["content-language"]}`);
      if (isPage && !/frame-ancestors 'none'/.test(String(page.headers["content-security-policy"])))
        wrong.push(`${address} can be framed`);
    }
    assert.deepEqual(wrong, []);
  });
});
