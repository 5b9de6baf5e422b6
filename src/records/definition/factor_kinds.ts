import type { EnrolledMethods, SecondKind } from "../names/sign_in_methods.ts";
import type { TableName } from "./definition.ts";

/**
 * Proofs that a sign-in may require after the first factor. Of these, only `mail_code`, a code sent by email,
 * is not a second factor (MF-11).
 */
export const factorKinds = [
  "passkey",
  "totp",
  "recovery_code",
  "mail_code",
] as const satisfies readonly FactorKind[];
export type FactorKind = SecondKind | "mail_code";

export function factorKindsIn({
  passkeys,
  security_keys,
  totp,
  recovery_codes,
}: EnrolledMethods): FactorKind[] {
  const has: Readonly<Record<FactorKind, boolean>> = {
    passkey: passkeys.length + security_keys.length > 0,
    totp: totp.length > 0,
    recovery_code: recovery_codes > 0,
    mail_code: false,
  };
  return factorKinds.filter((kind) => has[kind]);
}

export const factorTables = {
  passkey: "passkeys",
  totp: "totp_authenticators",
  recovery_code: "recovery_codes",
} as const satisfies Readonly<Record<SecondKind, TableName>>;

/**
 * A reset of a user's second factors also deletes the user's remembered browsers, which need no second factor
 * (MF-13).
 */
export const tablesOfReset = [...Object.values(factorTables), "devices"] as const;
