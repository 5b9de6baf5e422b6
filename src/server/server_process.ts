/** The parts of its process that a server needs. */
export interface ServerProcess {
  readonly now: () => Date;
  /** The process whose end stops the server. */
  readonly launcher?: number | undefined;
  /** Writes messages for users to standard error. */
  err(text: string): void;
}
