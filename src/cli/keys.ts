import { type Command, Option } from "commander";
import type { KeyView } from "../admin/records/signing_keys.ts";
import type { SigningAlgorithm } from "../crypto/signing_algorithms.ts";
import { signingAlgorithms } from "../records/names.ts";
import { withContext } from "./command_context.ts";
import { listTable } from "./table.ts";
import { type Options, print, shown, type Terminal } from "./terminal.ts";

const columns = ["kid", "algorithm", "state", "activates_at", "retires_at", "expires_at"] as const;

function keyTable(keys: readonly KeyView[], { screen }: Terminal): string {
  const rows = keys.map((key) =>
    columns.map((column) => {
      const value = key[column];
      return shown(value instanceof Date ? value.toISOString() : value);
    }),
  );
  return listTable(columns, rows, screen);
}

/** `postern keys list|rotate`. */
export function keysCommand(program: Command, terminal: Terminal): void {
  const group = program.command("keys").description("list and rotate the keys that sign tokens");

  group
    .command("list")
    .description("list the signing keys")
    .action(async (_, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const { listKeys } = await import("../admin/records/signing_keys.ts");
      await withContext(terminal, options, async (context) => {
        const keys = await listKeys(context);
        print(terminal, options, { data: keys, next_cursor: null }, keyTable(keys, terminal));
      });
    });

  group
    .command("rotate")
    .description("make the next signing key; it is published at once and signs ten minutes later")
    .option("--now", "an emergency: it signs within seconds, before every resource server has seen it")
    .addOption(
      new Option("--algorithm <name>", "what it signs by; keys of other algorithms stay as they are")
        .choices(signingAlgorithms)
        .default(signingAlgorithms[0]),
    )
    .action(async (own: { now?: boolean; algorithm: SigningAlgorithm }, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const { emergencyLead, publicationLead, rotateKeys } = await import("../admin/records/signing_keys.ts");
      const lead_seconds = own.now ? emergencyLead : publicationLead;
      await withContext(terminal, options, async (context) => {
        const key = await rotateKeys(context, { lead_seconds, algorithm: own.algorithm });
        print(terminal, options, key, keyTable([key], terminal));
      });
    });
}
