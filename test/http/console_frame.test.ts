/** Around the records of the console: tabs, choices of the reader, who is signed in. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { anApp, aSecret } from "../support/builders.ts";
import { type ConsoleWorld, consoleWorld } from "../support/console.ts";

let it: ConsoleWorld;
before(async () => {
  it = await consoleWorld();
});

describe("the pages of an app", () => {
  test("have the app's name as their title, and the same tabs", async () => {
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

  test("say on the tab of the checks how much there is to fix, and nothing where nothing is", async () => {
    const browser = it.browsers["platform administrator"];
    const tabOf = async (id: string, page: string) =>
      /\/checks"[^>]*>(.*?)<\/a>/.exec((await browser.get(`/console/apps/${id}${page}`)).body)?.[1];
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
    });
    for (const page of ["", "/use", "/try", "/checks"]) {
      assert.equal(await tabOf(risky.id, page), 'Checks <span class="badge badge-caution">1 to fix</span>');
      assert.equal(await tabOf(calm.id, page), "Checks", page);
    }
  });

  test("show the secrets behind the first facts, and name what there is none of in one line", async () => {
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

describe("names that programs use", () => {
  test("are seen once the reader asks for them, on every page of the console, until they hide them", async () => {
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

  test("are switched by no other site", async () => {
    const browser = it.browsers["organization admin"];
    const foreign = { "sec-fetch-site": "cross-site" };
    const answer = await browser.post("/console/view", { return_to: "/console", api_names: "on" }, foreign);
    assert.equal(answer.statusCode, 403);
    assert.equal(answer.headers["set-cookie"], undefined);
  });
});
