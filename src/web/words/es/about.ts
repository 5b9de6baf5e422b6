import type { AboutLanguage } from "../about_language.ts";

export const about: AboutLanguage = { name: "Español", tag: "es" };
