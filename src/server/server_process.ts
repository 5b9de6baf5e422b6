/** The process that a server runs in, as the server needs it. */
export interface ServerProcess {
  readonly now: () => Date;
  /** The process whose end stops the server. */
  readonly launcher?: number | undefined;
  /** Messages for people: standard error. */
  err(text: string): void;
}
