/** Writes `wire_of_today.txt`: only where the wire of a server with every switch off is meant to change. */
import { writeFile } from "node:fs/promises";
import { recordedWire, wireOfToday } from "./wire_of_today.ts";

await writeFile(recordedWire, await wireOfToday());
