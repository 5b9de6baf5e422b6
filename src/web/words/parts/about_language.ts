/** Properties of a language. Unlike its messages, they are in memory for every language. */
export interface AboutLanguage {
  /** The name of the language in the language itself, for users who know no other. */
  readonly name: string;
  readonly tag: string;
  /** The locale of dates, if it differs from `tag`. */
  readonly date_locale?: string;
  /** The language whose messages replace missing ones. */
  readonly falls_back_to?: string;
  /**
   * Set if the console is translated: the folder then has a file `management.ts` in addition to
   * `catalogue.ts`.
   */
  readonly management?: true;
}
