import type { ConsoleUser } from "../../src/console/frame/console_frame.view.ts";
import type { ResourceType } from "../../src/records/definition/permissions.ts";
import type { Language, ManagementLanguage } from "../../src/web/words/language.ts";
import type { ManagementLocale, PageLocale } from "../../src/web/words/page_locale.ts";
import { wordsOf } from "../../src/web/words/words.ts";

/** Returns a reader of this language, on a page at `/somewhere`. */
export function aReader(language?: ManagementLanguage): ManagementLocale;
export function aReader(language: Language): PageLocale;
export function aReader(language: Language = "en"): PageLocale {
  return {
    words: wordsOf(language),
    language,
    return_to: "/somewhere?a=1",
  };
}

/** Returns the console as seen by a user who may read records of these types. */
export function readable(...resourceTypes: readonly ResourceType[]): ConsoleUser["resourceTypes"] {
  return new Set(resourceTypes);
}

/** Returns a platform administrator who may read records of these types, unless `overrides` say otherwise. */
export function aViewer(
  name: string,
  types: readonly ResourceType[],
  overrides: Partial<ConsoleUser> = {},
): ConsoleUser {
  return {
    name,
    email: name,
    organizations: {
      chosen: { id: name, name },
      choices: [{ id: name, name }],
      has_more: true,
      csrf_token: name,
    },
    version: name,
    is_platform_admin: true,
    api_names: true,
    resourceTypes: readable(...types),
    ...overrides,
  };
}
