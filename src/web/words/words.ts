import { consentWords } from "./consent.ts";
import { devWords } from "./dev.ts";
import { errorWords } from "./error.ts";
import { frameWords } from "./frame.ts";
import { homeWords } from "./home.ts";
import type { Language } from "./language.ts";
import { loginWords } from "./login.ts";
import { logoutWords } from "./logout.ts";
import { outboxWords } from "./outbox.ts";
import { passwordWords } from "./password.ts";
import { scopeWords } from "./scopes.ts";
import { selectAccountWords } from "./select_account.ts";
import { setupWords } from "./setup.ts";

const catalogues = {
  frame: frameWords,
  login: loginWords,
  selectAccount: selectAccountWords,
  consent: consentWords,
  scopes: scopeWords,
  logout: logoutWords,
  password: passwordWords,
  outbox: outboxWords,
  setup: setupWords,
  home: homeWords,
  error: errorWords,
  dev: devWords,
};

type Catalogues = typeof catalogues;

/** All that the pages say in one language, by face. */
export type Words = { readonly [Face in keyof Catalogues]: Catalogues[Face][Language] };

/** The words of every face in one language. */
export function wordsOf(language: Language): Words {
  const faces = Object.entries(catalogues).map(([face, catalogue]) => [face, catalogue[language]]);
  return Object.fromEntries(faces) as Words;
}
