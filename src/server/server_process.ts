/** The parts of the process that a server needs. */
export interface ServerProcess {
  readonly now: () => Date;
  readonly launcher?: number | undefined;
  /** Writes a message for the operator to standard error. */
  err(text: string): void;
}
