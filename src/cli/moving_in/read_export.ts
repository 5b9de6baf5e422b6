/** Reads an export into a folder: its people a line each, its other records in memory. */
import { closeSync, createReadStream, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Found, ImportFault } from "../../moving_in/core/import_fault.ts";
import type { Entry, ImportMap, Loss, MovedPerson } from "../../moving_in/core/moved.ts";
import { recordsOf } from "../../moving_in/core/records_of.ts";
import type { Source } from "../../moving_in/core/source.ts";

/** Sections of a manifest, in the order in which they are written. */
export interface Records {
  readonly organizations: Entry[];
  readonly providers: Entry[];
  readonly apps: Entry[];
}

export interface ReadExport {
  readonly records: Records;
  readonly people: number;
  /** Those whose identifiers there are no UUIDs, which our `sub` is. */
  readonly other_subjects: number;
  /** The people, a line of JSON each, as `POST /api/v1/import/people` takes them. */
  readonly people_file: string;
}

/** Characters that are written at once. */
const chunk = 65_536;

/** Throws an Error that names file and line, and quotes nothing of the file. */
export async function readExport(
  files: readonly string[],
  {
    source,
    map,
    folder,
    lose,
    onRead,
  }: {
    readonly source: Source;
    readonly map: ImportMap;
    readonly folder: string;
    readonly lose: (loss: Loss) => void;
    readonly onRead: (people: number) => void;
  },
): Promise<ReadExport> {
  const records: Records = { organizations: [], providers: [], apps: [] };
  const people_file = join(folder, "people.ndjson");
  const handle = openSync(people_file, "w", 0o600);
  let people = 0;
  let other_subjects = 0;
  let waiting = "";
  const write = () => {
    writeSync(handle, waiting);
    waiting = "";
  };
  const person = (moved: MovedPerson) => {
    people += 1;
    if (moved.id === undefined) other_subjects += 1;
    waiting += `${JSON.stringify(moved)}\n`;
    if (waiting.length > chunk) write();
    onRead(people);
  };
  const reading = source.begin(
    {
      person,
      organization: (entry) => records.organizations.push(entry),
      provider: (entry) => records.providers.push(entry),
      app: (entry) => records.apps.push(entry),
      lose,
    },
    map,
  );
  const isDocument = ({ is_document }: Found) => is_document && source.arrays.length > 0;
  try {
    if (reading.document !== undefined)
      for (const file of files)
        await eachOf(file, source, (found) => isDocument(found) && reading.document?.(found.value()));
    for (const file of files)
      await eachOf(file, source, (found) => {
        if (!isDocument(found)) reading.element(found.value(), found.at);
      });
    write();
  } finally {
    closeSync(handle);
  }
  return { records, people, other_subjects, people_file };
}

async function eachOf(file: string, source: Source, take: (found: Found) => unknown): Promise<void> {
  try {
    for await (const found of recordsOf(textOf(file), source.arrays)) take(found);
  } catch (error) {
    if (error instanceof ImportFault) throw new Error(`${file}, ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") throw new Error(`${file} is not UTF-8`);
    if (code === "ENOENT") throw new Error(`${file} cannot be read: there is no such file`);
    throw error;
  }
}

async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const bytes of createReadStream(file)) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}
