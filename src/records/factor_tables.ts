/** Where second factors are kept. A kind that is missing here does not compile. */
import type { TableName } from "./definition.ts";
import type { SecondKind } from "./sign_in_methods.ts";

export const factorTables = {
  passkey: "passkeys",
  totp: "totp_authenticators",
  recovery_code: "recovery_codes",
} as const satisfies Readonly<Record<SecondKind, TableName>>;

/** What goes where a user loses all second factors: these, and the browsers that were remembered for them. */
export const tablesOfReset = [...Object.values(factorTables), "devices"] as const;
