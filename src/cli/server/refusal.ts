/** Converts a server's errors into command line errors. */
import { ApiProblem, ConnectionError, TimeoutError } from "../../client/problems.ts";
import { WrongUsage } from "../core/terminal.ts";
import type { RemoteAccess } from "../remote/remote_access.ts";

/**
 * Returns the error for the terminal: the sentence, then a line for each field error, under the name that
 * `named` returns for its path. Errors of any other kind are returned unchanged. `access` is given for a
 * remote server.
 */
export function refusalOf(error: unknown, named: (path: string) => string, access?: RemoteAccess): unknown {
  if (error instanceof ConnectionError) {
    if (access === undefined) return error.cause;
    const what =
      error instanceof TimeoutError ? error.message : "cannot be reached, or the connection broke off";
    return new Error(`${access.url}: ${what}`, { cause: error });
  }
  if (!(error instanceof ApiProblem)) return error;
  if (access !== undefined && error.code === "unknown")
    return new Error(`${access.url} does not respond like a Postern server (status ${error.status})`, {
      cause: error,
    });
  if (access !== undefined && error.code === "unauthorized") {
    const again = access.signIn ?? `postern login ${access.url} --api-key-stdin`;
    return new Error(`${access.called} no longer accepts the credential. Sign in again: ${again}`, {
      cause: error,
    });
  }
  const isStale = error.code === "insufficient_user_authentication";
  const advice = isStale && access?.signIn !== undefined ? [`Sign in again: ${access.signIn} --fresh`] : [];
  const errors = error.errors.map(({ path, message }) => `  ${named(path)}: ${message}`);
  const text = [error.detail, ...errors, ...advice].join("\n");
  const lacksOption = error.errors.some(
    ({ code, path }) => code === "required" && named(path).startsWith("--"),
  );
  return lacksOption ? new WrongUsage(text) : new Error(text, { cause: error });
}
