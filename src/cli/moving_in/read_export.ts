/** Reads an export: its users into a spool file, its other records into memory. */
import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { AgeError, type AgeKey, ageMagic, openFile } from "../../crypto/age.ts";
import { collect, type ReadExport } from "../../moving_in/core/collecting.ts";
import { type Found, ImportFault } from "../../moving_in/core/import_fault.ts";
import type { ImportMap, Loss, MovedPerson } from "../../moving_in/core/moved.ts";
import { recordsOf } from "../../moving_in/core/records_of.ts";
import type { Source } from "../../moving_in/core/source.ts";
import { requireOwnExport } from "../../moving_in/other_system.ts";
import type { Spool } from "./spool.ts";

/**
 * Writes each user to the spool as a line of JSON, as `POST /api/v1/import/people` accepts them, and returns
 * the other records. Throws an Error that names the invalid file and quotes nothing from it.
 */
export async function readExport(
  files: readonly string[],
  {
    source,
    map,
    spool,
    lose,
    onRead,
    key,
  }: {
    readonly source: Source;
    readonly map: ImportMap;
    readonly spool: Spool;
    readonly lose: (loss: Loss) => void;
    readonly onRead: (people: number) => void;
    readonly key?: AgeKey | undefined;
  },
): Promise<ReadExport> {
  let people = 0;
  const person = (moved: MovedPerson) => {
    people += 1;
    spool.write(JSON.stringify(moved));
    onRead(people);
  };
  const each = async (take: (found: Found) => unknown) => {
    for (const file of files) await eachOf(file, { source, key }, take);
  };
  const read = await collect(source, map, each, { person, lose });
  await requireOwnExport(source, read, each);
  return read;
}

interface Opening {
  readonly source: Source;
  readonly key: AgeKey | undefined;
}

async function eachOf(
  file: string,
  { source, key }: Opening,
  take: (found: Found) => unknown,
): Promise<void> {
  try {
    for await (const found of recordsOf(textOf(file, key), source.arrays)) take(found);
  } catch (error) {
    if (error instanceof ImportFault) throw new Error(`${file}, ${error.message}`);
    if (error instanceof AgeError) throw new Error(`${file} cannot be opened: ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") throw new Error(`${file} is not UTF-8`);
    if (code === "ENOENT") throw new Error(`${file} cannot be read: there is no such file`);
    throw error;
  }
}

async function* textOf(file: string, key: AgeKey | undefined): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const bytes of bytesOf(file, key)) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

function bytesOf(file: string, key: AgeKey | undefined): AsyncIterable<Uint8Array> {
  if (!isSealed(file)) return createReadStream(file);
  if (key === undefined) throw new AgeError("the file is encrypted: use --passphrase or --identity");
  return openFile(createReadStream(file), key);
}

function isSealed(file: string): boolean {
  const handle = openSync(file, "r");
  try {
    const head = Buffer.alloc(ageMagic.length);
    return readSync(handle, head) === head.length && head.toString("latin1") === ageMagic;
  } finally {
    closeSync(handle);
  }
}
