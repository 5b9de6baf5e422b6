/** The losses of an import: one per line of a CSV file, and their totals by kind. */
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { type LossSums, lossColumns, lossSums } from "../../moving_in/core/loss_sums.ts";
import type { Loss } from "../../moving_in/core/moved.ts";
import { csvLine } from "../../web/csv_line.ts";
import { WrongUsage } from "../core/terminal.ts";

/** Number of characters written at once. */
const chunk = 65_536;

export interface Losses extends Pick<LossSums, "sums" | "ofClients"> {
  readonly file: string | undefined;
  add(loss: Loss): void;
  close(): void;
  discard(): void;
}

/**
 * Creates the file, readable only by its owner; without one, only the totals are kept. `inWords` formats one of Postern's reasons as a sentence.
 * Throws `WrongUsage` if a file or link of this name exists.
 */
export function lossesIn(file: string | undefined, inWords: (reason: Loss["reason"]) => string): Losses {
  const handle = file === undefined ? undefined : created(file);
  const { add, sums, ofClients } = lossSums();
  let waiting = csvLine(lossColumns);
  const write = () => {
    if (handle !== undefined) writeSync(handle, waiting);
    waiting = "";
  };
  return {
    file,
    add({ object, member, reason }) {
      const said = inWords(reason);
      waiting += csvLine([object, member, said]);
      if (waiting.length > chunk) write();
      add({ object, member, reason }, said);
    },
    ...{ sums, ofClients },
    close() {
      write();
      if (handle !== undefined) closeSync(handle);
    },
    discard() {
      if (file !== undefined) rmSync(file, { force: true });
    },
  };
}

function created(file: string): number {
  try {
    return openSync(file, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new WrongUsage(`${file} exists: remove it, or name another file with --losses`);
  }
}
