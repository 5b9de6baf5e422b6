/** A system whose export is read. */
import type { ImportMap, Sink } from "./moved.ts";

export interface Source {
  /** The value of `--from`, and the usual source of its external ids. */
  readonly name: string;
  /**
   * Arrays of its files that may be long, as `jsonRecords` takes them. Without any, each outermost object is an
   * element, too.
   */
  readonly arrays: readonly string[];
  /** Begins to read one export, which may be several files. */
  begin(sink: Sink, map: ImportMap): Reading;
}

interface Reading {
  /** An outermost object without the arrays. All files are read for these before the first element. */
  document?(value: unknown): void;
  /** An element of the array at this path, such as `orgs/0/humanUsers`; empty if it is outermost. */
  element(value: unknown, at: string): void;
  /** After the last element. */
  end?(): void;
}
