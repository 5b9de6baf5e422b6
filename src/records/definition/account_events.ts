import type { AuditEvent, TableName } from "./definition.ts";

export const accountEventKinds = [
  "sign_in",
  "sign_in_failed",
  "password_reset",
  "password_changed",
  "email_changed",
  "passkey.created",
  "passkey.updated",
  "passkey.deleted",
  "passkey.refused",
  "authenticator_app.created",
  "authenticator_app.updated",
  "authenticator_app.deleted",
  "recovery_codes.created",
  "recovery_code.used",
  "linked_account.created",
  "linked_account.deleted",
  "user.factors_reset",
  "user.factor_removed",
  "device.created",
  "device.deleted",
  "recovery.created",
  "recovery.deleted",
  "recovery.finished",
] as const;
export type AccountEventKind = (typeof accountEventKinds)[number];

/** Returns the kind under which the account page shows an event; undefined if the page does not show it. */
export function accountEventKind({
  type,
  outcome,
  details,
}: Pick<AuditEvent, "type" | "outcome" | "details">): AccountEventKind | undefined {
  if (type === "sign_in") return outcome === "success" ? "sign_in" : "sign_in_failed";
  if (outcome === "failure") return type === "passkey.refused" ? type : undefined;
  if (type !== "user.updated") return accountEventKinds.find((kind) => kind === type);
  const { after, also_changed } = (details ?? {}) as { after?: object | null; also_changed?: unknown };
  if (Array.isArray(also_changed) && also_changed.includes("password_hash")) return "password_changed";
  return after && "email" in after ? "email_changed" : undefined;
}

/** Tables whose rows become invalid at once when `tokens_not_before` revokes all tokens of their user. */
export const endedAtOnce = [
  "sessions",
  "oauth_tokens",
  "oauth_auth_codes",
  "devices",
  "recoveries",
] as const satisfies readonly TableName[];

export const revokedOneByOne = ["api_keys", "oauth_consents"] as const satisfies readonly TableName[];
