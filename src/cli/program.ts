import { Command, CommanderError, Help } from "commander";
import { editDistance } from "../config/unknown_names.ts";
import { Problem } from "../errors.ts";
import { type ResourceType, resourceTypes, singularOf } from "../records/definition/permissions.ts";
import { readVersion } from "../server/version.ts";
import { refuseRemote } from "./core/chosen_place.ts";
import { addGlobalOptions } from "./core/command_context.ts";
import { OpenOption } from "./core/open_option.ts";
import { NegativeAnswer, type Options, styled, type Terminal, visible, WrongUsage } from "./core/terminal.ts";
import { givenBack } from "./swallowed_values.ts";

const exitCodes = { done: 0, failed: 1, wrong_usage: 2 } as const;

type AddCommand = (program: Command, terminal: Terminal) => void | Promise<void>;

type LoadCommand = () => Promise<AddCommand>;

const ownRecordCommands: Readonly<Partial<Record<ResourceType, readonly [name: string, load: LoadCommand]>>> =
  {
    users: ["user", async () => (await import("./records/user.ts")).userCommand],
    organizations: ["org", recordsAlone("org", "organizations")],
    apps: ["app", async () => (await import("./records/app.ts")).appCommand],
    tokens: ["token", async () => (await import("./records/token.ts")).tokenCommand],
    service_accounts: [
      "service-account",
      async () => (await import("./records/service_account.ts")).serviceAccountCommand,
    ],
    signing_keys: ["keys", async () => (await import("./records/keys.ts")).keysCommand],
    events: ["events", async () => (await import("./records/events.ts")).eventsCommand],
    audit_events: ["audit", async () => (await import("./records/audit.ts")).auditCommand],
  };

function recordsAlone(name: string, resourceType: ResourceType): LoadCommand {
  return async () => {
    const { recordCommand } = await import("./records/record_command.ts");
    return async (program, terminal) => {
      await recordCommand(program, terminal, { name, resourceType });
    };
  };
}

function commandOfRecords(resourceType: ResourceType): readonly [name: string, load: LoadCommand] {
  const name = singularOf(resourceType).replaceAll("_", "-");
  return ownRecordCommands[resourceType] ?? [name, recordsAlone(name, resourceType)];
}

/** Commander lists `help` under this heading too. */
const lastGroup = "Other:";

/**
 * The order and the headings are those of the help. Each file is loaded only for its command, so that `user
 * list` does not load the web server.
 */
const commandGroups: Readonly<Record<string, Readonly<Record<string, LoadCommand>>>> = {
  "Server:": {
    serve: async () => (await import("./serve.ts")).serveCommand,
    dev: async () => (await import("./dev.ts")).devCommand,
    doctor: async () => (await import("./doctor/doctor.ts")).doctorCommand,
    stats: async () => (await import("./stats.ts")).statsCommand,
    healthcheck: async () => (await import("./healthcheck.ts")).healthcheckCommand,
  },
  "Database:": {
    migrate: async () => (await import("./maintenance/migrate.ts")).migrateCommand,
    backup: async () => (await import("./maintenance/backup.ts")).backupCommand,
    restore: async () => (await import("./maintenance/restore.ts")).restoreCommand,
    gc: async () => (await import("./maintenance/gc.ts")).gcCommand,
  },
  "Configuration as code:": {
    apply: async () => (await import("./records/apply.ts")).applyCommand,
    export: async () => (await import("./records/export.ts")).exportCommand,
    import: async () => (await import("./moving_in/import.ts")).importCommand,
  },
  "Records:": {
    ...Object.fromEntries(resourceTypes.map(commandOfRecords)),
    invitation: async () => (await import("./records/invitation.ts")).invitationCommand,
    webhook: async () => (await import("./records/webhook.ts")).webhookCommand,
    brand: async () => (await import("./records/brand.ts")).brandCommand,
  },
  "Remote servers:": {
    login: async () => (await import("./remote/login.ts")).loginCommand,
    logout: async () => (await import("./remote/login.ts")).logoutCommand,
    remotes: async () => (await import("./remote/login.ts")).remotesCommand,
  },
  "Tokens and requests:": {
    introspect: async () => (await import("./introspect.ts")).introspectCommand,
    explain: async () => (await import("./explain.ts")).explainCommand,
    perform: async () => (await import("./perform.ts")).performCommand,
  },
  [lastGroup]: {
    words: async () => (await import("./words.ts")).wordsCommand,
    settings: async () => (await import("./settings.ts")).settingsCommand,
    completion: async () => (await import("./completion.ts")).completionCommand,
  },
};

const machineCommands: ReadonlySet<string> = new Set([...["doctor", "migrate", "backup", "restore", "gc"]]);

/**
 * Commands that ignore the variables for a remote server, for example because they run a server on this
 * machine.
 */
const ownMatters: ReadonlySet<string> = new Set([
  ...["serve", "dev", "healthcheck", "perform", "login", "logout", "remotes"],
  ...["words", "settings", "completion", "help"],
]);

function topName(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : topName(parent);
}

function neededCommands([first = "", second = ""]: readonly string[]): [group: string, load: LoadCommand][] {
  const all = Object.entries(commandGroups).flatMap(([group, commands]) =>
    Object.entries(commands).map(([name, load]) => ({ group, name, load })),
  );
  const named = first === "help" ? second : first === "completion" ? "" : first;
  const one = all.filter(({ name }) => name === named);
  return (one.length > 0 ? one : all).map(({ group, load }) => [group, load]);
}

async function buildProgram(terminal: Terminal, args: readonly string[] = []): Promise<Command> {
  const { screen, messages } = terminal;
  const program = new Command("postern")
    .description("An OAuth 2.0 / OpenID Connect authorization server and identity service in one process.")
    .version(`postern ${readVersion()}`, "-V, --version", "print the version")
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      getOutHelpWidth: () => screen.columns ?? usualWidth,
      getErrHelpWidth: () => messages.columns ?? usualWidth,
      getOutHasColors: () => screen.colours,
      getErrHasColors: () => messages.colours,
      outputError: (complaint, write) => write(withNearNames(complaint)),
    })
    .configureHelp({
      // Commander removes the colors again if the terminal does not support them.
      styleTitle: (text) => styled("bold", text, { colours: true }),
      subcommandTerm(command) {
        return Help.prototype.subcommandTerm.call(this, command).replace(" [options]", "");
      },
      optionDescription(option) {
        const isListed = (option.argChoices?.length ?? 0) <= mostListed;
        const choices = isListed ? Help.prototype.optionDescription.call(this, option) : option.description;
        const said = option instanceof OpenOption ? choices.replace("(choices: ", "(usual: ") : choices;
        return option.mandatory && option.defaultValue === undefined ? `${said} (required)` : said;
      },
    })
    .commandsGroup(lastGroup)
    .helpCommand("help [command]", "show the help of a command")
    .showHelpAfterError("(run with --help for usage)")
    .addHelpText(
      "after",
      "\n`postern help COMMAND` shows the help of a command, and `postern help settings` lists the settings.",
    );
  for (const [group, load] of neededCommands(args)) {
    const add = await load();
    await add(program, terminal);
    program.commands.at(-1)?.helpGroup(group);
  }
  addGlobalOptions(program, "anywhere");
  for (const command of commandsOf(program)) {
    const name = topName(command);
    addGlobalOptions(command, machineCommands.has(name) || ownMatters.has(name) ? "here" : "anywhere");
  }
  program.hook("preAction", (_, command) => {
    const options: Options = command.optsWithGlobals();
    const name = topName(command);
    const isNamed = options.remote !== undefined || options.server !== undefined;
    if (machineCommands.has(name) || (isNamed && ownMatters.has(name))) refuseRemote(terminal, options);
  });
  return program;
}

function isNear(typed: string, name: string): boolean {
  return editDistance(typed, name) <= Math.max(2, Math.floor(name.length / 3));
}

function withNearNames(complaint: string): string {
  const typed = /'([^']*)'/.exec(complaint)?.[1] ?? "";
  return complaint.replace(/\n\(Did you mean (?:one of )?([^?\n]*)\?\)/, (_, listed: string) => {
    const near = listed.split(", ").filter((name) => isNear(typed, name));
    if (near.length === 0) return "";
    return `\n(Did you mean ${near.length > 1 ? "one of " : ""}${near.join(", ")}?)`;
  });
}

const mostListed = 20;

/** The width of help in a file or a pipe, in columns. */
const usualWidth = 100;

function commandsOf(command: Command): Command[] {
  return command.commands.flatMap((each) => [each, ...commandsOf(each)]);
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const program = await buildProgram(terminal, args);
    await program.parseAsync(givenBack(program, helpOfUnknown(program, args)), { from: "user" });
    return exitCodes.done;
  } catch (error) {
    return await exitCodeOf(error, terminal);
  }
}

function helpOfUnknown(program: Command, args: readonly string[]): readonly string[] {
  const [first, name] = args;
  if (first !== "help" || name === undefined || name.startsWith("-")) return args;
  return program.commands.some((command) => command.name() === name) ? args : [name];
}

async function exitCodeOf(error: unknown, { err, messages }: Terminal): Promise<number> {
  const complain = ([first = "", ...rest]: readonly string[]) =>
    // The message may come from a remote server, so control characters are escaped.
    err([styled("red", visible(first), messages), ...rest.map(visible), ""].join("\n"));
  // Commander has already printed its message. Requested help is an error with exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrong_usage;
  if (error instanceof NegativeAnswer) return exitCodes.failed;
  if (error instanceof WrongUsage) {
    complain(error.message.split("\n"));
    return exitCodes.wrong_usage;
  }
  if (error instanceof Problem) {
    const [{ detailText, fieldErrorText }, { english }] = await Promise.all([
      import("../web/words/error_text.ts"),
      import("../web/words/english.ts"),
    ]);
    const lines = error.errors.map((each) => `  ${each.path}: ${fieldErrorText(each, english)}`);
    complain([detailText(error.detail, english), ...lines]);
    return lacksOption(error) ? exitCodes.wrong_usage : exitCodes.failed;
  }
  complain(messageOf(error).split("\n"));
  return exitCodes.failed;
}

function lacksOption({ errors }: Problem): boolean {
  return errors.some(({ code, path }) => code === "required" && path.startsWith("--"));
}

const mistakes = [TypeError, ReferenceError, SyntaxError, RangeError] as const;

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (mistakes.some((mistake) => error.constructor === mistake)) return error.stack ?? error.message;
  return error.message || error.name;
}
