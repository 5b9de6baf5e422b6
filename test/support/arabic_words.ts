import { join } from "node:path";
import { loadWords } from "../../src/server/words_folder.ts";
import type { Language } from "../../src/web/words/language.ts";
import { languagesWith } from "../../src/web/words/operator_words.ts";

/** The folder of an operator with some words in Arabic. */
export const arabicFolder = join(import.meta.dirname, "words");

/** Returns a server's languages including Arabic, which is written from right to left and comes last. */
export async function languagesWithArabic(): Promise<readonly Language[]> {
  return languagesWith(await loadWords(arabicFolder, { info() {} }));
}
