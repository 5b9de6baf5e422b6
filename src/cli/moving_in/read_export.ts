/** Reads an export: its people into a spool, its other records into memory. */
import { createReadStream } from "node:fs";
import { type Found, ImportFault } from "../../moving_in/core/import_fault.ts";
import type { Entry, ImportMap, Loss, MovedPerson } from "../../moving_in/core/moved.ts";
import { recordsOf } from "../../moving_in/core/records_of.ts";
import type { Source } from "../../moving_in/core/source.ts";
import type { Spool } from "./spool.ts";

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
}

/**
 * Writes each person as a line of JSON, as `POST /api/v1/import/people` takes them, to the spool. Throws an Error
 * that names file and line, and quotes nothing of the file.
 */
export async function readExport(
  files: readonly string[],
  {
    source,
    map,
    spool,
    lose,
    onRead,
  }: {
    readonly source: Source;
    readonly map: ImportMap;
    readonly spool: Spool;
    readonly lose: (loss: Loss) => void;
    readonly onRead: (people: number) => void;
  },
): Promise<ReadExport> {
  const records: Records = { organizations: [], providers: [], apps: [] };
  let people = 0;
  let other_subjects = 0;
  const person = (moved: MovedPerson) => {
    people += 1;
    if (moved.id === undefined) other_subjects += 1;
    spool.write(JSON.stringify(moved));
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
  if (reading.document !== undefined)
    for (const file of files)
      await eachOf(file, source, (found) => isDocument(found) && reading.document?.(found.value()));
  for (const file of files)
    await eachOf(file, source, (found) => {
      if (!isDocument(found)) reading.element(found.value(), found.at);
    });
  return { records, people, other_subjects };
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
