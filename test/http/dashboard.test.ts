import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { LightMyRequestResponse } from "fastify";
import type { User } from "../../src/records/definition/definition.ts";
import type { ProcessFigures } from "../../src/records/names/process_figures.ts";
import { type StatisticKind, statisticKinds } from "../../src/records/names/statistics.ts";
import { readAssets } from "../../src/web/assets.ts";
import { languageTag, managementLanguages } from "../../src/web/words/language.ts";
import { aPerson, browserOf, hiddenField, type TestApp, type TestBrowser, testApp } from "../support/app.ts";
import {
  aMembership,
  anApp,
  anEvent,
  anOrganization,
  aRefusal,
  aSession,
  later,
} from "../support/builders.ts";
import { workIn } from "../support/console.ts";
import { readHtml } from "../web/read_html.ts";

const figures: ProcessFigures = {
  version: "7.8.9",
  started_at: new Date("2030-01-08T00:00:00.000Z"),
  workers: 3,
  hashing: { running: 1, waiting: 17, slots: 2, most_waiting: 1000 },
  mail: { waiting: 18, failed: 19, failing: false },
  unwritten: { uses: 21, events: 22, refusals: 23, counts: 24 },
  swept_at: new Date("2030-01-11T13:19:58.000Z"),
  retention: { audit_events: 365, addresses: 0, refusals: 7 },
};

/** Returns an application whose clock shows twenty past one on a Friday. */
async function dashboardApp(): Promise<TestApp> {
  const test = await testApp({ figures: () => figures });
  test.clock.advance(10 * 86_400 + 13 * 3600 + 20 * 60);
  return test;
}

async function signedIn(test: TestApp, overrides: Partial<User> = {}) {
  const user = await aPerson(test, overrides);
  const browser = await browserOf(test, user);
  return { user, browser };
}

async function asAdministrator() {
  const test = await dashboardApp();
  return { test, ...(await signedIn(test, { is_platform_admin: true })) };
}

async function counted(
  { store, clock }: TestApp,
  kind: StatisticKind,
  subjects: readonly (string | null)[],
  hours_ago: number,
  count: number,
): Promise<void> {
  store.increment(kind, subjects, later(-3600 * hours_ago, clock.now()), count);
  await store.flushCounts();
}

/** Returns the text of a page, with single spaces. */
const textOf = ({ body }: { body: string }) => readHtml(body).text.replace(/\s+/g, " ");

/** Returns the plots of a page by title, with the rows of their tables as numbers, and the number of bars. */
function plotsOf({ body }: { body: string }) {
  const found = body.matchAll(/<figure class="plot">([\s\S]*?)<\/figure>/g);
  return new Map(
    [...found].map(([, plot = ""]) => {
      const title = /<h2>([^<]*)<\/h2>/.exec(plot)?.[1] ?? "";
      const rows = [...plot.matchAll(/<tr role="row"><th role="rowheader"[\s\S]*?<\/tr>/g)].map(([row]) =>
        [...row.matchAll(/<td[^>]*>([\d,]+)<\/td>/g)].map(([, text = ""]) =>
          Number(text.replaceAll(",", "")),
        ),
      );
      const summary = /aria-label="([^"]*)"/.exec(plot)?.[1] ?? "";
      return [title, { rows, bars: plot.split(/M[\d.]+ [\d.]+V/).length - 1, summary }] as const;
    }),
  );
}

/** Returns the figures of the last 24 hours by name. */
function figuresOf({ body }: { body: string }): Record<string, string> {
  const found = body.matchAll(
    /<dt>(?:<a [^>]*>)?([^<]*)(?:<\/a>)?<\/dt><dd class="figure-value">([^<]*)<\/dd>/g,
  );
  return Object.fromEntries([...found].map(([, name, value]) => [name, value]));
}

function okPage(answer: LightMyRequestResponse): LightMyRequestResponse {
  assert.equal(answer.statusCode, 200, answer.body.slice(0, 2000));
  return answer;
}

describe("the dashboard in the console", () => {
  describe("of a server in use", () => {
    let served: TestApp;
    let root: TestBrowser;
    let app_id: string;
    before(async () => {
      served = await dashboardApp();
      const { browser, user } = await signedIn(served, { is_platform_admin: true });
      root = browser;
      const app = await anApp(served.store, { owner_id: user.id, name: "Orders <b>" });
      app_id = app.id;
      await counted(served, "tokens_code", [null, app.id], 0, 1200);
      await counted(served, "tokens_refresh", [null, app.id], 23, 34);
      await counted(served, "tokens_machine", [null], 24, 1000);
      await counted(served, "sign_ins", [null], 1, 5);
      await counted(served, "sign_in_failures", [null], 1, 6);
      await counted(served, "refusals", [null], 2, 60);
      await counted(served, "refusals", [null], 26, 25);
      await aRefusal(served.store, {
        app_id: app.id,
        short_id: "0123456789",
        error: "invalid_scope",
        created_at: served.clock.now(),
      });
      await aRefusal(served.store, { short_id: "SIGNINFAIL", endpoint: "/login" });
      served.store.queueEvent({
        type: "sign_in",
        outcome: "failure",
        actor_kind: "anonymous",
        actor_id: null,
        target_table: null,
        target_id: null,
        client_ip: "203.0.113.9",
        user_agent: null,
        request_id: null,
        details: { reason: "unknown_user" },
        created_at: served.clock.now(),
      });
      await served.store.flushEvents();
    });

    test("the dashboard states the server's health in one line, with an overall mark", async () => {
      const text = textOf(okPage(await root.get("/console")));
      assert.match(text, /Health Healthy/);
      assert.match(text, /Database responds/);
      assert.match(text, /Signing key 10 days old/);
      assert.match(text, /Sign-in load normal/);
      assert.match(text, /Mail working/);
      assert.match(text, /Cleanup 2 seconds ago/);
    });

    test("the dashboard shows the figures of the last 24 hours with their change since the day before", async () => {
      const page = okPage(await root.get("/console"));
      assert.deepEqual(figuresOf(page), {
        "Tokens issued": "1,234",
        "Sign-ins": "5",
        "Failed sign-ins": "6",
        "Failed requests": "60",
      });
      const text = textOf(page);
      // Twenty minutes of today have passed, so a third of yesterday's 1,000 tokens was expected.
      assert.match(text, /Tokens issued 1,234 270% more than the day before/);
      assert.match(text, /Failed requests 60 140% more than the day before more than usual/);
      assert.match(text, /Failed sign-ins 6 0 the day before/);
    });

    test("the bars of each chart correspond to the figures of the table behind it", async () => {
      const plots = plotsOf(okPage(await root.get("/console")));
      assert.deepEqual([...plots.keys()], ["Tokens issued", "Sign-ins by outcome", "Failed requests"]);
      const tokens = plots.get("Tokens issued");
      assert.equal(tokens?.rows.length, 24);
      assert.deepEqual(
        [tokens?.rows[0], tokens?.rows[1], tokens?.rows[23]],
        [
          [0, 34, 0],
          [0, 0, 0],
          [1200, 0, 0],
        ],
      );
      assert.equal(tokens?.summary, "1,234 in total; peak of 1,200 from 11 Jan, 13:00");
      for (const { rows, bars } of plots.values()) {
        assert.equal(bars, rows.flat().filter((value) => value > 0).length);
      }
    });

    test("the dashboard also shows 7 and 30 days, and 24 hours for an unknown period", async () => {
      const rows = async (period: string) => {
        const page = okPage(await root.get(`/console?period=${period}`));
        assert.equal(figuresOf(page)["Tokens issued"], "1,234");
        return plotsOf(page).get("Tokens issued")?.rows;
      };
      const week = await rows("week");
      assert.deepEqual([week?.length, week?.at(-1), week?.at(-5)], [28, [1200, 0, 0], [0, 34, 1000]]);
      const month = await rows("month");
      assert.deepEqual([month?.length, month?.at(-1), month?.at(-2)], [30, [1200, 0, 0], [0, 34, 1000]]);
      assert.equal((await rows("century"))?.length, 24);
      assert.equal((await rows("day&period=week"))?.length, 24);
    });

    test("the dashboard links its figures to the lists of users, apps and failed sign-ins", async () => {
      const { body } = okPage(await root.get("/console"));
      assert.ok(body.includes(`<a href="/console/apps/${app_id}"><bdi>Orders &lt;b&gt;</bdi></a>`));
      assert.ok(body.includes('<a href="/console/refusals/0123456789"><code>01234-56789</code></a>'));
      assert.ok(!body.includes("SIGNINFAIL"), "a failed sign-in is counted and listed as one");
      assert.match(body, /<span lang="en">[^<]+<\/span> <code class="quiet">/, "why, and not the code alone");
      assert.ok(body.includes('<dt><a href="/console/tokens">Tokens issued</a></dt>'));
      assert.ok(body.includes('<dt><a href="/console/signing-keys">Signing key</a></dt>'));
      assert.match(body, /href="\/console\/audit-events\?type=sign_in&amp;outcome=failure"/);
      assert.match(textOf({ body }), /an unknown address unknown address 203\.0\.113\.9/);
    });

    test("the dashboard is available in every language, with its number format", async () => {
      for (const language of managementLanguages) {
        const page = okPage(await root.get("/console?period=month", { "accept-language": language }));
        assert.equal(page.headers["content-language"], languageTag(language));
        assert.ok(page.body.includes(language === "es" ? ">1234<" : ">1,234<"), language);
      }
    });
  });

  test("the dashboard weighs less than 60 kB on a first visit, whatever it shows", async () => {
    const { test, browser, user } = await asAdministrator();
    const now = test.clock.now();
    const kinds = statisticKinds.filter((kind) => kind !== "swept" && kind !== "introspections");
    for (let hour = 0; hour < 720; hour += 1)
      for (const kind of kinds) test.store.increment(kind, [null], later(-3600 * hour, now), 54_321 + hour);
    for (let count = 0; count < 10; count += 1) {
      const { id } = await anApp(test.store, { owner_id: user.id, name: `An app with a name ${count}` });
      test.store.increment("tokens_code", [id], now, 100);
      await aRefusal(test.store, { app_id: id });
      await anEvent(test.store, {
        type: "sign_in",
        outcome: "failure",
        actor_kind: "user",
        actor_id: user.id,
        details: { reason: "wrong_password" },
      });
    }
    await test.store.flushCounts();
    // The size is counted as transferred: static files are compressed.
    const packed = readAssets().map(({ path, body }) => [path, gzipSync(body, { level: 9 }).length] as const);
    for (const period of ["day", "week", "month"]) {
      const { body } = okPage(await browser.get(`/console?period=${period}`));
      assert.equal(plotsOf({ body }).get("Tokens issued")?.rows.flat().includes(0), false);
      const assets = packed.reduce((sum, [path, length]) => sum + (body.includes(path) ? length : 0), 0);
      assert.ok(assets > 8000, "the style sheet and the script are among them");
      const headers = 2000;
      const total = Buffer.byteLength(body) + assets + headers;
      assert.ok(total < 60_000, `${period}: ${total} bytes`);
    }
  });

  test("the dashboard of a new server shows the steps to the first token instead of empty charts", async () => {
    const { test, browser, user } = await asAdministrator();
    const page = okPage(await browser.get("/console"));
    assert.match(textOf(page), /Three steps to the first sign-in/);
    assert.match(page.body, /<a class="button primary" href="\/console\/apps\/new">/);
    assert.deepEqual([plotsOf(page).size, figuresOf(page)], [0, {}]);
    await anApp(test.store, { owner_id: user.id });
    const later = okPage(await browser.get("/console"));
    assert.doesNotMatch(textOf(later), /Three steps/);
    const empty = plotsOf(later).get("Tokens issued");
    assert.deepEqual(
      [empty?.rows.flat().some((value) => value > 0), empty?.summary],
      [false, "None in this period"],
    );
  });

  test("the dashboard of an organization shows its own figures, one at a time if there are several", async () => {
    const test = await dashboardApp();
    const [acme, globex] = [
      await anOrganization(test.store, { name: "Acme" }),
      await anOrganization(test.store, { name: "Globex" }),
    ];
    for (const [{ id }, count] of [
      [acme, 11],
      [globex, 22],
    ] as const) {
      const app = await anApp(test.store, { organization_id: id });
      await counted(test, "tokens_code", [null, app.id, id], 0, count);
      await counted(test, "refusals", [null, id], 0, count * 10);
      await aRefusal(test.store, { app_id: app.id, error: `of_${id}` });
    }
    await counted(test, "sign_ins", [null], 0, 98_765);
    const one = await signedIn(test);
    await aMembership(test.store, { user_id: one.user.id, organization_id: acme.id, role: "admin" });
    const page = okPage(await one.browser.get("/console?period=day"));
    assert.deepEqual(figuresOf(page), { "Tokens issued": "11", "Failed requests": "110" });
    assert.deepEqual([...plotsOf(page).keys()], ["Tokens issued", "Failed requests"]);
    for (const foreign of [globex.id, "Globex", "98,765", "Health", "<select"])
      assert.ok(!page.body.includes(foreign), foreign);

    await aMembership(test.store, { user_id: one.user.id, organization_id: globex.id, role: "owner" });
    const both = okPage(await one.browser.get("/console?period=day"));
    assert.equal(figuresOf(both)["Tokens issued"], "33");
    await workIn(one.browser, globex.id);
    const chosen = okPage(await one.browser.get("/console?period=week"));
    assert.equal(figuresOf(chosen)["Tokens issued"], "22");
    assert.ok(!chosen.body.includes(`of_${acme.id}`) && chosen.body.includes(`of_${globex.id}`));
  });
});

describe("the page of signing keys", () => {
  const kidsOf = async ({ app }: TestApp) => {
    const { keys } = (await app.inject("/.well-known/jwks.json")).json<{ keys: { kid: string }[] }>();
    return keys.map(({ kid }) => kid);
  };

  test("signing keys are listed with age and state, and a new key is published before it signs", async () => {
    const { test, browser } = await asAdministrator();
    const [old = ""] = await kidsOf(test);
    const list = okPage(await browser.get("/console/signing-keys"));
    assert.match(textOf(list), new RegExp(`${old} Signing created 10 days ago`));
    assert.match(list.body, /href="\/\.well-known\/jwks\.json"/);
    const form = okPage(await browser.get("/console/signing-keys/rotate"));
    assert.match(textOf(form), /Users stay signed in/);
    assert.match(form.body, /name="activates_in"[^>]* value="10"/);
    assert.match(form.body, /<option value="min" selected>/);

    const csrf_token = hiddenField(form, "csrf_token");
    const made = await browser.post("/console/signing-keys/rotate", {
      csrf_token,
      activates_in: "15",
      "activates_in.unit": "min",
    });
    assert.deepEqual([made.statusCode, made.headers.location], [303, "/console/signing-keys?done=created"]);
    const kids = await kidsOf(test);
    const fresh = kids.find((kid) => kid !== old) ?? "";
    assert.deepEqual([kids.length, kids.includes(old)], [2, true]);
    const signing = async () => (await test.server.keys()).signingKey(test.clock.now()).kid;
    assert.equal(await signing(), old);
    const after = textOf(okPage(await browser.get(String(made.headers.location))));
    assert.match(after, /New key created/);
    assert.match(after, new RegExp(`${fresh} Next created 0 seconds ago .*${old} Signing`));
    test.clock.advance(900);
    assert.equal(await signing(), fresh);
    const taken = textOf(okPage(await browser.get("/console/signing-keys?done=nonsense")));
    assert.match(taken, new RegExp(`${fresh} Signing created 15 minutes ago .*${old} Published`));
    assert.doesNotMatch(taken, /New key created/);
    const event = await test.store.list("audit_events", { type: "signing_key.created" });
    assert.equal(event.length, 1);
  });

  test("PR-54: a signing key can be created for the selected algorithm, which the list shows", async () => {
    const { test, browser } = await asAdministrator();
    const form = okPage(await browser.get("/console/signing-keys/rotate"));
    assert.match(form.body, /<option value="RS256" selected>/);
    const csrf_token = hiddenField(form, "csrf_token");
    const typed = { csrf_token, activates_in: "600", algorithm: "ES256" };
    await browser.post("/console/signing-keys/rotate", typed);
    assert.deepEqual((await test.server.keys()).algorithms(test.clock.now()), ["RS256", "ES256"]);
    const list = okPage(await browser.get("/console/signing-keys"));
    assert.match(list.body, /<code>ES256<\/code>/);
    const discovery = await browser.get("/.well-known/openid-configuration");
    assert.deepEqual(JSON.parse(discovery.body).id_token_signing_alg_values_supported, ["RS256", "ES256"]);
  });

  test("a signing key is not rotated if the number in the form is out of range", async () => {
    const { test, browser } = await asAdministrator();
    const form = okPage(await browser.get("/console/signing-keys/rotate"));
    const csrf_token = hiddenField(form, "csrf_token");
    for (const activates_in of ["4", "604801", "-1", "6e2", "600.5", "", "many", '"><b>']) {
      const answer = await browser.post("/console/signing-keys/rotate", { csrf_token, activates_in });
      assert.equal(answer.statusCode, 422, activates_in);
      assert.match(answer.body, /aria-invalid="true" autofocus/);
      assert.match(textOf(answer), /Enter a time from 5 seconds to 7 days/);
      assert.ok(!answer.body.includes('"><b>'));
    }
    assert.equal((await kidsOf(test)).length, 1);
  });
});

describe("the page of cleanup and process figures", () => {
  test("the page shows deleted rows, pending work, and figures of the process", async () => {
    const { test, browser } = await asAdministrator();
    await counted(test, "swept", [null], 0, 40);
    await counted(test, "swept", [null], 40, 2);
    const page = okPage(await browser.get("/console/housekeeping"));
    assert.deepEqual(figuresOf(page), {
      "Removed in the last 24 hours": "40",
      "Removed in the last 7 days": "42",
      "Last cleanup": "2 seconds ago",
    });
    const text = textOf(page);
    for (const said of [
      /Pending password checks 1 \/ 2 17 1,000/,
      /Pending emails – 18 –/,
      /Pending writes: times of last use – 21 –/,
      /Pending writes: audit events – 22 –/,
      /Pending writes: failed requests – 23 –/,
      /Pending writes: statistics – 24 –/,
      /could not be sent since the process started: 19\./,
      /3 processes share the work/,
      /Version 7\.8\.9/,
      /3 days ago/,
      /Database sqlite [\d.]+ (?:kB|MB) on disk/,
      /Retention Audit events for 365 days Addresses of requests forever Failed requests for 7 days/,
    ]) {
      assert.match(text, said);
    }
    assert.doesNotMatch(text, /Expired, not yet removed/);
  });

  test("the page counts expired rows on request, and deletes none", async () => {
    const { test, browser } = await asAdministrator();
    await aSession(test.store, { expires_at: later(-1, test.clock.now()) });
    await aSession(test.store, { expires_at: later(-2, test.clock.now()) });
    const page = okPage(await browser.get("/console/housekeeping"));
    const csrf_token = hiddenField(page, "csrf_token");
    const count = () => browser.post("/console/housekeeping", { csrf_token });
    const answers = await Promise.all([count(), count(), count()]);
    for (const answer of answers) {
      const text = textOf(okPage(answer));
      assert.match(text, /Expired, not yet removed Kind Rows/);
      assert.doesNotMatch(answer.body, /<th role="rowheader" scope="row"><code>/, "a table without a name");
      assert.match(text, /Sessions 2 Temporary records \d/);
    }
    // These are two expired sessions, and the session of the request.
    assert.equal(await test.store.count("sessions"), 3);
    assert.ok((await browser.post("/console/housekeeping", { csrf_token: "x" })).statusCode >= 400);
  });

  test("the page works without figures of the process", async () => {
    const test = await testApp();
    const { browser } = await signedIn(test, { is_platform_admin: true });
    const page = okPage(await browser.get("/console/housekeeping"));
    assert.doesNotMatch(textOf(page), /Queues of this process|Version/);
    assert.match(
      textOf(okPage(await browser.get("/console"))),
      /Health Healthy Database responds Signing key/,
    );
    const csrf_token = hiddenField(page, "csrf_token");
    okPage(await browser.post("/console/housekeeping", { csrf_token }));
  });

  test("only platform administrators see this page and the signing keys", async () => {
    const test = await dashboardApp();
    const { browser, user } = await signedIn(test);
    const { id: organization_id } = await anOrganization(test.store);
    await aMembership(test.store, { user_id: user.id, organization_id, role: "owner" });
    const { csrf_token } = await (async () => {
      const page = okPage(await browser.get("/logout"));
      return { csrf_token: hiddenField(page, "csrf_token") };
    })();
    for (const path of ["/console/housekeeping", "/console/signing-keys", "/console/signing-keys/rotate"]) {
      assert.equal((await browser.get(path)).statusCode, 403, path);
    }
    for (const path of ["/console/housekeeping", "/console/signing-keys/rotate"]) {
      const answer = await browser.post(path, { csrf_token, activates_in: "600" });
      assert.equal(answer.statusCode, 403, path);
    }
    assert.equal((await test.store.listSigningKeys()).length, 1);
  });
});
