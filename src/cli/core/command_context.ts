/** The options that every command has, and the work of a command with everything open. */
import { type Command, Option } from "commander";
import type { AdminContext } from "../../admin/access/actor.ts";
import { type Environment, openEnvironment } from "../../server/environment.ts";
import { refuseRemote } from "./chosen_place.ts";
import { readSettings, settingOptions } from "./setting_options.ts";
import type { Options, Terminal } from "./terminal.ts";
import { warnOn } from "./warnings.ts";

const json = new Option("--json", "print one JSON value on standard output");
const places = [
  new Option("--remote <name>", "work on this server elsewhere (postern login)"),
  new Option("--server <url>", "work on the server at this address"),
  new Option("--api-key-file <file>", "with --server: the file that holds the API key"),
];
/** The same where they are refused: help does not offer them, and who gives one is told why not. */
const refusedPlaces = places.map(({ flags, description }) => new Option(flags, description).hideHelp());
const ofSettings = settingOptions.map(({ option }) => option);

/**
 * Adds an option for every setting, such as `--database-url` for `POSTERN_DATABASE_URL`, and `--json`; what
 * the command has of its own under the same name stays its own. `works` says whether it may work on a server
 * elsewhere.
 */
export function addGlobalOptions(command: Command, works: "here" | "anywhere"): void {
  const own = new Set(command.options.map(({ long }) => long));
  for (const option of [json, ...(works === "here" ? refusedPlaces : places), ...ofSettings]) {
    if (!own.has(option.long)) command.addOption(option);
  }
}

/** Does the work with everything open, as the operator at the command line, and closes whatever happens. */
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
