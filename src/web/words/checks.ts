import { type ChecksWords, checksEn } from "./checks_en.ts";
import { checksEs } from "./checks_es.ts";
import { checksZh } from "./checks_zh.ts";
import type { Language } from "./language.ts";

export const checksWords: Readonly<Record<Language, ChecksWords>> = {
  en: checksEn,
  es: checksEs,
  zh: checksZh,
};
