/**
 * Counts, by kind, the data that an import cannot carry over (its losses), and writes each loss as a line of
 * a CSV file.
 */
import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { join, parse } from "node:path";
import { type LossSums, lossColumns, lossSums } from "../../moving_in/core/loss_sums.ts";
import type { Loss } from "../../moving_in/core/moved.ts";
import { writeWhole } from "../../server/files/write_whole.ts";
import { csvLine } from "../../web/csv_line.ts";

const chunk = 65_536;

export interface Losses extends Pick<LossSums, "sums" | "ofClients"> {
  readonly file: string | undefined;
  add(loss: Loss): void;
  close(): void;
  discard(): void;
}

/**
 * Creates the file `wanted`, readable only by its owner. If `wanted` exists, the new file has a number in its
 * name. Without a name, the losses are only counted.
 */
export function lossesIn(wanted: string | undefined, inWords: (reason: Loss["reason"]) => string): Losses {
  const { file, handle } = wanted === undefined ? {} : created(wanted);
  const { add, sums, ofClients } = lossSums();
  let waiting = csvLine(lossColumns);
  const write = () => {
    const text = waiting;
    waiting = "";
    if (handle === undefined) return;
    try {
      writeWhole(handle, text, file ?? "");
    } catch (error) {
      throw new Error(
        `${error instanceof Error ? error.message : error}. Free space, or name another file with --losses, and repeat the command: it keeps what it has imported`,
        { cause: error },
      );
    }
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
      try {
        write();
        if (handle !== undefined) fsyncSync(handle);
      } finally {
        if (handle !== undefined) closeSync(handle);
      }
    },
    discard() {
      if (file !== undefined) rmSync(file, { force: true });
    },
  };
}

function created(wanted: string): { readonly file: string; readonly handle: number } {
  const { dir, name, ext } = parse(wanted);
  for (let number = 1; ; number += 1) {
    const file = number === 1 ? wanted : join(dir, `${name}-${number}${ext}`);
    try {
      return { file, handle: openSync(file, "wx", 0o600) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
