/** Unlike messages, these properties are in memory for every language. */
export interface AboutLanguage {
  /** Written in the language itself, for users who know no other. */
  readonly name: string;
  readonly tag: string;
  /** The locale of dates, if it differs from `tag`. */
  readonly date_locale?: string;
  readonly falls_back_to?: string;
  /** The console is translated, in the additional file `management.ts`. */
  readonly management?: true;
}
