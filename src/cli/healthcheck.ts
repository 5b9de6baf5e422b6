import type { Command } from "commander";
import { readSettings } from "./core/setting_options.ts";
import { NegativeAnswer, type Options, print, type Terminal, WrongUsage } from "./core/terminal.ts";

function localUrl(host: string, port: number): string {
  if (port === 0) throw new WrongUsage("the port is unknown: use --url");
  const address = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
}

/** `postern healthcheck`: exit code 0 if the server reports that it is ready. */
export function healthcheckCommand(program: Command, terminal: Terminal): void {
  program
    .command("healthcheck")
    .description("check that the server on this machine is ready")
    .option("--url <url>", "the server's address (default: the one in the settings)")
    .option("--timeout <seconds>", "how long to wait for a response", "5")
    .action(async (own: { url?: string; timeout: string }, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const seconds = Number(own.timeout);
      if (!(seconds > 0 && seconds <= 3600)) throw new WrongUsage("--timeout must be 1 to 3600 seconds");
      const { host, port } =
        own.url === undefined ? readSettings(options, terminal.env) : { host: "", port: 1 };
      const base = own.url ?? localUrl(host, port);
      if (!URL.canParse(base)) throw new WrongUsage("--url must be an address such as http://localhost:3000");
      const url = `${base.replace(/\/+$/, "")}/readyz`;
      const { ready, detail } = await ask(url, seconds);
      print(terminal, options, { ready, url, detail }, detail);
      if (!ready) throw new NegativeAnswer();
    });
}

async function ask(url: string, seconds: number): Promise<{ ready: boolean; detail: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(seconds * 1000), redirect: "manual" });
    await response.body?.cancel();
    return response.status === 200
      ? { ready: true, detail: "ready" }
      : { ready: false, detail: `not ready: it returned ${response.status}` };
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    const why = error instanceof Error && error.name === "TimeoutError" ? "no response in time" : cause?.code;
    return { ready: false, detail: `not reachable: ${why ?? "no connection"}` };
  }
}
