/** A process fills a hidden file and then moves it to its final name, so no incomplete file has that name. */
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { placeFile } from "./place_file.ts";
import { writeWhole } from "./write_whole.ts";

/** The suffixes of SQLite's files. The draft itself is last, because its name is what the next run looks for. */
const suffixes = ["-wal", "-shm", "-journal", ""];
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const draftName = /^\.(.+)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.copying$/;
/** In milliseconds. A process that fills a draft writes to it far more often. */
const abandonedAfter = 60 * 60 * 1000;

/**
 * Creates a hidden file (mode 0600) in the folder of `path` and passes its path to the work, which fills it and
 * places it. Removes it afterwards, even if a signal ends the process, and removes those that killed processes
 * left behind.
 */
export async function withDraft<R>(path: string, work: (draft: string) => R | Promise<R>): Promise<R> {
  if (/[/\\]$/.test(path) || (existsSync(path) && statSync(path).isDirectory()))
    throw new Error(`${path} is a folder: name a file`);
  const draft = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}.copying`);
  let made: Stats | undefined;
  const end = () => {
    for (const signal of endings) process.off(signal, endBy);
    if (made !== undefined) remove(draft);
  };
  const endBy = (signal: NodeJS.Signals) => {
    end();
    process.kill(process.pid, signal);
  };
  for (const signal of endings) process.on(signal, endBy);
  try {
    made = createDraft(draft);
    removeAbandoned(path, made);
    return await work(draft);
  } catch (error) {
    if (made === undefined || isAt(made, draft) || isAt(made, path)) throw error;
    // The process was stopped for so long that another one took the draft for abandoned.
    throw new Error(`another run removed the unfinished file of ${path}: repeat the command`, {
      cause: error,
    });
  } finally {
    end();
  }
}

/** Places a file with this content, and removes the draft of it if that fails. Returns what `placeFile` returns. */
export function putFile(path: string, content: string, { replace }: { replace: boolean }): Promise<boolean> {
  return withDraft(path, (draft) => {
    const file = openSync(draft, "r+");
    try {
      writeWhole(file, content, path);
    } finally {
      closeSync(file);
    }
    return placeFile(draft, path, { replace });
  });
}

/** Lets a signal end the process that arrived while work blocked the event loop. */
export async function heedSignals(): Promise<void> {
  // The first call may return in the iteration of the event loop that missed the signal.
  await setImmediate();
  await setImmediate();
}

/** The name is random and must be new, so that no other account can open the file or lead elsewhere with a link. */
function createDraft(draft: string): Stats {
  try {
    closeSync(openSync(draft, "wx", 0o600));
    return lstatSync(draft);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The hidden name means nothing to the operator.
    throw new Error(`no file can be created in the folder ${resolve(dirname(draft))} (${code})`, {
      cause: error,
    });
  }
}

function isAt({ dev, ino }: Stats, path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.dev === dev && found.ino === ino;
}

function removeAbandoned(path: string, { uid, mtimeMs: now }: Stats): void {
  for (const name of readdirSync(dirname(path))) {
    if (draftName.exec(name)?.[1] !== basename(path)) continue;
    const draft = join(dirname(path), name);
    const files = suffixes.flatMap((suffix) => lstatSync(draft + suffix, { throwIfNoEntry: false }) ?? []);
    if (files.every((file) => file.isFile() && file.uid === uid && now - file.mtimeMs > abandonedAfter))
      remove(draft);
  }
}

function remove(draft: string): void {
  for (const suffix of suffixes) rmSync(draft + suffix, { force: true });
}
