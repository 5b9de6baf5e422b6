/**
 * Writes `wire_of_today.txt`. Use it only if the responses of a server with every switch off are meant to
 * change.
 */
import { writeFile } from "node:fs/promises";
import { recordedWire, wireOfToday } from "./wire_of_today.ts";

await writeFile(recordedWire, await wireOfToday());
