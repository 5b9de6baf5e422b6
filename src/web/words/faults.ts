/**
 * What the rules of the records say when something breaks one, by the English sentence that the management
 * API answers, too. Names of fields and values stay as they are written.
 */
import { formFaults } from "./form_faults.ts";
import type { Language } from "./language.ts";
import { ruleFaults } from "./rule_faults.ts";
import { valueFaults } from "./value_faults.ts";

const faults = [...valueFaults, ...ruleFaults, ...formFaults];

/** The line of a list, or the member, that a sentence is about. */
const place = /^([\w.~-]+: )(.+)$/s;

const special = /[.*+?^${}()|[\]\\]/g;

/** What stands for the marks of a sentence when it is of this form. */
function matched(form: string, sentence: string): readonly string[] | undefined {
  const pattern = form
    .split("{}")
    .map((part) => part.replaceAll(special, "\\$&"))
    .join("(.+)");
  return new RegExp(`^${pattern}$`, "s").exec(sentence)?.slice(1);
}

/**
 * A sentence of the rules in the reader's language; undefined where there are no words for it, and it is to
 * be shown in English and marked as such.
 */
export function faultText(sentence: string, language: Language): string | undefined {
  if (language === "en") return sentence;
  const exact = faults.find(({ en }) => en === sentence);
  if (exact !== undefined) return exact[language];
  const [, where = "", about = ""] = place.exec(sentence) ?? [];
  if (where !== "") {
    const text = faultText(about, language);
    return text && where + text;
  }
  for (const fault of faults) {
    const given = fault.en.includes("{}") ? matched(fault.en, sentence) : undefined;
    if (given === undefined) continue;
    let next = 0;
    return fault[language].replaceAll("{}", () => given[next++] ?? "");
  }
  return undefined;
}
