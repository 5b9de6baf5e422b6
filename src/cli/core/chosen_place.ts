/** Where a command works: on the database of this machine, or on a server elsewhere. */
import { isFlagGiven } from "./setting_options.ts";
import { type Options, type Terminal, WrongUsage } from "./terminal.ts";

export type Place =
  | { readonly kind: "database" }
  /** A server that `postern login` keeps, by its name. */
  | { readonly kind: "remote"; readonly name: string }
  /** A server by its address. */
  | { readonly kind: "server"; readonly url: string };

const database = { kind: "database" } as const;

/** What names a place, in each of the two ways. */
const names = {
  remote: { flag: "--remote", variable: "POSTERN_REMOTE" },
  server: { flag: "--server", variable: "POSTERN_SERVER" },
  database: { flag: "--database-url", variable: "POSTERN_DATABASE_URL" },
} as const;

/**
 * The place that the options name, else that of the environment, else the database. Throws `WrongUsage` where
 * two of either name different places: a command never guesses which of them it changes.
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
    throw new WrongUsage(`${input} name different places: give one of them`);
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
      `${set} name different places: unset all but one, or give --remote, --server or --database-url`,
    );
  }
  return chosen ?? byVariable[0] ?? database;
}

/** Throws `WrongUsage` where a server elsewhere was chosen for a command that works on this machine alone. */
export function refuseRemote(terminal: Terminal, options: Options): void {
  const place = chosenPlace(options, terminal);
  if (place.kind === "database") return;
  const { flag, variable } = names[place.kind];
  throw new WrongUsage(
    `This command needs the database and works on the machine of the server: leave out ${flag} and ${variable}.`,
  );
}
