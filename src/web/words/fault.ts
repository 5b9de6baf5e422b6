import type { Language } from "./language.ts";

/** A sentence in each language; `{}` stands for what differs, in the same order everywhere. */
export type Fault = Readonly<Record<Language, string>>;
