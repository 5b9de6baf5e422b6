/** Runs commands in this process, with a terminal that stores the output. */
import { join } from "node:path";
import type { Screen, Terminal } from "../../src/cli/core/terminal.ts";
import { run } from "../../src/cli/program.ts";
import { putTables } from "../support/sqlite_template.ts";
import { quickFolder, temporaryFolder } from "../support/temp.ts";

export interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The words of a command: as typed, in single quotes if a word contains a space, or as a list. */
export type Args = string | readonly string[];

const wordsOf = (args: Args): readonly string[] =>
  typeof args === "string"
    ? Array.from(args.matchAll(/'([^']*)'|\S+/g), ([word, quoted]) => quoted ?? word)
    : args;

export interface CommandLine {
  /** The folder of the database. */
  readonly folder: string;
  readonly env: Record<string, string>;
  /** Runs `postern …` and returns its output; a string is split as by a shell. */
  run(args: Args, input?: string): Promise<Printed>;
  /** Runs `postern … --json`, which must succeed, and returns the one JSON value that it prints. */
  json<T>(args: Args, input?: string): Promise<T>;
}

/**
 * The properties of the terminal, and the user's answer to each question. Without `answer`, no questions are
 * asked.
 */
export interface Sitting
  extends Partial<Pick<Terminal, "user" | "screen" | "messages" | "openBrowser" | "now">> {
  readonly answer?: string;
}

const nowhere: Screen = { columns: undefined, colours: false };

/**
 * Returns a command line on the database in the environment, or else on a new one with tables and no records.
 */
export function commandLine(env: Record<string, string> = {}, sitting: Sitting = {}): CommandLine {
  const line = emptyCommandLine(env, sitting);
  if (env.POSTERN_DATABASE_URL === undefined) putTables(join(line.folder, "postern.db"));
  return line;
}

/** Returns a command line whose database does not exist yet. */
export function emptyCommandLine(env: Record<string, string> = {}, sitting: Sitting = {}): CommandLine {
  const folder = join(temporaryFolder(quickFolder()), "data");
  const whole = { POSTERN_DATABASE_URL: `sqlite:${join(folder, "postern.db")}`, ...env };
  async function running(args: Args, input = ""): Promise<Printed> {
    let [out, err] = ["", ""];
    const code = await run(wordsOf(args), {
      env: whole,
      now: sitting.now ?? (() => new Date()),
      openBrowser: sitting.openBrowser,
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      readInput: async () => input,
      user: sitting.user,
      screen: sitting.screen ?? nowhere,
      messages: sitting.messages ?? nowhere,
      ask:
        sitting.answer === undefined
          ? undefined
          : async (question) => {
              err += question;
              return sitting.answer ?? "";
            },
    });
    return { code, out, err };
  }
  return {
    folder,
    env: whole,
    run: running,
    async json(args, input) {
      const { code, out, err } = await running([...wordsOf(args), "--json"], input);
      if (code !== 0) throw new Error(`postern ${wordsOf(args).join(" ")} answered ${code}: ${err}`);
      if (!/^[^\n]+\n$/.test(out)) throw new Error(`not one line of JSON: ${out}`);
      return JSON.parse(out);
    },
  };
}
