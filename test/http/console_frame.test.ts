/** The frame around the records of the console: tabs, the reader's choices, and the signed-in user. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { testBrowser } from "../support/app.ts";
import { anApp, aSecret } from "../support/builders.ts";
import { type ConsoleFixture, consoleFixture } from "../support/console.ts";

let it: ConsoleFixture;
before(async () => {
  it = await consoleFixture();
});

describe("the pages of an app in the console", () => {
  test("all pages of an app have the app's name as their title, and the same tabs", async () => {
    const browser = it.browsers["organization admin"];
    for (const tab of ["", "/use", "/try", "/checks"]) {
      const { body } = await browser.get(`/console/apps/${it.orders.id}${tab}`);
      assert.match(body, /<h1>Orders<\/h1>/, tab);
      const tabs = [...(/<nav class="tabs".*?<\/nav>/.exec(body)?.[0] ?? "").matchAll(/>([A-Z][a-z]+)/g)];
      assert.deepEqual(
        tabs.map(([, label]) => label),
        ["Overview", "Quickstart", "Playground", "Checks"],
        tab,
      );
    }
  });

  test("the tab of the checks shows the number of issues, and no number without issues", async () => {
    const browser = it.browsers["platform administrator"];
    const tabOf = async (id: string, page: string) =>
      /href="[^"]*\/checks"[^>]*>(.*?)<\/a>/.exec(
        (await browser.get(`/console/apps/${id}${page}`)).body,
      )?.[1];
    const risky = await anApp(it.store, {
      owner_id: it.people["platform administrator"].id,
      redirect_uris: ["http://app.example/cb"],
    });
    await aSecret(it.store, { app_id: risky.id });
    const calm = await anApp(it.store, {
      owner_id: it.people["platform administrator"].id,
      redirect_uris: ["https://app.example/cb"],
      app_type: "spa",
      public: true,
      allowed_grants: ["auth_code"],
      allowed_scopes: ["openid", "profile"],
    });
    for (const page of ["", "/use", "/try", "/checks"]) {
      assert.equal(await tabOf(risky.id, page), 'Checks <span class="badge badge-caution">1 to fix</span>');
      assert.equal(await tabOf(calm.id, page), "Checks", page);
    }
  });

  test("the page of an app lists its secrets after its main facts, and says in one line if there are none", async () => {
    const browser = it.browsers["platform administrator"];
    const app = await anApp(it.store, { owner_id: it.people["platform administrator"].id });
    await aSecret(it.store, { app_id: app.id });
    const { body } = await browser.get(`/console/apps/${app.id}`);
    const places = ["<h2>About", 'id="related-app_secrets"', "<h2>Sign-in", 'id="related-none"'];
    const found = places.map((text) => body.indexOf(text));
    assert.ok(!found.includes(-1), String(found));
    assert.deepEqual(
      found,
      found.toSorted((one, other) => one - other),
    );
    assert.doesNotMatch(body, /id="related-consents"|New consent/);
  });
});

describe("technical field names", () => {
  test("technical field names are shown on every page once the reader enables them, until disabled", async () => {
    const browser = it.browsers["organization admin"];
    const page = `/console/apps/${it.orders.id}`;
    const shows = async (at: string) => /class="workspace api-names"/.test((await browser.get(at)).body);
    assert.equal(await shows(page), false);
    const answer = await browser.post("/console/view", { return_to: page, api_names: "on" });
    assert.equal(answer.statusCode, 303);
    assert.equal(new URL(String(answer.headers.location), "https://id.example").pathname, page);
    assert.ok((await shows(page)) && (await shows("/console/users")));
    await browser.post("/console/view", { return_to: page, api_names: "off" });
    assert.equal(await shows(page), false);
  });

  test("another site cannot switch the technical field names on", async () => {
    const browser = it.browsers["organization admin"];
    const foreign = { "sec-fetch-site": "cross-site" };
    const answer = await browser.post("/console/view", { return_to: "/console", api_names: "on" }, foreign);
    assert.equal(answer.statusCode, 403);
    assert.equal(answer.headers["set-cookie"], undefined);
  });
});

describe("the header and navigation of the console", () => {
  test("the header names the signed-in user, and links account, security, reference and sign-out", async () => {
    for (const at of ["/console/apps", "/account"]) {
      const { body } = await it.browsers["organization admin"].get(at);
      const menu = /<details class="menu" name.*?<\/details>/s.exec(body)?.[0] ?? "";
      assert.match(menu, /<bdi>Adela<\/bdi>/, at);
      assert.ok(menu.includes(it.people["organization admin"].email));
      for (const href of ["/account", "/account/security", "#languages", "/logout"])
        assert.ok(menu.includes(`href="${href}"`), `${at} ${href}`);
    }
    const { body } = await it.browsers["organization admin"].get("/console/apps");
    assert.ok(body.includes('href="/api/docs"') && body.includes('href="/api/openapi.json"'));
  });

  test("a missing page is shown within the console for signed-in users", async () => {
    const browser = it.browsers["organization admin"];
    for (const at of ["/console/nowhere", "/console/apps/nonsense", "/console/a/b/c"]) {
      const answer = await browser.get(at);
      assert.equal(answer.statusCode, 404, at);
      assert.ok(answer.body.includes('class="side"') && answer.body.includes('href="/console"'), at);
    }
    const anonymous = await testBrowser(it.app).get("/console/nowhere");
    assert.match(String(anonymous.headers.location), /^\/login\?redirect=/);
  });
});

describe("the global search", () => {
  const found = ({ body }: { readonly body: string }) =>
    [...body.matchAll(/id="found-(\w+)"/g)].map(([, resourceType]) => resourceType);

  test("the search finds records of every resource type by name and by id", async () => {
    const root = it.browsers["platform administrator"];
    const everywhere = await root.get("/console/search?q=acme");
    assert.ok(found(everywhere).includes("organizations") && found(everywhere).includes("service_accounts"));
    const one = await root.get(`/console/search?q=${it.orders.id}`);
    assert.deepEqual(found(one), ["apps"]);
    assert.ok(one.body.includes(`href="/console/apps/${it.orders.id}"`));
    for (const q of ["", "%20", "no-such-thing-anywhere", "%00"])
      assert.deepEqual(found(await root.get(`/console/search?q=${q}`)), [], q);
  });

  test("the search shows only what the viewer may read", async () => {
    const stranger = it.browsers.stranger;
    for (const q of ["acme", "orders", it.orders.id, it.acme.id, "mina@example.com"])
      assert.deepEqual(found(await stranger.get(`/console/search?q=${q}`)), [], q);
  });

  test("the search shows five records of each type, and a link to all", async () => {
    const owner_id = it.people["platform administrator"].id;
    for (let count = 0; count < 6; count += 1) await anApp(it.store, { owner_id, name: `Quokka ${count}` });
    const { body } = await it.browsers["platform administrator"].get("/console/search?q=quokka");
    assert.equal(body.match(/role="rowheader"/g)?.length, 5);
    assert.ok(body.includes('href="/console/apps?q=quokka"'));
  });
});
