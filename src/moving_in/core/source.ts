import type { ImportMap, Sink } from "./moved.ts";

export interface Source {
  /** The value of `--from`, which is also the default of `--source`. */
  readonly name: string;
  /** Fields that are typical of files of this system, by which a file is recognized. */
  readonly signs: readonly string[];
  /**
   * Paths of the arrays that may be long, in the form that `jsonRecords` accepts. If there are none, each
   * outermost object counts as an element.
   */
  readonly arrays: readonly string[];
  /**
   * The fields that `columns` of the map may name, in addition to user attributes. Undefined if the source
   * does not use `columns`.
   */
  readonly columns?: readonly string[];
  /**
   * Whether the users come from another Postern server (MG-12). Their organizations and providers are named
   * by slug. The data of a user whom `postern apply` created here is added to that user.
   */
  readonly of_postern?: true;
  begin(sink: Sink, map: ImportMap): Reading;
}

interface Reading {
  /**
   * Receives each outermost object, in which the arrays at `arrays` are empty. If the source declares no
   * arrays, this method receives each element instead. All calls of this method, for all files, precede the
   * first call of `element`.
   */
  document?(value: unknown): void;
  /**
   * Receives an element and the path of its array, such as `orgs/0/humanUsers`. The path is empty for an
   * element of an outermost array, an outermost object and a CSV row.
   */
  element(value: unknown, at: string): void;
  end?(): void;
}
