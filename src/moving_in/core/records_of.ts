import { csvRows } from "./csv_rows.ts";
import type { Found } from "./import_fault.ts";
import { jsonRecords } from "./json_records.ts";

/**
 * Returns the values of a file, which is JSON or NDJSON if it starts with `[` or `{`, and otherwise CSV.
 * Throws an ImportFault for an invalid file.
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
    // Some Windows programs put a byte order mark at the start of files.
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
