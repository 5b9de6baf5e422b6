import type { Scenario } from "../scenario.ts";
import { clientCredentials, introspection, revocation } from "./client_scenarios.ts";
import { discovery, discoveryUnderLoad, jwks } from "./document_scenarios.ts";
import { consoleListUsers, listTokens, listUsers } from "./list_scenarios.ts";
import { codeFlow, refresh, signIn } from "./user_scenarios.ts";

/** Sign-in comes last: what it leaves behind in memory is the hashing's. */
export const allScenarios: readonly Scenario[] = [
  clientCredentials,
  introspection,
  refresh,
  codeFlow,
  revocation,
  discovery,
  jwks,
  discoveryUnderLoad,
  listUsers,
  listTokens,
  consoleListUsers,
  signIn,
];

/** Those of a first impression. */
export const quickScenarios: readonly Scenario[] = [clientCredentials, introspection, refresh, codeFlow];
