import type { Brand } from "../html/brand.ts";
import type { Language, ManagementLanguage } from "./language.ts";
import type { PersonWords, Words } from "./words.ts";

/** The language of a page, and the data for its header and footer. */
export type PageLocale = {
  words: PersonWords;
  language: Language;
  offered?: readonly Language[] | undefined;
  /**
   * Path and query to which the user returns after choosing another language. If undefined, the page offers
   * no other language.
   */
  return_to?: string | undefined;
  server?: Brand | undefined;
  /** The URL at which the pages work; set only if the browser stores no cookies at the current URL. */
  right_address?: string | undefined;
  docs_url?: string | undefined;
};

/** Like `PageLocale`, for a page of the console, which is translated into fewer languages. */
export type ManagementLocale = PageLocale & { words: Words; language: ManagementLanguage };
