import type { Command } from "commander";
import { isSettingGiven, readSettings } from "./core/setting_options.ts";
import type { Terminal } from "./core/terminal.ts";

/** The demo has a database of its own, and features that are otherwise off. */
const shown = {
  POSTERN_DATABASE_URL: "sqlite:data/dev/postern.db",
  POSTERN_EXTRA_SIGN_IN: "passkey,totp",
  POSTERN_SELF_SERVICE: "email,export,deletion",
};

export function devCommand(program: Command, terminal: Terminal): void {
  program
    .command("dev")
    .description("run the server with demo data and a page that walks through the code flow")
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals();
      const config = readSettings(options, terminal.env, shown);
      // Sign-up normally needs a mail server; the demo stores its emails in an outbox.
      const sign_up = isSettingGiven("POSTERN_SIGN_UP", options, terminal.env) ? config.sign_up : "open";
      const { serveDemo } = await import("../server/demo/demo.ts");
      await serveDemo({ ...config, sign_up }, terminal);
    });
}
