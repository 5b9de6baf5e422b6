import { csvRows } from "./csv_rows.ts";
import type { Found } from "./import_fault.ts";
import { jsonRecords } from "./json_records.ts";

/**
 * The values of a file: JSON or NDJSON where it begins with a bracket, else CSV. `arrays` as of `jsonRecords`.
 * Throws an ImportFault.
 */
export async function* recordsOf(
  chunks: AsyncIterable<string>,
  arrays: readonly string[],
): AsyncGenerator<Found> {
  const reading = chunks[Symbol.asyncIterator]();
  let first = "";
  let isDone = false;
  while (first.trim() === "" && !isDone) {
    const next = await reading.next();
    isDone = next.done === true;
    // Windows puts a byte order mark before files.
    if (next.done !== true) first = (first + next.value).replace(/^\uFEFF/, "");
  }
  const whole = (async function* () {
    yield first;
    while (!isDone) {
      const next = await reading.next();
      if (next.done) return;
      yield next.value;
    }
  })();
  yield* /^\s*[[{]/.test(first) ? jsonRecords(whole, arrays) : csvRows(whole);
}
