import { type Command, Option } from "commander";
import type { SigningAlgorithm } from "../../crypto/signing_algorithms.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { stateOfSigningKey } from "../../records/names/liveness.ts";
import { signingAlgorithms } from "../../records/names/names.ts";
import { listTable } from "../core/table.ts";
import { type Options, print, shown, type Terminal } from "../core/terminal.ts";
import { withServer } from "../server/with_server.ts";
import { addYesOption, confirmEnding } from "./confirm_ending.ts";

const columns = ["kid", "algorithm", "state", "activates_at", "retires_at", "expires_at"] as const;

function withState(key: PublicView, now: Date): Readonly<Record<string, unknown>> {
  const moment = (name: string) => (key[name] === null ? null : new Date(String(key[name])));
  const moments = {
    activates_at: new Date(String(key.activates_at)),
    retires_at: moment("retires_at"),
    expires_at: moment("expires_at"),
  };
  return { ...key, state: stateOfSigningKey(moments, now) };
}

function keyTable(keys: readonly Readonly<Record<string, unknown>>[], { screen }: Terminal): string {
  const rows = keys.map((key) => columns.map((column) => shown(key[column])));
  return listTable(columns, rows, screen);
}

export function keysCommand(program: Command, terminal: Terminal): void {
  const group = program.command("keys").description("list, rotate and drop the keys that sign tokens");
  const signingKeys = async () =>
    (await import("../../admin/resources/resources.ts")).resourceOf("signing_keys");

  group
    .command("list")
    .description("list the signing keys")
    .action(async (_, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const resource = await signingKeys();
      await withServer(terminal, options, async (server) => {
        const page = await server.list(resource, { limit: "200" });
        const data = page.data.map((key) => withState(key, terminal.now()));
        print(terminal, options, { ...page, data }, keyTable(data, terminal));
      });
    });

  group
    .command("rotate")
    .description("create the next signing key; it is published immediately and signs ten minutes later")
    .option("--now", "for emergencies: it signs within seconds, before every resource server has fetched it")
    .addOption(
      new Option("--algorithm <name>", "its algorithm; keys of other algorithms stay as they are")
        .choices(signingAlgorithms)
        .default(signingAlgorithms[0]),
    )
    .action(async (own: { now?: boolean; algorithm: SigningAlgorithm }, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const resource = await signingKeys();
      const { emergencyLead, publicationLead } = await import("../../admin/records/signing_keys.ts");
      const activates_in = own.now ? emergencyLead : publicationLead;
      await withServer(terminal, options, async (server) => {
        const { record } = await server.create(resource, { activates_in, algorithm: own.algorithm });
        const key = withState(record, terminal.now());
        print(terminal, options, key, keyTable([key], terminal));
      });
    });

  const drop = group
    .command("drop")
    .argument("<kid>", "the key ID, as shown by `keys list`")
    .description("for emergencies: stop using a key immediately; another key signs instead")
    .action(async (kid: string, _, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const resource = await signingKeys();
      await withServer(terminal, options, async (server) => {
        const listed = async () => (await server.list(resource, { limit: "200" })).data;
        const found = (await listed()).find((key) => key.kid === kid);
        if (found === undefined) throw new Error(`there is no signing key "${kid}"`);
        const id = String(found.id);
        await confirmEnding(terminal, options, server, { verb: "delete", resource, id, name: kid });
        await server.remove(resource, id, {});
        const keys = (await listed()).map((key) => withState(key, terminal.now()));
        print(terminal, options, { dropped: kid, keys }, `dropped ${kid}\n${keyTable(keys, terminal)}`);
      });
    });
  addYesOption(drop);
}
