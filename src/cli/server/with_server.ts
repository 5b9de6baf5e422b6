/** Runs the work of a command on the chosen remote server or on the local database. */
import { chosenPlace } from "../core/chosen_place.ts";
import { withContext } from "../core/command_context.ts";
import type { Options, Terminal } from "../core/terminal.ts";
import { warnOn } from "../core/warnings.ts";
import type { Hearing } from "./here.ts";
import { refusalOf } from "./refusal.ts";
import type { Server } from "./server.ts";

interface Around extends Pick<Hearing, "onProgress"> {
  /** Returns the name that the command has for the path of a member, such as `--name`. */
  readonly named?: (path: string) => string;
}

/** Does the work and closes everything that it opened. Throws `WrongUsage` for a server without a credential. */
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
