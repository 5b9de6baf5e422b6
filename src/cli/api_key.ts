import type { Command } from "commander";
import { recordCommand } from "./record_command.ts";
import type { Terminal } from "./terminal.ts";

/** `postern api-key create|list|get|update|delete`. */
export function apiKeyCommand(program: Command, terminal: Terminal): void {
  recordCommand(program, terminal, {
    name: "api-key",
    noun: "API key",
    table: "api_keys",
    argument: "id",
    references: [
      { name: "user", column: "user_id", to: "users" },
      { name: "organization", column: "organization_id", to: "organizations" },
    ],
    columns: ["id", "name", "key_prefix", "expires_at", "revoked"],
    async operations() {
      const keys = await import("../admin/api_keys.ts");
      return {
        async create(context, input) {
          const { row, key } = await keys.createApiKey(context, input);
          return { row, once: { key } };
        },
        list: keys.listApiKeys,
        get: keys.getApiKey,
        update: keys.updateApiKey,
        remove: keys.deleteApiKey,
      };
    },
  });
}
