/** What a server elsewhere refuses, in the words of the command line. */
import { WrongUsage } from "./terminal.ts";

/**
 * The refusal as an error that says it all: the sentence, then a line for each fault under what `named` calls
 * its path. Errors of any other kind come back as they are.
 */
export async function refusalUnder(error: unknown, named: (path: string) => string): Promise<unknown> {
  const { ApiProblem } = await import("../client/client.ts");
  if (!(error instanceof ApiProblem)) return error;
  if (error.code === "unauthorized")
    return new Error("The API key of the remote is not good any more: log in again.", { cause: error });
  const faults = error.errors.map(({ path, message }) => `  ${named(path)}: ${message}`);
  const text = [error.detail, ...faults].join("\n");
  const lacksOption = error.errors.some(
    ({ code, path }) => code === "required" && named(path).startsWith("--"),
  );
  return lacksOption ? new WrongUsage(text) : new Error(text, { cause: error });
}
