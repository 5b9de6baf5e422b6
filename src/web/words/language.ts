/** The languages that the pages speak, by BCP 47 tags, the one to fall back to first. */
export const languages = ["en", "es", "zh"] as const;

export type Language = (typeof languages)[number];

/** What each language calls itself: whoever looks for theirs may not read the one of the page. */
export const languageNames: Readonly<Record<Language, string>> = { en: "English", es: "Español", zh: "中文" };

/** The tag that a page declares. What is written here as `zh` is in simplified characters. */
export const languageTags: Readonly<Record<Language, string>> = { en: "en", es: "es", zh: "zh-Hans" };

export function isLanguage(text: string | undefined): text is Language {
  return (languages as readonly (string | undefined)[]).includes(text);
}
