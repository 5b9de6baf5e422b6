/** The console pages that show the APIs that an app may request, and the API that an app represents. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { readScopeLines, scopeLines } from "../../src/console/forms/scope_lines.http.ts";
import { anApp, anOpenClient, anOrganization, aResource } from "../support/builders.ts";
import { type ConsoleFixture, consoleFixture, fillIn, formOn, type ViewerName } from "../support/console.ts";

/** Returns a card of a page as text, without tags, and with links in Markdown. */
function card(body: string, id: string): string[] {
  const [, found = ""] = new RegExp(
    `<section class="card" aria-labelledby="${id}">(.*?)</section>`,
    "s",
  ).exec(body) ?? [body, ""];
  return found
    .replace(/<a href="([^"]*)">(.*?)<\/a>/g, "[$2]($1)")
    .replace(/<\/?(?:h2|h3|ul|li)\b[^>]*>/g, "\n")
    .replace(/<[^>]*>/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
}

describe("the APIs on the page of an app", () => {
  let it: ConsoleFixture;
  before(async () => {
    it = await consoleFixture();
  });
  const page = async (id: string, viewer: ViewerName = "organization admin") => {
    const answer = await it.browsers[viewer].get(`/console/apps/${id}`);
    assert.equal(answer.statusCode, 200);
    return answer.body;
  };

  test("the page of an app lists the APIs that it may request, each with the reason, and the APIs that it represents", async () => {
    const { store, acme } = it;
    const organization_id = acme.id;
    const api = (name: string, overrides: Parameters<typeof aResource>[1] = {}) =>
      aResource(store, { name, identifier: `urn:example:${name}`, ...overrides });
    const [listed, off, own] = [
      await api("listed", { organization_id, who_may_ask: "listed" }),
      await api("off", { organization_id, who_may_ask: "listed", active: false }),
      await api("any", { organization_id, who_may_ask: "any" }),
    ];
    await api("of-others", {
      organization_id: (await anOrganization(store, {})).id,
      who_may_ask: "any",
    });
    await api("unlisted", { organization_id, who_may_ask: "listed" });
    const server = await api("server");
    const app = await anApp(store, {
      organization_id,
      resources: [listed.identifier, off.identifier],
    });
    const is = await api("mine", { organization_id, who_may_ask: "listed", app_ids: [app.id] });
    const at = (id: string) => `/console/resources/${id}`;
    assert.deepEqual(card(await page(app.id), "apis"), [
      "APIs",
      "Can request tokens for",
      `[listed](${at(listed.id)}) urn:example:listed listed on this app`,
      `[Orders API](${at(it.ids.resources)}) https://api.acme.example open to registered apps`,
      // An organization's administrator may not read records of the server.
      "server urn:example:server open to registered apps",
      `[any](${at(own.id)}) urn:example:any open to any client`,
      `[off](${at(off.id)}) urn:example:off listed on this app, but turned off: the app gets no token`,
      "Serves and can introspect tokens for",
      `[mine](${at(is.id)}) urn:example:mine`,
    ]);
    const asRoot = card(await page(app.id, "platform administrator"), "apis");
    assert.ok(asRoot.includes(`[server](${at(server.id)}) urn:example:server open to registered apps`));
  });

  test("the card is omitted if an app has no APIs, and an open client has those that any client may request", async () => {
    const client = await anApp(it.store, anOpenClient);
    await aResource(it.store, { who_may_ask: "any" });
    const lines = card(await page(client.id, "platform administrator"), "apis");
    assert.ok(lines.length > 2);
    assert.ok(lines.slice(2).every((line) => line.endsWith("open to any client")));
    for (const resource of await it.store.list("resources", {}))
      await it.store.update("resources", { id: resource.id }, { active: false });
    const alone = await anApp(it.store, {});
    assert.deepEqual(card(await page(alone.id, "platform administrator"), "apis"), []);
  });

  test("the page of a registered app does not show details that only open clients have", async () => {
    const facts = ["Registration", "IP address", "Last used"];
    const client = await anApp(it.store, {
      ...anOpenClient,
      client_ip: "192.0.2.1",
      last_used_at: new Date(0),
    });
    const [registered, open] = [await page(it.ids.apps), await page(client.id, "platform administrator")];
    for (const fact of facts) assert.doesNotMatch(registered, new RegExp(`<dt>${fact}\\b`), fact);
    assert.match(open, /<dt>IP address/);
    assert.match(open, /<dt>Last used/);
  });
});

describe("the configuration mistakes on the page of an API", () => {
  let it: ConsoleFixture;
  before(async () => {
    it = await consoleFixture();
  });
  const cautions = async (overrides: Parameters<typeof aResource>[1]) => {
    const { id } = await aResource(it.store, overrides);
    const { body } = await it.browsers["platform administrator"].get(`/console/resources/${id}`);
    const [, found = ""] = /<div class="notice notice-caution">(.*?)<\/div>/s.exec(body) ?? [];
    return [...found.matchAll(/<p>(.*?)<\/p>/g)].map(([, sentence = ""]) => sentence);
  };

  test("the page lists each mistake with its remedy, and reports nothing else", async () => {
    const scopes = { "orders:read": null, "orders:write": null, "orders:overwritten": null };
    const [open, closed] = [
      { who_may_ask: "any", scopes } as const,
      { who_may_ask: "registered", scopes } as const,
    ];
    const fine = ["orders:read", "orders:overwritten"];
    const { id: with_secret } = await anApp(it.store, {});
    const { id: without } = await anApp(it.store, { public: true, client_id: "the-page" });
    for (const [overrides, expected] of [
      [{ who_may_ask: "any" }, [/has no scopes/]],
      [{ who_may_ask: "registered" }, []],
      [{ ...open, default_scopes: fine }, []],
      [
        { ...open, default_scopes: ["orders:write", ...fine] },
        [/granted these scopes without requesting them: orders:write/],
      ],
      [{ ...closed, default_scopes: ["orders:write"] }, []],
      [{ dpop_bound_access_tokens_required: true }, [/No client gets a token.*POSTERN_EXTRA_FEATURES=dpop/]],
      [{ app_ids: [with_secret] }, []],
      [{ app_ids: [with_secret, without] }, [/^the-page cannot introspect/]],
    ] as const) {
      const reported = await cautions(overrides as Parameters<typeof aResource>[1]);
      assert.equal(reported.length, expected.length, JSON.stringify([overrides, reported]));
      for (const [index, sentence] of expected.entries()) assert.match(reported[index] ?? "", sentence);
    }
  });
});

describe("the scopes in the form of an API", () => {
  const stored = {
    "orders:read": { en: "See orders", es: "Ver pedidos" },
    "orders:write": "Change orders",
    "orders:all": null,
  };

  test("the form shows one scope per line in the reader's language, and keeps unchanged scopes as they are", async () => {
    const it = await consoleFixture();
    const { id } = await aResource(it.store, { scopes: stored });
    const browser = it.browsers["platform administrator"];
    const edit = `/console/resources/${id}/edit`;
    const shown = "orders:read = See orders\norders:write = Change orders\norders:all";
    const now = async () => (await it.store.find("resources", { id }))?.scopes;
    assert.equal(formOn(await browser.get(edit)).fields.scopes, shown);
    assert.equal((await fillIn(browser, edit, { name: "Shop" })).statusCode, 303);
    assert.deepEqual(await now(), stored);
    const typed = "orders:read = See all orders\r\n\r\n orders:write\r\norders:new = a = b\r\n";
    assert.equal((await fillIn(browser, edit, { scopes: typed })).statusCode, 303);
    assert.deepEqual(await now(), {
      "orders:read": { en: "See all orders", es: "Ver pedidos" },
      "orders:write": null,
      "orders:new": "a = b",
    });
    const refused = await fillIn(browser, edit, { scopes: 'bad"scope = no' });
    assert.equal(refused.statusCode, 422);
    assert.equal(formOn(refused).fields.scopes, 'bad"scope = no');
  });

  test("an edited description replaces only the language that was shown", () => {
    for (const language of ["en", "es", "zh"])
      assert.deepEqual(readScopeLines(scopeLines(stored, language), stored, language), stored);
    assert.deepEqual(readScopeLines("orders:read = Mirar", stored, "es"), {
      "orders:read": { en: "See orders", es: "Mirar" },
    });
    assert.deepEqual(readScopeLines("orders:read", stored, "es"), { "orders:read": { en: "See orders" } });
    assert.deepEqual(readScopeLines("", stored, "en"), {});
  });
});
