import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loginPage } from "../../src/people/entry/login.page.ts";
import { type Html, html } from "../../src/web/html/html.ts";
import { words as english } from "../../src/web/words/en/catalogue.ts";
import {
  codeOf,
  findLanguage,
  languages,
  languageTag,
  managementLanguage,
} from "../../src/web/words/language.ts";
import { managementLocale } from "../../src/web/words/management_locale.ts";
import {
  languagesWith,
  missingMessages,
  type OperatorWords,
  readOperatorWords,
} from "../../src/web/words/operator_words.ts";
import { type Message, messagesOf, placeholdersOf } from "../../src/web/words/parts/message.ts";
import { formsOf } from "../../src/web/words/parts/plural.ts";
import { wordsOf } from "../../src/web/words/words.ts";
import { wordsTemplate } from "../../src/web/words/words_template.ts";
import { aReader } from "./reader.ts";

/** Returns the words of a file without errors. */
function wordsIn(code: string, content: unknown): OperatorWords {
  const read = readOperatorWords(code, content);
  if (!("code" in read)) assert.fail(JSON.stringify(read));
  return read;
}

const errorsIn = (code: string, content: unknown): string[] => {
  const read = readOperatorWords(code, content);
  assert.ok(Array.isArray(read), "it has no fault");
  return read.map(({ path, sentence }) => `${path}: ${sentence}`);
};

/** Returns a message's texts for these numbers and texts, which contain characters to be escaped. */
function sayings(message: Message, english: Message): string[] {
  if (typeof message === "string" || typeof english === "string") return [String(message)];
  const say = message as (...input: unknown[]) => string | Html;
  if (formsOf(message)) return [0, 1, 2, 5, 11, 100, 12_345, 1_000_000].map((count) => String(say(count)));
  const names = placeholdersOf(english).map((name) => `<b>${name}</b> & "co"`);
  return [String(say(...names)), String(say(...names.map((name) => html`<i>${name}</i>`)))];
}

describe("the messages of Postern for translation", () => {
  test("have placeholders named after their parameters, one for each", () => {
    for (const [path, message] of messagesOf(english)) {
      if (typeof message === "string" || formsOf(message)) continue;
      const names = placeholdersOf(message);
      assert.ok(names.length > 0, path);
      assert.equal(new Set(names).size, names.length, path);
    }
    assert.deepEqual(placeholdersOf(english.notices.kinds.link_added.says), ["server", "time", "name"]);
    assert.throws(() => placeholdersOf(({ code }: { code: string }) => code), /no plain parameters/);
  });

  for (const language of languages) {
    test(`in ${language} are unchanged after an export and import`, () => {
      const { messages } = wordsIn(language, JSON.parse(JSON.stringify(wordsTemplate(language))));
      const ours = new Map(messagesOf(wordsOf(language)));
      const like = new Map(messagesOf(english));
      assert.deepEqual(missingMessages({ messages }), []);
      for (const [path, message] of messages)
        assert.deepEqual(
          sayings(message, like.get(path) ?? ""),
          sayings(ours.get(path) ?? "", like.get(path) ?? ""),
          path,
        );
    });
  }

  test("of a language that is not built in are exported with that language's plural forms", () => {
    const template = wordsTemplate("ar");
    assert.deepEqual(template.language, { name: "العربية", falls_back_to: "en" });
    const { messages } = wordsIn("ar", template);
    assert.equal(messages.size, messagesOf(english).length);
    assert.deepEqual(Object.keys(wordsTemplate("sr-Latn").messages), Object.keys(english));
    assert.deepEqual(wordsTemplate("es-MX").language, { name: "español de México", falls_back_to: "es" });
  });
});

describe("an operator's translation file", () => {
  for (const [what, content, ...expected] of [
    ["no object", null, ": must be an object with messages"],
    ["a list", [], ": must be an object with messages"],
    ["an unknown section", { words: {} }, "words: is unknown: a file contains language and messages"],
    [
      "an unknown subject",
      { messages: { console: { title: "x" } } },
      "messages.console: is not a known message",
    ],
    ["text for a subject", { messages: { login: "x" } }, "messages.login: must be an object of messages"],
    [
      "a language of ours that falls back",
      { language: { falls_back_to: "en" } },
      "language.falls_back_to: is only for new languages: this one has every message",
    ],
    [
      "an unknown fact",
      { language: { dir: "rtl" } },
      "language.dir: is unknown: the members are name and falls_back_to",
    ],
    ["a name of markup", { language: { name: "<i>" } }, "language.name: must be text of 1 to 60 characters"],
    ["no facts", { language: "de" }, "language: must be an object with name and falls_back_to"],
  ] as const) {
    test(`with ${what} is refused, with the place and the reason`, () => {
      assert.deepEqual(errorsIn("de", content), expected);
    });
  }

  const forms = (more: object) => ({ againInSeconds: { one: "in {count}", other: "in {count}", ...more } });
  for (const [what, login, ...expected] of [
    ["an unknown message", { titel: "x" }, "titel: is not a known message"],
    ["a message of every object", { constructor: "x" }, "constructor: is not a known message"],
    ["no text", { title: 7 }, "title: must be text"],
    ["empty text", { title: " " }, "title: must not be empty"],
    ["spaces around", { title: " x" }, "title: must not have spaces around it"],
    ["two lines", { title: "a\nb" }, "title: must be one line without control characters"],
    ["much text", { title: "x".repeat(2001) }, "title: must have at most 2000 characters"],
    ["markup", { title: "<b>x</b>" }, "title: must be plain text: markup would be shown as it is"],
    ["an entity", { title: "a&nbsp;b" }, "title: must be plain text: markup would be shown as it is"],
    [
      "a placeholder too many",
      { title: "{client}" },
      "title: {client} is not a placeholder of this message, which has none",
    ],
    [
      "a wrong placeholder",
      { leadTo: "to {app}" },
      "leadTo: {app} is not a placeholder of this message, which has {client}",
      "leadTo: lacks the placeholder {client}",
    ],
    [
      "a lone brace",
      { leadTo: "to {client" },
      "leadTo: has a brace outside of a placeholder",
      "leadTo: lacks the placeholder {client}",
    ],
    [
      "text for a count",
      { againInSeconds: "later" },
      "againInSeconds: must be an object with the plural forms one, other",
    ],
    [
      "a wrong plural form",
      forms({ few: "in {count}" }),
      "againInSeconds.few: is not a plural form of de, which has one, other",
    ],
    [
      "a missing plural form",
      { againInSeconds: { other: "in {count}" } },
      "againInSeconds.one: is missing: de has the plural forms one, other",
    ],
    [
      "a count left out",
      forms({ one: "in a second", other: "soon" }),
      "againInSeconds.other: lacks the placeholder {count}",
    ],
  ] as const) {
    test(`with ${what} is refused, with the place and the reason in each message`, () => {
      const places = expected.map((error) => `messages.login.${error}`);
      assert.deepEqual(errorsIn("de", { messages: { login } }), places);
    });
  }

  for (const [code, expected] of [
    ["klingonese", /^: must be named by a language/],
    ["de_AT", /^: must be named by a language/],
    ["../de", /^: must be named by a language/],
    ["pt-BR", /^: is the language pt here/],
    ["zh-Hans", /^: is the language zh here/],
    ["it", /^language\.name: is required/],
  ] as const) {
    test(`for the language ${code} is refused`, () => {
      const [error = ""] = errorsIn(code, { messages: {} });
      assert.match(error, expected);
    });
  }

  test("reports all errors together", () => {
    assert.equal(
      errorsIn("it", { language: { falls_back_to: "ru" }, messages: { login: { title: "", x: 1 } } }).length,
      4,
    );
  });
});

describe("an operator's translations", () => {
  const mexican = wordsIn("es-MX", {
    language: { name: "Español (México)" },
    messages: { login: { title: "Entra", leadTo: "Continúa en {client} < ahora" } },
  });
  const german = wordsIn("de", { messages: { login: { title: "Willkommen" } } });

  const spoken = languagesWith([mexican, german, wordsIn("it", { language: { name: "Italiano" } })]);
  const called = (code: string) => findLanguage(code, spoken) ?? assert.fail(code);

  test("replace the built-in messages, and gaps are filled from the nearest language, then English", () => {
    assert.deepEqual(spoken.map(codeOf), [...languages, "es-MX", "it"]);
    const words = wordsOf(called("es-MX"));
    assert.equal(words.login.title, "Entra");
    assert.equal(words.login.password, wordsOf("es").login.password);
    assert.equal(wordsOf(called("it")).login.title, english.login.title);
    assert.equal(wordsOf(called("de")).login.title, "Willkommen");
    assert.equal(wordsOf(called("de")).login.email, "E-Mail-Adresse");
    assert.equal(languageTag(called("es-MX")), "es-MX");
    // The console uses the nearest language that it has.
    assert.equal(managementLanguage(called("es-MX"), spoken), "es");
    assert.equal(managementLanguage(called("it"), spoken), "en");
    const console = managementLocale({ ...aReader(), language: called("es-MX"), offered: spoken });
    assert.equal(console.words.records.save, wordsOf("es").records.save);
  });

  test("of a built-in language also apply to languages that fall back to it, and to the console", () => {
    const replaced = ["en", "es"].map((code) =>
      wordsIn(code, { language: { name: `our ${code}` }, messages: { frame: { skip: `skip ${code}` } } }),
    );
    const all = languagesWith([mexican, ...replaced]);
    for (const [reader, code] of [
      ["es-MX", "es"],
      ["es", "es"],
      ["de", "en"],
    ] as const) {
      const language = findLanguage(reader, all) ?? assert.fail(reader);
      const page = managementLocale({ ...aReader(), language, offered: all });
      assert.equal(codeOf(page.language), code);
      assert.equal(page.words.frame.skip, `skip ${code}`);
      assert.equal(page.words.records.save, wordsOf(code).records.save);
      assert.deepEqual(page.offered?.map(codeOf), ["en", "es", "zh"]);
    }
    assert.equal(wordsOf(findLanguage("es-MX", all) ?? "en").frame.skip, "skip es");
  });

  test("A-28: are escaped like the built-in messages, including inserted values", () => {
    const reader = { ...aReader(called("es-MX")), offered: spoken };
    const page = String(
      loginPage({ ...reader, redirect: "/", csrf_token: "t", client_name: "<script>{client}" }),
    );
    assert.match(page, /Continúa en (?:<[^>]+>)*&lt;script&gt;\{client\}(?:<\/bdi>)* &lt; ahora/);
    assert.match(page, /^<!doctype html>\n<html lang="es-MX" dir="ltr">/);
    assert.match(page, /value="es-MX" lang="es-MX" aria-current="true">Español \(México\)</);
  });
});
