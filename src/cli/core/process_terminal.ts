import { fstatSync } from "node:fs";
import { userInfo } from "node:os";
import type { ReadStream, WriteStream } from "node:tty";
import { unwritable, writeWhole } from "../../server/files/write_whole.ts";
import type { Screen, Terminal } from "./terminal.ts";

type Stream = Pick<WriteStream, "isTTY" | "columns">;

export function processTerminal(launcher?: number): Terminal {
  const { env, stdin, stdout, stderr } = process;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    // The program that reads the output, such as `head`, has closed the pipe.
    if (error.code === "EPIPE") process.exit(0);
    stderr.write(`${unwritable("the output", error).message}\n`);
    process.exit(1);
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
    // On a full disk, Node's own stream writes only the beginning of a text, and reports no error.
    out: isFile(stdout) ? (text) => writeWhole(stdout.fd, text, "the output") : (text) => stdout.write(text),
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

/** Files and devices such as /dev/null, but neither pipes nor terminals. */
function isFile({ fd, isTTY }: typeof process.stdout): boolean {
  const found = fstatSync(fd);
  return found.isFile() || (found.isCharacterDevice() && !isTTY);
}

/** Returns what the stream supports. `NO_COLOR` (no-color.org) takes precedence over `FORCE_COLOR`. */
export function screenOf({ isTTY, columns }: Stream, env: Terminal["env"]): Screen {
  const { NO_COLOR = "", FORCE_COLOR, TERM } = env;
  const isRefused = NO_COLOR !== "" || FORCE_COLOR === "0" || FORCE_COLOR === "false";
  const isOffered = FORCE_COLOR !== undefined || (isTTY && TERM !== "dumb");
  // A terminal that does not report its width has 0 columns.
  return { columns: isTTY && columns > 0 ? columns : undefined, colours: !isRefused && isOffered };
}

function accountName(): string {
  const { SUDO_USER } = process.env;
  let name: string;
  try {
    name = userInfo().username;
  } catch {
    // In a container the user id may have no entry in passwd.
    name = `uid ${process.getuid?.() ?? "unknown"}`;
  }
  return SUDO_USER === undefined || SUDO_USER === name ? name : `${SUDO_USER} as ${name}`;
}

async function openBrowser(address: string): Promise<void> {
  const { default: open } = await import("open");
  // Without a browser, users open the printed URL themselves.
  const browser = await open(address).catch(() => undefined);
  browser?.once("error", () => {});
}

async function typedLine(question: string, input: ReadStream, output: WriteStream): Promise<string> {
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input, output });
  return new Promise((resolve) => {
    // The answer is empty if the input ends or the user presses Ctrl-C.
    lines.on("close", () => resolve(""));
    lines.question(question, (line) => {
      resolve(line);
      lines.close();
    });
  });
}
