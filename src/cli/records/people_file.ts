/**
 * `postern export --people`: writes the users of this server to a file that another Postern server can import
 * (MG-10).
 */
import { closeSync, existsSync, openSync } from "node:fs";
import { exportPeople } from "../../admin/imports/export_people.ts";
import { type AgeLock, recipientBytes, sealFile } from "../../crypto/age.ts";
import { heedSignals, withDraft } from "../../server/files/draft.ts";
import { placeFile } from "../../server/files/place_file.ts";
import { writeWhole } from "../../server/files/write_whole.ts";
import { withContext } from "../core/command_context.ts";
import { withProgress } from "../core/progress.ts";
import { type Options, print, type Terminal, WrongUsage } from "../core/terminal.ts";
import { typedSecret } from "../core/typed_text.ts";

export interface PeopleExport {
  readonly people?: string;
  readonly withHashes?: boolean;
  readonly passphrase?: string;
  readonly recipient?: string;
}

const shortestPassphrase = 12;
/** The number of users between two checks for a signal. */
const betweenSignals = 1000;

/**
 * Writes the file, readable only by its owner; a run that fails leaves no file. Throws if the file exists.
 */
export async function writePeople(given: PeopleExport, options: Options, terminal: Terminal): Promise<void> {
  const { people: file = "" } = given;
  const with_hashes = given.withHashes === true;
  const lock = await lockOf(given, terminal);
  if (with_hashes !== (lock !== undefined))
    throw new WrongUsage(
      "use --with-hashes together with --passphrase or --recipient, which encrypts the file",
    );
  if (existsSync(file)) throw new Error(`${file} already exists`);
  await withProgress(terminal, (say) =>
    withContext(terminal, options, (context) =>
      withDraft(file, async (draft) => {
        let people = 0;
        async function* lines(): AsyncGenerator<Buffer> {
          for await (const person of exportPeople(context, { with_hashes })) {
            people += 1;
            say(`People written: ${people}`);
            // SQLite answers without returning to the event loop.
            if (people % betweenSignals === 0) await heedSignals();
            yield Buffer.from(`${JSON.stringify(person)}\n`);
          }
        }
        const handle = openSync(draft, "r+");
        try {
          for await (const bytes of lock ? sealFile(lines(), lock) : lines()) writeWhole(handle, bytes, file);
        } finally {
          closeSync(handle);
        }
        await heedSignals();
        if (!placeFile(draft, file, { replace: false })) throw new Error(`${file} already exists`);
        print(terminal, options, { file, people }, `${file}: ${people} people`);
      }),
    ),
  );
}

async function lockOf(
  { passphrase, recipient }: PeopleExport,
  terminal: Terminal,
): Promise<AgeLock | undefined> {
  if (passphrase !== undefined && recipient !== undefined)
    throw new WrongUsage("use only one of --passphrase and --recipient");
  if (recipient !== undefined) {
    if (recipientBytes(recipient) === undefined)
      throw new WrongUsage("--recipient is not a key such as age1…");
    return { recipient };
  }
  if (passphrase === undefined) return undefined;
  const typed = await typedSecret(passphrase, terminal);
  if ([...typed].length < shortestPassphrase)
    throw new WrongUsage(`--passphrase needs at least ${shortestPassphrase} characters`);
  return { passphrase: typed };
}
