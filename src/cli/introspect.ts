import type { Command } from "commander";
import { type Options, print, type Terminal } from "./core/terminal.ts";
import { typedSecret } from "./core/typed_text.ts";
import { withServer } from "./server/with_server.ts";

export function introspectCommand(program: Command, terminal: Terminal): void {
  program
    .command("introspect")
    .description("inspect a token or API key, and show why it is inactive (exit code 0 either way)")
    .argument(
      "<token>",
      "an access token, refresh token or API key; @file reads it from a file, - from standard input",
    )
    .action(async (token: string, _, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const presented = (await typedSecret(token, terminal)).trim();
      await withServer(terminal, options, async (server) => {
        const report = await server.call("POST", ["introspect"], {
          body: { token: presented },
          holds: "active",
        });
        print(terminal, options, report, JSON.stringify(report, null, 2));
      });
    });
}
