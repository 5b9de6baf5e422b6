import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import type { LightMyRequestResponse } from "fastify";
import { languageOfLocales as ofLocales, preferredLanguage as preferred } from "../../src/http/language.ts";
import { makeSetupLink } from "../../src/people/entry/setup.ts";
import type { OAuthApp, User } from "../../src/records/definition/definition.ts";
import type { JsonObject } from "../../src/records/definition/field.ts";
import { languages } from "../../src/web/words/language.ts";
import { sendForm } from "../support/account.ts";
import {
  aPerson,
  hiddenField,
  password,
  signInAs,
  type TestApp,
  type TestBrowser,
  testApp,
  testBrowser,
} from "../support/app.ts";
import { issuer } from "../support/authorization_server.ts";
import { anApp } from "../support/builders.ts";
import { codePoint } from "../support/code_point.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";

/**
 * Returns the language of a page, and asserts that its declaration, its header and its sign-in button agree.
 */
function languageOfPage({ body, headers }: LightMyRequestResponse): string {
  const [, tag = "none"] = /^<!doctype html>\n<html lang="([^"]+)" dir="[a-z]+">/.exec(body) ?? [];
  assert.equal(headers["content-language"], tag);
  assert.match(String(headers.vary), /^Accept-Language, Cookie/);
  return tag;
}

const cookie = "postern_language";

const preferredLanguage = (header?: string) => preferred(header, languages);
const languageOfLocales = (locales: string) => ofLocales(locales, languages);

async function choose(browser: TestBrowser, page: LightMyRequestResponse, language: string) {
  return browser.post("/language", { return_to: hiddenField(page, "return_to"), language });
}

describe("Accept-Language (RFC 9110 12.5.4)", () => {
  for (const [header, expected] of [
    [undefined, undefined],
    ["", undefined],
    ["es", "es"],
    ["ES-mx", "es"],
    ["zh-Hant-TW", "zh"],
    ["nl, es;q=0.5, en;q=0.4", "es"],
    ["de-AT, en;q=0.9", "de"],
    ["pt-PT, en;q=0.9", "pt"],
    ["pt-BR, en;q=0.9", "pt"],
    ["en;q=0.4, es;q=0.5", "es"],
    ["es, zh", "es"],
    ["zh;q=0.8, es;q=0.8", "zh"],
    ["en ; q = 0.1 , zh ;q=0.2", "zh"],
    ["es;q=0, zh;q=0.001", "zh"],
    ["es;q=0", undefined],
    ["es;q=0.0", undefined],
    ["nl, sv;q=0.9", undefined],
    ["*", "en"],
    ["nl, *;q=0.1", "en"],
    ["en;q=0, *", "de"],
    ["en;q=0.2, *;q=0.5", "de"],
    ["*;q=0", undefined],
    [`${languages.map((each) => `${each};q=0`).join(", ")}, *`, undefined],
    ["es;q=2, zh;q=0.1", "zh"],
    ["es;q=, zh;q=x", undefined],
    ["es;q=0.1234", undefined],
    ["es;level=1", undefined],
    ["español", undefined],
    ["es_MX", undefined],
    ["constructor, __proto__, es", "es"],
    [",,;;q=1,=,es-,-es, ,zh", "zh"],
    ["english", undefined],
  ] as const) {
    test(`${JSON.stringify(header)} selects ${expected ?? "no supported language"}`, () => {
      assert.equal(preferredLanguage(header), expected);
    });
  }

  test("an invalid Accept-Language causes no error, and its valid parts still count", () => {
    const noise = fc.string({ unit: codePoint }).map((text) => text.replaceAll(/[,*a-z]/gi, ""));
    fc.assert(
      fc.property(fc.array(noise, { maxLength: 9 }), fc.string({ unit: codePoint }), (parts, any) => {
        preferredLanguage(any);
        assert.equal(preferredLanguage([...parts, "zh;q=0.3"].join(",")), "zh");
      }),
    );
  });
});

test("H-61: only ten languages and 255 characters of a language list are read, and a truncated one is ignored", () => {
  const others = (count: number, separator: string) => Array(count).fill("nl").join(separator);
  assert.equal(preferredLanguage(`${others(9, ",")},es`), "es");
  assert.equal(preferredLanguage(`${others(10, ",")},es`), undefined);
  assert.equal(languageOfLocales(`${others(9, " ")} es`), "es");
  assert.equal(languageOfLocales(`${others(10, " ")} es`), undefined);
  assert.equal(languageOfLocales(`es ${"x".repeat(300)}`), "es");
  assert.equal(languageOfLocales(`${"x".repeat(252)} es`), "es");
  assert.equal(languageOfLocales(`${"x".repeat(252)} es-MX`), undefined);
  assert.equal(preferredLanguage(`${" ".repeat(247)}es;q=0.5`), "es");
  assert.equal(preferredLanguage(`${" ".repeat(248)}es;q=0.5`), undefined);
});

test("ui_locales is read in order of preference, and unknown languages are skipped", () => {
  for (const [locales, expected] of [
    ["es", "es"],
    ["nl-BE nl zh-CN en", "zh"],
    ["EN-gb es", "en"],
    ["nl sv", undefined],
    ["", undefined],
    ["  es  ", "es"],
    ["__proto__ constructor", undefined],
    ["es,en", undefined],
  ] as const) {
    assert.equal(languageOfLocales(locales), expected, locales);
  }
});

describe("the language of the pages", () => {
  let it: TestApp;
  let user: User;
  let client: OAuthApp;
  before(async () => {
    it = await testApp({ throttle: false });
    user = await aPerson(it, { name: "Ada" });
    client = await anApp(it.store, { name: "Harbour" });
  });

  const address = (input = {}) => `/oauth/authorize?${formOf(authorizeParameters(client, input))}`;
  const loginFor = (url: string) => `/login?redirect=${encodeURIComponent(issuer + url)}`;

  test("pages are in English by default, and otherwise in the language that Accept-Language prefers", async () => {
    assert.equal(languageOfPage(await it.app.inject("/login")), "en");
    const headers = { "accept-language": "nl, es-AR;q=0.9, en;q=0.1" };
    const page = await it.app.inject({ url: "/login", headers });
    assert.equal(languageOfPage(page), "es");
    assert.match(page.body, /<h1>Iniciar sesión<\/h1>/);
    assert.match(page.body, /<title>Iniciar sesión · Postern<\/title>/);
  });

  test("ui_locales applies to sign-in, a failed sign-in, account choice and consent", async () => {
    const url = address({ ui_locales: "nl zh-CN", prompt: "select_account consent" });
    const browser = testBrowser(it.app);
    const english = { "accept-language": "en" };
    const first = await browser.get(url, english);
    const login = await browser.get(String(first.headers.location), english);
    assert.equal(languageOfPage(login), "zh-Hans");
    const failed = await sendForm(browser, login, "/login", { email: user.email, password: "a wrong one" });
    assert.equal(failed.statusCode, 401);
    assert.equal(languageOfPage(failed), "zh-Hans");
    assert.match(failed.body, /电子邮箱或密码错误/);
    const signedIn = await sendForm(browser, login, "/login", { email: user.email, password });
    const consent = await browser.get(String(signedIn.headers.location), english);
    assert.equal(languageOfPage(consent), "zh-Hans");
    assert.match(
      consent.body,
      /<h1 class="centred">允许 <bdi class="name">Harbour<\/bdi> 使用您的账号吗？<\/h1>/,
    );
    assert.match(consent.body, /确认您的身份/);

    const again = await browser.get(`${url}&nonce=2`, english);
    assert.equal(languageOfPage(again), "zh-Hans");
    assert.match(again.body, /<h1>选择账号<\/h1>/);
  });

  test("ui_locales of a posted request still applies after the redirect to GET", async () => {
    const browser = testBrowser(it.app);
    await signInAs(browser, user);
    const answer = await browser.post("/oauth/authorize", authorizeParameters(client, { ui_locales: "es" }));
    assert.equal(languageOfPage(answer), "es");
    const back = await choose(browser, answer, "zh");
    assert.equal(back.statusCode, 303);
    assert.equal(languageOfPage(await browser.get(String(back.headers.location))), "zh-Hans");
  });

  test("a language chosen in the footer is kept for the browser, and leads back to the same page", async () => {
    const browser = testBrowser(it.app);
    const url = loginFor(address({ state: "kept & <odd>" }));
    const page = await browser.get(url, { "accept-language": "en" });
    const back = await choose(browser, page, "es");
    assert.equal(back.statusCode, 303);
    assert.equal(back.headers.location, url);
    const [set] = back.cookies;
    assert.deepEqual(
      [set?.name, set?.value, set?.path, set?.httpOnly, set?.secure, set?.sameSite, set?.maxAge],
      [cookie, "es", "/", true, true, "Lax", 31_536_000],
    );
    assert.equal(languageOfPage(await browser.get(url, { "accept-language": "zh" })), "es");
    assert.equal(languageOfPage(await browser.get("/logout", { "accept-language": "zh" })), "es");
  });

  test("a language chosen in the footer overrides ui_locales until the application requests another language", async () => {
    const browser = testBrowser(it.app);
    const page = await browser.get(loginFor(address({ ui_locales: "es" })));
    assert.equal(languageOfPage(page), "es");
    const back = await choose(browser, page, "en");
    assert.equal(languageOfPage(await browser.get(String(back.headers.location))), "en");
    assert.equal(languageOfPage(await browser.get(loginFor(address({ ui_locales: "es-MX" })))), "en");
    assert.equal(languageOfPage(await browser.get(loginFor(address({ ui_locales: "zh" })))), "zh-Hans");
  });

  test("choosing a language after a failed sign-in returns to the sign-in with its request", async () => {
    const browser = testBrowser(it.app);
    const url = address();
    const failed = await signInAs(browser, user, { redirect: url, password: "a wrong one" });
    const back = await choose(browser, failed, "es");
    assert.equal(back.headers.location, `/login?redirect=${encodeURIComponent(url)}`);
  });

  test("L-3: the form for the language redirects only within this server", async () => {
    const browser = testBrowser(it.app);
    for (const return_to of ["https://evil.example/", "//evil.example", "/\\evil.example", undefined]) {
      const answer = await browser.post("/language", { return_to, language: "es" });
      assert.equal(answer.statusCode, 303);
      assert.equal(answer.headers.location, "/", String(return_to));
    }
  });

  test("the form for the language is refused from another site and for an unsupported language", async () => {
    const sent = { return_to: "/login", language: "es" };
    const foreign = await testBrowser(it.app).post("/language", sent, { "sec-fetch-site": "cross-site" });
    assert.equal(foreign.statusCode, 403);
    assert.equal(foreign.cookies.length, 0);
    for (const language of ["nl", "", "es.en", "__proto__", undefined]) {
      const answer = await testBrowser(it.app).post("/language", { return_to: "/login", language });
      assert.equal(answer.headers.location, "/login");
      assert.equal(answer.cookies.length, 0, String(language));
    }
    const twice = await testBrowser(it.app).post("/language", { ...sent, language: ["es", "zh"] });
    assert.equal(twice.statusCode, 400);
  });

  test("an invalid language cookie is ignored", async () => {
    for (const [value, expected] of [
      ["es", "es"],
      ["es.zh", "es"],
      ["es.nl", "es"],
      ["nl", "en"],
      ["", "en"],
      ["es.zh.en", "en"],
      ["__proto__", "en"],
      ["ES", "en"],
    ] as const) {
      const page = await it.app.inject({
        url: "/login",
        headers: { cookie: `a=b; ${cookie}=${value}; c=d` },
      });
      assert.equal(languageOfPage(page), expected, value);
    }
    const other = await it.app.inject({ url: "/login", headers: { cookie: `x${cookie}=es` } });
    assert.equal(languageOfPage(other), "en");
  });

  test("error pages are in the user's language, with the developer's detail in English", async () => {
    const headers = { "accept-language": "es", accept: "text/html" };
    const refused = await it.app.inject({ url: "/oauth/authorize?client_id=nobody&ui_locales=zh", headers });
    assert.equal(languageOfPage(refused), "zh-Hans");
    assert.match(refused.body, /<h1>此请求有问题<\/h1>/);
    assert.match(refused.body, /<dd lang="en">[A-Z][^<]*\.<\/dd>/);
    for (const url of ["/nowhere", "/%zz", "/login?redirect=%zz", "/setup?token=x"]) {
      const page = await it.app.inject({ url, headers });
      assert.ok(page.statusCode >= 400, url);
      assert.equal(languageOfPage(page), "es", url);
    }
    const browser = testBrowser(it.app);
    const foreign = await browser.post("/consent", { decision: "allow" }, headers);
    assert.equal(languageOfPage(foreign), "es");
    assert.match(foreign.body, /<h1>Ya no tienes la sesión iniciada<\/h1>/);
    assert.doesNotMatch(foreign.body, /action="\/language"|lang="en"/);
  });

  test("errors of management are also in the user's language on pages", async () => {
    const browser = testBrowser(it.app);
    await signInAs(browser, user);
    const page = await browser.get("/console/users/new", { "accept-language": "es" });
    assert.equal(page.statusCode, 403);
    assert.match(page.body, /<dd>No puedes crear un usuario\.<\/dd>/);
  });

  test("a malformed form still gets an error page with a language", async () => {
    for (const payload of ["redirect=%zz", "a".repeat(70_000), "ui_locales=es&ui_locales=zh"]) {
      const headers = { "content-type": "application/x-www-form-urlencoded", accept: "text/html" };
      const page = await it.app.inject({ method: "POST", url: "/login", payload, headers });
      assert.ok(page.statusCode >= 400 && page.statusCode < 500, String(page.statusCode));
      languageOfPage(page);
    }
  });

  test("the account and sign-out pages are in the user's language, with its date format", async () => {
    const browser = testBrowser(it.app);
    await signInAs(browser, user);
    const spanish = { "accept-language": "es" };
    const account = await browser.get("/account", spanish);
    assert.equal(languageOfPage(account), "es");
    assert.match(account.body, /Cuenta creada<\/dt><dd><time[^>]*>\d+ de [a-z]+ de \d{4}/);
    const page = await browser.get("/logout", spanish);
    assert.equal(languageOfPage(page), "es");
    await browser.post("/logout", { csrf_token: hiddenField(page, "csrf_token") }, spanish);
    const out = await browser.get("/logout", spanish);
    assert.equal(languageOfPage(out), "es");
    assert.equal(hiddenField(out, "return_to"), "/logout");
  });

  test("the setup page shows errors in the user's language, and keeps its link when the language changes", async () => {
    const fresh = await testApp();
    const link = new URL(String(await makeSetupLink(fresh.identity)), issuer);
    const browser = testBrowser(fresh.app);
    const page = await browser.get(link.pathname + link.search, { "accept-language": "zh" });
    assert.equal(languageOfPage(page), "zh-Hans");
    const send = (password: string) => sendForm(browser, page, "/setup", { name: "", email: "x", password });
    browser.cookies.set(cookie, "es");
    const refused = await send("short");
    assert.equal(refused.statusCode, 422);
    assert.match(refused.body, /id="name-error">Escribe un nombre/);
    assert.match(refused.body, /id="email-error">Esto no es una dirección/);
    assert.match(refused.body, /id="password-error">Esta contraseña es demasiado corta/);
    browser.cookies.delete(cookie);
    const common = await send("password1");
    assert.match(common.body, /id="password-error">This password is too common/);
    const long = await send("x".repeat(1025));
    assert.match(long.body, /id="password-error">This password is too long/);
    assert.equal((await choose(browser, refused, "zh")).headers.location, link.pathname + link.search);
  });

  test("the API reference is in English for everyone, and offers no other language", async () => {
    const page = await it.app.inject({ url: "/api/docs", headers: { "accept-language": "es" } });
    assert.equal(languageOfPage(page), "en");
    assert.doesNotMatch(page.body, /action="\/language"/);
  });

  test("discovery lists the languages (OpenID Connect Discovery 3)", async () => {
    const document = (await it.app.inject("/.well-known/openid-configuration")).json();
    assert.deepEqual(document.ui_locales_supported, ["en", "de", "es", "fr", "ja", "pt-BR", "zh-Hans"]);
  });

  test("responses to clients are always in English", async () => {
    const browser = testBrowser(it.app);
    const answer = await browser.get(address({ prompt: "none", ui_locales: "es" }), {
      "accept-language": "es",
    });
    const { searchParams } = new URL(String(answer.headers.location));
    assert.equal(
      searchParams.get("error_description"),
      "the user is not signed in; retry without prompt=none",
    );
  });
});

describe("scopes on the consent page", () => {
  let it: TestApp;
  let user: User;
  before(async () => {
    it = await testApp({ throttle: false });
    user = await aPerson(it);
  });

  async function consentOf(scope_descriptions: JsonObject, scope: string, language: string) {
    const metadata = { scope_descriptions };
    const client = await anApp(it.store, { allowed_scopes: scope.split(" "), metadata });
    const browser = testBrowser(it.app);
    await signInAs(browser, user);
    const url = `/oauth/authorize?${formOf(authorizeParameters(client, { scope }))}`;
    return (await browser.get(url, { "accept-language": language })).body;
  }

  test("A-20: an app's own scopes are described by the app's settings, in the user's language", async () => {
    const descriptions = {
      "orders:read": "See your orders",
      "orders:write": { en: "Change your orders", "es-MX": "Cambiar tus pedidos" },
    };
    const english = await consentOf(descriptions, "orders:read orders:write stock:read", "en");
    assert.match(english, /<span><bdi>See your orders<\/bdi><\/span>/);
    assert.match(english, /<span><bdi>Change your orders<\/bdi><\/span>/);
    assert.equal(english.split("Described by the application").length, 3);
    assert.match(english, /<code>stock:read<\/code><\/span><span class="quiet">No description was given/);
    const spanish = await consentOf(descriptions, "orders:write", "es");
    assert.match(spanish, /<span><bdi>Cambiar tus pedidos<\/bdi><\/span>/);
    const chinese = await consentOf(descriptions, "orders:write", "zh");
    assert.match(chinese, /<span lang="en"><bdi>Change your orders<\/bdi><\/span>/);
  });

  test("A-28: an app's settings cannot replace the server's own texts, and are not read as markup", async () => {
    const descriptions = { openid: "Nothing at all", "postern:users:write": "Nothing", note: "<b>bold</b>" };
    const page = await consentOf(descriptions, "openid postern:users:write note", "en");
    assert.doesNotMatch(page, /Nothing|<b>bold/);
    assert.match(page, /Confirm your identity/);
    assert.match(page, /Change users \(with your permissions\)/);
    assert.match(page, /&lt;b&gt;bold/);
  });
});
