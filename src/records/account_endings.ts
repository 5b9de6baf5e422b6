/** What an operator ends of a user while the account stays (decision 139); each is in the rule of SS-15 too. */
import type { TableName } from "./definition.ts";

/** Ends without a list, by `endEverythingOf`. */
export const endedAtOnce = [
  "sessions",
  "oauth_tokens",
  "oauth_auth_codes",
  "devices",
  "recoveries",
] as const satisfies readonly TableName[];

/** Revoked one by one. */
export const revokedOneByOne = ["api_keys", "oauth_consents"] as const satisfies readonly TableName[];
