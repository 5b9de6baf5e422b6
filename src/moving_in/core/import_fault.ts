/** The error for an unreadable file. The message names the line and quotes nothing from the file. */
export class ImportFault extends Error {
  readonly line: number;

  constructor(line: number, what: string) {
    super(`line ${line}: ${what}`);
    this.name = "ImportFault";
    this.line = line;
  }
}

export interface Found {
  /**
   * The path of the array that contains the value, such as `orgs/0/humanUsers`. Empty for a row, an outermost
   * object, and an element of an outermost array.
   */
  readonly at: string;
  /**
   * Whether the value is an outermost object. The arrays whose elements are returned one by one are then
   * empty.
   */
  readonly is_document: boolean;
  readonly line: number;
  /** Throws an ImportFault for invalid JSON. */
  value(): unknown;
}
