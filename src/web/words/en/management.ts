import { actionWords } from "./actions.ts";
import { appApisWords } from "./app_apis.ts";
import { checksWords } from "./checks.ts";
import { consoleWords } from "./console.ts";
import { dashboardWords } from "./dashboard.ts";
import { details } from "./details.ts";
import { devWords } from "./dev.ts";
import { eventTitles } from "./event_titles.ts";
import { fieldErrors } from "./field_errors.ts";
import { fieldHelp } from "./field_help.ts";
import { fieldLabels } from "./field_labels.ts";
import { fieldValues } from "./field_values.ts";
import { flowWords } from "./flow.ts";
import { importWords } from "./imports.ts";
import { inviteWords } from "./invite.ts";
import { listWords } from "./lists.ts";
import { newAppWords } from "./new_app.ts";
import { openClientsWords } from "./open_clients.ts";
import { organizationProfileWords } from "./organization_profile.ts";
import { outboxWords } from "./outbox.ts";
import { playgroundWords } from "./playground.ts";
import { providerCheckWords } from "./provider_check.ts";
import { providerFindings } from "./provider_findings.ts";
import { recordWords } from "./records.ts";
import { refusalWords } from "./refusal.ts";
import { resourceTypeWords } from "./resource_types.ts";
import { serverWords } from "./server.ts";
import { signInMethodsWords } from "./sign_in_methods.ts";
import { takeFactorsWords } from "./take_factors.ts";
import { tokenPreviewWords } from "./token_preview.ts";
import { useWords } from "./use.ts";
import { verifyWords } from "./verify.ts";
import { webhookWords } from "./webhooks.ts";

/** The compiler cannot serialize an inferred type of this length (TS7056). */
export interface ManagementWords {
  readonly newApp: typeof newAppWords;
  readonly imports: typeof importWords;
  readonly openClients: typeof openClientsWords;
  readonly providerCheck: typeof providerCheckWords;
  readonly outbox: typeof outboxWords;
  readonly signInMethods: typeof signInMethodsWords;
  readonly refusal: typeof refusalWords;
  readonly console: typeof consoleWords;
  readonly dashboard: typeof dashboardWords;
  readonly server: typeof serverWords;
  readonly resourceTypes: typeof resourceTypeWords;
  readonly fields: {
    readonly label: typeof fieldLabels;
    readonly help: typeof fieldHelp;
    readonly value: typeof fieldValues;
  };
  readonly fieldErrors: typeof fieldErrors;
  readonly details: typeof details;
  readonly providerFindings: typeof providerFindings;
  readonly records: typeof recordWords;
  readonly lists: typeof listWords;
  readonly eventTitles: typeof eventTitles;
  readonly actions: typeof actionWords;
  readonly use: typeof useWords;
  readonly appApis: typeof appApisWords;
  readonly verify: typeof verifyWords;
  readonly webhooks: typeof webhookWords;
  readonly playground: typeof playgroundWords;
  readonly checks: typeof checksWords;
  readonly flow: typeof flowWords;
  readonly dev: typeof devWords;
  readonly invite: typeof inviteWords;
  readonly takeFactors: typeof takeFactorsWords;
  readonly organizationProfile: typeof organizationProfileWords;
  readonly tokenPreview: typeof tokenPreviewWords;
}

/** Translated into fewer languages than the messages for end users. */
export const managementWords: ManagementWords = {
  newApp: newAppWords,
  imports: importWords,
  openClients: openClientsWords,
  providerCheck: providerCheckWords,
  outbox: outboxWords,
  signInMethods: signInMethodsWords,
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
  lists: listWords,
  eventTitles,
  actions: actionWords,
  use: useWords,
  appApis: appApisWords,
  verify: verifyWords,
  webhooks: webhookWords,
  playground: playgroundWords,
  checks: checksWords,
  flow: flowWords,
  dev: devWords,
  invite: inviteWords,
  organizationProfile: organizationProfileWords,
  takeFactors: takeFactorsWords,
  tokenPreview: tokenPreviewWords,
};
