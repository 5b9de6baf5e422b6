/**
 * A program that assigns positions to events until it is killed. It prints how many it assigned each
 * time.
 */
import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type DatabaseAddress, openStore } from "../../src/storage/store.ts";

const [address = ""] = process.argv.slice(2);
const store = await openStore(JSON.parse(address) as DatabaseAddress, { connections: 1, events: true });
for (;;) {
  const numbered = await store.numberEvents();
  if (numbered > 0) writeSync(1, `${numbered}\n`);
  await pause(1);
}
