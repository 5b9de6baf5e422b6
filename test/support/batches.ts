/**
 * Test files that share a process, because most of the cost of a file is loading the server and warming it
 * up.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { longestFiles } from "./longest_files.ts";

/** The folder `test` itself, whose files read the whole project. */
const beside = ".";

/**
 * Folders whose tests do not depend on the machine's speed, so their files may share a process. Folders that
 * wait for servers and browsers come first; folders on one line share their processes.
 */
const rooms = [
  ["interop"],
  ["http"],
  ["identity"],
  ["oauth"],
  ["storage"],
  ["admin"],
  ["cli"],
  ["web", "support"],
  ["client", "providers", "server"],
  ["attacks"],
  ["config", "crypto", "moving_in", "mutants", "ops", "outbound", "records", beside],
];

const roomOf = (file: string) => (file.includes("/") ? file.slice(0, file.indexOf("/")) : beside);

/** Files per process: enough to pay for its start, few enough that it ends together with the others. */
const filesInBatch = 50;

/**
 * Returns the batches of files, each of which runs in one process, beginning with those that take longest.
 * Each file is in exactly one batch.
 */
export function batchesOf(files: readonly string[]): readonly (readonly string[])[] {
  const shares = (file: string) => rooms.flat().includes(roomOf(file)) && !longestFiles.includes(file);
  const long = longestFiles.filter((file) => files.includes(file));
  const others = files.filter((file) => !longestFiles.includes(file) && !shares(file)).toSorted();
  const batches: string[][] = [];
  for (const room of rooms) {
    const ours = files.filter((file) => shares(file) && room.includes(roomOf(file))).toSorted();
    const count = Math.ceil(ours.length / filesInBatch);
    // Neighboring files take similar times, so they go to different batches: no batch gets all the slow ones.
    for (let batch = 0; batch < count; batch += 1) batches.push(ours.filter((_, at) => at % count === batch));
  }
  const alone = (file: string) => [file];
  return [...long.map(alone), ...batches, ...others.map(alone)];
}

/** Returns the runner's input for a batch: the file itself, or one that loads all files. */
export function entryOf(
  batch: readonly string[],
  { tests, folder }: { tests: string; folder: string },
): string {
  const [first = "", ...others] = batch;
  if (others.length === 0) return join(tests, first);
  mkdirSync(folder, { recursive: true });
  const path = join(
    folder,
    `${first.replaceAll("/", "_").replace(/\.test\.ts$/, "")}_and_${others.length}.mjs`,
  );
  writeFileSync(path, batchText(batch, tests));
  return path;
}

/** Declares a suite for each file. A suite releases its file's resources before the next suite begins. */
function batchText(files: readonly string[], tests: string): string {
  const address = (file: string) => JSON.stringify(pathToFileURL(join(tests, file)).href);
  const suites = files.map((file) => {
    const load = `${JSON.stringify(file)}, () => import(${address(file)})`;
    return `describe(${JSON.stringify(basename(file))}, () => declareFile(${load}));\n`;
  });
  return `import { describe } from "node:test";
import { declareFile } from ${address("support/at_end.ts")};
${suites.join("")}`;
}
