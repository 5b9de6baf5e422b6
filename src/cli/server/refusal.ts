/** What a server refuses, in the words of the command line. */
import { ApiProblem, ConnectionError, TimeoutError } from "../../client/problems.ts";
import { WrongUsage } from "../core/terminal.ts";
import type { RemoteAccess } from "../remote/remote_access.ts";

/**
 * The refusal as an error that says it all: the sentence, then a line for each fault under what `named` calls
 * its path. Errors of any other kind come back as they are. `access` is of a server elsewhere.
 */
export function refusalOf(error: unknown, named: (path: string) => string, access?: RemoteAccess): unknown {
  if (error instanceof ConnectionError) {
    if (access === undefined) return error.cause;
    const what = error instanceof TimeoutError ? error.message : "cannot be reached, or its answer broke off";
    return new Error(`${access.url}: ${what}`, { cause: error });
  }
  if (!(error instanceof ApiProblem)) return error;
  if (access !== undefined && error.code === "unknown")
    return new Error(`${access.url} does not answer as a Postern server does (status ${error.status})`, {
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
