import type { Command } from "commander";
import { recordCommand } from "./record_command.ts";
import type { Terminal } from "./terminal.ts";

/** `postern org create|list|get|update|delete`. */
export async function orgCommand(program: Command, terminal: Terminal): Promise<void> {
  await recordCommand(program, terminal, {
    name: "org",
    resourceType: "organizations",
    columns: ["slug", "name", "plan", "active", "id"],
  });
}
