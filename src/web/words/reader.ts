import type { Brand } from "../brand.ts";
import type { Language } from "./language.ts";
import type { Words } from "./words.ts";

/** Whoever a page is for: part of what every page function takes. */
export type PageLocale = {
  words: Words;
  language: Language;
  /** Path and query where the choice of another language leads back to; without it none is offered. */
  return_to?: string | undefined;
  /** The face of the server, where its operator gave it one. */
  server?: Brand | undefined;
};
