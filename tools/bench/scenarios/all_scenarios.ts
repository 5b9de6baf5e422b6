import { chosenAlgorithms } from "../algorithms.ts";
import type { Scenario } from "../scenario.ts";
import { clientCredentials, clientCredentialsAlone, introspection, revocation } from "./client_scenarios.ts";
import { discovery, discoveryUnderLoad, jwks } from "./document_scenarios.ts";
import { consoleListUsers, listTokens, listUsers } from "./list_scenarios.ts";
import { signedBy } from "./signed_by.ts";
import { codeFlow, refresh, signIn, userinfo } from "./user_scenarios.ts";

const byChosenAlgorithms = (scenario: Scenario) =>
  chosenAlgorithms.map((algorithm) => signedBy(algorithm, scenario));

/**
 * Sign-in is last, because the memory that password hashing keeps would raise the memory figures of later
 * scenarios.
 */
export const allScenarios: readonly Scenario[] = [
  clientCredentials,
  ...byChosenAlgorithms(clientCredentials),
  clientCredentialsAlone,
  ...byChosenAlgorithms(clientCredentialsAlone),
  introspection,
  refresh,
  ...byChosenAlgorithms(refresh),
  codeFlow,
  ...byChosenAlgorithms(codeFlow),
  revocation,
  userinfo,
  discovery,
  jwks,
  discoveryUnderLoad,
  listUsers,
  listTokens,
  consoleListUsers,
  signIn,
];

export const quickScenarios: readonly Scenario[] = [clientCredentials, introspection, refresh, codeFlow];
