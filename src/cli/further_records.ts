/** Families of records whose commands have nothing of their own. */
import type { Command } from "commander";
import { type RecordCommand, recordCommand } from "./record_command.ts";
import type { Terminal } from "./terminal.ts";

export const furtherRecords = {
  membership: {
    name: "membership",
    resourceType: "memberships",
    columns: ["id", "user_id", "organization_id", "role", "permissions"],
  },
  "linked-account": {
    name: "linked-account",
    resourceType: "linked_accounts",
    columns: ["id", "user_id", "provider", "provider_user_id", "expires_at"],
  },
  "app-secret": {
    name: "app-secret",
    resourceType: "app_secrets",
    columns: ["id", "app_id", "secret_prefix", "expires_at", "last_used_at", "revoked"],
  },
  token: {
    name: "token",
    resourceType: "tokens",
    columns: ["id", "app_id", "user_id", "scopes", "access_expires_at", "revoked", "revoked_reason"],
  },
  "auth-code": {
    name: "auth-code",
    resourceType: "auth_codes",
    columns: ["id", "app_id", "user_id", "scopes", "expires_at", "used"],
  },
  consent: {
    name: "consent",
    resourceType: "consents",
    columns: ["id", "user_id", "app_id", "scopes", "granted_at", "revoked"],
  },
  session: {
    name: "session",
    resourceType: "sessions",
    columns: ["id", "user_id", "authenticated_at", "last_seen_at", "ended_at", "client_ip"],
  },
  refusal: {
    name: "refusal",
    resourceType: "refusals",
    columns: ["short_id", "created_at", "endpoint", "error", "app_id", "description"],
  },
  "key-pair": {
    name: "key-pair",
    resourceType: "key_pairs",
    columns: ["id", "service_account_id", "key_id", "algorithm", "expires_at", "active", "revoked"],
  },
} as const satisfies Readonly<Record<string, RecordCommand>>;

/** Adds `postern membership`, `postern token` and the like, with every verb that the family has. */
export function furtherRecord(name: keyof typeof furtherRecords) {
  return async (program: Command, terminal: Terminal): Promise<void> => {
    await recordCommand(program, terminal, furtherRecords[name]);
  };
}
