/** Test files that share a process: most of what a file costs is to load the server and to warm it up. */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { longestFiles } from "./longest_files.ts";

/** Files outside the topic folders: those that read the whole project. */
const beside = ".";

/**
 * Rooms whose tests measure no machine, those first that wait for servers and browsers; those of a few seconds
 * share processes.
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

/** Files that a process takes: enough to pay for its start, few enough to end together with the others. */
const filesInBatch = 50;

/** The files by process, those first that take longest. Each file is in one of them. */
export function batchesOf(files: readonly string[]): readonly (readonly string[])[] {
  const shares = (file: string) => rooms.flat().includes(roomOf(file)) && !longestFiles.includes(file);
  const long = longestFiles.filter((file) => files.includes(file));
  const others = files.filter((file) => !longestFiles.includes(file) && !shares(file)).toSorted();
  const batches: string[][] = [];
  for (const room of rooms) {
    const ours = files.filter((file) => shares(file) && room.includes(roomOf(file))).toSorted();
    const count = Math.ceil(ours.length / filesInBatch);
    // Neighbors are alike: dealt out, no batch gets all the slow ones.
    for (let batch = 0; batch < count; batch += 1) batches.push(ours.filter((_, at) => at % count === batch));
  }
  const alone = (file: string) => [file];
  return [...long.map(alone), ...batches, ...others.map(alone)];
}

/** The runner's input for a batch: the file itself, or one that loads them all. */
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

/** A suite for each file, which closes its resources before the next one begins. */
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
