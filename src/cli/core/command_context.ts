import { type Command, Option } from "commander";
import type { AdminContext } from "../../admin/access/actor.ts";
import { type Environment, openEnvironment } from "../../server/environment.ts";
import { refuseRemote } from "./chosen_place.ts";
import { readSettings, settingOptions } from "./setting_options.ts";
import type { Options, Terminal } from "./terminal.ts";
import { warnOn } from "./warnings.ts";

const json = new Option("--json", "print one JSON value on standard output");
const places = [
  new Option("--remote <name>", "run the command on this remote server (see postern login)"),
  new Option("--server <url>", "run the command on the server at this address"),
  new Option("--api-key-file <file>", "with --server: the file that contains the API key"),
];
/**
 * Commands that work only on this machine parse the options for a remote server, so that the refusal can be
 * explained. Help does not show these options.
 */
const refusedPlaces = places.map(({ flags, description }) => new Option(flags, description).hideHelp());
const ofSettings = settingOptions.map(({ option }) => option);

/** Adds the options that all commands have. A command's own option of the same name takes precedence. */
export function addGlobalOptions(command: Command, works: "here" | "anywhere"): void {
  const own = new Set(command.options.map(({ long }) => long));
  for (const option of [json, ...(works === "here" ? refusedPlaces : places), ...ofSettings]) {
    if (!own.has(option.long)) command.addOption(option);
  }
}

/** Does the work as the operator at the command line, and closes the environment even after an error. */
export async function withContext<R>(
  terminal: Terminal,
  options: Options,
  work: (context: AdminContext, environment: Environment) => Promise<R>,
): Promise<R> {
  refuseRemote(terminal, options);
  const environment = await openEnvironment(readSettings(options, terminal.env), { now: terminal.now });
  const { store, passwords, sealer, config } = environment;
  try {
    const { user } = terminal;
    const label = user === undefined ? "command line" : `command line (${user})`;
    const actor = { kind: "system", label } as const;
    const warn = warnOn(terminal);
    const { base_url: issuer, picture_hosts } = config;
    const around = { store, passwords, sealer, now: terminal.now, issuer, actor, picture_hosts, warn };
    return await work({ ...around, switches: config }, environment);
  } finally {
    await environment.close();
  }
}
