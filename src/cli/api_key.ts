import type { Command } from "commander";
import { recordCommand } from "./record_command.ts";
import type { Terminal } from "./terminal.ts";

/** `postern api-key create|list|get|update|delete|revoke`. */
export async function apiKeyCommand(program: Command, terminal: Terminal): Promise<void> {
  await recordCommand(program, terminal, {
    name: "api-key",
    resourceType: "api_keys",
    columns: ["id", "name", "key_prefix", "expires_at", "last_used_at", "revoked"],
  });
}
