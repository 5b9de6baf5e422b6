/** Cleanup after the tests of a file, also if files share a process. */
import { AsyncLocalStorage } from "node:async_hooks";
import { after, before } from "node:test";
import { measured } from "./file_times.ts";

type Endings = (() => unknown)[];

/**
 * The cleanup functions of the test file that runs. Tests and hooks run in the async context in which they
 * were declared, so each adds to those of its own file.
 */
const ofFile = new AsyncLocalStorage<Endings>();
const ofProcess: Endings = [];

/** Runs the function when every test of the file has ended, in reverse order of the calls. */
export function atEnd(end: () => unknown): void {
  (ofFile.getStore() ?? ofProcess).push(end);
}

/** Runs the function when every test of the process has ended. */
export function atProcessEnd(end: () => unknown): void {
  ofProcess.push(end);
}

/**
 * Declares the tests of one of several files in this process. It is called within a suite, whose end runs the
 * file's cleanup.
 */
export async function declareFile(name: string, load: () => Promise<unknown>): Promise<void> {
  const endings: Endings = [];
  let measure = () => {};
  before(() => {
    measure = measured(name);
  });
  after(async () => {
    await endAll(endings);
    measure();
  });
  await ofFile.run(endings, load);
}

/** Runs the work and then its cleanup, so that each run of a repeated test leaves nothing behind. */
export async function inTurn(work: () => unknown): Promise<void> {
  const endings: Endings = [];
  try {
    await ofFile.run(endings, work);
  } finally {
    await endAll(endings);
  }
}

async function endAll(endings: Endings): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end();
}

after(() => endAll(ofProcess));
