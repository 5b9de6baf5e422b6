import { join } from "node:path";
import { loadWords } from "../../src/server/words_folder.ts";
import { isLanguage, type Language } from "../../src/web/words/language.ts";
import { useOperatorWords } from "../../src/web/words/words.ts";

/** A folder with some words in Arabic, as an operator would have it. */
export const arabicFolder = join(import.meta.dirname, "words");

/** Lets this process speak Arabic, which is written from right to left, until `undo` is called. */
export async function useArabicWords(): Promise<{ readonly arabic: Language; undo(): void }> {
  const undo = useOperatorWords(await loadWords(arabicFolder, { info() {} }));
  const code = "ar";
  if (!isLanguage(code)) throw new Error("the folder has no Arabic");
  return { arabic: code, undo };
}
