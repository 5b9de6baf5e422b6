import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { html } from "../../src/web/html/html.ts";
import { words } from "../../src/web/words/en/catalogue.ts";
import { type BuiltInLanguage, hasManagement, languages, languageTag } from "../../src/web/words/language.ts";
import { type Words, wordsOf } from "../../src/web/words/words.ts";
import { everyMail } from "./every_mail.ts";
import { everyPage } from "./every_page.ts";
import { bareText, markedWords } from "./marked_words.ts";
import { aReader } from "./reader.ts";

type Message = string | ((...values: unknown[]) => unknown);

/** Returns every message of a catalogue by its path. */
function messagesOf(words: object, path = ""): [string, Message][] {
  return Object.entries(words).flatMap(([name, value]): [string, Message][] => {
    const place = path === "" ? name : `${path}.${name}`;
    return typeof value === "object" && value !== null ? messagesOf(value, place) : [[place, value]];
  });
}

/** Returns a test file and everything that it imports, directly or through other test files. */
function importedFrom(file: URL, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file.href)) return seen;
  seen.add(file.href);
  for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/ from "(\.\/[\w/]+\.ts)"/g)) {
    importedFrom(new URL(path, file), seen);
  }
  return seen;
}

/**
 * Parameters of a message: text of three digits, which no message contains, and which also works as a number.
 */
const placeholder = (index: number) => `${871 + index}`;

/** Returns a message's text, with placeholders for its parameters. */
function said(message: Message, count = typeof message === "string" ? 0 : message.length): string {
  if (typeof message === "string") return message;
  return String(message(...Array.from({ length: count }, (_, index) => placeholder(index))));
}

/** All messages except the sentences of errors, whose parameters have names (`field_errors.test.ts`). */
function pageWords(language: BuiltInLanguage): object {
  const words: Partial<Words> = wordsOf(language);
  const { fieldErrors: _, details: __, providerFindings: ___, ...rest } = words;
  return rest;
}

/**
 * Returns the English messages that a language also has: those of the console only if it supports the
 * console.
 */
function englishFor(language: BuiltInLanguage): ReadonlyMap<string, Message> {
  return new Map(messagesOf(hasManagement(language) ? pageWords("en") : words));
}

describe("the texts of the pages", () => {
  for (const language of languages) {
    const messages = new Map(messagesOf(pageWords(language)));
    const english = englishFor(language);

    test(`${language} has every message, with the same type`, () => {
      assert.ok(english.size > 100);
      assert.deepEqual([...messages.keys()].sort(), [...english.keys()].sort());
      for (const [path, message] of messages) assert.equal(typeof message, typeof english.get(path), path);
    });

    test(`${language} has no empty message, and none that starts or ends with a space`, () => {
      for (const [path, message] of messages) {
        const text = said(message, english.get(path)?.length);
        assert.notEqual(text, "", path);
        assert.equal(text, text.trim(), path);
      }
    });

    test(`${language} uses every parameter of each message`, () => {
      for (const [path, message] of messages) {
        if (typeof message === "string") continue;
        const count = english.get(path)?.length ?? 0;
        assert.ok(count > 0, `${path} takes nothing`);
        for (let index = 0; index < count; index += 1) {
          assert.ok(
            said(message, count).includes(placeholder(index)),
            `${path} leaves out argument ${index}`,
          );
        }
      }
    });
  }

  test("English messages have American spelling", () => {
    const british =
      /colour|cancell(?:ed|ing)|behaviour|favour|honour|licence|catalogue|lower-case|(?:organ|author|recogn|custom|normal)is/i;
    for (const [path, message] of englishFor("en")) assert.doesNotMatch(said(message), british, path);
  });

  test("French messages have a no-break space before double punctuation", () => {
    const apart = / [:;?!»]|« /;
    const english = englishFor("fr");
    const broken = messagesOf(pageWords("fr")).filter(([path, message]) =>
      apart.test(said(message, english.get(path)?.length)),
    );
    assert.deepEqual(
      broken.map(([path]) => path),
      [],
    );
  });

  test("no message of another language is left in English", () => {
    const scripts: Partial<Record<BuiltInLanguage, RegExp>> = {
      ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
      zh: /\p{Script=Han}/u,
    };
    // Words that both languages share.
    const shared = new Set([
      ...["pt frame.console", "fr frame.console", "fr frame.menu", "pt frame.menu", "fr account.pages"],
      ...["de passkeys.card.title", "de passkeys.card.name", "de passkeys.enrol.name", "de setup.name"],
      ...["de scopes.managed.resources", "pt scopes.managed.resources", "de providers.newAccount.name"],
      ...["de account.profile.name", "de account.sessions.apps", "de account.sessions.methods.passkey"],
      ...["de belongings.keys.name", "de belongings.organizations.roles.admin", "de ownFactors.apps.name"],
      ...[
        "de invitation.roles.admin.name",
        "de invitation.name",
        "es error.error",
        "es resourceTypes.roles.many",
        "es fields.label.settings.brand.accent",
        "es fields.label.resource_id",
      ],
      ...[
        "es dashboard.health.hashing.fine",
        "es records.no",
        "es account.profile.attributes.no",
        "es resourceTypes.resources.one",
      ],
      ...["es fields.label.scopes", "es fields.label.slug"],
    ]);
    for (const language of languages.filter((one) => one !== "en")) {
      const english = englishFor(language);
      for (const [path, message] of messagesOf(pageWords(language))) {
        const text = said(message, english.get(path)?.length);
        const script = scripts[language];
        if (script !== undefined) assert.match(text, script, path);
        if (shared.has(`${language} ${path}`)) continue;
        assert.notEqual(
          text,
          said(english.get(path) ?? "", english.get(path)?.length),
          `${language} ${path}`,
        );
      }
    }
  });
});

describe("every page in every language", () => {
  for (const language of languages) {
    const locale = { ...aReader(language), words: markedWords(wordsOf(language)) };
    // Numbers replace user-supplied text, so every letter comes from the catalogue.
    for (const [name, page] of Object.entries(everyPage("42", "https://client.example/7", locale))) {
      // The API reference is the OpenAPI document as a page, in English for all readers.
      if (name.startsWith("api")) continue;
      test(`${name} in ${language} contains only text from the messages`, () => {
        assert.match(page, /⟦/);
        assert.deepEqual(bareText(page), []);
      });
    }
  }

  for (const language of languages) {
    test(`the mails in ${language} contain only text from the messages`, () => {
      const locale = { words: markedWords(wordsOf(language)), language, server_name: "42" };
      const link = "https://42.example/7";
      const mails = Object.values(everyMail(locale, "42", link)).flat();
      for (const { subject, text, html: body } of mails) {
        for (const part of [subject, text, body]) {
          assert.match(part, /⟦/);
          assert.deepEqual(bareText(part.replaceAll(link, "")), []);
        }
      }
    });
  }

  test("no page for users weighs more than 16 kB in any language", () => {
    const forPeople = languages.filter((language) => !hasManagement(language));
    assert.ok(forPeople.length > 1);
    for (const language of forPeople) {
      for (const [name, page] of Object.entries(everyPage("Ada", "/logo.png", aReader(language)))) {
        // The API reference has a separate limit.
        if (name.startsWith("api")) continue;
        assert.ok(Buffer.byteLength(page) < 16_000, `${name} in ${language}: ${Buffer.byteLength(page)}`);
      }
    }
  });

  test("every mail is tested", () => {
    const folder = new URL("../../src/people/", import.meta.url);
    const made = readFileSync(new URL("every_mail.ts", import.meta.url), "utf8");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".mail.ts"),
    );
    const names = files.flatMap((file) =>
      [...readFileSync(new URL(file, folder), "utf8").matchAll(/export function (\w+Mail)\(/g)].map(
        ([, name = ""]) => name,
      ),
    );
    assert.ok(names.length > 10);
    for (const name of names) assert.match(made, new RegExp(`\\b${name}\\(`), name);
  });

  test("every page is tested", () => {
    const folder = new URL("../../src/", import.meta.url);
    const rendered = [...importedFrom(new URL("every_page.ts", import.meta.url))]
      .map((file) => readFileSync(new URL(file), "utf8").replace(/^import [^;]*;$/gm, ""))
      .join("\n");
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /[._]page\.ts$/.test(file))
      .flatMap((file) => [
        ...readFileSync(new URL(file, folder), "utf8").matchAll(/export function (\w+Page)\(/g),
      ])
      .map(([, name = ""]) => name);
    assert.ok(names.length > 10);
    for (const name of names) assert.match(rendered, new RegExp(`\\b${name}\\b`), name);
  });

  test("the check detects text that is not from the messages, in any position", () => {
    const seen = (page: unknown) => bareText(String(page));
    assert.deepEqual(seen(html`<p>⟦Sign in⟧ or <b>leave</b></p>`), ["or leave"]);
    assert.deepEqual(seen(html`<nav aria-label="Contents">⟦a ⟦b⟧ c⟧</nav>`), ["Contents"]);
    assert.deepEqual(seen(html`<img alt="logo"><p>⟦a⟧ 登录</p>`), ["登录", "logo"]);
    assert.deepEqual(seen(html`<p>⟦to ⟦<b>12</b>⟧ go⟧ <code>openid</code> 3 · Postern</p>`), []);
  });

  for (const language of languages) {
    test(`a page in ${language} declares its language, and the language menu selects it`, () => {
      for (const [name, page] of Object.entries(everyPage("42", "/", aReader(language)))) {
        if (name.startsWith("api")) continue;
        const tag = languageTag(language);
        assert.match(page, new RegExp(`^<!doctype html>\\n<html lang="${tag}" dir="ltr">`), name);
        // The policy of this page allows only one form to be submitted.
        if (name === "formPost") continue;
        assert.match(page, new RegExp(`value="${language}" lang="${tag}" aria-current="true"`), name);
        assert.equal(page.split(/ lang="[^"]*" aria-current="true"/).length, 2, name);
        assert.match(page, /<input type="hidden" name="return_to" value="\/somewhere\?a=1">/, name);
      }
    });
  }

  test("a page without a return address offers no other language", () => {
    for (const page of Object.values(everyPage("42", "/", { ...aReader(), return_to: undefined }))) {
      assert.doesNotMatch(page, /action="\/language"/);
    }
  });
});
