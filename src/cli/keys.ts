import { type Command, Option } from "commander";
import type { KeyView } from "../admin/records/signing_keys.ts";
import type { SigningAlgorithm } from "../crypto/signing_algorithms.ts";
import { signingAlgorithms } from "../records/names.ts";
import { withContext } from "./command_context.ts";
import { addYesOption, confirmEnding } from "./confirm_ending.ts";
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

/** `postern keys list|rotate|drop`. */
export function keysCommand(program: Command, terminal: Terminal): void {
  const group = program.command("keys").description("list, rotate and drop the keys that sign tokens");

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

  const drop = group
    .command("drop")
    .argument("<kid>", "the key, as `keys list` shows it")
    .description("an emergency: take a key out of use at once; another signs in its place")
    .action(async (kid: string, _, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const [{ dropSigningKey, listKeys }, { signingKeys: resource }] = await Promise.all([
        import("../admin/records/signing_keys.ts"),
        import("../admin/resources/machines.ts"),
      ]);
      await withContext(terminal, options, async (context) => {
        const found = (await listKeys(context)).find((key) => key.kid === kid);
        if (found === undefined) throw new Error(`there is no signing key "${kid}"`);
        const { id } = found;
        await confirmEnding(terminal, options, context, { verb: "delete", resource, id, name: kid });
        await dropSigningKey(context, id);
        const keys = await listKeys(context);
        print(terminal, options, { dropped: kid, keys }, `dropped ${kid}\n${keyTable(keys, terminal)}`);
      });
    });
  addYesOption(drop);
}
