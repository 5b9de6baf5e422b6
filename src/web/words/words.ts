import { accountWords } from "./account.ts";
import { actionWords } from "./actions.ts";
import { belongingsWords } from "./belongings.ts";
import { checksWords } from "./checks.ts";
import { consentWords } from "./consent.ts";
import { consoleWords } from "./console.ts";
import { dashboardWords } from "./dashboard.ts";
import { devWords } from "./dev.ts";
import { errorWords } from "./error.ts";
import { fieldWords } from "./fields.ts";
import { frameWords } from "./frame.ts";
import { invitationWords } from "./invitation.ts";
import type { Language } from "./language.ts";
import { loginWords } from "./login.ts";
import { logoutWords } from "./logout.ts";
import { outboxWords } from "./outbox.ts";
import { passwordWords } from "./password.ts";
import { recordWords } from "./records.ts";
import { refusalWords } from "./refusal.ts";
import { resourceTypeWords } from "./resource_types.ts";
import { scopeWords } from "./scopes.ts";
import { selectAccountWords } from "./select_account.ts";
import { serverWords } from "./server.ts";
import { setupWords } from "./setup.ts";
import { tryWords } from "./try.ts";
import { useWords } from "./use.ts";
import { walkWords } from "./walk.ts";

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
  account: accountWords,
  belongings: belongingsWords,
  invitation: invitationWords,
  error: errorWords,
  refusal: refusalWords,
  console: consoleWords,
  dashboard: dashboardWords,
  server: serverWords,
  resourceTypes: resourceTypeWords,
  fields: fieldWords,
  records: recordWords,
  actions: actionWords,
  use: useWords,
  try: tryWords,
  checks: checksWords,
  walk: walkWords,
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
