/** The process that a server runs in, as far as the server asks about it. */
export interface ServerProcess {
  readonly now: () => Date;
  /** The process that started it: its end stops the server. */
  readonly launcher?: number | undefined;
  /** Messages for people: standard error. */
  err(text: string): void;
}
