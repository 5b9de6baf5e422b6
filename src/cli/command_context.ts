/** The options that every command has, and the work of a command with everything open. */
import { type Command, Option } from "commander";
import type { AdminContext } from "../admin/access/actor.ts";
import type { EnvName } from "../config/settings.ts";
import { type Config, describeSettings, readConfig } from "../config.ts";
import { type Environment, openEnvironment } from "../server/environment.ts";
import { chosenRemote, remoteVariable } from "./remotes.ts";
import { type Options, styled, type Terminal, WrongUsage } from "./terminal.ts";

/** Kept under a name of its own: a record may have a member of the same name, such as `sign_up`. */
class SettingOption extends Option {
  override attributeName(): string {
    return `setting ${this.name()}`;
  }
}

/** Commands have the same objects: there are some fifty of these on more than a hundred commands. */
const settingOptions: readonly { readonly option: Option; readonly name: EnvName }[] = describeSettings().map(
  ({ name, flag, meaning }) => ({ option: new SettingOption(`${flag} <value>`, meaning).hideHelp(), name }),
);
const json = new Option("--json", "print one JSON value on standard output");
const remote = new Option("--remote <name>", "work on this server elsewhere (postern login)");
const globalOptions = [json, remote, ...settingOptions.map(({ option }) => option)];

/**
 * Adds an option for every setting, such as `--database-url` for `POSTERN_DATABASE_URL`, and `--json`; what
 * the command has of its own under the same name stays its own.
 */
export function addGlobalOptions(command: Command): void {
  const own = new Set(command.options.map(({ long }) => long));
  for (const option of globalOptions) if (!own.has(option.long)) command.addOption(option);
}

/** Whether a setting was given, as a flag or in the environment. */
export function isSettingGiven(setting: EnvName, options: Options, env: Terminal["env"]): boolean {
  const found = settingOptions.find(({ name }) => name === setting);
  return Boolean(env[setting] || (found && options[found.option.attributeName()]));
}

/**
 * The settings: flags before the environment, and before what this command has `otherwise`. Throws
 * `ConfigError`.
 */
export function readSettings(
  options: Options,
  env: Terminal["env"],
  otherwise: Partial<Record<EnvName, string>> = {},
): Config {
  const overrides: Partial<Record<EnvName, string>> = {};
  for (const { option, name } of settingOptions) {
    const given = options[option.attributeName()];
    const value = given ?? (env[name] || env[`${name}_FILE`] ? undefined : otherwise[name]);
    if (typeof value === "string") overrides[name] = value;
  }
  return readConfig(env, overrides);
}

/** Throws `WrongUsage` where a remote was chosen for a command that works on the database of this machine. */
export function refuseRemote(terminal: Terminal, options: Options): void {
  const name = chosenRemote(options, terminal);
  if (name === undefined) return;
  throw new WrongUsage(
    `This command needs the database of the server, which "${name}" does not give it: leave out --remote and ${remoteVariable}, on the machine of the server.`,
  );
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
    const warn = (message: string) =>
      terminal.err(`${styled("yellow", "warning:", terminal.messages)} ${message}\n`);
    const { base_url: issuer } = config;
    const context = { store, passwords, sealer, now: terminal.now, issuer, actor, switches: config, warn };
    return await work(context, environment);
  } finally {
    await environment.close();
  }
}
