import { Argument, type Command, type Option } from "commander";
import { type CompletedCommand, completionScripts, type Shell, shells } from "./completion_scripts.ts";
import { type Options, print, type Terminal } from "./core/terminal.ts";

export function completionCommand(program: Command, terminal: Terminal): void {
  program
    .command("completion")
    .description("print a script that completes commands and options in a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .addHelpText(
      "after",
      `
bash:  source <(postern completion bash)          in ~/.bashrc
zsh:   source <(postern completion zsh)           in ~/.zshrc, after compinit
fish:  postern completion fish | source           in ~/.config/fish/config.fish`,
    )
    .action((shell: Shell, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const script = completionScripts[shell](completedCommands(program));
      print(terminal, options, { shell, script }, script);
    });
}

function completedCommands(program: Command): CompletedCommand[] {
  const below = (command: Command, path: readonly string[]): CompletedCommand[] => {
    const help = command.createHelp();
    const commands = help.visibleCommands(command);
    const own: CompletedCommand = {
      path: path.join(" "),
      commands: [
        ...commands.map((each) => ({ name: each.name(), meaning: each.description() })),
        ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
          argChoices.map((name) => ({ name, meaning: description })),
        ),
      ],
      options: help.visibleOptions(command).map(completedOption),
    };
    // The arguments of `help` are the names of its sibling commands.
    const helped = { path: [...path, "help"].join(" "), commands: own.commands, options: [] };
    const hasHelp = commands.some((each) => each.name() === "help");
    return [
      own,
      ...(hasHelp ? [helped] : []),
      ...command.commands.flatMap((each) => below(each, [...path, each.name()])),
    ];
  };
  return below(program, []);
}

function completedOption({ long, short, description, argChoices, ...option }: Option) {
  const words = argChoices ?? (option.optional ? ["true", "false"] : []);
  return {
    long: long ?? "",
    short,
    meaning: description,
    takesValue: option.required || option.optional,
    words,
  };
}
