/** The work of a command of records: on the remote that was chosen, or else on the database. */
import { withContext } from "./command_context.ts";
import type { RecordSource } from "./record_source.ts";
import { chosenRemote, remoteNamed } from "./remotes.ts";
import type { Options, Terminal } from "./terminal.ts";

/** Does the work, and closes whatever was opened. Throws `WrongUsage` for a remote that there is not. */
export async function withRecords<R>(
  terminal: Terminal,
  options: Options,
  work: (records: RecordSource) => Promise<R>,
): Promise<R> {
  const name = chosenRemote(options, terminal);
  if (name === undefined) {
    const { localRecords } = await import("./local_records.ts");
    return withContext(terminal, options, async (context) => work(await localRecords(context)));
  }
  const { remoteRecords } = await import("./remote_records.ts");
  const records = await remoteRecords(remoteNamed(terminal, name));
  try {
    return await work(records);
  } catch (error) {
    const { refusalUnder } = await import("./remote_refusal.ts");
    throw await refusalUnder(error, (path) => path);
  }
}
