import { accountWords } from "./account.ts";
import { actionWords } from "./actions.ts";
import { appApisWords } from "./app_apis.ts";
import { belongingsWords } from "./belongings.ts";
import { checksWords } from "./checks.ts";
import { consentWords } from "./consent.ts";
import { consoleWords } from "./console.ts";
import { dashboardWords } from "./dashboard.ts";
import { details } from "./details.ts";
import { devWords } from "./dev.ts";
import { errorWords } from "./error.ts";
import { fieldErrors } from "./field_errors.ts";
import { fieldHelp } from "./field_help.ts";
import { fieldLabels } from "./field_labels.ts";
import { fieldValues } from "./field_values.ts";
import { flowWords } from "./flow.ts";
import { frameWords } from "./frame.ts";
import { invitationWords } from "./invitation.ts";
import { loginWords } from "./login.ts";
import { logoutWords } from "./logout.ts";
import { lostFactorsWords } from "./lost_factors.ts";
import { noticeWords } from "./notices.ts";
import { openClientsWords } from "./open_clients.ts";
import { openConsentWords } from "./open_consent.ts";
import { outboxWords } from "./outbox.ts";
import { ownAccountWords } from "./own_account.ts";
import { ownFactorsWords } from "./own_factors.ts";
import { passkeyWords } from "./passkeys.ts";
import { passwordWords } from "./password.ts";
import { playgroundWords } from "./playground.ts";
import { providerCheckWords } from "./provider_check.ts";
import { providerFindings } from "./provider_findings.ts";
import { providerWords } from "./providers.ts";
import { recordWords } from "./records.ts";
import { recoveryWords } from "./recovery.ts";
import { refusalWords } from "./refusal.ts";
import { resourceTypeWords } from "./resource_types.ts";
import { scopeWords } from "./scopes.ts";
import { secondFactorWords } from "./second_factor.ts";
import { securityWords } from "./security.ts";
import { selectAccountWords } from "./select_account.ts";
import { serverWords } from "./server.ts";
import { setupWords } from "./setup.ts";
import { signInMethodsWords } from "./sign_in_methods.ts";
import { signUpWords } from "./sign_up.ts";
import { sudoWords } from "./sudo.ts";
import { useWords } from "./use.ts";
import { verifyWords } from "./verify.ts";

/**
 * All that the pages say, by subject. English is the contract: the other languages have the same messages.
 */
export const words = {
  frame: frameWords,
  login: loginWords,
  selectAccount: selectAccountWords,
  consent: consentWords,
  openConsent: openConsentWords,
  openClients: openClientsWords,
  providerCheck: providerCheckWords,
  scopes: scopeWords,
  logout: logoutWords,
  passkeys: passkeyWords,
  password: passwordWords,
  notices: noticeWords,
  sudo: sudoWords,
  outbox: outboxWords,
  providers: providerWords,
  setup: setupWords,
  signUp: signUpWords,
  account: accountWords,
  ownAccount: ownAccountWords,
  belongings: belongingsWords,
  security: securityWords,
  secondFactor: secondFactorWords,
  ownFactors: ownFactorsWords,
  lostFactors: lostFactorsWords,
  recovery: recoveryWords,
  signInMethods: signInMethodsWords,
  invitation: invitationWords,
  error: errorWords,
  refusal: refusalWords,
  console: consoleWords,
  dashboard: dashboardWords,
  server: serverWords,
  resourceTypes: resourceTypeWords,
  fields: { label: fieldLabels, help: fieldHelp, value: fieldValues },
  fieldErrors,
  details,
  providerFindings,
  records: recordWords,
  actions: actionWords,
  use: useWords,
  appApis: appApisWords,
  verify: verifyWords,
  playground: playgroundWords,
  checks: checksWords,
  flow: flowWords,
  dev: devWords,
};

export type Words = typeof words;
