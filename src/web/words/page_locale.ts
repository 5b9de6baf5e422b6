import type { Brand } from "../html/brand.ts";
import type { Language, ManagementLanguage } from "./language.ts";
import type { PersonWords, Words } from "./words.ts";

/** The language and the frame of a page: part of the argument of every page function. */
export type PageLocale = {
  words: PersonWords;
  language: Language;
  /** The languages that the page offers; the built-in ones unless said otherwise. */
  offered?: readonly Language[] | undefined;
  /** Path and query where the choice of another language leads back to; without it none is offered. */
  return_to?: string | undefined;
  /** The face of the server, where its operator gave it one. */
  server?: Brand | undefined;
  /** Where the pages of this server work, for a person whose browser keeps no cookies where they are. */
  right_address?: string | undefined;
  /** The operator's own documents, which the menu of the header links. */
  docs_url?: string | undefined;
};

/** The same for a page of the console, which fewer languages have. */
export type ManagementLocale = PageLocale & { words: Words; language: ManagementLanguage };
