/** What a language says of itself. It is in memory for every language, unlike its words. */
export interface AboutLanguage {
  /** The language's own name for itself, since its readers may not read another. */
  readonly name: string;
  /** The BCP 47 tag that a page declares. */
  readonly tag: string;
  /** Where dates are written otherwise than `tag` says. */
  readonly date_locale?: string;
  /** Of a language that lacks messages: the one whose words stand in for them. */
  readonly falls_back_to?: string;
  /** The console has words in it: a file `management.ts` beside `catalogue.ts`. */
  readonly management?: true;
}
