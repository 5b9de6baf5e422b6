/** Reads rows of a CSV file (RFC 4180), each as an object with the names of the first row. */
import { type Found, ImportFault } from "./import_fault.ts";

const longestRow = 2 ** 20;

/**
 * Returns the rows after the first, without empty ones. Commas, semicolons or tabs separate cells, whichever
 * occurs first in the first row. Throws an ImportFault for an invalid row or header.
 */
export async function* csvRows(chunks: AsyncIterable<string>): AsyncGenerator<Found> {
  let header: readonly string[] | undefined;
  for await (const { cells, line } of rowsOf(chunks)) {
    if (header === undefined) {
      header = cells.map((name) => name.trim());
      if (new Set(header).size < header.length) throw new ImportFault(line, "two columns have the same name");
      continue;
    }
    if (cells.length === 1 && cells[0] === "") continue;
    const names = header;
    if (cells.length !== names.length)
      throw new ImportFault(line, `${cells.length} cells, but ${names.length} column names`);
    const value = () => Object.fromEntries(cells.map((cell, index) => [names[index], cell]));
    yield { at: "", is_document: false, line, value };
  }
}

interface Row {
  readonly cells: string[];
  readonly line: number;
}

async function* rowsOf(chunks: AsyncIterable<string>): AsyncGenerator<Row> {
  let cells: string[] = [];
  let cell = "";
  let line = 1;
  let began = 1;
  let length = 0;
  let separator: string | undefined;
  /**
   * `quote` means that the last character was a quotation mark in a quoted cell, which ends the cell unless
   * another follows.
   */
  let state: "start" | "plain" | "quoted" | "quote" = "start";
  let isAfterReturn = false;

  for await (const chunk of chunks) {
    for (const character of chunk) {
      length += character.length;
      if (length > longestRow) throw new ImportFault(began, `a row has more than ${longestRow} characters`);
      if (character === "\n") line += 1;
      if (state === "quoted") {
        if (character === '"') state = "quote";
        else cell += character;
        continue;
      }
      const isLineEnd = character === "\n" || character === "\r";
      if (isLineEnd && !(character === "\n" && isAfterReturn)) {
        cells.push(cell);
        yield { cells, line: began };
        [cells, cell, state, length] = [[], "", "start", 0];
      }
      isAfterReturn = character === "\r";
      if (isLineEnd) {
        began = line;
        continue;
      }
      const isSeparator =
        separator === undefined ? [",", ";", "\t"].includes(character) : character === separator;
      if (isSeparator) {
        separator = character;
        cells.push(cell);
        [cell, state] = ["", "start"];
      } else if (character === '"') {
        if (state === "plain") throw new ImportFault(line, "a quote inside a cell without quotes");
        if (state === "quote") cell += '"';
        state = "quoted";
      } else if (state === "quote") throw new ImportFault(line, "text after the quote that ends a cell");
      else {
        cell += character;
        state = "plain";
      }
    }
  }
  if (state === "quoted") throw new ImportFault(line, "the file ends inside quotes");
  if (cells.length > 0 || state !== "start") yield { cells: [...cells, cell], line: began };
}
