/** What a server elsewhere refuses, in the words of the command line. */
import type { RemoteAccess } from "./remote_access.ts";
import { WrongUsage } from "./terminal.ts";

/**
 * The refusal as an error that says it all: the sentence, then a line for each fault under what `named` calls
 * its path. Errors of any other kind come back as they are.
 */
export async function refusalUnder(
  error: unknown,
  named: (path: string) => string,
  access?: RemoteAccess,
): Promise<unknown> {
  const { ApiProblem, ConnectionFault, TimeoutFault } = await import("../client/client.ts");
  if (error instanceof ConnectionFault && access !== undefined) {
    const what = error instanceof TimeoutFault ? error.message : "cannot be reached, or its answer broke off";
    return new Error(`${access.url}: ${what}`, { cause: error });
  }
  if (!(error instanceof ApiProblem)) return error;
  if (error.code === "unknown" && access !== undefined)
    return new Error(`${access.url} does not answer as a Postern server does (status ${error.status})`, {
      cause: error,
    });
  // What is no fault of a field waits for who knows the server.
  if (error.errors.length === 0 && access === undefined) return error;
  if (error.code === "unauthorized" && access !== undefined) {
    const again = access.signIn ?? `postern login ${access.url} --api-key-stdin`;
    return new Error(`${access.called} no longer accepts the credential. Sign in again: ${again}`, {
      cause: error,
    });
  }
  const isStale = error.code === "insufficient_user_authentication";
  const advice = isStale && access?.signIn !== undefined ? [`Sign in again: ${access.signIn} --fresh`] : [];
  const faults = error.errors.map(({ path, message }) => `  ${named(path)}: ${message}`);
  const text = [error.detail, ...faults, ...advice].join("\n");
  const lacksOption = error.errors.some(
    ({ code, path }) => code === "required" && named(path).startsWith("--"),
  );
  return lacksOption ? new WrongUsage(text) : new Error(text, { cause: error });
}
