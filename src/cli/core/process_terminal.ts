/** The terminal of this process. */
import { userInfo } from "node:os";
import type { ReadStream, WriteStream } from "node:tty";
import type { Screen, Terminal } from "./terminal.ts";

/** What the process reads from and writes to; each may be a file or a pipe. */
type Stream = Pick<WriteStream, "isTTY" | "columns">;

export function processTerminal(launcher?: number): Terminal {
  const { env, stdin, stdout, stderr } = process;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    // The reader, such as `head`, has read enough.
    process.exit(0);
  });
  return {
    env,
    now: () => new Date(),
    launcher,
    get user() {
      return accountName();
    },
    screen: screenOf(stdout, env),
    messages: screenOf(stderr, env),
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
    async readInput() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString();
    },
    ask: stdin.isTTY && stderr.isTTY ? (question) => typedLine(question, stdin, stderr) : undefined,
    openBrowser: stdin.isTTY && stderr.isTTY ? openBrowser : undefined,
  };
}

/**
 * What a stream shows. `NO_COLOR` (no-color.org) and `FORCE_COLOR=0` take colours away, `FORCE_COLOR` gives
 * them to a file or a pipe too; otherwise a terminal has them unless it says that it is dumb.
 */
export function screenOf({ isTTY, columns }: Stream, env: Terminal["env"]): Screen {
  const { NO_COLOR = "", FORCE_COLOR, TERM } = env;
  const isRefused = NO_COLOR !== "" || FORCE_COLOR === "0" || FORCE_COLOR === "false";
  const isOffered = FORCE_COLOR !== undefined || (isTTY && TERM !== "dumb");
  // A terminal that does not say its width has 0 columns.
  return { columns: isTTY && columns > 0 ? columns : undefined, colours: !isRefused && isOffered };
}

/** The name of the account, after the one that used `sudo`; its number where it has no name. */
function accountName(): string {
  const { SUDO_USER } = process.env;
  let name: string;
  try {
    name = userInfo().username;
  } catch {
    // A container runs under numbers that no file names.
    name = `uid ${process.getuid?.() ?? "unknown"}`;
  }
  return SUDO_USER === undefined || SUDO_USER === name ? name : `${SUDO_USER} as ${name}`;
}

async function openBrowser(address: string): Promise<void> {
  const { default: open } = await import("open");
  // Where there is none, the person opens the address that was printed.
  const browser = await open(address).catch(() => undefined);
  browser?.once("error", () => {});
}

async function typedLine(question: string, input: ReadStream, output: WriteStream): Promise<string> {
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input, output });
  return new Promise((resolve) => {
    // The input ended, or Ctrl-C was pressed, and nothing was said.
    lines.on("close", () => resolve(""));
    lines.question(question, (line) => {
      resolve(line);
      lines.close();
    });
  });
}
