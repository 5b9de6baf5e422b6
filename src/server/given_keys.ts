/** Reads secret keys from the settings, or from the output of a configured command. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { secretKeys } from "../config/secret_keys.ts";
import { Unfit } from "../config/unfit.ts";
import type { Config } from "../config.ts";

/** In milliseconds. */
const longestCommand = 10_000;

const restOfOutput = 500;

/** In bytes, enough for dozens of keys. */
const longestOutput = 16_384;

/**
 * Returns the configured secret keys; undefined if neither keys nor a command are configured. The error of a
 * failed command never quotes its output.
 */
export async function givenKeys(
  { secret_keys, secret_key_command: command }: Pick<Config, "secret_keys" | "secret_key_command">,
  timeout = longestCommand,
): Promise<readonly Buffer[] | undefined> {
  if (secret_keys !== undefined || command === undefined) return secret_keys;
  const [program, ...rest] = command;
  try {
    // SIGKILL, because a command that ignores SIGTERM would block the startup. A shutdown kills it too.
    const running = promisify(execFile)(program, rest, {
      timeout,
      killSignal: "SIGKILL",
      maxBuffer: longestOutput,
    });
    const { child } = running;
    // A background process that the command started may keep the output open, so the output is closed soon
    // after the command exits.
    child.once("exit", () => {
      setTimeout(() => [child.stdout, child.stderr].map((held) => held?.destroy()), restOfOutput).unref();
    });
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    const { stdout } = await running.finally(() => process.off("exit", kill));
    const text = stdout.trim();
    if (text === "") throw new Unfit("the command printed nothing");
    return secretKeys(text);
  } catch (error) {
    throw new Error(`POSTERN_SECRET_KEY_COMMAND: ${reasonOf(error, timeout)}`);
  }
}

function reasonOf(error: unknown, timeout: number): string {
  if (error instanceof Unfit) return error.message;
  const { code, killed, signal } = error as { code?: unknown; killed?: boolean; signal?: string | null };
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return `more than ${longestOutput} bytes of output`;
  if (killed) return `no output within ${timeout / 1000} seconds`;
  if (signal) return `the command was ended by ${signal}`;
  return typeof code === "number"
    ? `the command exited with code ${code}`
    : `the command cannot be run (${code})`;
}
