/**
 * A program that commits changes of users at random times, each with an event. It prints a change once it is
 * committed, and never prints one that was rolled back. With `pace`, each of its three loops waits up to that
 * many milliseconds between two commits; without it, the program also numbers events continuously.
 */
import { randomInt } from "node:crypto";
import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type DatabaseAddress, openStore } from "../../src/storage/store.ts";
import { anEvent, start } from "../support/builders.ts";

const [address = "", commits = "0", user_id = "", pace = "0"] = process.argv.slice(2);
const store = await openStore(JSON.parse(address) as DatabaseAddress, { connections: 4, events: true });
const ending = new AbortController();

async function numbering(): Promise<void> {
  while (!ending.signal.aborted) {
    await store.numberEvents();
    await pause(randomInt(20));
  }
}

async function commit(): Promise<void> {
  const isUndone = randomInt(8) === 0;
  const at = new Date(start.getTime() - randomInt(60_000));
  const id = store.newId(at);
  const event = { id, type: "user.updated", target_table: "users", target_id: user_id };
  await store
    .transaction(async (tx) => {
      await anEvent(
        { ...store, insert: tx.insert },
        { ...event, created_at: at, details: { after: { name: "A" } } },
      );
      if (randomInt(3) === 0) await pause(randomInt(10));
      if (isUndone) throw new Error("undone");
    })
    .then(() => writeSync(1, `${id}\n`))
    .catch((error: Error) => {
      if (error.message !== "undone") throw error;
    });
}

const numbers = Number(pace) > 0 ? undefined : numbering();
const lanes = Array.from({ length: 3 }, async (_, lane) => {
  for (let at = lane; at < Number(commits); at += 3) {
    if (Number(pace) > 0) await pause(randomInt(Number(pace)));
    await commit();
  }
});
await Promise.all(lanes);
ending.abort();
await numbers;
await store.close();
