/** The secret keys in the settings, or those that a configured command prints. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { secretKeys } from "../config/secret_keys.ts";
import { Unfit } from "../config/unfit.ts";
import type { Config } from "../config.ts";

/** In milliseconds. A KMS over a slow connection takes a second. */
const longestCommand = 10_000;

const restOfOutput = 500;

/** In bytes; enough for dozens of keys. */
const longestOutput = 16_384;

/**
 * Returns the keys; undefined if no setting contains any. Throws if the command fails or prints no key. Its
 * output is never quoted.
 */
export async function givenKeys(
  { secret_keys, secret_key_command: command }: Pick<Config, "secret_keys" | "secret_key_command">,
  timeout = longestCommand,
): Promise<readonly Buffer[] | undefined> {
  if (secret_keys !== undefined || command === undefined) return secret_keys;
  const [program, ...rest] = command;
  try {
    // The timeout sends SIGKILL, because a program that ignores SIGTERM would block startup.
    const running = promisify(execFile)(program, rest, {
      timeout,
      killSignal: "SIGKILL",
      maxBuffer: longestOutput,
    });
    const { child } = running;
    // Closes the output soon after the command has exited, because a process that the command started may
    // keep it open.
    child.once("exit", () => {
      setTimeout(() => [child.stdout, child.stderr].map((held) => held?.destroy()), restOfOutput).unref();
    });
    const { stdout } = await running;
    return secretKeys(stdout.trim());
  } catch (error) {
    throw new Error(`POSTERN_SECRET_KEY_COMMAND: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Unfit) return error.message;
  const { code, killed, signal } = error as { code?: unknown; killed?: boolean; signal?: string | null };
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return `more than ${longestOutput} bytes of output`;
  if (killed) return `no output within ${longestCommand / 1000} seconds`;
  if (signal) return `the command was ended by ${signal}`;
  return typeof code === "number"
    ? `the command exited with code ${code}`
    : `the command cannot be run (${code})`;
}
