import type { Command } from "commander";
import { recordCommand } from "./record_command.ts";
import type { Terminal } from "./terminal.ts";

/** `postern org create|list|get|update|delete`. */
export function orgCommand(program: Command, terminal: Terminal): void {
  recordCommand(program, terminal, {
    name: "org",
    noun: "organization",
    table: "organizations",
    argument: "slug",
    references: [],
    columns: ["slug", "name", "plan", "active", "id"],
    async operations() {
      const organizations = await import("../admin/organizations.ts");
      return {
        create: async (context, input) => ({ row: await organizations.createOrganization(context, input) }),
        list: (context, _, page) => organizations.listOrganizations(context, page),
        get: organizations.getOrganization,
        update: organizations.updateOrganization,
        remove: organizations.deleteOrganization,
      };
    },
  });
}
