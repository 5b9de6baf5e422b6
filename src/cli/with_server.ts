/** The work of a command: on the server elsewhere that was chosen, or else on the database here. */
import { chosenPlace } from "./chosen_place.ts";
import { withContext } from "./command_context.ts";
import type { ServerSource } from "./server_source.ts";
import type { Options, Terminal } from "./terminal.ts";
import { warnOn } from "./warnings.ts";

/** Does the work, and closes whatever was opened. Throws `WrongUsage` for a server that nothing opens. */
export async function withServer<R>(
  terminal: Terminal,
  options: Options,
  work: (server: ServerSource) => Promise<R>,
): Promise<R> {
  const place = chosenPlace(options, terminal);
  if (place.kind === "database") {
    const { localServer } = await import("./local_server.ts");
    return withContext(terminal, options, async (context, environment) =>
      work(await localServer(context, environment)),
    );
  }
  const [{ accessTo }, { remoteServer }, { refusalUnder }] = await Promise.all([
    import("./remote_access.ts"),
    import("./remote_server.ts"),
    import("./remote_refusal.ts"),
  ]);
  const access = accessTo(place, options, terminal);
  try {
    return await work(await remoteServer(access, warnOn(terminal)));
  } catch (error) {
    throw await refusalUnder(error, (path) => path, access);
  }
}
