export interface Setting<T> {
  readonly name: `POSTERN_${string}`;
  readonly default?: string;
  readonly otherwise?: string;
  /**
   * Whether the value can also be read from the file that NAME_FILE names. The parser must not quote the
   * value.
   */
  readonly secret?: true;
  readonly meaning: string;
  readonly parse: (text: string) => T;
}
