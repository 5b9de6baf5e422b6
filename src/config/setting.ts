/** One setting: its variable, and how its text is read. */
export interface Setting<T> {
  readonly name: `POSTERN_${string}`;
  /** Parsed like a given value. */
  readonly default?: string;
  /** What the documentation shows where there is no fixed default. */
  readonly otherwise?: string;
  /** May also come as NAME_FILE; its parser must not quote it. */
  readonly secret?: true;
  readonly meaning: string;
  /** Throws `Unfit` with what was expected. */
  readonly parse: (text: string) => T;
}
