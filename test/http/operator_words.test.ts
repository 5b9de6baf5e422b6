import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { preferredLanguage } from "../../src/http/language.ts";
import { createOutbox } from "../../src/ops/mail.ts";
import { loadWords } from "../../src/server/words_folder.ts";
import { codeOf, type Language, languages } from "../../src/web/words/language.ts";
import { languagesWith, readOperatorWords } from "../../src/web/words/operator_words.ts";
import { aPerson, browserOf, hiddenField, password, testApp, testBrowser } from "../support/app.ts";
import { arabicFolder, languagesWithArabic } from "../support/arabic_words.ts";
import { formOf } from "../support/flows.ts";

const arabic = { "accept-language": "ar-EG, en;q=0.5" };
const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };
const opening = (body: string) => /^<!doctype html>\n<html ([^>]+)>/.exec(body)?.[1];

describe("a language that an operator added", () => {
  let languages: readonly Language[];
  before(async () => {
    languages = await languagesWithArabic();
  });

  test("an added language is found by its regions, offered, stored, and can be written from right to left", async () => {
    const { app } = await testApp({ languages });
    const browser = testBrowser(app);
    const login = await browser.get("/login", arabic);
    assert.equal(opening(login.body), 'lang="ar" dir="rtl"');
    assert.equal(login.headers["content-language"], "ar");
    assert.match(login.body, /<h1>تسجيل الدخول<\/h1>/);
    const english = await browser.get("/login");
    assert.equal(opening(english.body), 'lang="en" dir="ltr"');
    assert.match(
      english.body,
      /<button type="submit" name="language" value="ar" lang="ar">العربية<\/button>/,
    );
    await browser.post("/language", { return_to: "/login", language: "ar" });
    assert.equal(opening((await browser.get("/login")).body), 'lang="ar" dir="rtl"');
    const requested = await testBrowser(app).get(`/login?${formOf({ ui_locales: "nl ar-SA de" })}`);
    assert.equal(opening(requested.body), 'lang="ar" dir="rtl"');
    const document = (await app.inject("/.well-known/openid-configuration")).json();
    assert.equal(document.ui_locales_supported.at(-1), "ar");
  });

  test("an added language is used for mails, also for later mails caused by other people", async () => {
    const outbox = createOutbox({ ...silent, now: () => new Date(0) });
    const it = await testApp({ mail: outbox, outbox, languages });
    const user = await aPerson(it, { email: "ada@example.com" });
    const browser = testBrowser(it.app);
    const form = async (path: string) => {
      const page = await browser.get(path, arabic);
      return { email: user.email, redirect: "", csrf_token: hiddenField(page, "csrf_token") };
    };
    await browser.post("/forgot-password", await form("/forgot-password"), arabic);
    await outbox.settled();
    const login = await browser.post("/login", { ...(await form("/login")), password }, arabic);
    assert.equal(login.statusCode, 302);
    assert.equal((await it.store.find("users", { id: user.id }))?.language, "ar");
    const [mail] = outbox.kept();
    assert.match(mail?.subject ?? "", /^اختر كلمة مرور جديدة في /);
    assert.match(mail?.html ?? "", /<html lang="ar" dir="rtl">/);
    // Texts that the file does not translate appear in English.
    assert.match(mail?.text ?? "", /If this was not you/);
  });

  test("in an added language the console is in English, and the page says so", async () => {
    const it = await testApp({ languages });
    const root = await aPerson(it, { is_platform_admin: true });
    const browser = await browserOf(it, root);
    const account = await browser.get("/account", arabic);
    assert.equal(opening(account.body), 'lang="ar" dir="rtl"');
    for (const url of ["/console", "/console/users"]) {
      const page = await browser.get(url, arabic);
      assert.equal(opening(page.body), 'lang="en" dir="ltr"', url);
      assert.equal(page.headers["content-language"], "en", url);
      const offered = [...page.body.matchAll(/name="language" value="([^"]+)"/g)].map(([, code]) => code);
      assert.deepEqual(offered, ["en", "es", "zh"], url);
    }
    const missing = await browser.get("/console/nothing", arabic);
    assert.equal(opening(missing.body), 'lang="en" dir="ltr"');
  });
});

describe("an added language with a region or a script", () => {
  test("such a language is chosen for its region or script; the plain language stays the built-in one", () => {
    const named = { language: { name: "x" } };
    const all = ["zh-Hant", "es-MX"].map((code) => {
      const read = readOperatorWords(code, named);
      return "code" in read ? read : assert.fail();
    });
    const spoken = languagesWith(all);
    for (const [range, expected] of [
      ["zh-TW", "zh-Hant"],
      ["zh-Hant-HK", "zh-Hant"],
      ["zh-CN", "zh"],
      ["zh", "zh"],
      ["es-mx", "es-MX"],
      ["es-AR", "es"],
      ["es", "es"],
      ["es-", undefined],
    ] as const) {
      const language = preferredLanguage(range, spoken);
      assert.equal(language && codeOf(language), expected, range);
    }
    assert.equal(preferredLanguage("zh-TW", languages), "zh");
  });
});

test("a language file of the operator is loaded from the folder and logged", async () => {
  const reported: object[] = [];
  const words = await loadWords(arabicFolder, { info: (facts: object) => reported.push(facts) });
  assert.deepEqual(
    words.map(({ code }) => code),
    ["ar"],
  );
  assert.partialDeepStrictEqual(reported, [{ file: "ar.yaml", language: "ar", falls_back_to: "en" }]);
  assert.ok(!(languages as readonly string[]).includes("ar"));
});
