import type { Brand } from "../html/brand.ts";
import type { Language, ManagementLanguage } from "./language.ts";
import type { PersonWords, Words } from "./words.ts";

export type PageLocale = {
  words: PersonWords;
  language: Language;
  offered?: readonly Language[] | undefined;
  /** If undefined, the page offers no other language. */
  return_to?: string | undefined;
  server?: Brand | undefined;
  /** The URL at which the pages work; set only if the browser stores no cookies at the current URL. */
  right_address?: string | undefined;
  docs_url?: string | undefined;
};

export type ManagementLocale = PageLocale & { words: Words; language: ManagementLanguage };
