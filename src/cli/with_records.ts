/** The work of a command of records: on the server elsewhere that was chosen, or else on the database. */
import { chosenPlace } from "./chosen_place.ts";
import { withContext } from "./command_context.ts";
import type { RecordSource } from "./record_source.ts";
import type { Options, Terminal } from "./terminal.ts";

/** Does the work, and closes whatever was opened. Throws `WrongUsage` for a server that nothing opens. */
export async function withRecords<R>(
  terminal: Terminal,
  options: Options,
  work: (records: RecordSource) => Promise<R>,
): Promise<R> {
  const place = chosenPlace(options, terminal);
  if (place.kind === "database") {
    const { localRecords } = await import("./local_records.ts");
    return withContext(terminal, options, async (context) => work(await localRecords(context)));
  }
  const [{ accessTo }, { remoteRecords }, { refusalUnder }] = await Promise.all([
    import("./remote_access.ts"),
    import("./remote_records.ts"),
    import("./remote_refusal.ts"),
  ]);
  const access = accessTo(place, options, terminal);
  try {
    return await work(await remoteRecords(access));
  } catch (error) {
    throw await refusalUnder(error, (path) => path, access);
  }
}
