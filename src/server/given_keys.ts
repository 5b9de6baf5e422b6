/** The secret keys that the settings give, by themselves or by a command. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { secretKeys } from "../config/secret_keys.ts";
import { Unfit } from "../config/unfit.ts";
import type { Config } from "../config.ts";

/** Milliseconds for the command; a KMS across a slow line takes a second. */
const longestCommand = 10_000;

/** Milliseconds in which the rest of the output comes, once the command has ended. */
const restOfOutput = 500;

/** Bytes that the command may print: a list of dozens of keys. */
const longestOutput = 16_384;

/**
 * The keys, or undefined where no setting gives any. Throws where the command fails or prints no key; what it
 * printed is never quoted.
 */
export async function givenKeys(
  { secret_keys, secret_key_command: command }: Pick<Config, "secret_keys" | "secret_key_command">,
  timeout = longestCommand,
): Promise<readonly Buffer[] | undefined> {
  if (secret_keys !== undefined || command === undefined) return secret_keys;
  const [program, ...rest] = command;
  try {
    // SIGKILL, because a program that ignores the end of its time would keep the server from starting.
    const running = promisify(execFile)(program, rest, {
      timeout,
      killSignal: "SIGKILL",
      maxBuffer: longestOutput,
    });
    const { child } = running;
    // A process that it left behind may hold its output open.
    child.once("exit", () => {
      setTimeout(() => [child.stdout, child.stderr].map((held) => held?.destroy()), restOfOutput).unref();
    });
    const { stdout } = await running;
    return secretKeys(stdout.trim());
  } catch (error) {
    throw new Error(`POSTERN_SECRET_KEY_COMMAND: ${reasonOf(error)}`);
  }
}

/** Why it gave no key, in words that hold nothing it printed. */
function reasonOf(error: unknown): string {
  if (error instanceof Unfit) return error.message;
  const { code, killed, signal } = error as { code?: unknown; killed?: boolean; signal?: string | null };
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return `more than ${longestOutput} bytes of output`;
  if (killed) return `no answer within ${longestCommand / 1000} seconds`;
  if (signal) return `the command was ended by ${signal}`;
  return typeof code === "number" ? `the command ended with ${code}` : `the command cannot be run (${code})`;
}
