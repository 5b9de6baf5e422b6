import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { mostSelected } from "../../src/console/lists/selection.routes.ts";
import { mostClientKeys } from "../../src/crypto/key_sets.ts";
import { longestLife } from "../../src/oauth/assertions/read_assertion.ts";
import { purposes } from "../../src/people/core/proofs/purposes.ts";
import { knownMembersOf } from "../../src/records/formats/known_members.ts";
import { type BuiltInLanguage, languages, managementLanguages } from "../../src/web/words/language.ts";
import { type Words, wordsOf } from "../../src/web/words/words.ts";
import { testApp } from "../support/app.ts";

/** Matches a number next to the noun that it counts, in figures or in words. */
const counted: Readonly<Record<BuiltInLanguage, RegExp>> = {
  en: /(?:\d+|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|sixty))[ -](?:seconds|minutes?|hours?|days?|weeks?|months?|characters?|digits?|at most|at once)(?!\p{L})/iu,
  de: /(?:\d+|(?<!\p{L})(?:ein(?:e[mnrs]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|fünfzehn|zwanzig|dreißig|sechzig)) ?(?:Sekunden?|Minuten?|Stunden?|Tag(?:e[ns]?)?|Wochen?|Monate?n?|Zeichen|Ziffern|stellige)(?!\p{L})/iu,
  es: /(?:\d+|(?<!\p{L})(?:una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|quince|veinte|treinta|sesenta)) (?:segundos|minutos?|horas?|días?|semanas?|mes(?:es)?|caracteres|cifras|dígitos)(?!\p{L})/iu,
  fr: /(?:\d+|(?<!\p{L})(?:une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|douze|quinze|vingt|trente|soixante))[ {2}](?:secondes|minutes?|heures?|jours?|semaines?|mois|caractères|chiffres)(?!\p{L})/iu,
  ja: /[\d一二三四五六七八九十]+ ?(?:秒|分間?(?!証)|時間|日(?!本)|週間|か月|文字|桁)/u,
  pt: /(?:\d+|(?<!\p{L})(?:uma?|dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|doze|quinze|vinte|trinta|sessenta)) (?:segundos|minutos?|horas?|dias?|semanas?|m[eê]s(?:es)?|caracteres|dígitos)(?!\p{L})/iu,
  zh: /(?:\d+|(?<!前)[一二三四五六七八九十]+) ?(?:秒|分钟|小时|天(?!然)|周|个月|个字符)|(?:\d+|[二三四五六七八九十]+) ?位(?!置)/u,
};

/** Numbers that are not limits of this server: by file and name of the message, with the reason. */
const allowed: Readonly<Record<string, string>> = {
  "checks why": "what the advice of a page measures by (`admin/reports/app_risks.ts`)",
  "checks instead": "advice",
  "checks longest_code_ttl": "of the profile FAPI 2.0, which has no other",
  "dashboard day": "the period is called so",
  "dashboard month": "the period is called so",
  "dashboard text": "how soon a figure is there",
  "dashboard today": "the period is called so",
  "dashboard week": "the period is called so",
  "details wrong_idempotency_key": "the form of the header",
  "evidence advice": "RFC 7636: the form of verifiers and challenges; assertions are held below",
  "field_errors not_time": "an example",
  "field_errors unusual_totp": "the form of codes: RFC 6238",
  "field_help access_token_ttl": "advice",
  "field_help activates_in": "advice",
  "field_help refresh_token_ttl": "advice",
  "member_fields metadata.refresh_reuse_window": "held below",
  "records too_many_selected": "held below",
  "imports kept": "MG-13 (`test/http/import_page.test.ts`)",
  "lists hour": "the period is called so",
  "lists day": "the period is called so",
  "lists week": "the period is called so",
  "notices failing": "EV-6: how long an endpoint fails until it is disabled (`test/oauth/webhooks.test.ts`)",
  "notices time": "EV-6: how long an endpoint fails until it is disabled (`test/oauth/webhooks.test.ts`)",
  "second_factor help": "the form of codes: RFC 6238, and codes that people kept on paper",
  "server day": "the period is called so",
  "server week": "the period is called so",
  "webhooks replayLead": "events that a replay sends (`test/oauth/webhooks.test.ts`)",
};

/** Limits in the console's help and advice, and the constants that enforce them. */
const stated: readonly (readonly [bound: number, text: (words: Words) => unknown])[] = [
  [mostClientKeys, ({ fields }) => fields.help.jwks],
  [mostSelected, ({ records }) => records.done.too_many_selected],
  [
    knownMembersOf("oauth_apps", "metadata")["metadata.refresh_reuse_window"]?.max ?? Number.NaN,
    ({ fields }) => fields.help["metadata.refresh_reuse_window"],
  ],
];

const fiveMinutes = { en: "five minutes", es: "cinco minutos", zh: "五分钟" } as const;

const folder = join(import.meta.dirname, "..", "..", "src", "web", "words");

/**
 * Returns the messages of a file whose text counts something, by the file and the nearest name before the
 * text.
 */
function countingMessages(language: BuiltInLanguage, file: string): string[] {
  const source = readFileSync(join(folder, language, file), "utf8").replace(/\/\*.*?\*\/|\/\/ .*?$/gms, "");
  return [...source.matchAll(new RegExp(counted[language], "giu"))].map(({ index }) => {
    const [, name] = [...source.slice(0, index).matchAll(/(?:\n\s*|[{,] )"?([\w.]+)"?:\s/g)].at(-1) ?? [];
    return `${file.replace(/\.ts$/, "")} ${name}`;
  });
}

describe("lifetimes and limits in the texts of pages and mails", () => {
  for (const language of languages)
    test(`are computed from the constants that enforce them, in ${language}`, () => {
      const found = readdirSync(join(folder, language)).flatMap((file) => countingMessages(language, file));
      assert.deepEqual(
        found.filter((place) => !Object.hasOwn(allowed, place)),
        [],
      );
    });

  test("have no exception that no language uses", () => {
    const found = new Set(
      languages.flatMap((language) =>
        readdirSync(join(folder, language)).flatMap((file) => countingMessages(language, file)),
      ),
    );
    assert.deepEqual(
      Object.keys(allowed).filter((place) => !found.has(place)),
      [],
    );
  });

  for (const language of managementLanguages) {
    test(`in help texts and advice match what is enforced, in ${language}`, () => {
      const words = wordsOf(language);
      for (const [bound, text] of stated) assert.match(String(text(words)), new RegExp(`\\b${bound}\\b`));
      assert.equal(longestLife, 5 * 60);
      for (const kind of ["assertion", "client_assertion"] as const)
        assert.ok(words.refusal.kinds[kind].advice.includes(fiveMinutes[language]), kind);
    });
  }

  test("follow the running server's values, in each language", async () => {
    const purpose: { minutes: number } = purposes.factor_undo;
    const { minutes } = purpose;
    purpose.minutes = 5 * 60;
    const { app } = await testApp().finally(() => {
      purpose.minutes = minutes;
    });
    const page = async (language: string) =>
      (await app.inject({ url: "/not-me?token=none", headers: { "accept-language": language } })).body;
    assert.match(await page("en"), /The link works once, for 5 hours\./);
    assert.match(await page("de"), /Ein solcher Link funktioniert einmal und 5 Stunden lang\./);
    assert.match(await page("ja"), /有効期間は 5 時間で/);
  });
});
