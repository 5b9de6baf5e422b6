import type { Command } from "commander";
import { type Options, print, type Terminal } from "../core/terminal.ts";
import { readNamedFile } from "../core/typed_text.ts";
import { withServer } from "../server/with_server.ts";
import { recordCommand } from "./record_command.ts";

export async function serviceAccountCommand(program: Command, terminal: Terminal): Promise<void> {
  const group = await recordCommand(program, terminal, {
    name: "service-account",
    resourceType: "service_accounts",
    parts: { key_pairs: { resourceType: "key_pairs", by: "service_account_id" } },
  });
  group.description(`${group.description()}, add-key`);

  group
    .command("add-key")
    .description(
      "register a public key: short for `key-pair create --service-account EMAIL --public-key-pem @FILE`",
    )
    .argument("<email>")
    .argument("<file>", "public key in PEM")
    .requiredOption("--key-id <kid>", "the ID of the key, which assertions contain as kid")
    .option(
      "--algorithm <alg>",
      "RS256, RS384, RS512, ES256, ES384 or ES512 (default: the usual one for the key)",
    )
    .option("--expires-at <time>", "when it expires")
    .action(
      async (
        email: string,
        file: string,
        own: { keyId: string; algorithm?: string; expiresAt?: string },
        command: Command,
      ) => {
        const options: Options = command.optsWithGlobals();
        const public_key_pem = readNamedFile(file);
        const { resourceOf } = await import("../../admin/resources/resources.ts");
        await withServer(terminal, options, async (records) => {
          const { record } = await records.create(resourceOf("key_pairs"), {
            service_account_id: await records.idOf("service_accounts", email),
            key_id: own.keyId,
            public_key_pem,
            ...(own.algorithm === undefined ? {} : { algorithm: own.algorithm }),
            ...(own.expiresAt === undefined ? {} : { expires_at: own.expiresAt }),
          });
          print(terminal, options, record, `added ${record.key_id}`);
        });
      },
    );
}
