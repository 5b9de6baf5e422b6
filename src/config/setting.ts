export interface Setting<T> {
  readonly name: `POSTERN_${string}`;
  readonly default?: string;
  readonly otherwise?: string;
  /**
   * Whether the value can also be read from a file, which the variable `<name>_FILE` names. The parser must
   * not quote the value in an error.
   */
  readonly secret?: true;
  readonly meaning: string;
  readonly parse: (text: string) => T;
}
