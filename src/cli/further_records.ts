/** Commands of resource types that have nothing of their own. */
import type { Command } from "commander";
import type { ResourceType } from "../records/permissions.ts";
import { type RecordCommand, recordCommand } from "./record_command.ts";
import type { Terminal } from "./terminal.ts";

/** Resource types whose command has a file of its own. */
type InOwnFile =
  | "users"
  | "organizations"
  | "apps"
  | "service_accounts"
  | "api_keys"
  | "signing_keys"
  | "audit_events";

type FurtherType = Exclude<ResourceType, InOwnFile>;

export const furtherRecords = {
  memberships: {
    name: "membership",
    columns: ["id", "user_id", "organization_id", "role", "permissions"],
  },
  linked_accounts: {
    name: "linked-account",
    columns: ["id", "user_id", "provider", "provider_user_id", "expires_at"],
  },
  app_secrets: {
    name: "app-secret",
    columns: ["id", "app_id", "secret_prefix", "expires_at", "last_used_at", "revoked"],
  },
  tokens: {
    name: "token",
    columns: ["id", "app_id", "user_id", "scopes", "access_expires_at", "revoked", "revoked_reason"],
  },
  auth_codes: {
    name: "auth-code",
    columns: ["id", "app_id", "user_id", "scopes", "expires_at", "used"],
  },
  consents: {
    name: "consent",
    columns: ["id", "user_id", "app_id", "scopes", "granted_at", "revoked"],
  },
  sessions: {
    name: "session",
    columns: ["id", "user_id", "authenticated_at", "last_seen_at", "ended_at", "client_ip"],
  },
  refusals: {
    name: "refusal",
    columns: ["short_id", "created_at", "endpoint", "error", "app_id", "description"],
  },
  key_pairs: {
    name: "key-pair",
    columns: ["id", "service_account_id", "key_id", "algorithm", "expires_at", "active", "revoked"],
  },
} as const satisfies Readonly<Record<FurtherType, Omit<RecordCommand, "resourceType">>>;

/** The names of these commands. */
export type FurtherCommand = (typeof furtherRecords)[FurtherType]["name"];

/** Adds `postern membership`, `postern token` and the like, with every verb that the resource type has. */
export function furtherRecord(resourceType: FurtherType) {
  return async (program: Command, terminal: Terminal): Promise<void> => {
    await recordCommand(program, terminal, { resourceType, ...furtherRecords[resourceType] });
  };
}
