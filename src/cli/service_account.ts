import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { publicView } from "../records/view.ts";
import { withContext } from "./environment.ts";
import { recordCommand } from "./record_command.ts";
import { print, type Terminal } from "./terminal.ts";

/** `postern service-account create|list|get|update|delete` and `add-key`. */
export function serviceAccountCommand(program: Command, terminal: Terminal): void {
  const group = recordCommand(program, terminal, {
    name: "service-account",
    noun: "service account",
    table: "service_accounts",
    argument: "email",
    references: [
      { name: "organization", column: "organization_id", to: "organizations" },
      { name: "created_by", column: "created_by", to: "users" },
    ],
    columns: ["email", "name", "active", "last_used_at", "id"],
    async operations() {
      const [accounts, keys] = await Promise.all([
        import("../admin/service_accounts.ts"),
        import("../admin/key_pairs.ts"),
      ]);
      return {
        create: async (context, input) => ({ row: await accounts.createServiceAccount(context, input) }),
        list: accounts.listServiceAccounts,
        get: accounts.getServiceAccount,
        async parts(context, account) {
          const rows = await keys.listKeyPairs(context, account);
          return { key_pairs: rows.map((row) => publicView("service_account_key_pairs", row)) };
        },
        update: accounts.updateServiceAccount,
        remove: accounts.deleteServiceAccount,
      };
    },
  });

  group
    .command("add-key")
    .description("register a public key of a service account")
    .argument("<email>")
    .argument("<file>", "public key in PEM")
    .requiredOption("--key-id <kid>", "what the account calls the key")
    .option(
      "--algorithm <alg>",
      "RS256, RS384, RS512, ES256, ES384 or ES512; what is usual for the key when absent",
    )
    .option("--expires-at <time>", "when it ends")
    .action(
      async (
        email: string,
        file: string,
        own: { keyId: string; algorithm?: string; expiresAt?: string },
        command: Command,
      ) => {
        const options = command.optsWithGlobals();
        const public_key_pem = readFileSync(file, "utf8");
        const [{ getServiceAccount }, { addKeyPair }] = await Promise.all([
          import("../admin/service_accounts.ts"),
          import("../admin/key_pairs.ts"),
        ]);
        await withContext(terminal, options, async (context) => {
          const row = await addKeyPair(context, await getServiceAccount(context, email), {
            key_id: own.keyId,
            public_key_pem,
            ...(own.algorithm === undefined ? {} : { algorithm: own.algorithm }),
            ...(own.expiresAt === undefined ? {} : { expires_at: own.expiresAt }),
          });
          print(terminal, options, publicView("service_account_key_pairs", row), `added ${row.key_id}`);
        });
      },
    );
}
