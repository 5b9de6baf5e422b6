export interface ServerProcess {
  readonly now: () => Date;
  readonly launcher?: number | undefined;
  err(text: string): void;
}
