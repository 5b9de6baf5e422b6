import type { Brand } from "../html/brand.ts";
import type { Language, ManagementLanguage } from "./language.ts";
import type { PersonWords, Words } from "./words.ts";

/** The language and the frame of a page: part of the argument of every page function. */
export type PageLocale = {
  words: PersonWords;
  language: Language;
  /** The languages that the page offers; the built-in ones by default. */
  offered?: readonly Language[] | undefined;
  /** Path and query to return to after choosing another language; without it no choice is offered. */
  return_to?: string | undefined;
  /** The brand of the server, if its operator configured one. */
  server?: Brand | undefined;
  /** The address at which the pages work, for a browser that stores no cookies at the current one. */
  right_address?: string | undefined;
  /** The operator's own documentation, linked from the menu of the header. */
  docs_url?: string | undefined;
};

/** The same for a page of the console, which fewer languages have. */
export type ManagementLocale = PageLocale & { words: Words; language: ManagementLanguage };
