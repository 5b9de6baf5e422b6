/** Runs the work of a command on the chosen remote server or on the local database. */
import { ApiProblem, ConnectionError, TimeoutError } from "../../client/problems.ts";
import { chosenPlace } from "../core/chosen_place.ts";
import { withContext } from "../core/command_context.ts";
import { type Options, type Terminal, WrongUsage } from "../core/terminal.ts";
import { warnOn } from "../core/warnings.ts";
import type { RemoteAccess } from "../remote/remote_access.ts";
import type { Hearing } from "./here.ts";
import type { Server } from "./server.ts";

interface Around extends Pick<Hearing, "onProgress"> {
  readonly named?: (path: string) => string;
}

/**
 * Does the work and closes everything that it opened. Throws `WrongUsage` if there is no credential for the
 * remote server.
 */
export async function withServer<R>(
  terminal: Terminal,
  options: Options,
  work: (server: Server) => Promise<R>,
  { named = (path) => path, onProgress }: Around = {},
): Promise<R> {
  const place = chosenPlace(options, terminal);
  const onNotice = warnOn(terminal);
  if (place.kind === "database") {
    const { serverHere } = await import("./here.ts");
    return withContext(terminal, options, (context, environment) =>
      work(serverHere(context, environment, { onNotice, onProgress })).catch((error: unknown) => {
        throw refusalOf(error, named);
      }),
    );
  }
  const [{ accessTo }, { serverElsewhere }] = await Promise.all([
    import("../remote/remote_access.ts"),
    import("./elsewhere.ts"),
  ]);
  const access = accessTo(place, options, terminal);
  const server = serverElsewhere(access, onNotice);
  return work(server).catch((error: unknown) => {
    throw refusalOf(error, named, access);
  });
}

const isOption = (name: string): boolean => name.startsWith("--");

/** Returns the option with the same name as a query parameter or field. */
export const optionOfPath = (path: string): string => path.replace(/^\//, "--").replaceAll("_", "-");

export const ownSettings =
  "Commands on the server's machine read the settings of this shell: set it here too, or use --server.";

function refusalOf(error: unknown, named: (path: string) => string, access?: RemoteAccess): unknown {
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
  const spelled = (message: string) =>
    message.replaceAll(/“[^”]*” \((\w+)\)/g, (_, member: string) => named(`/${member}`));
  const errors = error.errors.map(({ path, message }) => `  ${named(path)}: ${spelled(message)}`);
  const isOfOptions =
    error.code === "invalid_filter" && error.errors.every(({ path }) => isOption(named(path)));
  const isOfSetting = access === undefined && errors.some((line) => line.includes("POSTERN_"));
  const advice = [
    ...(isStale && access?.signIn !== undefined ? [`Sign in again: ${access.signIn} --fresh`] : []),
    ...(isOfSetting ? [ownSettings] : []),
  ];
  const text = [isOfOptions ? "an option is not valid" : error.detail, ...errors, ...advice].join("\n");
  const lacksOption = error.errors.some(({ code, path }) => code === "required" && isOption(named(path)));
  return lacksOption ? new WrongUsage(text) : new Error(text, { cause: error });
}
