/** Results of a run that may be interrupted at any time: one line of JSON each. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";

export interface Results<T> {
  /** By the name of the examined item; a later line replaces an earlier one. */
  readonly known: ReadonlyMap<string, T>;
  add(result: T): void;
}

/** Reads an existing file. An incomplete last line of an interrupted run is removed. */
export function openResults<T>(path: string, nameOf: (result: T) => string): Results<T> {
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole !== text) writeFileSync(path, whole);
  const lines = whole.split("\n").slice(0, -1);
  const known = new Map(
    lines.map((line): [string, T] => {
      const result = JSON.parse(line);
      return [nameOf(result), result];
    }),
  );
  return {
    known,
    add(result) {
      known.set(nameOf(result), result);
      appendFileSync(path, `${JSON.stringify(result)}\n`);
    },
  };
}
