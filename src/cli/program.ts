/** The command line as a whole: every command, and what becomes of what they throw. */
import { Command, CommanderError } from "commander";
import { settingsHelp } from "../config.ts";
import { Problem } from "../errors.ts";
import { type ResourceType, resourceTypes } from "../records/permissions.ts";
import { addGlobalOptions } from "./command_context.ts";
import { NegativeAnswer, type Terminal, WrongUsage } from "./terminal.ts";

/** Done, failed, wrong usage: the exit codes of every command. */
const exitCodes = { done: 0, failed: 1, wrong_usage: 2 } as const;

type AddCommand = (program: Command, terminal: Terminal) => void | Promise<void>;

type LoadCommand = () => Promise<AddCommand>;

/** The commands of resource types that have something of their own, or another name. */
const ownRecordCommands: Readonly<Partial<Record<ResourceType, readonly [name: string, load: LoadCommand]>>> =
  {
    users: ["user", async () => (await import("./user.ts")).userCommand],
    organizations: ["org", recordsAlone("org", "organizations")],
    apps: ["app", async () => (await import("./app.ts")).appCommand],
    service_accounts: [
      "service-account",
      async () => (await import("./service_account.ts")).serviceAccountCommand,
    ],
    signing_keys: ["keys", async () => (await import("./keys.ts")).keysCommand],
    audit_events: ["audit", async () => (await import("./audit.ts")).auditCommand],
  };

/** `postern membership`, `postern token` and the like, with every verb that the resource type has. */
function recordsAlone(name: string, resourceType: ResourceType): LoadCommand {
  return async () => {
    const { recordCommand } = await import("./record_command.ts");
    return async (program, terminal) => {
      await recordCommand(program, terminal, { name, resourceType });
    };
  };
}

/** The command of a resource type is called by one of its records. */
function commandOfRecords(resourceType: ResourceType): readonly [name: string, load: LoadCommand] {
  const name = resourceType.replaceAll("_", "-").replace(/s$/, "");
  return ownRecordCommands[resourceType] ?? [name, recordsAlone(name, resourceType)];
}

/**
 * Every command, in the order of the help. Loaded by name, so that `user list` does not load the web server.
 */
const commands: Readonly<Record<string, LoadCommand>> = {
  serve: async () => (await import("./serve.ts")).serveCommand,
  dev: async () => (await import("./dev.ts")).devCommand,
  migrate: async () => (await import("./migrate.ts")).migrateCommand,
  apply: async () => (await import("./apply.ts")).applyCommand,
  export: async () => (await import("./export.ts")).exportCommand,
  ...Object.fromEntries(resourceTypes.map(commandOfRecords)),
  introspect: async () => (await import("./introspect.ts")).introspectCommand,
  explain: async () => (await import("./explain.ts")).explainCommand,
  perform: async () => (await import("./perform.ts")).performCommand,
  gc: async () => (await import("./gc.ts")).gcCommand,
  backup: async () => (await import("./backup.ts")).backupCommand,
  restore: async () => (await import("./restore.ts")).restoreCommand,
  doctor: async () => (await import("./doctor.ts")).doctorCommand,
  healthcheck: async () => (await import("./healthcheck.ts")).healthcheckCommand,
};

/**
 * The program, with the command that the arguments begin with, or with all of them. It never ends the
 * process: what is wrong is thrown.
 */
async function buildProgram(terminal: Terminal, [first = ""]: readonly string[] = []): Promise<Command> {
  const program = new Command("postern")
    .description("An OAuth 2.0 / OpenID Connect authorization server and identity service in one process.")
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError("(--help says what there is)");
  const loaded = Object.hasOwn(commands, first) ? [first] : Object.keys(commands);
  for (const name of loaded) {
    const add = await commands[name]?.();
    await add?.(program, terminal);
  }
  for (const command of [program, ...commandsOf(program)]) addGlobalOptions(command);
  for (const command of leavesOf(program)) {
    command.addHelpText("after", "\nEvery setting can be given as a flag too: see `postern --help`.");
  }
  program.addHelpText(
    "after",
    () => `\nSettings, as flags of every command or in the environment:\n${settingsHelp()}`,
  );
  return program;
}

/** A command may both do something itself and have others below it, as `doctor` does. */
function commandsOf(command: Command): Command[] {
  return command.commands.flatMap((each) => [each, ...commandsOf(each)]);
}

function leavesOf(command: Command): Command[] {
  return command.commands.flatMap((each) => (each.commands.length === 0 ? [each] : leavesOf(each)));
}

/** Runs one command and answers the exit code; everything that is wrong is said on standard error. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const program = await buildProgram(terminal, args);
    await program.parseAsync([...args], { from: "user" });
    return exitCodes.done;
  } catch (error) {
    return await exitCodeOf(error, terminal);
  }
}

async function exitCodeOf(error: unknown, { err }: Terminal): Promise<number> {
  // Commander has said on its own what it thinks, and shows help as an error of code 0 when help was asked
  // for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrong_usage;
  if (error instanceof NegativeAnswer) return exitCodes.failed;
  if (error instanceof WrongUsage) {
    err(`${error.message}\n`);
    return exitCodes.wrong_usage;
  }
  if (error instanceof Problem) {
    const [{ detailText, fieldErrorText }, { english }] = await Promise.all([
      import("../web/words/field_errors.ts"),
      import("../web/words/english.ts"),
    ]);
    const lines = error.errors.map((each) => `  ${each.path}: ${fieldErrorText(each, english)}`);
    err([detailText(error.detail, english), ...lines, ""].join("\n"));
    return exitCodes.failed;
  }
  err(`${messageOf(error)}\n`);
  return exitCodes.failed;
}

const mistakes = [TypeError, ReferenceError, SyntaxError, RangeError] as const;

/**
 * Errors of ours and of the system speak for themselves; a mistake in the program is shown with where it was
 * made.
 */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (mistakes.some((mistake) => error.constructor === mistake)) return error.stack ?? error.message;
  return error.message || error.name;
}
