import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { createOutbox } from "../../src/ops/mail.ts";
import type { OAuthApp, Organization, User } from "../../src/records/definition/definition.ts";
import { brandStyle } from "../../src/web/html/brand_style.ts";
import { followed } from "../support/account.ts";
import {
  aPerson,
  browserOf,
  hiddenField,
  signInAs,
  type TestApp,
  testApp,
  testBrowser,
} from "../support/app.ts";
import { anApp, anOrganization } from "../support/builders.ts";
import { formOn } from "../support/console.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";

const brand = { accent: "#ff8a00", name: "Globex <Travel>", logo_url: "https://globex.example/logo.svg" };

describe("the brand of an organization", () => {
  let it: TestApp;
  let user: User;
  let organization: Organization;
  let client: OAuthApp;
  before(async () => {
    it = await testApp({ throttle: false, picture_hosts: ["globex.example", "initech.example"] });
    user = await aPerson(it);
    organization = await anOrganization(it.store, { settings: { brand } });
    client = await anApp(it.store, { organization_id: organization.id });
  });

  const sheetOf = (page: string) => /href="(\/assets\/brand\/[^"]+)"/.exec(page)?.[1];
  const requestOf = (app: OAuthApp, input: Record<string, string> = {}) =>
    `/oauth/authorize?${formOf({ ...authorizeParameters(app), ...input })}`;

  /** Returns the pages of an authorization request: sign-in, consent and account selection. */
  async function pagesOf(app: OAuthApp): Promise<string[]> {
    const visitor = testBrowser(it.app);
    const login = await visitor.get(String((await visitor.get(requestOf(app))).headers.location));
    await signInAs(visitor, user);
    const consent = await visitor.get(requestOf(app));
    const choice = await visitor.get(requestOf(app, { prompt: "select_account" }));
    assert.match(consent.body, /action="\/consent"/);
    assert.match(choice.body, /name="account"/);
    return [login, consent, choice].map(({ body }) => body);
  }

  test("the organization's brand is on every page during a request of its applications", async () => {
    for (const page of await pagesOf(client)) {
      assert.match(page, /<span class="brand-name">Globex &lt;Travel&gt;<\/span>/);
      assert.match(page, /<title>[^<]* · Globex &lt;Travel&gt;<\/title>/);
      assert.match(page, /<img src="https:\/\/globex\.example\/logo\.svg"/);
      assert.ok(sheetOf(page));
    }
  });

  test("the brand is also on the pages for a forgotten password and for sign-out by the application", async () => {
    const outbox = createOutbox({
      log: { warn() {}, error() {} },
      metrics: { count() {} },
      now: () => new Date(0),
    });
    const mailed = await testApp({ throttle: false, mail: outbox });
    const theirs = await anOrganization(mailed.store, { settings: { brand } });
    const app = await anApp(mailed.store, { organization_id: theirs.id });
    const visitor = testBrowser(mailed.app);
    const redirect = requestOf(app);
    const forgot = await visitor.get(`/forgot-password?redirect=${encodeURIComponent(redirect)}`);
    const form = { email: "nobody@example.com", redirect, csrf_token: hiddenField(forgot, "csrf_token") };
    const requested = await followed(visitor, await visitor.post("/forgot-password", form));
    await signInAs(visitor, await aPerson(mailed));
    const logout = await visitor.get(`/oauth/logout?client_id=${app.client_id}`);
    const { csrf_token, client_id } = Object.fromEntries(
      ["csrf_token", "client_id"].map((name) => [name, hiddenField(logout, name)]),
    );
    const ended = await visitor.post("/oauth/logout", { csrf_token, client_id, confirmed: "yes" });
    for (const page of [forgot, requested, logout, ended]) {
      assert.equal(page.statusCode, 200);
      assert.match(page.body, /<span class="brand-name">Globex &lt;Travel&gt;<\/span>/);
    }
    assert.doesNotMatch((await visitor.get("/forgot-password")).body, /Globex/);
    // A mail from this server never contains a name that another user chose.
    await outbox.settled();
    assert.doesNotMatch(JSON.stringify(outbox.kept()), /Globex/);
  });

  test("the brand form previews the brand in the colors of the pages", async () => {
    const browser = await browserOf(it, await aPerson(it, { is_platform_admin: true }));
    const url = `/console/organizations/${organization.id}/edit`;
    const form = await browser.get(url);
    const preview = (body: string) => /<div class="brand-preview"[\s\S]*?<\/fieldset>/.exec(body)?.[0] ?? "";
    assert.match(preview(form.body), /<link rel="stylesheet" href="\/assets\/brand\/accent-ff8a00\.css">/);
    assert.match(preview(form.body), /<img src="https:\/\/globex\.example\/logo\.svg"/);
    assert.match(preview(form.body), /<span class="brand-name">Globex &lt;Travel&gt;<\/span>/);
    // The preview also validates its input: only a valid color becomes part of a URL.
    const { action, fields } = formOn(form);
    const typed = {
      ...fields,
      slug: "",
      "settings.brand.accent": "#0E6655",
      "settings.brand.name": "Typed",
      "settings.brand.logo_url": "https://elsewhere.example/logo.png",
    };
    const again = preview((await browser.post(action, typed)).body);
    assert.match(again, /href="\/assets\/brand\/accent-0e6655\.css"/);
    assert.match(again, /<span class="portrait portrait-client" aria-hidden="true">T<\/span>/);
    const broken = await browser.post(action, { ...typed, "settings.brand.accent": "#0e6655/../x" });
    assert.doesNotMatch(preview(broken.body), /<link/);

    const sheet = await browser.get("/assets/brand/accent-0e6655.css");
    assert.equal(sheet.statusCode, 200);
    assert.doesNotMatch(sheet.body, /:root/);
    assert.equal(sheet.body.replaceAll(".brand-preview", ":root"), brandStyle("#0e6655"));
    for (const name of ["accent-0E6655.css", "accent-0e665.css", "accent-0e6655;.css", "accent-.css"])
      assert.equal((await browser.get(`/assets/brand/${name}`)).statusCode, 404, name);
  });

  test("the brand is on no page of another application, of an organization without a brand, or of this server", async () => {
    const plain = await anOrganization(it.store, { settings: { theme: "dark" } });
    for (const app of [await anApp(it.store), await anApp(it.store, { organization_id: plain.id })]) {
      for (const page of await pagesOf(app)) {
        assert.equal(sheetOf(page), undefined);
        assert.match(page, /class="wordmark"/);
      }
    }
    assert.doesNotMatch((await it.app.inject("/login")).body, /Globex/);
  });

  test("without its own name, logo or colors, a brand uses the organization's name and logo and the server's colors", async () => {
    const logo_url = "https://initech.example/logo.png";
    const named = await anOrganization(it.store, {
      name: "Initech",
      logo_url,
      settings: { brand: { name: "In" } },
    });
    const coloured = await anOrganization(it.store, {
      name: "Initrode",
      settings: { brand: { accent: "#112233" } },
    });
    const [first = ""] = await pagesOf(await anApp(it.store, { organization_id: named.id }));
    const [second = ""] = await pagesOf(await anApp(it.store, { organization_id: coloured.id }));
    assert.match(first, /brand-name">In</);
    assert.match(first, /initech\.example\/logo\.png/);
    assert.equal(sheetOf(first), undefined);
    assert.match(second, /brand-name">Initrode</);
    assert.ok(sheetOf(second));
  });

  test("the brand's style sheet is cached and revalidated, and its URL changes with the colors", async () => {
    const [page = ""] = await pagesOf(client);
    const url = sheetOf(page) ?? "";
    const sheet = await it.app.inject(url);
    assert.equal(sheet.statusCode, 200);
    assert.equal(sheet.headers["content-type"], "text/css; charset=utf-8");
    assert.match(String(sheet.headers["cache-control"]), /^public, max-age=\d+$/);
    assert.equal(sheet.headers["x-content-type-options"], "nosniff");
    assert.match(sheet.body, /^:root \{ --accent: #[0-9a-f]{6};/);
    const known = { "if-none-match": String(sheet.headers.etag) };
    assert.equal((await it.app.inject({ url, headers: known })).statusCode, 304);

    await it.store.update(
      "organizations",
      { id: organization.id },
      { settings: { brand: { accent: "#5b5bd6" } } },
    );
    const [changed = ""] = await pagesOf(client);
    assert.notEqual(sheetOf(changed), url);
    assert.equal((await it.app.inject({ url, headers: known })).statusCode, 200);
    await it.store.update("organizations", { id: organization.id }, { settings: { brand } });
  });

  test("the style sheet is 404 for an unknown or inactive organization, one without an accent color, or an invalid id", async () => {
    const inactive = await anOrganization(it.store, { settings: { brand }, active: false });
    const plain = await anOrganization(it.store, { settings: { brand: { name: "Plain" } } });
    const forged = await anOrganization(it.store, { settings: { brand: { accent: "red;}*{display:none" } } });
    const ids = [
      inactive.id,
      plain.id,
      forged.id,
      it.store.newId(it.server.now()),
      "globex",
      "%00",
      "..%2Fstyle",
    ];
    for (const path of [...ids.map((id) => `${id}.css`), organization.id, `${organization.id}.svg`]) {
      const answer = await it.app.inject(`/assets/brand/${path}`);
      assert.equal(answer.statusCode, 404, path);
      assert.doesNotMatch(answer.body, /display/);
    }
  });
});

describe("the brand of the server", () => {
  const own = { name: "Umbrella & Co", logo_url: "/logo.svg", accent: "#5b5bd6" };

  test("the server's brand is on every page that has no organization's brand", async () => {
    const it = await testApp({ throttle: false, brand: own });
    const visitor = testBrowser(it.app);
    const login = await visitor.get("/login");
    await signInAs(visitor, await aPerson(it, { is_platform_admin: true }));
    const pages = [login];
    for (const path of [
      ...["/account", "/console", "/logout", "/nothing-here", "/setup?token=x", "/invitation", "/api/docs"],
    ])
      pages.push(await visitor.get(path));
    for (const { body } of pages) {
      assert.match(body, /<title>[^<]* · Umbrella &amp; Co<\/title>/);
      assert.match(body, /<img src="\/logo\.svg"[^>]*><\/span><span class="brand-name">Umbrella &amp; Co</);
      assert.match(body, /<link rel="stylesheet" href="\/assets\/brand\/server\.css\?v=[0-9a-f]{8}">/);
      assert.doesNotMatch(body, /class="wordmark"/);
    }
    const sheet = await it.app.inject("/assets/brand/server.css");
    assert.equal(sheet.statusCode, 200);
    assert.match(sheet.body, /^:root \{ --accent: #[0-9a-f]{6};/);
  });

  test("an organization's brand replaces the server's, except for colors that the organization has not set", async () => {
    const it = await testApp({ throttle: false, brand: own });
    for (const [settings, sheet] of [
      [{ brand }, /brand\/[0-9a-f-]{36}\.css/],
      [{ brand: { name: "Globex" } }, /brand\/server\.css/],
    ] as const) {
      const { id } = await anOrganization(it.store, { settings });
      const client = await anApp(it.store, { organization_id: id });
      const url = `/oauth/authorize?${formOf({ ...authorizeParameters(client) })}`;
      const visitor = testBrowser(it.app);
      const { body } = await visitor.get(String((await visitor.get(url)).headers.location));
      assert.match(body, /brand-name">Globex/);
      assert.doesNotMatch(body, /Umbrella/);
      assert.match(body, sheet);
      assert.equal(body.split('rel="stylesheet"').length, 3);
    }
  });

  test("the server's brand may be a color alone, shown with Postern's wordmark; without a color it has no style sheet", async () => {
    const it = await testApp({ brand: { accent: "#5b5bd6" } });
    const { body } = await it.app.inject("/login");
    assert.match(body, /class="wordmark"/);
    assert.match(body, /brand\/server\.css/);
    assert.match(body, /Powered by Postern/);
    for (const without of [{}, { name: "Umbrella" }]) {
      const { app } = await testApp({ brand: without });
      assert.doesNotMatch((await app.inject("/login")).body, /brand\/server\.css/);
      assert.equal((await app.inject("/assets/brand/server.css")).statusCode, 404);
    }
  });
});

describe("compression of pages and files", () => {
  test("static files are compressed for clients that accept it, and unchanged for others", async () => {
    const { app } = await testApp();
    for (const url of ["/assets/style.css", "/api/docs"]) {
      const plain = await app.inject({ url, headers: { accept: "text/html" } });
      assert.equal(plain.headers["content-encoding"], undefined);
      assert.match(String(plain.headers.vary), /Accept-Encoding$/);
      for (const accepted of ["gzip", "gzip, deflate, br", "br;q=1, gzip;q=0.5", "*"]) {
        const headers = { accept: "text/html", "accept-encoding": accepted };
        const packed = await app.inject({ url, headers });
        assert.equal(packed.headers["content-encoding"], "gzip", accepted);
        assert.equal(String(gunzipSync(packed.rawPayload)), plain.body);
        assert.ok(packed.rawPayload.length < plain.rawPayload.length / 3);
        assert.equal(packed.headers["content-length"], String(packed.rawPayload.length));
        assert.equal(packed.headers.etag, plain.headers.etag && `W/${plain.headers.etag}`);
        const { date: _, ...looked } = (await app.inject({ method: "HEAD", url, headers })).headers;
        const { date: __, ...got } = packed.headers;
        assert.deepEqual(looked, got);
      }
      for (const refused of ["identity", "gzip;q=0", "br", "*;q=0", ""]) {
        const headers = { accept: "text/html", "accept-encoding": refused };
        assert.equal((await app.inject({ url, headers })).headers["content-encoding"], undefined, refused);
      }
    }
    const headers = { "accept-encoding": "gzip" };
    const { etag } = (await app.inject({ url: "/assets/style.css", headers })).headers;
    const again = { ...headers, "if-none-match": String(etag) };
    assert.equal((await app.inject({ url: "/assets/style.css", headers: again })).statusCode, 304);
  });

  test("a page with a form token is never compressed", async () => {
    const { app } = await testApp();
    const page = await app.inject({ url: "/login", headers: { "accept-encoding": "gzip" } });
    assert.match(page.body, /name="csrf_token"/);
    assert.equal(page.headers["content-encoding"], undefined);
  });
});
