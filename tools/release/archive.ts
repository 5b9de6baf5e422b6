/** Creates archives whose bytes depend only on the files, without times, users or machines. */
import { gunzipSync, gzipSync } from "node:zlib";
import { extract, pack } from "tar-stream";

export interface ArchivedFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly executable?: boolean;
}

/** The time that `npm pack` sets too. */
const mtime = new Date("1985-10-26T08:15:00Z");

/** Returns the files as a tar, sorted by name. */
export async function tarOf(files: readonly ArchivedFile[]): Promise<Buffer> {
  const packed = pack();
  for (const { name, bytes, executable } of files.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    packed.entry({ name, mtime, mode: executable ? 0o755 : 0o644, uid: 0, gid: 0 }, bytes);
  packed.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of packed) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/**
 * The offset of the byte that names the operating system in a gzip header (RFC 1952), and its value for an
 * unknown system.
 */
const system = { at: 9, unknown: 255 };

export function gzipped(bytes: Buffer): Buffer {
  const answer = gzipSync(bytes, { level: 9 });
  answer[system.at] = system.unknown;
  return answer;
}

/** Returns the files of a tar, which may be compressed with gzip. */
export async function filesOf(archive: Buffer): Promise<readonly ArchivedFile[]> {
  const unpacking = extract();
  unpacking.end(archive[0] === 0x1f ? gunzipSync(archive) : archive);
  const files: ArchivedFile[] = [];
  for await (const entry of unpacking) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry) chunks.push(chunk as Uint8Array);
    const { name, mode } = entry.header;
    files.push({ name, bytes: Buffer.concat(chunks), executable: (mode & 0o100) !== 0 });
  }
  return files;
}
