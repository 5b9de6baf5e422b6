/** Properties of a language. They are in memory for every language, unlike its words. */
export interface AboutLanguage {
  /** The name of the language in the language itself, for users who know no other. */
  readonly name: string;
  /** The BCP 47 tag that a page declares. */
  readonly tag: string;
  /** The locale of dates, if it differs from `tag`. */
  readonly date_locale?: string;
  /** The language whose texts replace missing messages. */
  readonly falls_back_to?: string;
  /** The console is translated: the folder has a file `management.ts` in addition to `catalogue.ts`. */
  readonly management?: true;
}
