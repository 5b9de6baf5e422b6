import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { OAuthApp, User } from "../../src/records/definition/definition.ts";
import { aPerson, browserOf, type TestApp, testApp, testBrowser } from "../support/app.ts";
import { anApp, anOpenClient, aResource } from "../support/builders.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";
import { readHtml } from "../web/read_html.ts";

describe("the consent page for an open client", () => {
  let it: TestApp;
  let user: User;
  let resource: string;
  before(async () => {
    it = await testApp({ throttle: false, brand: { name: "Acme ID" } });
    user = await aPerson(it);
    await anApp(it.store, { name: "Harbour" });
    ({ identifier: resource } = await aResource(it.store, {
      name: "Notes of Acme",
      who_may_ask: "any",
      scopes: { "notes:read": { en: "Read your notes", es: "Leer tus notas" }, "notes:write": null },
      default_scopes: ["notes:read"],
    }));
  });

  const aClient = (overrides: Partial<OAuthApp>) => anApp(it.store, { ...anOpenClient, ...overrides });

  /** Returns the page's text for a signed-in user, or `location` if there is no page. */
  async function requested(app: OAuthApp, overrides: Parameters<typeof authorizeParameters>[1] = {}) {
    const browser = await browserOf(it, user);
    const parameters = authorizeParameters(app, { resource, scope: undefined, ...overrides });
    const answer = await browser.get(`/oauth/authorize?${formOf(parameters)}`);
    return { text: readHtml(answer.body).text, body: answer.body, location: String(answer.headers.location) };
  }

  test("PR-11: the page shows which facts are proven or claimed, where the browser goes, and the API with its scopes", async () => {
    const app = await aClient({ name: "Note Taker", logo_url: "data:image/png;base64,AAAA" });
    const { text, body } = await requested(app, { redirect_uri: "http://localhost:3118/callback" });
    for (const said of [
      ...["an unknown application", "Registered itself, not verified", "It calls itself Note Taker"],
      ...["Notes of Acme"],
      resource,
      ...["Read your notes", "notes:read", "http://localhost:3118", "Only continue if you started this"],
      app.client_id,
    ]) {
      assert.ok(text.includes(said), said);
    }
    assert.doesNotMatch(text, /notes:write|Verified address|Described by the application/);
    assert.doesNotMatch(body, /<img/);
    const spanish = await requested(app, { ui_locales: "es" });
    assert.match(spanish.text, /Se hace llamar Note Taker.*Leer tus notas/s);
  });

  test("PR-11: links to policy and terms show their host, and are marked as claims of the client", async () => {
    const registration = {
      policy_uri: "https://p\u00e4ge.example/privacy",
      tos_uri: "http://page.example/terms",
    };
    const { text, body } = await requested(await aClient({ name: "Linked", registration }));
    assert.match(text, /Privacy policy\s+xn--pge-qla\.example\s+Stated by the application, not verified/);
    assert.match(
      body,
      /<a href="https:\/\/xn--pge-qla\.example\/privacy" target="_blank" rel="noopener noreferrer">/,
    );
    assert.doesNotMatch(text, /Terms of service|page\.example\/terms/);
    assert.doesNotMatch(
      (await requested(await aClient({ name: "Bare" }))).text,
      /not verified.*not verified/s,
    );
  });

  test("PR-11: a private URI scheme or a loopback redirect causes a warning, and a host is shown in ASCII", async () => {
    const redirect_uris = [
      "cursor://anysphere.cursor-mcp/oauth/callback",
      "http://127.0.0.1/callback",
      "https://xn--pple-43d.example/cb",
    ];
    const app = await aClient({ name: "Fruit", redirect_uris });
    const [scheme, loopback, site] = await Promise.all(
      redirect_uris.map((redirect_uri) => requested(app, { redirect_uri })),
    );
    assert.match(scheme?.text ?? "", /the program on this device that opens such addresses.*cursor:/s);
    assert.match(loopback?.text ?? "", /a program on this device.*http:\/\/127\.0\.0\.1/s);
    assert.match(site?.text ?? "", /https:\/\/xn--pple-43d\.example/);
    assert.doesNotMatch(site?.text ?? "", /this device/);
    const silent = await requested(app, { redirect_uri: redirect_uris[0], prompt: "none" });
    assert.match(silent.location, /^cursor:.*error=consent_required/);
  });

  test("PR-11: a name similar to this server's or to a registered app's is not shown", async () => {
    for (const name of [
      ...["Harbour", "HARBOUR", "H\u0430rbour", "Harb0ur", "Har\u200bbour", "H a r b o u r", "Acme ID"],
      ...["Acme ID Login", "Postern", "P\u043estern", "Postern Administration", "Harbour Desktop"],
      ...["My H\u0430rbour", "Verified Notes", "Notes (verificado)", "Notes of id.example"],
    ]) {
      const { text, body } = await requested(await aClient({ name }));
      assert.match(text, /The name that it gives itself is hidden/, name);
      assert.ok(!body.includes(`class="name">${name}<`), name);
    }
    for (const name of ["Harbours", "Notes", "Acme", "日本語アプリ", "שלום עולם"]) {
      const { body } = await requested(await aClient({ name }));
      assert.ok(body.includes(`It calls itself <bdi class="name">${name}</bdi>`), name);
    }
  });

  test("PR-11: a deceptive name is not shown, a long one is truncated, and markup in it is shown as text", async () => {
    for (const name of ["\u202etpircsavaj", "Goo\u0261le \u0430pp", "A\u0300\u0301\u0302\u0303\u0304b"]) {
      const { text, body } = await requested(await aClient({ name }));
      assert.match(text, /its spelling could deceive you/, name);
      assert.ok(!body.includes(name));
    }
    const long = await requested(await aClient({ name: "N".repeat(255) }));
    assert.match(long.text, /calls itself N{59}…/);
    const script = await requested(await aClient({ name: "<script>alert(1)</script>" }));
    assert.doesNotMatch(script.body, /<script>alert/);
    const nothing = await requested(await aClient({ name: "★★★" }));
    assert.doesNotMatch(nothing.text, /calls itself|not shown/);
  });

  test("PR-11: the pages before and after it never show the name that the client claims", async () => {
    const app = await aClient({ name: "Note Taker" });
    const query = formOf(authorizeParameters(app, { resource, scope: undefined }));
    const redirect = `${it.server.issuer}/oauth/authorize?${query}`;
    const login = await testBrowser(it.app).get(`/login?redirect=${encodeURIComponent(redirect)}`);
    assert.equal(login.statusCode, 200);
    assert.doesNotMatch(login.body, /Note Taker/);
  });

  test("PR-11: the account page shows proven facts of a connected client and its redirect targets", async () => {
    const app = await aClient({ name: "Note Taker", redirect_uris: ["https://notes.example/cb"] });
    await it.store.grantConsent(user.id, app.id, ["openid"], new Date());
    const browser = await browserOf(it, user);
    const { text } = readHtml((await browser.get("/account/apps")).body);
    assert.match(
      text,
      /an unknown application.*Registered itself, not verified.*It calls itself Note Taker/s,
    );
    assert.match(text, /Responses are sent to https:\/\/notes\.example/);
    const ending = readHtml((await browser.get(`/account/apps/${app.id}/withdraw`)).body).text;
    assert.match(ending, /an unknown application/);
    assert.doesNotMatch(ending, /Note Taker/);
  });
});
