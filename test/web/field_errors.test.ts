import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Detail, type DetailCode, detailCodes } from "../../src/errors/details.ts";
import { type FieldErrorCode, fieldErrorCodes, type Reason, reason } from "../../src/errors/field_errors.ts";
import {
  type Codes,
  recordNouns as nounsOfTables,
  type ParamKind,
  type RecordNoun,
} from "../../src/errors/messages.ts";
import {
  type ProviderFindingCode,
  type ProviderFindingMessage,
  providerFindingCodes,
} from "../../src/errors/provider_findings.ts";
import { durationText } from "../../src/web/measure.ts";
import { numberText } from "../../src/web/number.ts";
import { detailText, fieldErrorText, providerFindingText } from "../../src/web/words/error_text.ts";
import { type ManagementLanguage, managementLanguages } from "../../src/web/words/language.ts";
import { wordsOf } from "../../src/web/words/words.ts";

const recordNouns = [...new Set(Object.values(nounsOfTables))];

/** Distinct values that can be found again in a sentence. */
const samples: Readonly<Record<Exclude<ParamKind, "record">, (index: number) => unknown>> = {
  text: (index) => `text-${index}`,
  texts: (index) => [`one-${index}`, `two-${index}`],
  number: (index) => 4711 + index,
};

interface Said {
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly inLanguage: (language: ManagementLanguage) => string;
}

function everyMessage<C extends Codes>(
  codes: C,
  text: (code: keyof C & string, params: Said["params"], language: ManagementLanguage) => string,
  record: RecordNoun,
): Said[] {
  return Object.entries(codes).map(([code, kinds]) => {
    const params = Object.fromEntries(
      Object.entries(kinds).map(([name, kind], index) => [
        name,
        kind === "record" ? record : samples[kind](index),
      ]),
    );
    return { code, params, inLanguage: (language) => text(code, params, language) };
  });
}

const messagesAbout = (record: RecordNoun): Said[] => [
  ...everyMessage(
    fieldErrorCodes,
    (code: FieldErrorCode, params, language) => fieldErrorText({ code, params } as Reason, wordsOf(language)),
    record,
  ),
  ...everyMessage(
    detailCodes,
    (code: DetailCode, params, language) => detailText({ code, params } as Detail, wordsOf(language)),
    record,
  ),
  ...everyMessage(
    providerFindingCodes,
    (code: ProviderFindingCode, params, language) =>
      providerFindingText({ found: { code, params } as ProviderFindingMessage }, wordsOf(language)),
    record,
  ),
];

describe("the messages of field errors and refusals", () => {
  for (const language of managementLanguages) {
    test(`in ${language} contain every parameter, and leave no placeholder`, () => {
      for (const record of recordNouns) {
        for (const { code, params, inLanguage } of messagesAbout(record)) {
          const text = inLanguage(language);
          assert.ok(text.length > 0 && text.trim() === text, code);
          assert.doesNotMatch(text, /undefined|null is|\[object|NaN|\$\{|\{\}| {2}/, `${code}: ${text}`);
          for (const [name, value] of Object.entries(params)) {
            if (recordNouns.includes(value as RecordNoun)) continue;
            const inWords = name === "seconds" ? [durationText(Number(value), language)] : [];
            if (typeof value === "number") inWords.push(numberText(value, language));
            for (const part of [value].flat()) {
              const isSaid = [String(part), ...inWords].some((said) => text.includes(said));
              assert.ok(isSaid, `${code} ${name}: ${text}`);
            }
          }
        }
      }
    });

    test(`in ${language} use the right word for each resource type`, () => {
      const texts = recordNouns.map((record) =>
        fieldErrorText(reason("no_record", { record }), wordsOf(language)),
      );
      assert.equal(new Set(texts).size, recordNouns.length);
    });
  }

  test("are different in each language", () => {
    // An address is the same in every language.
    const said = messagesAbout("app").filter(({ code }) => code !== "address");
    for (const { code, inLanguage } of said) {
      const texts = new Set(managementLanguages.map(inLanguage));
      assert.equal(texts.size, managementLanguages.length, `${code}: ${[...texts].join(" | ")}`);
    }
  });

  test("use the singular for one record", () => {
    const owned = reason("still_owns", { apps: 1, service_accounts: 2 });
    assert.match(fieldErrorText(owned, wordsOf("en")), /^still owns 1 app and 2 service accounts:/);
    assert.match(fieldErrorText(owned, wordsOf("es")), /1 aplicación y 2 cuentas de servicio:/);
  });
});
