import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Writes the tables of a command into a document of docs/, between the two comments that mark their
 * place. Throws if the comments are missing.
 */
export async function writeInto(name: string, command: string, text: string): Promise<void> {
  const path = join(import.meta.dirname, "..", "..", "docs", name);
  const [begin, end] = [`<!-- ${command}: begin -->`, `<!-- ${command}: end -->`];
  const known = await readFile(path, "utf8");
  const [from, to] = [known.indexOf(begin), known.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`docs/${name} lacks the comments ${begin} and ${end}`);
  await writeFile(path, `${known.slice(0, from + begin.length)}\n${text}\n${known.slice(to)}`);
}
