/** A system whose exports can be read. */
import type { ImportMap, Sink } from "./moved.ts";

export interface Source {
  /** The value of `--from`, and the default source of its external ids. */
  readonly name: string;
  /** Members that only its files have, so that a file of another system can be recognized. */
  readonly signs: readonly string[];
  /**
   * Arrays of its files that may be long, in the form that `jsonRecords` accepts. If there are none, each
   * outermost object is also an element.
   */
  readonly arrays: readonly string[];
  /** Starts to read one export, which may consist of several files. */
  begin(sink: Sink, map: ImportMap): Reading;
}

interface Reading {
  /**
   * Receives an outermost object without the arrays, or each element if there are no arrays. All files are
   * read for these before the first element.
   */
  document?(value: unknown): void;
  /**
   * Receives an element of the array at this path, such as `orgs/0/humanUsers`; empty if it is outermost.
   */
  element(value: unknown, at: string): void;
  /** Called after the last element. */
  end?(): void;
}
