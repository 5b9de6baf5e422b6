import type { Brand } from "../brand.ts";
import type { Language } from "./language.ts";
import type { Words } from "./words.ts";

/** The language and the frame of a page: part of the argument of every page function. */
export type PageLocale = {
  words: Words;
  language: Language;
  /** Path and query where the choice of another language leads back to; without it none is offered. */
  return_to?: string | undefined;
  /** The face of the server, where its operator gave it one. */
  server?: Brand | undefined;
};
