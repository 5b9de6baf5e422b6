import type { Command } from "commander";
import { describeSettings, settingsHelp } from "../config/describe_settings.ts";
import { type Options, print, type Terminal } from "./core/terminal.ts";

export function settingsCommand(program: Command, terminal: Terminal): void {
  const text = () => `Settings, as flags of every command or in the environment:\n\n${settingsHelp()}`;
  const command = program
    .command("settings")
    .description("list the settings, each a flag of every command and an environment variable")
    .action((_, own: Command) => {
      const options: Options = own.optsWithGlobals();
      print(terminal, options, { settings: describeSettings() }, text());
    });
  command.helpInformation = text;
}
