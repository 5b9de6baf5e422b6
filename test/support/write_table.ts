/** Writes the measurements of a command into the document that shows them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes the text between the comments `<!-- command: begin -->` and `<!-- command: end -->` of a document.
 * The path is relative to the project. Throws if the comments are missing.
 */
export function writeTable(document: string, command: string, text: string): void {
  const path = join(import.meta.dirname, "..", "..", document);
  const [begin, end] = [`<!-- ${command}: begin -->`, `<!-- ${command}: end -->`];
  const before = readFileSync(path, "utf8");
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${document} lacks the comments ${begin} and ${end}`);
  writeFileSync(path, `${before.slice(0, from + begin.length)}\n${text}${before.slice(to)}`);
}
