/** The target of a command: the database of this machine, or a remote server. */
import { isFlagGiven } from "./setting_options.ts";
import { type Options, type Terminal, WrongUsage } from "./terminal.ts";

export type Place =
  | { readonly kind: "database" }
  | { readonly kind: "remote"; readonly name: string }
  | { readonly kind: "server"; readonly url: string };

const database = { kind: "database" } as const;

const names = {
  remote: { flag: "--remote", variable: "POSTERN_REMOTE" },
  server: { flag: "--server", variable: "POSTERN_SERVER" },
  database: { flag: "--database-url", variable: "POSTERN_DATABASE_URL" },
} as const;

/**
 * Returns the target that the options select, else that of the environment, else the database. Throws
 * `WrongUsage` instead of guessing between two targets.
 */
export function chosenPlace(options: Options, { env }: Pick<Terminal, "env">): Place {
  const { remote, server } = options;
  const byOption = [
    ...(typeof remote === "string" ? [{ kind: "remote", name: remote } as const] : []),
    ...(typeof server === "string" ? [{ kind: "server", url: server } as const] : []),
    ...(isFlagGiven(names.database.variable, options) ? [database] : []),
  ];
  if (byOption.length > 1) {
    const input = byOption.map(({ kind }) => names[kind].flag).join(" and ");
    throw new WrongUsage(`${input} select different servers: use only one of them`);
  }
  const { POSTERN_REMOTE: name, POSTERN_SERVER: url } = env;
  const isDatabaseSet = Boolean(env.POSTERN_DATABASE_URL || env.POSTERN_DATABASE_URL_FILE);
  const byVariable = [
    ...(name ? [{ kind: "remote", name } as const] : []),
    ...(url ? [{ kind: "server", url } as const] : []),
    ...(isDatabaseSet ? [database] : []),
  ];
  const [chosen] = byOption;
  if (chosen === undefined && byVariable.length > 1) {
    const set = byVariable.map(({ kind }) => names[kind].variable).join(" and ");
    throw new WrongUsage(
      `${set} select different servers: unset all but one, or use --remote, --server or --database-url`,
    );
  }
  return chosen ?? byVariable[0] ?? database;
}

/** Throws `WrongUsage` if the target of the command is a remote server. */
export function refuseRemote(terminal: Terminal, options: Options): void {
  const place = chosenPlace(options, terminal);
  if (place.kind === "database") return;
  const { flag, variable } = names[place.kind];
  throw new WrongUsage(
    `This command needs the database and runs only on the machine of the server: do not use ${flag} or ${variable}.`,
  );
}
